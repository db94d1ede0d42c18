// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/python/memory.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace holos::tracing::stacks::python {
namespace {

/// The kernel reads a set of signals before it finds out that it does not know what to do with it.
bool canRead(std::uint64_t page) noexcept {
    constexpr int kNothingToDo = -1;
    constexpr std::size_t kSetBytes = 8;
    const int saved = errno;
    const long result = ::syscall(SYS_rt_sigprocmask, kNothingToDo, page, nullptr, kSetBytes);
    const bool canBeRead = result != 0 && errno == EINVAL;
    errno = saved;
    return canBeRead;
}

}  // namespace

bool Memory::areReadable(std::uint64_t address, std::uint64_t bytes) noexcept {
    for (std::uint64_t page = address & ~(kPage - 1); page < address + bytes; page += kPage) {
        if (std::find(pages_.begin(), pages_.end(), page) != pages_.end()) continue;
        if (!canRead(page)) return false;
        pages_[next_] = page;
        next_ = (next_ + 1) % pages_.size();
    }
    return true;
}

}  // namespace holos::tracing::stacks::python
