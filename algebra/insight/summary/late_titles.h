// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "algebra/insight/summary/spread.h"

namespace holos::algebra {

/// What it is called that those of such a spread come late: they `verb` (`work`, `sleep`) longer than the
/// others, who wait for them.
std::string titleOfLateOnes(const Spread& spread, bool areThreads, const char* verb);

/// What it is called that one alone works or sleeps, and all others wait for it.
std::string titleOfLoneOne(bool isThread, const char* verb);

/// What it is called that others wait for a part of what one does: they do something else meanwhile, which
/// may be more.
std::string titleOfAwaitedOne(bool isThread, const char* verb);

}  // namespace holos::algebra
