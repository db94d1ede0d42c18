// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::tracing::interpose {

/// Whether the program has given up system calls (seccomp), or is about to. One that it does not make itself
/// may end it then: the recorder makes none for sleep.
bool isConfined() noexcept;

}  // namespace holos::tracing::interpose
