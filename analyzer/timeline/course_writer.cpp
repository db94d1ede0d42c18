// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/course_writer.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "analyzer/timeline/course.h"
#include "analyzer/timeline/format.h"
#include "analyzer/timeline/hostile_numbers.h"
#include "base/fnv1a.h"
#include "base/made_by.h"

namespace holos::analyzer::timeline {

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
