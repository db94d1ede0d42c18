// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/separate_files.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#ifndef SYS_close_range
#define SYS_close_range 436  // Linux 5.9
#endif

namespace holos::tracing::core {
namespace {

constexpr unsigned kUnshare = 2;  ///< CLOSE_RANGE_UNSHARE

/// As close_range(2) where there is none.
bool unshareAndClose() noexcept {
    if (::unshare(CLONE_FILES) != 0) return false;
    rlimit limit{};
    constexpr rlim_t kMost = 1U << 20;
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = kMost;
    const auto most = static_cast<int>(std::min(limit.rlim_cur, kMost));
    for (int i = 0; i < most; ++i) ::close(i);
    return true;
}

}  // namespace

bool separateFiles() noexcept {
    if (::syscall(SYS_close_range, 0U, ~0U, kUnshare) != 0 && !unshareAndClose()) return false;
    for (int i = 0; i < 3; ++i) ::open("/dev/null", O_RDWR | O_CLOEXEC);
    return true;
}

}  // namespace holos::tracing::core
