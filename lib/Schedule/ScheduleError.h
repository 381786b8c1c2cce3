// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The errors of schedules.

#ifndef RELAYOUT_LIB_SCHEDULE_SCHEDULEERROR_H
#define RELAYOUT_LIB_SCHEDULE_SCHEDULEERROR_H

#include "relayout/Support/Result.h"

#include <utility>

namespace relayout {

inline Error scheduleError(std::string message) {
  return Error{ErrorCode::Schedule, "schedule: " + std::move(message)};
}

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_SCHEDULEERROR_H
