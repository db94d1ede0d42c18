// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::tracing::interpose {

/// Whether the code of the file in which the address lies, or of the program, may make a system call itself,
/// not by a function of the C library: it has the bytes of such an instruction somewhere.
bool makesSystemCallsItself(const void* address) noexcept;

}  // namespace holos::tracing::interpose
