// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::algebra {

/// An attribute of an experiment whose values were added up while the program ran, without events: a version
/// number.
inline constexpr const char* kProfileAttribute = "holos::profile";

}  // namespace holos::algebra
