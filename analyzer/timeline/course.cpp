// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/course.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <tuple>

#include "analyzer/timeline/hostile_numbers.h"
#include "base/fnv1a.h"
#include "base/made_by.h"

namespace holos::analyzer::timeline {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostNames = 4096;
constexpr std::uint64_t kMostNameBytes = 1U << 20U;
constexpr std::uint64_t kMostMarkBlocks = 1U << 22U;
constexpr unsigned kMostBitsOfLength = 62;

/// Blocks whose marks may reach into a window are neighbours: of equal kinds and lengths, in the order of
/// their starts.
std::pair<std::uint32_t, std::uint32_t> listOf(const CourseBlock& block) {
    return {block.kind, block.width};
}

}  // namespace

fs::path courseFile(const fs::path& anchor) {
    return fs::path(anchor).replace_extension(".course");
}

std::uint64_t fingerprintOf(const trace::Definitions& definitions) {
    const Header header = headerOf(definitions);
    Fnv1a sum;
    for (const std::uint64_t number : {header.locations, header.regions, header.length, header.ticksPerSecond,
                                       header.offset, header.promisedEvents})
        sum.add(&number, sizeof(number));
    return sum.value();
}

Course::Course(const fs::path& file, const fs::path& anchor, const trace::Definitions& definitions)
    : file_(file) {
    if (isOlder(file, anchor)) file_.fail("was made before the trace was written; it is made anew", 0);
    file_.read(0, sizeof(CourseHeader), reinterpret_cast<char*>(&header_));
    requireSense(definitions);
    grid_ = TimeGrid(static_cast<Ticks>(definitions.clock.length), static_cast<unsigned>(header_.levels));
    readTables();
}

void Course::requireSense(const trace::Definitions& definitions) const {
    if (header_.magic != CourseHeader::kMagic)
        file_.fail("has no course of a run of this kind of machine", 0);
    if (header_.version != CourseHeader::kVersion)
        file_.fail("was made by another version of Holos; it is made anew", offsetof(CourseHeader, version));
    if (header_.trace != fingerprintOf(definitions) || header_.locations != definitions.locations.size())
        file_.fail("was made of another trace; it is made anew", offsetof(CourseHeader, trace));
    if (header_.locations == 0 || header_.locations > kMostLocations)
        file_.fail("has no locations, or too many", offsetof(CourseHeader, locations));
    if (header_.names > kMostNames || header_.namesSize > kMostNameBytes)
        file_.fail("has an impossible number of names", offsetof(CourseHeader, names));
    if (header_.levels == 0 || header_.levels > TimeGrid::kMostLevels)
        file_.fail("has an impossible number of levels", offsetof(CourseHeader, levels));
    if (header_.blocks > kMostMarkBlocks)
        file_.fail("has an impossible number of blocks", offsetof(CourseHeader, blocks));
}

void Course::readNames(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\0', at);
        if (end == std::string::npos) break;
        names_.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    if (names_.size() != header_.names) file_.fail("has other names than it should", sizeof(CourseHeader));
}

void Course::readTables() {
    const std::string text = file_.read(sizeof(CourseHeader), header_.namesSize);
    readNames(text);
    const unsigned top = rowLevelsOf(header_.locations) - 1;
    rows_ = rowPosition(header_.locations, top, 0) + 1;
    const std::uint64_t ofBlocks = header_.blocks * sizeof(CourseBlock);
    const std::string tables =
        file_.read(header_.tables, ofBlocks + header_.names * rows_ * sizeof(CoursePlace));
    if (Fnv1a().add(text.data(), text.size()).add(tables.data(), tables.size()).value() != header_.sum)
        file_.fail("is damaged: its tables differ from their sum", header_.tables);
    blocks_.resize(header_.blocks);
    if (!blocks_.empty()) std::memcpy(blocks_.data(), tables.data(), ofBlocks);
    rowTable_ = header_.tables + ofBlocks;
    const auto isBefore = [](const CourseBlock& a, const CourseBlock& b) {
        return std::tuple(listOf(a), a.first) < std::tuple(listOf(b), b.first);
    };
    const auto isWrong = [](const CourseBlock& block) {
        return block.kind >= kMarkKinds || block.width == 0 || block.width > kMostBitsOfLength ||
               block.marks == 0 || block.marks > kMarksInBlock;
    };
    if (!std::ranges::is_sorted(blocks_, isBefore) || std::ranges::any_of(blocks_, isWrong))
        file_.fail("has blocks that cannot be", header_.tables);
}

std::optional<std::uint32_t> Course::nameOf(const std::string& name) const {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - names_.begin());
}

std::string Course::bytesAt(const CoursePlace& place) const {
    std::string bytes = file_.read(place.offset, place.size);
    if (Fnv1a().add(bytes.data(), bytes.size()).value() != place.sum)
        file_.fail("is damaged: bytes differ from their sum", place.offset);
    return bytes;
}

