// SPDX-License-Identifier: BSD-3-Clause
#include "validation/configuration.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <thread>

#include "validation/kernels.h"
#include "validation/processors.h"

namespace holos::validation {

namespace {

constexpr int kRepetitions = 5;  // the shortest counts: others were disturbed

double faultsOfThisThread() {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return static_cast<double>(usage.ru_minflt);
}

void touch(char* place) {
    *static_cast<volatile char*>(place) = 1;
}

std::vector<PaddingProbe> probePadding() {
    constexpr std::size_t kSmallest = 1'024, kLargest = 256 * 1'024, kOffsets = 8, kPairs = 32;
    std::vector<PaddingProbe> probes;
    for (std::size_t region = kSmallest; region <= kLargest; region *= 2)
        for (std::size_t part = 0; part < kOffsets; ++part) {
            const std::size_t offset = part * region / kOffsets;
            const FreshMemory memory(2 * region * kPairs + region);
            const double before = faultsOfThisThread();
            for (std::size_t pair = 0; pair < kPairs; ++pair) {
                char* begin = memory.begin() + offset + 2 * region * pair;
                touch(begin);
                touch(begin + region - 1);
            }
            probes.push_back({region, offset, kPairs, faultsOfThisThread() - before});
        }
    return probes;
}

template <class Work>
double shortest(Work work) {
    double best = std::numeric_limits<double>::infinity();
    for (int repetition = 0; repetition < kRepetitions; ++repetition) best = std::min(best, work());
    return best;
}

template <class Work>
double nanosecondsOf(Work work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

/// Each access waits for the one before, so that the processor cannot hide what it takes.
void walk(const FreshMemory& memory, std::size_t stride, std::size_t accesses) {
    for (std::size_t access = 0, at = 0; access < accesses; ++access) {
        std::size_t value = *reinterpret_cast<volatile unsigned char*>(memory.begin() + at);
        asm volatile("" : "+r"(value));  // a byte, and so 0 above: but nobody knows
        at = (at + stride + (value >> 8)) % memory.bytes();
    }
}

std::vector<TimedAccess> sweepStrides() {
    constexpr std::size_t kArray = 64u << 20, kAccesses = 100'000;
    const FreshMemory memory(kArray);
    for (std::size_t at = 0; at < kArray; at += pageBytes()) touch(memory.begin() + at);
    std::vector<TimedAccess> sweep;
    for (std::size_t stride = 256; stride <= (1u << 20); stride *= 2) {
        const double time = shortest([&] { return nanosecondsOf([&] { walk(memory, stride, kAccesses); }); });
        sweep.push_back({stride, time / kAccesses});
    }
    return sweep;
}

/// Two processors, each of which counts in a word of its own at this distance.
double nanosecondsOfNeighbours(std::size_t distance) {
    constexpr int kCounts = 20'000;
    const FreshMemory memory(pageBytes());
    const auto count = [&](std::size_t place) {
        auto& word = *reinterpret_cast<std::atomic<unsigned>*>(memory.begin() + place);
        for (int each = 0; each < kCounts; ++each) word.fetch_add(1, std::memory_order_relaxed);
    };
    return shortest([&] {
        Meeting meeting;
        pinTo(1);
        const std::jthread other([&] {
            meeting.meet();
            count(distance);
        });
        pinTo(0);
        meeting.meet();
        return nanosecondsOf([&] { count(0); }) / kCounts;
    });
}

std::vector<TimedAccess> sweepNeighbours() {
    std::vector<TimedAccess> sweep;
    if (processorCount() < 2) return sweep;
    for (std::size_t distance = 8; distance <= 1'024; distance *= 2)
        sweep.push_back({distance, nanosecondsOfNeighbours(distance)});
    return sweep;
}

}  // namespace

std::size_t pageByPadding(const std::vector<PaddingProbe>& probes) {
    constexpr double kOne = 1.25;  // faults of something else come in between
    std::size_t page = 0;
    for (const PaddingProbe& each : probes)
        if (each.faults <= kOne * static_cast<double>(each.pairs)) page = std::max(page, each.regionBytes);
    return page;
}

std::size_t pageByStride(const std::vector<TimedAccess>& sweep) {
    const auto peak = std::ranges::max_element(sweep, {}, &TimedAccess::nanoseconds);
    return peak == sweep.end() ? 0 : peak->bytes;
}

std::size_t lineByFalseSharing(const std::vector<TimedAccess>& sweep) {
    double longest = 0.0;
    for (const TimedAccess& each : sweep) longest = std::max(longest, each.nanoseconds);
    std::size_t line = 0;
    for (auto each = sweep.rbegin(); each != sweep.rend() && each->nanoseconds < 0.5 * longest; ++each)
        line = each->bytes;
    return line;
}

namespace {

constexpr double kKibi = 1024;

double asNumber(std::size_t value) {
    return static_cast<double>(value);
}

/// A line for each offset, as part of the region.
std::vector<Sweep> sweepsOf(const std::vector<PaddingProbe>& probes) {
    std::map<double, Sweep> sweeps;
    for (const PaddingProbe& each : probes) {
        const double part = asNumber(each.offset) / asNumber(each.regionBytes);
        Sweep& sweep = sweeps[part];
        sweep.name = part == 0 ? "begins with a page" : std::to_string(std::lround(100 * part)) + " % later";
        sweep.points.push_back({asNumber(each.regionBytes) / kKibi, each.faults / asNumber(each.pairs)});
    }
    std::vector<Sweep> all;
    for (auto& [part, sweep] : sweeps) all.push_back(std::move(sweep));
    return all;
}

/// Sizes are multiples of so many bytes.
std::vector<Sweep> sweepsOf(const std::vector<TimedAccess>& accesses, double bytes) {
    Sweep sweep{"shortest of " + std::to_string(kRepetitions), {}};
    for (const TimedAccess& each : accesses)
        sweep.points.push_back({asNumber(each.bytes) / bytes, each.nanoseconds});
    return {std::move(sweep)};
}

}  // namespace

std::vector<Property> findConfiguration() {
    const auto padding = probePadding();
    const auto strides = sweepStrides(), neighbours = sweepNeighbours();
    const char* const kTime = "time of an access (ns)";
    return {
        {"page", "bytes", asNumber(pageByPadding(padding)), asNumber(pageBytes()), "padding, page faults",
         "region (KiB)", "page faults of its two ends", sweepsOf(padding)},
        {"page", "bytes", asNumber(pageByStride(strides)), asNumber(pageBytes()), "strides, time",
         "stride (KiB)", kTime, sweepsOf(strides, kKibi)},
        {"cache line", "bytes", asNumber(lineByFalseSharing(neighbours)), asNumber(cacheLineBytes()),
         "false sharing, time", "distance (bytes)", kTime, sweepsOf(neighbours, 1)},
    };
}

}  // namespace holos::validation
