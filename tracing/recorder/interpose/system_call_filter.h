// SPDX-License-Identifier: BSD-3-Clause
#pragma once

struct sock_fprog;

namespace holos::tracing::interpose {

/// Whether a filter of system calls (seccomp) lets a call pass, whatever its parameters are: the filter is a
/// short program for a simple processor, which is run here along all ways that unknown parameters may take
/// it. False where that is not certain.
bool lets(const sock_fprog& filter, long number) noexcept;

}  // namespace holos::tracing::interpose
