// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace holos::tracing::core {

/// How long processors of the machine have been in use since it started, by whatever programs and by the
/// kernel, and by other virtual machines where it is one: nanoseconds of all processors together, as the
/// kernel counts them (`/proc/stat`, in steps of 10 ms). 0 where it does not tell. Allocates nothing.
/// `root`: of the files, for tests.
std::uint64_t machineUse(const char* root) noexcept;

}  // namespace holos::tracing::core
