// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::gui::testing {

/// After so many milliseconds a test no longer waits for what has to come: far above what it takes on a busy
/// machine.
inline constexpr int kPatience = 60000;

}  // namespace holos::gui::testing
