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
// longest such time held up nobody for long, and does not hide who did by being back last. Whether a rank
// works or sleeps between its tests makes no difference: nothing moves there meanwhile.
//
// Where a call ends while another rank goes on to test now and then, which of these tests was waited for, or
// whether any was, is not known, nor what the call lacked of a processor for itself.
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
    Ticks back() const { return absence.back.enter; }
    Ticks length() const { return absence.length(); }
    Ticks sinceTest() const { return absence.sinceTest; }
};

/// Of one rank that tests in its part of an operation.
struct TestingPart {
    const CollectivePart* part;
    TestsMeanwhile what;
    Ticks begin() const { return what.begin; }
};

/// The last one that was back before a time, if that is of another part.
std::optional<AbsentPart> lastBack(const CollectivePart& part, const std::vector<AbsentPart>& sorted,
                                   Ticks end) {
    const auto behind = std::ranges::lower_bound(sorted, end, {}, &AbsentPart::back);
    if (behind == sorted.begin() || (behind - 1)->part->record == part.record) return std::nullopt;
    return *(behind - 1);
}

/// Since when another rank was outside, and still was but for tests when this one was through.
std::optional<Ticks> restlessSince(const CollectivePart& part, const std::vector<TestingPart>& sorted) {
    constexpr std::ptrdiff_t kMostLooked = 64;
    const auto end = std::ranges::upper_bound(sorted, part->end, {}, &TestingPart::begin);
    std::optional<Ticks> since;
    for (auto one = end - std::min(kMostLooked, end - sorted.begin()); one != end; ++one)
        if (one->part->record != part.record && one->what.until >= part->end)
            since = std::min(since.value_or(one->what.since), one->what.since);
    return since;
}

}  // namespace

Returns::Returns(const replay::ReplayedTrace& trace, workers::Workers& workers)
    : trace_(trace), stays_(trace.locations.size()) {
    if (!trace.definitions.attributeOfShortage) return;
    workers.forEach(stays_.size(), [&](std::size_t i) {
        if (!trace.locations.has(i)) return;
        const replay::LocationTrace& location = trace.locations[i];
        if (std::ranges::any_of(location.messages.collectives, isOfMpiRanks)) stays_[i] = staysOf(location);
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
    std::vector<TestingPart> tests;
    Ticks firstEnd = std::numeric_limits<Ticks>::max();
    for (const CollectivePart& part : parts) {
        firstEnd = std::min(firstEnd, part->end);
        const replay::LocationTrace& location = trace_.locations[part->location];
        const std::vector<Stay>& stays = stays_[part->location];
        if (part->beginLocation != part->location) continue;
        const Ticks begun = location.messages.calls[part->beginCall].leave;
        const std::vector<Absence> all = absencesOf(stays, begun, part->end);
        const auto one = std::ranges::max_element(all, {}, &Absence::length);
        if (one != all.end()) absent.push_back({&part, *one});
        const RestlessAbsences others = restlessAbsencesOf(location, stays, begun, part->end);
        for (const Absence& other : others.all) restless.push_back({&part, other});
        for (const TestsMeanwhile& other : others.tests) tests.push_back({&part, other});
    }
    if (absent.empty()) return;
    // Who was away for a short time, or tests much more often than others are away, is none that these wait
    // for.
    const Ticks longest = std::ranges::max_element(absent, {}, &AbsentPart::length)->length();
    std::erase_if(absent, [longest](const AbsentPart& one) { return one.length() * kSoon < longest; });
    std::erase_if(restless, [longest](const AbsentPart& one) { return one.sinceTest() * kSoon < longest; });
    std::erase_if(tests, [longest](const TestingPart& one) { return one.what.apart * kSoon < longest; });
    std::ranges::stable_sort(tests, {}, &TestingPart::begin);
    std::ranges::stable_sort(absent, {}, &AbsentPart::back);
    std::ranges::stable_sort(restless, {}, &AbsentPart::back);
    const bool allNeedAll = needsAll((*parts[0]).operation);
    const auto wereTogether = [&](const std::vector<AbsentPart>& sorted) {
        return allNeedAll && !sorted.empty() && firstEnd > sorted.back().back();
    };
    const auto add = [this](const CollectivePart& part, const AbsentPart& other, Ticks since, bool isNeeded) {
        if (other.back() <= part->begin) return;
        note(part.ref, {part.ref.position, startOf(trace_, (*other.part)->location, other.absence.back),
                        std::max(since, other.absence.begin), isNeeded, other.sinceTest()});
    };
    for (const CollectivePart& part : parts) {
        if (const auto last = lastBack(part, absent, part->end)) add(part, *last, 0, wereTogether(absent));
        if (const auto last = lastBack(part, restless, part->end)) {
            // While somebody else was away without any test, that one was waited for.
            const auto before = lastBack(*last->part, absent, last->back());
            const bool isLonger =
                before && before->part->record != part.record && before->length() >= last->sinceTest();
            if (isLonger) add(part, *before, 0, false);
            add(part, *last, isLonger ? before->back() : 0, wereTogether(restless));
        }
        if (const auto since = restlessSince(part, tests)) {
            LateReturn doubtful;
            doubtful.record = part.ref.position;
            doubtful.outsideSince = *since;
            doubtful.isBack = false;
            note(part.ref, doubtful);
        }
    }
}

void Returns::note(const replay::RecordRef& record, const LateReturn& what) {
    const std::lock_guard lock(mutex_);
    found_.push_back({record.location, what});
}

void Returns::finish(AllFindings& found) {
    std::ranges::sort(found_, {}, [](const Found& one) {
        return std::tuple(one.location, one.what.record, one.what.isBack, one.what.sinceTest,
                          one.what.causer.begin);
    });
    for (const Found& one : found_) found.own(one.location).returns.push_back(one.what);
    found_.clear();
}

}  // namespace holos::analyzer::patterns
