// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::tracing::core {

/// Whether code belongs to a runtime system (OpenMP, MPI and what they use), whose own threads and locks are
/// not the program's. Quick after the first time.
bool isRuntime(const void* code) noexcept;

}  // namespace holos::tracing::core
