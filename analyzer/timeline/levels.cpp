// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/levels.h"

#include <array>
#include <bit>
#include <cstring>

#include "analyzer/timeline/format.h"
#include "analyzer/timeline/hostile_numbers.h"
#include "base/error.h"
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

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostMessages = 1U << 24U;

}  // namespace

fs::path levelsFile(const fs::path& anchor) {
    return fs::path(anchor).replace_extension(".timeline");
}

Header headerOf(const trace::Definitions& definitions) {
    Header header;
    header.locations = definitions.locations.size();
    header.regions = definitions.regions.size();
    header.length = definitions.clock.length;
    header.ticksPerSecond = definitions.clock.ticksPerSecond;
    header.offset = definitions.clock.globalOffset;
    for (const trace::Location& location : definitions.locations) header.promisedEvents += location.events;
    return header;
}

Levels::Levels(const fs::path& file, const fs::path& anchor, const trace::Definitions& definitions)
    : file_(file) {
    if (isOlder(file, anchor)) file_.fail("was made before the trace was written; it is made anew", 0);
    file_.read(0, sizeof(Header), reinterpret_cast<char*>(&header_));
    requireSense(headerOf(definitions));
    grid_ = TimeGrid(static_cast<Ticks>(header_.length), static_cast<unsigned>(header_.levels));
}

void Levels::requireSense(const Header& expected) const {
    if (header_.magic != Header::kMagic) file_.fail("has no levels of detail of this kind of machine", 0);
    if (header_.version != Header::kVersion)
        file_.fail("was made by another version of Holos; it is made anew", offsetof(Header, version));
    const bool isOfTrace =
        header_.locations == expected.locations && header_.regions == expected.regions &&
        header_.length == expected.length && header_.ticksPerSecond == expected.ticksPerSecond &&
        header_.offset == expected.offset && header_.promisedEvents == expected.promisedEvents;
    if (!isOfTrace) file_.fail("was made of another trace; it is made anew", offsetof(Header, locations));
    if (header_.locations == 0 || header_.locations > kMostLocations || header_.regions >= kOutside)
        file_.fail("has no levels: there are no locations, or too many", offsetof(Header, locations));
    if (header_.levels == 0 || header_.levels > TimeGrid::kMostLevels)
        file_.fail("has an impossible number of levels", offsetof(Header, levels));
    const unsigned top = rowLevelsOf(header_.locations) - 1;
    if (header_.rows != rowPosition(header_.locations, top, 0) + 1)
        file_.fail("has an impossible number of rows", offsetof(Header, rows));
    file_.requirePresent(header_.table, header_.rows * sizeof(RowPlace));
    if (header_.messageCount > kMostMessages || header_.oneOf == 0)
        file_.fail("has an impossible number of messages", offsetof(Header, messageCount));
}

RowPlace Levels::placeOf(RowId row) const {
    if (row.level >= rowLevels() || row.row >= rows(row.level))
        throw Error("there is no such row in the levels of detail", {.file = file_.name()});
    const std::uint64_t position = rowPosition(header_.locations, row.level, row.row);
    const std::uint64_t entry = header_.table + position * sizeof(RowPlace);
    RowPlace place;
    file_.read(entry, sizeof(place), reinterpret_cast<char*>(&place));
    const bool isInFile = place.offset <= file_.size() && place.size <= file_.size() - place.offset;
    if (!isInFile || place.size < fixedSizeOf(grid_)) file_.fail("has a row outside of the file", entry);
    return place;
}

std::string Levels::part(const RowPlace& row, unsigned number) const {
    std::array<std::uint32_t, 2> ends;
    const std::uint64_t place = row.offset + number * sizeof(std::uint32_t);
    file_.read(place, sizeof(ends), reinterpret_cast<char*>(ends.data()));
    if (ends[0] > ends[1] || ends[1] > row.size) file_.fail("has a level outside of its row", place);
    return file_.read(row.offset + ends[0], ends[1] - ends[0]);
}

std::vector<Dominants> Levels::dominants(RowId row, unsigned level, std::size_t from, std::size_t to) const {
    to = std::min(to, grid_.bins(level));
    if (from >= to) return {};
    const std::uint64_t place = placeOf(row).offset + placeOfDominants(grid_, level, from);
    const std::string bytes = file_.read(place, (to - from) * kDominantsSize);
    std::vector<Dominants> result(to - from);
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = unpackDominants(bytes.data() + i * kDominantsSize);
        for (const Dominant& dominant : {result[i].most, result[i].lost})
            if (dominant.region >= header_.regions && dominant.region != kOutside)
                file_.fail("has a region that the trace does not have", place + i * kDominantsSize);
    }
    return result;
}

std::vector<ActivityTimes> Levels::times(RowId row, unsigned level) const {
    const RowPlace place = placeOf(row);
    try {
        return unpackTimes(part(place, level), grid_.bins(level));
    } catch (const Error& error) {
        file_.fail(error.message(), place.offset);
    }
}

trace::Checkpoint Levels::checkpointBefore(std::size_t location, Ticks from) const {
    const RowPlace place = placeOf({0, location});
    std::vector<trace::Checkpoint> all;
    try {
        all = unpackCheckpoints(part(place, grid_.levels()), header_.regions);
    } catch (const Error& error) {
        file_.fail(error.message(), place.offset);
    }
    trace::Checkpoint best;
    for (trace::Checkpoint& checkpoint : all)
        if (checkpoint.time < from) best = std::move(checkpoint);
    return best;
}

std::vector<trace::QuietCalls> Levels::quiet(std::size_t location) const {
    const RowPlace place = placeOf({0, location});
    try {
        const std::string bytes = part(place, grid_.levels() + 1);
        return unpackQuiet(verified(bytes, location), header_.regions);
    } catch (const Error& error) {
        file_.fail(error.message(), place.offset);
    }
}

KeptMessages Levels::messages() const {
    struct Packed {
        std::uint32_t sender, receiver;
        Ticks sent, received;
        std::uint64_t bytes;
    };
    const std::string bytes = file_.read(header_.messages, header_.messageCount * sizeof(Packed));
    KeptMessages kept{{}, header_.oneOf};
    kept.messages.reserve(header_.messageCount);
    for (std::size_t i = 0; i < header_.messageCount; ++i) {
        Packed packed;
        std::memcpy(&packed, bytes.data() + i * sizeof(packed), sizeof(packed));
        if (packed.sender >= header_.locations || packed.receiver >= header_.locations)
            file_.fail("has a message of nobody", header_.messages + i * sizeof(packed));
        kept.messages.push_back({trace::LocationId(packed.sender), trace::LocationId(packed.receiver),
                                 packed.sent, packed.received, packed.bytes});
    }
    return kept;
}

std::vector<RowId> rowsCovering(std::size_t from, std::size_t to) {
    std::vector<RowId> rows;
    while (from < to) {
        unsigned level = from == 0 ? 63U : static_cast<unsigned>(std::countr_zero(from));
        while ((std::size_t{1} << level) > to - from) --level;
        rows.push_back({level, from >> level});
        from += std::size_t{1} << level;
    }
    return rows;
}

}  // namespace holos::analyzer::timeline
