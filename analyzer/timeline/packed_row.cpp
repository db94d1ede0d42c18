// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/packed_row.h"

#include <array>
#include <cstring>

#include "analyzer/timeline/hostile_numbers.h"
#include "base/fnv1a.h"

namespace holos::analyzer::timeline {

namespace {

using QuietPlace = trace::QuietCalls::Place;

constexpr std::size_t kMostOpenCalls = 1U << 16U;
/// The sum of all activities stays within 64 bits.
constexpr std::uint64_t kMostTicks = std::uint64_t{1} << 60U;

template <class Number>
void putFixed(std::string& bytes, std::size_t place, Number number) {
    std::memcpy(bytes.data() + place, &number, sizeof(number));
}

std::uint32_t packed(const Dominant& dominant) {
    return dominant.region << 8U | dominant.share;
}
Dominant dominantOf(std::uint32_t packed) {
    return {packed >> 8U, static_cast<std::uint8_t>(packed & 0xFFU)};
}

void putTimes(std::string& bytes, const ActivityTimes& times) {
    unsigned present = 0;
    for (std::size_t i = 0; i < kActivities; ++i)
        if (times[i] != 0) present |= 1U << i;
    bytes.push_back(static_cast<char>(present));
    for (const Ticks time : times)
        if (time != 0) put(bytes, static_cast<std::uint64_t>(time));
}

void putCheckpoints(std::string& bytes, std::span<const trace::Checkpoint> checkpoints) {
    put(bytes, checkpoints.size());
    for (const trace::Checkpoint& checkpoint : checkpoints) {
        put(bytes, checkpoint.event);
        put(bytes, unfold(checkpoint.time));
        put(bytes, checkpoint.calls.size());
        for (const trace::OpenCall& call : checkpoint.calls) {
            put(bytes, unfold(call.begin));
            put(bytes, call.region.index());
        }
    }
}

void putRegions(std::string& bytes, const std::vector<trace::RegionId>& regions) {
    put(bytes, regions.size());
    for (const trace::RegionId region : regions) put(bytes, region.index());
}

/// As differences to the place before.
void putPlace(std::string& bytes, const std::optional<QuietPlace>& place, QuietPlace& last) {
    put(bytes, place ? place->begin - last.end + 1 : 0);
    if (!place) return;
    put(bytes, place->end - place->begin);
    put(bytes, place->time - last.time);
    last = *place;
}

void putQuiet(std::string& bytes, std::span<const trace::QuietCalls> quiet) {
    put(bytes, quiet.size());
    std::uint64_t at = 0;
    QuietPlace last;
    for (const trace::QuietCalls& calls : quiet) {
        put(bytes, calls.first - at);
        put(bytes, calls.end - calls.first);
        put(bytes, unfold(calls.before));
        put(bytes, static_cast<std::uint64_t>(calls.latest) - static_cast<std::uint64_t>(calls.before));
        putRegions(bytes, calls.left);
        putRegions(bytes, calls.entered);
        put(bytes, calls.met.size());
        for (const trace::QuietCalls::Path& path : calls.met) {
            put(bytes, path.left);
            putRegions(bytes, path.regions);
        }
        putPlace(bytes, calls.place, last);
        at = calls.end;
    }
}

std::uint64_t checkSum(std::string_view bytes, std::uint64_t location) {
    return Fnv1a().add(&location, sizeof(location)).add(bytes.data(), bytes.size()).value();
}

std::vector<trace::RegionId> takeRegions(Numbers& numbers, std::size_t known) {
    std::vector<trace::RegionId> result(numbers.number(numbers.left()));
    for (trace::RegionId& region : result) region = trace::RegionId(numbers.number(known - 1));
    return result;
}

std::optional<QuietPlace> takePlace(Numbers& numbers, QuietPlace& last) {
    const std::uint64_t distance = numbers.number();
    if (distance == 0) return std::nullopt;
    const std::uint64_t begin = last.end + distance - 1;
    const std::uint64_t end = begin + numbers.number();
    return last = {begin, end, last.time + numbers.number()};
}

}  // namespace

std::size_t fixedSizeOf(const TimeGrid& grid) {
    return placeOfDominants(grid, grid.levels() - 1, 1);
}

std::size_t placeOfDominants(const TimeGrid& grid, unsigned level, std::size_t bin) {
    return (grid.levels() + 3) * sizeof(std::uint32_t) + (grid.binsBefore(level) + bin) * kDominantsSize;
}

std::string packRow(const TimeGrid& grid, RegionTimes times, std::size_t locations,
                    const std::vector<Activity>& activities, const Places& places) {
    std::string bytes(fixedSizeOf(grid), '\0');
    const auto start = [&bytes](std::size_t number) {
        putFixed(bytes, number * sizeof(std::uint32_t), static_cast<std::uint32_t>(bytes.size()));
    };
    for (unsigned level = 0; level < grid.levels(); ++level) {
        if (level != 0) times = times.coarser();
        start(level);
        for (std::size_t bin = 0; bin < grid.bins(level); ++bin) {
            const Summary summary = summarize(times.bin(bin), grid.width(level, bin), locations, activities);
            const std::size_t place = placeOfDominants(grid, level, bin);
            putFixed(bytes, place, packed(summary.most));
            putFixed(bytes, place + 4, packed(summary.lost));
            putTimes(bytes, summary.times);
        }
    }
    start(grid.levels());
    putCheckpoints(bytes, places.checkpoints);
    start(grid.levels() + 1);
    const std::size_t quiet = bytes.size();
    putQuiet(bytes, places.quiet);
    const std::uint64_t sum = checkSum(std::string_view(bytes).substr(quiet), places.location);
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof(sum));
    start(grid.levels() + 2);
    return bytes;
}