void Course::appendMarks(const CourseBlock& block, Ticks from, Ticks to,
                         std::vector<CourseMark>& marks) const {
    const std::string bytes = bytesAt(block.place);
    try {
        Numbers numbers(bytes);
        Ticks begin = block.first;
        for (std::uint64_t i = 0; i < block.marks; ++i) {
            CourseMark mark;
            mark.kind = static_cast<MarkKind>(block.kind);
            mark.begin = begin = static_cast<Ticks>(static_cast<std::uint64_t>(begin) +
                                                    numbers.number(1ULL << kMostBitsOfLength));
            mark.end = static_cast<Ticks>(static_cast<std::uint64_t>(begin) +
                                          numbers.number((1ULL << block.width) - 1));
            mark.name = static_cast<std::uint32_t>(numbers.number(header_.names - 1));
            mark.location = static_cast<std::uint32_t>(numbers.number(header_.locations - 1));
            const std::uint64_t other = numbers.number(header_.locations);
            mark.other = other == 0 ? kNobody : static_cast<std::uint32_t>(other - 1);
            mark.group = static_cast<std::uint32_t>(numbers.number(~std::uint32_t{0}));
            if (mark.begin < to && mark.end > from) marks.push_back(mark);
        }
    } catch (const Error& error) {
        file_.fail(error.message(), block.place.offset);
    }
}

CourseMarks Course::marks(MarkKind kind, Ticks from, Ticks to, Ticks shortest, std::size_t most) const {
    CourseMarks result;
    if (header_.names == 0) return result;
    const auto ofKind = static_cast<std::uint32_t>(kind);
    auto end = std::ranges::upper_bound(blocks_, ofKind, {}, &CourseBlock::kind);
    while (end != blocks_.begin() && std::prev(end)->kind == ofKind) {
        const std::uint32_t width = std::prev(end)->width;
        const Ticks longest = (Ticks{1} << width) - 1;
        if (longest < shortest) break;
        const auto begin =
            std::lower_bound(blocks_.begin(), end, std::pair(ofKind, width),
                             [](const CourseBlock& block, const auto& list) { return listOf(block) < list; });
        // A block may have marks up to the start of the next one.
        auto first =
            std::upper_bound(begin, end, from > longest ? from - longest : Ticks{0},
                             [](Ticks time, const CourseBlock& block) { return time < block.first; });
        if (first != begin) --first;
        const auto last = std::lower_bound(
            first, end, to, [](const CourseBlock& block, Ticks time) { return block.first < time; });
        const auto inBlocks = static_cast<std::size_t>(last - first) * kMarksInBlock;
        if (result.marks.size() + inBlocks > most + 2 * kMarksInBlock) {
            result.isCut = true;
            break;
        }
        for (auto block = first; block != last; ++block) appendMarks(*block, from, to, result.marks);
        end = begin;
    }
    std::ranges::stable_sort(result.marks, {}, &CourseMark::begin);
    return result;
}

std::vector<Ticks> Course::sums(std::uint32_t name, RowId row, unsigned level) const {
    if (name >= names_.size() || row.level >= rowLevelsOf(header_.locations) ||
        row.row >= rowsOf(header_.locations, row.level) || level >= grid_.levels())
        throw Error("there is no such row in the course of the run", {.file = file_.name()});
    const std::uint64_t position = name * rows_ + rowPosition(header_.locations, row.level, row.row);
    CoursePlace place;
    file_.read(rowTable_ + position * sizeof(place), sizeof(place), reinterpret_cast<char*>(&place));
    if (place.size == 0) return {};
    const std::string bytes = bytesAt(place);
    try {
        return unpackSums(bytes, grid_, level);
    } catch (const Error& error) {
        file_.fail(error.message(), place.offset);
    }
}

namespace {

constexpr std::uint64_t kMostSumsOfAll = 1U << 22U;
constexpr std::uint64_t kFewestSums = 64;
constexpr std::uint64_t kMostSums = 1U << 13U;
constexpr unsigned kCoarseLevels = 10;

TimeGrid gridOfSums(const trace::Definitions& definitions) {
    const std::uint64_t locations = std::max<std::size_t>(definitions.locations.size(), 1);
    const std::uint64_t bins = std::clamp(kMostSumsOfAll / locations, kFewestSums, kMostSums);
    return {static_cast<Ticks>(definitions.clock.length), static_cast<unsigned>(std::bit_width(bins))};
}

unsigned bitsOfLength(const CourseMark& mark) {
    return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(mark.end - mark.begin)));
}

CoursePlace append(OutputFile& output, const std::string& bytes) {
    const CoursePlace place{output.size(), bytes.size(), Fnv1a().add(bytes.data(), bytes.size()).value()};
    output.write(bytes);
    return place;
}

}  // namespace

