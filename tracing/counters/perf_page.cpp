// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/perf_page.h"

#include <sys/mman.h>
#include <unistd.h>

#include <utility>

#ifdef __x86_64__
#include <x86intrin.h>
#endif

namespace holos::counters {

namespace {

std::atomic<bool> clockIsForbidden{false};

}  // namespace

void forbidClock() noexcept {
    clockIsForbidden.store(true, std::memory_order_relaxed);
}

#if defined(__x86_64__)

std::uint64_t Registers::counter(std::uint32_t number) const noexcept {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(number));
    return std::uint64_t{high} << 32 | low;
}

std::uint64_t Registers::clock() const noexcept {
    return clockIsForbidden.load(std::memory_order_relaxed) ? 0 : __rdtsc();
}

#elif defined(__aarch64__)

namespace {

/// The register's number is part of the instruction.
template <std::uint32_t kNumber>
std::uint64_t eventCounter() noexcept {
    std::uint64_t value = 0;
    // pmevcntrN_el0 by its encoding, as its name has the number in it
    __asm__ volatile("mrs %0, s3_3_c14_c%c1_%c2" : "=r"(value) : "i"(8 + kNumber / 8), "i"(kNumber % 8));
    return value;
}

template <std::uint32_t... kNumbers>
std::uint64_t eventCounter(std::uint32_t number, std::integer_sequence<std::uint32_t, kNumbers...>) noexcept {
    std::uint64_t value = 0;
    (void)((number == kNumbers && (value = eventCounter<kNumbers>(), true)) || ...);
    return value;
}

}  // namespace

std::uint64_t Registers::counter(std::uint32_t number) const noexcept {
    constexpr std::uint32_t kCycles = 31;
    if (number != kCycles) return eventCounter(number, std::make_integer_sequence<std::uint32_t, kCycles>());
    std::uint64_t value = 0;
    __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
    return value;
}

std::uint64_t Registers::clock() const noexcept {
    std::uint64_t value = 0;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(value));
    return value;
}

#else

std::uint64_t Registers::counter(std::uint32_t) const noexcept {
    return 0;
}

std::uint64_t Registers::clock() const noexcept {
    return 0;
}

#endif

PerfPage::PerfPage(int file) noexcept {
    if (!Registers::kCanBeRead) return;
    void* const page =
        ::mmap(nullptr, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) page_ = static_cast<const volatile perf_event_mmap_page*>(page);
}

PerfPage::~PerfPage() {
    if (page_ != nullptr)
        ::munmap(const_cast<perf_event_mmap_page*>(page_), static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
}

}  // namespace holos::counters
