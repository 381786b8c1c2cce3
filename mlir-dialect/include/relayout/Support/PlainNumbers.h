// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Numbers in texts, whatever the locale of the host.

#ifndef RELAYOUT_SUPPORT_PLAINNUMBERS_H
#define RELAYOUT_SUPPORT_PLAINNUMBERS_H

#include <locale.h>

namespace relayout {

/// While it lives, C's functions write and read a point in the numbers of this thread. LLVM's
/// classes for texts and JSON use them, and a host may have set a locale that has a comma.
class PlainNumbers {
public:
  PlainNumbers() : plain(newlocale(LC_ALL_MASK, "C", nullptr)), before(uselocale(plain)) {}
  PlainNumbers(const PlainNumbers &) = delete;
  PlainNumbers &operator=(const PlainNumbers &) = delete;
  ~PlainNumbers() {
    uselocale(before);
    if (plain)
      freelocale(plain);
  }

private:
  locale_t plain; ///< null where there is no memory for it: what was set stays
  locale_t before;
};

} // namespace relayout

#endif // RELAYOUT_SUPPORT_PLAINNUMBERS_H