CourseWriter::CourseWriter(const trace::Definitions& definitions)
    : definitions_(definitions), grid_(gridOfSums(definitions)) {}

std::uint32_t CourseWriter::nameOf(const std::string& name) {
    return names_.try_emplace(name, static_cast<std::uint32_t>(names_.size())).first->second;
}

void CourseWriter::add(const CourseMark& mark) {
    if (mark.end > mark.begin) marks_.push_back(mark);
}

void CourseWriter::book(std::uint32_t name, std::uint32_t location, Ticks begin, Ticks end) {
    Rows& rows = sums_[name];
    rows.resize(definitions_.locations.size());
    rows[location].add(grid_, begin, end);
}

TimeGrid CourseWriter::coarseGrid() const {
    return {grid_.length(), std::min(grid_.levels(), kCoarseLevels)};
}

void CourseWriter::bookCoarse(std::uint32_t name, std::uint32_t location, const TimeSums& sums) {
    coarse_.insert(name);
    Rows& rows = sums_[name];
    rows.resize(definitions_.locations.size());
    rows[location].add(sums);
}

unsigned CourseWriter::finestOf(std::uint32_t name) const {
    return coarse_.contains(name) ? grid_.levels() - coarseGrid().levels() : 0;
}

void CourseWriter::writeBlocks(OutputFile& output) {
    const auto key = [](const CourseMark& mark) {
        return std::tuple(mark.kind, bitsOfLength(mark), mark.begin, mark.location, mark.group);
    };
    std::ranges::stable_sort(marks_,
                             [&](const CourseMark& a, const CourseMark& b) { return key(a) < key(b); });
    std::string bytes;
    for (std::size_t at = 0; at < marks_.size();) {
        const CourseMark& first = marks_[at];
        CourseBlock block;
        block.first = first.begin;
        block.kind = static_cast<std::uint32_t>(first.kind);
        block.width = bitsOfLength(first);
        bytes.clear();
        for (Ticks before = first.begin; at < marks_.size() && block.marks < kMarksInBlock; ++at) {
            const CourseMark& mark = marks_[at];
            if (mark.kind != first.kind || bitsOfLength(mark) != block.width) break;
            put(bytes, static_cast<std::uint64_t>(mark.begin - before));
            put(bytes, static_cast<std::uint64_t>(mark.end - mark.begin));
            put(bytes, mark.name);
            put(bytes, mark.location);
            put(bytes, mark.other == kNobody ? 0 : std::uint64_t{mark.other} + 1);
            put(bytes, mark.group);
            before = mark.begin;
            ++block.marks;
        }
        block.place = append(output, bytes);
        blocks_.push_back(block);
    }
}

/// A row of each location, and of neighbours together; those without anything have no place.
void CourseWriter::writeRows(OutputFile& output, Rows rows, unsigned finest,
                             std::vector<CoursePlace>& places) const {
    for (TimeSums& row : rows) row.settle();
    while (true) {
        for (const TimeSums& row : rows)
            places.push_back(row.empty() ? CoursePlace{} : append(output, packSums(grid_, row, finest)));
        if (rows.size() <= 1) return;
        Rows pairs((rows.size() + 1) / 2);
        for (std::size_t at = 0; at < rows.size(); ++at) {
            if (at % 2 == 0)
                pairs[at / 2] = std::move(rows[at]);
            else if (!rows[at].empty())
                pairs[at / 2].add(rows[at]);
        }
        rows = std::move(pairs);
    }
}

void CourseWriter::write(const std::filesystem::path& file) {
    requireOwn(file, CourseHeader::kMagic);
    OutputFile output(file, Links::Refused);
    CourseHeader header;
    header.trace = fingerprintOf(definitions_);
    header.locations = definitions_.locations.size();
    header.names = names_.size();
    header.levels = grid_.levels();
    output.write(bytesOf(header));
    std::vector<std::string> names(names_.size());
    for (const auto& [name, position] : names_) names[position] = name;
    std::string text;
    for (const std::string& name : names) text += name + '\0';
    header.namesSize = text.size();
    output.write(text);
    writeBlocks(output);
    std::vector<CoursePlace> places;
    for (std::uint32_t name = 0; name < names.size(); ++name) {
        Rows& rows = sums_[name];
        rows.resize(definitions_.locations.size());
        writeRows(output, std::move(rows), finestOf(name), places);
    }
    header.blocks = blocks_.size();
    header.tables = output.size();
    std::string tables;
    for (const CourseBlock& block : blocks_) tables += bytesOf(block);
    for (const CoursePlace& place : places) tables += bytesOf(place);
    output.write(tables);
    header.sum = Fnv1a().add(text.data(), text.size()).add(tables.data(), tables.size()).value();
    output.rewrite(0, bytesOf(header));
    output.commit();
}

}  // namespace holos::analyzer::timeline
