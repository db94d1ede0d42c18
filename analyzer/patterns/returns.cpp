// SPDX-License-Identifier: BSD-3-Clause
//
// A nonblocking collective operation needs its ranks in MPI again and again, also those that have begun it.
//
//   rank 0  ──┤Iallreduce├──┤Wait ···················│──L├──     w = E(Wait of rank 1) − E(Wait)
//   rank 1  ──┤Iallreduce├──────── works ────────────┤E Wait├──
//
// Whoever tests now and then in its work is back for a moment each time, and hardly in MPI: the last of these
// times before the end tells, too.
//
//   rank 1  ──┤Iallreduce├── works ──┤Test├── works ──┤Test├── works ──┤E Wait├──
//
// Where nobody was through before the last one was back, and all need all, they waited for that one, as in
// operations that block. In others a call that ended soon behind the return of the last one shows that; who
// looks at the call decides.
//
// All are outside of MPI now and then, if only between tests. Whoever was for less than an eighth of the
// longest such time held up nobody for long, and does not hide who did by being back last.
//
#include "analyzer/patterns/returns.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "analyzer/patterns/list.h"

namespace holos::analyzer::patterns {

namespace {

using replay::Collective;
using replay::CollectiveRecord;

/// MPI_Comm_idup among them: its members agree on a number that all of them have free.
bool isOfMpiRanks(const CollectiveRecord& record) {
    return record.isNonblocking() &&
           (record.operation < Collective::Other || replay::isOfCommunicators(record.operation));
}

/// Whether no rank can end it without data of every other one.
bool needsAll(Collective operation) {
    if (replay::isOfCommunicators(operation)) return true;
    if (operation == Collective::Alltoallv || operation == Collective::Alltoallw) return false;
    const Kind kind = kindOf(operation);
    return kind == Kind::Barrier || kind == Kind::NToN;
}

/// Of one rank, in its part of an operation.
struct AbsentPart {
    const CollectivePart* part;
    Absence absence;
    Ticks sinceTest = std::numeric_limits<Ticks>::max();  ///< where it tested in between
    Ticks back() const { return absence.back.enter; }
    Ticks length() const { return back() - absence.begin; }
};

}  // namespace

Returns::Returns(const replay::ReplayedTrace& trace, workers::Workers& workers)
    : trace_(trace), stays_(trace.locations.size()) {
    if (!trace.definitions.attributeOfShortage) return;
    workers.forEach(stays_.size(), [&](std::size_t i) {
        if (!trace.locations.has(i)) return;
        const replay::LocationTrace& location = trace.locations[i];
        if (std::ranges::any_of(location.messages.collectives, isOfMpiRanks))
            stays_[i] = staysOf(location, true);
    });
}

bool Returns::mayHaveSome(CollectiveParts parts) const {
    return parts.size() > 1 && std::ranges::all_of(parts, [&](const CollectivePart& part) {
               return isOfMpiRanks(*part) && part->location == part.ref.location &&
                      !stays_[part->location].empty();
           });
}

void Returns::look(CollectiveParts parts) {
    if (!mayHaveSome(parts)) return;
    std::vector<AbsentPart> absent, restless;
    Ticks firstEnd = std::numeric_limits<Ticks>::max();
    for (const CollectivePart& part : parts) {
        firstEnd = std::min(firstEnd, part->end);
        const replay::LocationTrace& location = trace_.locations[part->location];
        const std::vector<Stay>& stays = stays_[part->location];
        if (const auto absence = longestAbsence(location, stays, *part)) absent.push_back({&part, *absence});
        for (const RestlessAbsence& one : restlessAbsences(location, stays, *part))
            restless.push_back({&part, one.whole, one.sinceTest});
    }
    if (absent.empty()) return;
    // Who was away for a short time, or tests much more often than others are away, is none that these wait
    // for.
    const Ticks longest = std::ranges::max_element(absent, {}, &AbsentPart::length)->length();
    std::erase_if(absent, [longest](const AbsentPart& one) { return one.length() * kSoon < longest; });
    std::erase_if(restless, [longest](const AbsentPart& one) { return one.sinceTest * kSoon < longest; });
    std::ranges::stable_sort(absent, {}, &AbsentPart::back);
    std::ranges::stable_sort(restless, {}, &AbsentPart::back);
    const bool allNeedAll = needsAll((*parts[0]).operation);
    const auto wereTogether = [&](const std::vector<AbsentPart>& sorted) {
        return allNeedAll && !sorted.empty() && firstEnd > sorted.back().back();
    };
    // Of others the last one that was back while the rank had begun its part and was not through.
    const auto add = [this](const CollectivePart& part, const std::vector<AbsentPart>& sorted,
                            bool isNeeded) {
        auto last = std::ranges::lower_bound(sorted, part->end, {}, &AbsentPart::back);
        if (last == sorted.begin()) return;
        --last;
        if (last->part->record == part.record || last->back() <= part->begin) return;
        const LateReturn one{part.ref.position, startOf(trace_, (*last->part)->location, last->absence.back),
                             last->absence.begin, isNeeded, last->sinceTest};
        const std::lock_guard lock(mutex_);
        found_.push_back({part.ref.location, one});
    };
    for (const CollectivePart& part : parts) {
        add(part, absent, wereTogether(absent));
        add(part, restless, wereTogether(restless));
    }
}

void Returns::finish(AllFindings& found) {
    std::ranges::sort(found_, {}, [](const Found& one) {
        return std::tuple(one.location, one.what.record, one.what.sinceTest);
    });
    for (const Found& one : found_) found.own(one.location).returns.push_back(one.what);
    found_.clear();
}

}  // namespace holos::analyzer::patterns
