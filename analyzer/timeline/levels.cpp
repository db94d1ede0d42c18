// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/levels.h"

#include <array>
#include <bit>
#include <cstring>

#include "analyzer/timeline/file_parts.h"
#include "base/error.h"

namespace holos::analyzer::timeline {

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
