// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>

namespace holos::tracing::stacks {

/// Sent for samples. Those who do not expect it lose nothing: the system ignores it unless a program asks for
/// it, also one that replaces a recorded program, and debuggers pass it on in silence.
inline constexpr int kSampleSignal = SIGURG;

using SignalHandler = void (*)(int signal, siginfo_t* info, void* context);

/// Installs the handler. What the program does with the signal from then on (`sigaction`, `signal`) is only
/// remembered. System calls that it interrupts go on where the system can do that (SA_RESTART).
bool takeSignal(SignalHandler handler) noexcept;

/// Gives a signal that was sent by somebody else to the program's own handler.
void passOnSignal(int signal, siginfo_t* info, void* context) noexcept;

}  // namespace holos::tracing::stacks
