// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::algebra {

/// The metric with the time on an ideal network, where communication takes none, by replay of the run
/// (`analyzer::addIdealNetwork`).
inline constexpr const char* kIdealNetworkTime = "ideal_network_time";

}  // namespace holos::algebra
