// SPDX-License-Identifier: BSD-3-Clause
#include "validation/processors.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "base/error.h"

namespace holos::validation {

namespace {

/// The processors that the process started with: pinning narrows what the kernel answers.
const cpu_set_t& allowed() {
    static const cpu_set_t set = [] {
        cpu_set_t mask;
        CPU_ZERO(&mask);
        ::sched_getaffinity(0, sizeof mask, &mask);
        return mask;
    }();
    return set;
}

}  // namespace

unsigned processorCount() {
    return static_cast<unsigned>(CPU_COUNT(&allowed()));
}

void pinTo(unsigned processor) {
    unsigned found = 0;
    for (int each = 0; each < CPU_SETSIZE; ++each) {
        if (!CPU_ISSET(each, &allowed()) || found++ != processor) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(each, &one);
        if (const int error = ::pthread_setaffinity_np(::pthread_self(), sizeof one, &one); error != 0)
            throw Error(std::string("a thread cannot be pinned to a processor: ") + std::strerror(error));
        return;
    }
    throw Error("needs " + std::to_string(processor + 1) + " processors, and there are " +
                std::to_string(processorCount()));
}

std::size_t cacheLineBytes() {
    constexpr std::size_t kUsual = 64;
    const long bytes = ::sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
    return bytes > 0 ? static_cast<std::size_t>(bytes) : kUsual;
}

void spinPause(unsigned turn) noexcept {
    constexpr unsigned kPatience = 100'000;
    if (turn > kPatience) ::sched_yield();
}

}  // namespace holos::validation
