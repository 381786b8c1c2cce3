// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Standard streams that are closed, full or left by their reader.

#ifndef RELAYOUT_TOOLS_RELAYOUTC_STREAMS_H
#define RELAYOUT_TOOLS_RELAYOUTC_STREAMS_H

namespace relayout::driver {

/// Makes what goes wrong with a stream an error of who writes to it, and no end of the process.
/// Where standard error does not take text, that is lost and changes nothing. What is left in
/// standard output at the end is an error of `program`, and ends it with the code 3.
void prepareStreams(const char *program);

} // namespace relayout::driver

#endif // RELAYOUT_TOOLS_RELAYOUTC_STREAMS_H