Dominants unpackDominants(const char* bytes) {
    std::array<std::uint32_t, 2> packed;
    std::memcpy(packed.data(), bytes, sizeof(packed));
    return {dominantOf(packed[0]), dominantOf(packed[1])};
}

std::vector<ActivityTimes> unpackTimes(std::string_view bytes, std::size_t bins) {
    if (bytes.size() < bins) throw Error("the levels of detail end within a row");
    Numbers numbers(bytes);
    std::vector<ActivityTimes> times(bins);
    for (ActivityTimes& bin : times) {
        const unsigned present = numbers.byte();
        for (std::size_t i = 0; i < kActivities; ++i)
            if ((present >> i & 1U) != 0) bin[i] = static_cast<Ticks>(numbers.number(kMostTicks));
    }
    return times;
}

std::vector<trace::Checkpoint> unpackCheckpoints(std::string_view bytes, std::size_t regions) {
    Numbers numbers(bytes);
    std::vector<trace::Checkpoint> checkpoints(numbers.number(numbers.left()));
    for (trace::Checkpoint& checkpoint : checkpoints) {
        checkpoint.event = numbers.number();
        checkpoint.time = fold(numbers.number());
        checkpoint.calls.resize(std::min<std::uint64_t>(numbers.number(kMostOpenCalls), numbers.left()));
        for (trace::OpenCall& call : checkpoint.calls) {
            call.begin = fold(numbers.number());
            call.region = trace::RegionId(numbers.number(regions - 1));
        }
    }
    return checkpoints;
}

std::vector<trace::QuietCalls> unpackQuiet(std::string_view bytes, std::size_t regions) {
    constexpr std::uint64_t kMostEvents = std::uint64_t{1} << 48U;
    Numbers numbers(bytes);
    std::vector<trace::QuietCalls> quiet(numbers.number(numbers.left()));
    std::uint64_t at = 0;
    QuietPlace last;
    for (trace::QuietCalls& calls : quiet) {
        calls.first = at + numbers.number(kMostEvents - at);
        calls.end = calls.first + numbers.number(kMostEvents - calls.first);
        calls.before = fold(numbers.number());
        calls.latest = static_cast<trace::Ticks>(static_cast<std::uint64_t>(calls.before) + numbers.number());
        calls.left = takeRegions(numbers, regions);
        calls.entered = takeRegions(numbers, regions);
        calls.met.resize(numbers.number(numbers.left()));
        for (trace::QuietCalls::Path& path : calls.met) {
            path.left = static_cast<std::uint32_t>(numbers.number(calls.left.size()));
            path.regions = takeRegions(numbers, regions);
        }
        calls.place = takePlace(numbers, last);
        at = calls.end;
    }
    return quiet;
}

std::string_view verified(std::string_view bytes, std::size_t location) {
    std::uint64_t sum = 0;
    if (bytes.size() >= sizeof(sum)) {
        std::memcpy(&sum, bytes.end() - sizeof(sum), sizeof(sum));
        bytes.remove_suffix(sizeof(sum));
        if (sum == checkSum(bytes, location)) return bytes;
    }
    throw Error("the levels of detail are damaged: the quiet calls of a location differ from their sum");
}

}  // namespace holos::analyzer::timeline
