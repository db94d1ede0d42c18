// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/clock_violations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "analyzer/matching/epochs.h"
#include "analyzer/matching/teams.h"

namespace holos::analyzer::matching {

namespace {

using trace::LocationId;
using trace::Ticks;

/// What was recorded too early, and before what of another location.
enum class Early : std::uint8_t { Receive, Collective, Post, Wait, Init, Finalize, Team, Join, Barrier };

const char* describe(Early early) {
    switch (early) {
        case Early::Receive:
            return "a message of location {} was received before it was sent";
        case Early::Collective:
            return "a collective operation was over before location {} began it";
        case Early::Post:
            return "an access to the window of location {} was over before it gave access";
        case Early::Wait:
            return "a window was taken back before location {} came to the end of its access";
        case Early::Init:
            return "MPI was initialized before location {} came to it";
        case Early::Finalize:
            return "MPI was finalized before location {} came to it";
        case Early::Team:
            return "a parallel region began before location {} forked its team";
        case Early::Join:
            return "a parallel region was joined before location {} left it";
        case Early::Barrier:
            return "a barrier was left before location {} came to it";
    }
    return "";
}

struct Pair {
    Early early;
    std::uint32_t other;
    friend auto operator<=>(const Pair&, const Pair&) = default;
};
struct Violations {
    std::uint64_t count = 0;
    std::uint64_t event = 0;  ///< of the first one; 0 where it is not known
    Ticks time = 0;           ///< of the first one
    Ticks largest = 0;
};

/// Those of one location.
class Search {
  public:
    Search(const replay::ReplayedTrace& trace, std::size_t location)
        : trace_(trace), local_(trace.locations[location]) {}

    std::map<Pair, Violations> run(const replay::Startup* lastToInit, std::uint32_t lastInInit,
                                   const replay::Startup* lastToFinalize, std::uint32_t lastInFinalize) {
        messages();
        collectives();
        if (lastToInit != nullptr) startup(Early::Init, local_.init, *lastToInit, lastInInit);
        if (lastToFinalize != nullptr)
            startup(Early::Finalize, local_.finalize, *lastToFinalize, lastInFinalize);
        barriers();
        return std::move(found_);
    }

    static void note(std::map<Pair, Violations>& found, Pair pair, std::uint64_t event, Ticks time,
                     Ticks awaited) {
        if (awaited <= time) return;
        Violations& known = found[pair];
        if (known.count++ == 0) {
            known.event = event;
            known.time = time;
        }
        known.largest = std::max(known.largest, awaited - time);
    }

  private:
    /// Recorders may give a receive its call's start for a time, so that only the call's end shows
    /// disagreeing clocks.
    void messages() {
        for (const replay::Receive& receive : local_.messages.receives) {
            if (receive.matchIndex == replay::kNone) continue;
            const auto& sends = trace_.locations[receive.matchLocation].messages.sends;
            note(found_, {Early::Receive, receive.matchLocation}, receive.event,
                 local_.messages.calls[receive.call].leave, sends[receive.matchIndex].time);
        }
    }

    void collectives() {
        for (const replay::CollectiveRecord& record : local_.messages.collectives)
            if (record.waitsFor != nullptr)
                note(found_, {Early::Collective, record.waitsFor->location}, record.event, record.end,
                     record.waitsFor->begin);
    }

    void startup(Early early, const replay::Startup& own, const replay::Startup& last, std::uint32_t other) {
        if (own.seen) note(found_, {early, other}, own.event, own.leave, last.enter);
    }

    void barriers() {
        for (const replay::BarrierRecord& record : local_.threads.barriers)
            if (record.awaited != replay::kNone)
                note(found_, {Early::Barrier, record.awaited}, record.event, record.leave,
                     record.enter + record.tasks + record.wait);
    }

