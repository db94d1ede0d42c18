// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/run_course.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "analyzer/patterns/list.h"
#include "analyzer/timeline/course.h"

namespace holos::analyzer {

using timeline::CourseMark;
using timeline::MarkKind;
using trace::Ticks;

namespace {

constexpr std::uint64_t kMostWaits = 1U << 22U;
constexpr std::uint64_t kMostParts = 1U << 22U;

std::size_t bitsOf(Ticks wait) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(wait)));
}

template <class Visit>
void forEachWait(const patterns::JudgedTrace& run, Visit&& visit) {
    for (std::size_t at = 0; at < run.trace.locations.size(); ++at) {
        const trace::LocationId location(at);
        const auto note = [&](const patterns::SingleWait& wait) {
            if (wait.wait > 0) visit(static_cast<std::uint32_t>(at), wait);
        };
        patterns::visitAllWaits(run, location, note);
    }
}

/// The least length, as a power of two, of which there is room for all.
std::size_t fewestBits(const patterns::JudgedTrace& run) {
    std::array<std::uint64_t, 65> byBits{};
    forEachWait(run, [&](std::uint32_t, const patterns::SingleWait& wait) { ++byBits[bitsOf(wait.wait)]; });
    std::uint64_t kept = 0;
    std::size_t bits = byBits.size();
    while (bits > 0 && kept + byBits[bits - 1] <= kMostWaits) kept += byBits[--bits];
    return bits;
}

/// An operation as its members were met so far.
struct Operation {
    CourseMark mark;
    std::uint32_t last = timeline::kNobody;  ///< who came last
    Ticks lastBegin = 0;
};

void meet(Operation& known, const replay::CollectiveRecord& record, std::uint32_t location) {
    CourseMark& mark = known.mark;
    if (mark.group++ == 0) {
        mark.kind = MarkKind::Operation;
        mark.location = location;
        mark.begin = record.begin;
        mark.end = record.end;
    }
    mark.other = location;
    mark.begin = std::min(mark.begin, record.begin);
    mark.end = std::max(mark.end, record.end);
    if (known.last == timeline::kNobody || record.begin > known.lastBegin) {
        known.last = location;
        known.lastBegin = record.begin;
    }
}

}  // namespace

RunCourse::RunCourse(const trace::Definitions& definitions)
    : definitions_(definitions), writer_(definitions) {}

void RunCourse::addWaits(const patterns::JudgedTrace& run) {
    const std::size_t fewest = fewestBits(run);
    forEachWait(run, [&](std::uint32_t location, const patterns::SingleWait& wait) {
        const std::uint32_t name = writer_.nameOf(wait.metric.uniqueName);
        const Ticks end = wait.begin + wait.wait;
        writer_.book(name, location, wait.begin, end);
        if (bitsOf(wait.wait) < fewest) return;
        const std::uint32_t awaited =
            wait.awaited ? static_cast<std::uint32_t>(wait.awaited->index()) : timeline::kNobody;
        writer_.add({MarkKind::Wait, name, location, awaited, 0, wait.begin, end});
    });
}

void RunCourse::addOperations(const patterns::JudgedTrace& run, const replay::ReplayedCalls& calls) {
    std::vector<Operation> operations;
    std::uint64_t parts = 0;
    const auto forEachRecord = [&](auto&& visit) {
        for (std::uint32_t at = 0; at < run.trace.locations.size(); ++at) {
            const auto& records = run.trace.locations[at].messages.collectives;
            for (std::size_t i = 0; i < records.size(); ++i)
                if (const std::uint32_t number = run.matches.collectives.instanceOf[at][i];
                    number != replay::kNone)
                    visit(number, at, records[i]);
        }
    };
    forEachRecord([&](std::uint32_t number, std::uint32_t at, const replay::CollectiveRecord& record) {
        if (operations.size() <= number) operations.resize(number + std::size_t{1});
        Operation& known = operations[number];
        if (known.mark.group == 0) {
            const trace::RegionId region = calls[trace::LocationId(at)].tree[record.node].region;
            known.mark.name = writer_.nameOf(definitions_[region].name);
        }
        meet(known, record, at);
        ++parts;
    });
    for (const Operation& operation : operations)
        if (operation.mark.group > 1) writer_.add(operation.mark);
    if (parts > kMostParts) return;
    forEachRecord([&](std::uint32_t number, std::uint32_t at, const replay::CollectiveRecord& record) {
        const Operation& operation = operations[number];
        if (operation.mark.group > 1)
            writer_.add(
                {MarkKind::Part, operation.mark.name, at, operation.last, number, record.begin, record.end});
    });
}

causes::TellDelay RunCourse::delays() {
    delays_.resize(definitions_.locations.size());
    return [this, grid = writer_.coarseGrid()](std::uint32_t location, patterns::Kind kind, Ticks begin,
                                               Ticks end, double cost) {
        delays_[location][kind].addSpread(grid, begin, end, static_cast<Ticks>(std::llround(cost)));
    };
}

void RunCourse::addDelays() {
    std::map<patterns::Kind, std::string> names;
    for (const patterns::Pattern* pattern : patterns::allPatterns())
        for (const patterns::Delay& delay : pattern->delays)
            names[delay.kind] = std::string(delay.uniqueName) + "_aggregate";
    for (std::uint32_t location = 0; location < delays_.size(); ++location)
        for (auto& [kind, sums] : delays_[location]) {
            sums.settle();
            for (const std::string& name : {names.at(kind), std::string(timeline::kDelayName)})
                writer_.bookCoarse(writer_.nameOf(name), location, sums);
        }
    delays_.clear();
}

void RunCourse::addCauses(const causes::CauseCourse& causes) {
    addDelays();
    const std::uint32_t name = writer_.nameOf(timeline::kPathName);
    const auto length = static_cast<Ticks>(definitions_.clock.length);
    for (const causes::PathPart& part : causes.path) {
        const Ticks begin = std::clamp<Ticks>(part.begin, 0, length);
        const Ticks end = std::clamp<Ticks>(part.end, 0, length);
        writer_.book(name, part.location, begin, end);
        writer_.add({MarkKind::Path, name, part.location, part.next, 0, begin, end});
    }
}

}  // namespace holos::analyzer
