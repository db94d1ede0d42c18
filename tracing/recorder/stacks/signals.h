// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>

namespace holos::tracing::stacks {

/// Sent for samples. Those who do not expect it lose nothing: the system ignores it unless a program asks for
/// it, also one that replaces a recorded program, and debuggers pass it on in silence.
inline constexpr int kSampleSignal = SIGURG;

}  // namespace holos::tracing::stacks