    const replay::ReplayedTrace& trace_;
    const replay::LocationTrace& local_;
    std::map<Pair, Violations> found_;
};

/// Operations of windows that are known to bring all processes together: their patterns take a rank that left
/// before the last one came for one that did not wait.
void noteWindows(const replay::ReplayedTrace& trace, std::vector<std::map<Pair, Violations>>& found) {
    const auto closingFences = fencesAfterAccess(trace);
    std::unordered_map<std::uint32_t, const replay::CollectiveRecord*> last;  // by instance
    const auto visit = [&](auto&& use) {
        for (std::size_t i = 0; i < trace.locations.size(); ++i)
            for (const replay::CollectiveRecord& record : trace.locations[i].messages.collectives)
                if (record.instance != replay::kNone && (record.operation == replay::Collective::WinFree ||
                                                         closingFences.contains(record.instance)))
                    use(i, record);
    };
    visit([&](std::size_t, const replay::CollectiveRecord& record) {
        const replay::CollectiveRecord*& known = last[record.instance];
        if (known == nullptr || record.begin > known->begin) known = &record;
    });
    visit([&](std::size_t i, const replay::CollectiveRecord& record) {
        const replay::CollectiveRecord& awaited = *last[record.instance];
        Search::note(found[i], {Early::Collective, awaited.location}, record.event, record.end,
                     awaited.begin);
    });
}

/// Epochs of one-sided communication: bytes cannot be had before the target gives access, and its wait is
/// over when all origins have come to the end of their access. What an origin only puts may be kept for
/// later.
void noteEpochs(const replay::ReplayedTrace& trace, std::vector<std::map<Pair, Violations>>& found) {
    const Epochs epochs = matchEpochs(trace);
    for (const AccessEpoch& access : epochs.accesses) {
        if (!access.complete.isKnown()) continue;
        const auto origin = static_cast<std::uint32_t>(access.complete.location.index());
        const replay::Call& complete = access.complete.in(trace);
        for (const AccessEpoch::Target& target : access.targets) {
            if (!target.exposure) continue;
            const Exposure& exposure = epochs.exposures[*target.exposure];
            const auto poster = static_cast<std::uint32_t>(exposure.post.location.index());
            if (access.brings(target.process))
                Search::note(found[origin], {Early::Post, poster}, complete.event, complete.leave,
                             exposure.post.in(trace).enter);
            if (!exposure.wait.isKnown()) continue;
            const replay::Call& wait = exposure.wait.in(trace);
            Search::note(found[exposure.wait.location.index()], {Early::Wait, origin}, wait.event, wait.leave,
                         complete.enter);
        }
    }
}

/// Who came last to the initialization or the end of MPI.
struct Last {
    const replay::Startup* call = nullptr;
    std::uint32_t location = replay::kNone;

    void consider(const replay::Startup& other, std::size_t at) {
        if (!other.seen || (call != nullptr && other.enter <= call->enter)) return;
        call = &other;
        location = static_cast<std::uint32_t>(at);
    }
};

}  // namespace

std::vector<Diagnosis> clockViolations(const replay::ReplayedTrace& trace, const ForkedStays& stays,
                                       workers::Workers& workers, const std::string& consequence) {
    Last init;
    Last finalize;
    for (std::size_t i = 0; i < trace.locations.size(); ++i) {
        init.consider(trace.locations[i].init, i);
        finalize.consider(trace.locations[i].finalize, i);
    }
    std::vector<std::map<Pair, Violations>> found(trace.locations.size());
    workers.forEach(found.size(), [&](std::size_t i) {
        found[i] = Search(trace, i).run(init.call, init.location, finalize.call, finalize.location);
    });
    const auto noteTeam = [&](const ForkedStay& forked) {
        const auto thread = static_cast<std::uint32_t>(forked.location.index());
        const auto master = static_cast<std::uint32_t>(forked.master.index());
        Search::note(found[thread], {Early::Team, master}, forked.stay.event, forked.stay.enter,
                     forked.fork.fork);
        if (forked.fork.isJoined())
            Search::note(found[master], {Early::Join, thread}, 0, forked.fork.join, forked.stay.leave);
    };
    for (std::size_t i = 0; i < found.size(); ++i) stays.visit(trace::LocationId(i), noteTeam);
    noteWindows(trace, found);
    noteEpochs(trace, found);
    std::vector<Diagnosis> diagnoses;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const auto& [pair, violations] : found[i]) {
            const trace::Definitions& definitions = trace.definitions;
            Diagnosis diagnosis;
            diagnosis.trouble = Trouble::ClockViolation;
            diagnosis.message =
                fmt::format(fmt::runtime(describe(pair.early)), definitions.locations[pair.other].reference) +
                fmt::format(", by up to {:.9f} s; {}", definitions.seconds(violations.largest), consequence);
            diagnosis.location = definitions.locations[i].reference;
            if (violations.event != 0) diagnosis.event = violations.event;
            diagnosis.time = definitions.seconds(violations.time);
            diagnosis.count = violations.count;
            diagnoses.push_back(std::move(diagnosis));
        }
    return diagnoses;
}

}  // namespace holos::analyzer::matching
