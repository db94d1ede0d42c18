// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clocks/violations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "analyzer/matching/epochs.h"
#include "analyzer/trace/comm_members.h"

namespace holos::analyzer::clocks {

namespace {

using matching::AccessEpoch;
using matching::Exposure;
using trace::LocationId;
using trace::Ticks;

/// What was recorded too early, and before what of another location.
enum class Early : std::uint8_t { Receive, Collective, Post, Wait, Init, Finalize, Team, Join, Barrier };

const char* sentenceOn(Early early) {
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

/// Who came last to the initialization or the end of MPI in one world.
struct Last {
    const replay::Startup* call = nullptr;
    std::uint32_t location = replay::kNone;

    void consider(const replay::Startup& other, std::size_t at) {
        if (!other.seen || (call != nullptr && other.enter <= call->enter)) return;
        call = &other;
        location = static_cast<std::uint32_t>(at);
    }
};

/// Finds the violations of one location.
class Search {
  public:
    Search(const patterns::JudgedTrace& run, std::size_t location)
        : run_(run), location_(location), local_(run.trace.locations[location]) {}

    std::map<Pair, Violations> run(const Last& lastToInit, const Last& lastToFinalize) {
        messages();
        collectives();
        if (lastToInit.call != nullptr)
            startup(Early::Init, local_.init, *lastToInit.call, lastToInit.location);
        if (lastToFinalize.call != nullptr)
            startup(Early::Finalize, local_.finalize, *lastToFinalize.call, lastToFinalize.location);
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
        const auto& sendOf = run_.matches.messages.sendOf[location_];
        for (std::size_t i = 0; i < sendOf.size(); ++i) {
            if (!sendOf[i].isKnown()) continue;
            const auto [source, send] = sendOf[i];
            const replay::Receive& receive = local_.messages.receives[i];
            note(found_, {Early::Receive, source}, receive.event, local_.messages.calls[receive.call].leave,
                 run_.trace.locations[source].messages.sends[send].time);
        }
    }

    void collectives() {
        const auto& waits = run_.waits[location_].collectives;
        for (std::size_t i = 0; i < waits.size(); ++i) {
            if (!waits[i].awaited.isKnown()) continue;
            const auto [other, position] = waits[i].awaited;
            const replay::CollectiveRecord& record = local_.messages.collectives[i];
            note(found_, {Early::Collective, other}, record.event, record.end,
                 run_.trace.locations[other].messages.collectives[position].begin);
        }
    }

    void startup(Early early, const replay::Startup& own, const replay::Startup& last, std::uint32_t other) {
        if (own.seen) note(found_, {early, other}, own.event, own.leave, last.enter);
    }

    void barriers() {
        patterns::forEachBarrier(local_, run_.waits[location_],
                                 [&](const replay::BarrierRecord& record, const patterns::BarrierWait& wait) {
                                     if (wait.awaited != replay::kNone)
                                         note(found_, {Early::Barrier, wait.awaited}, record.event,
                                              record.leave, record.enter + record.tasks + wait.wait);
                                 });
    }

    const patterns::JudgedTrace& run_;
    std::size_t location_;
    const replay::LocationTrace& local_;
    std::map<Pair, Violations> found_;
};

/// Operations of windows that are known to bring all processes together: their patterns take a rank that left
/// before the last one came for one that did not wait.
void noteWindows(const patterns::JudgedTrace& run, std::vector<std::map<Pair, Violations>>& found) {
    const auto& instanceOf = run.matches.collectives.instanceOf;
    const auto closingFences = matching::fencesAfterAccess(run.trace, run.matches.collectives);
    std::unordered_map<std::uint32_t, const replay::CollectiveRecord*> last;  // by instance
    const auto visit = [&](auto&& use) {
        for (std::size_t i = 0; i < instanceOf.size(); ++i)
            for (std::size_t j = 0; j < instanceOf[i].size(); ++j) {
                const replay::CollectiveRecord& record = run.trace.locations[i].messages.collectives[j];
                const std::uint32_t instance = instanceOf[i][j];
                if (instance != replay::kNone &&
                    (record.operation == replay::Collective::WinFree || closingFences.contains(instance)))
                    use(i, record, instance);
            }
    };
    visit([&](std::size_t, const replay::CollectiveRecord& record, std::uint32_t instance) {
        const replay::CollectiveRecord*& known = last[instance];
        if (known == nullptr || record.begin > known->begin) known = &record;
    });
    visit([&](std::size_t i, const replay::CollectiveRecord& record, std::uint32_t instance) {
        const replay::CollectiveRecord& awaited = *last[instance];
        Search::note(found[i], {Early::Collective, awaited.location}, record.event, record.end,
                     awaited.begin);
    });
}

/// Epochs of one-sided communication: bytes cannot be had before the target gives access, and its wait is
/// over when all origins have come to the end of their access. What an origin only puts may be kept for
/// later.
void noteEpochs(const replay::ReplayedTrace& trace, std::vector<std::map<Pair, Violations>>& found) {
    const matching::Epochs epochs = matching::matchEpochs(trace);
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

}  // namespace

std::vector<Diagnosis> clockViolations(const patterns::JudgedTrace& run, workers::Workers& workers,
                                       const std::string& consequence) {
    const replay::ReplayedTrace& trace = run.trace;
    const trace::Worlds worlds(trace.definitions);
    const auto worldOf = [&worlds](std::size_t location) {
        return worlds.of(trace::LocationId(static_cast<std::uint32_t>(location)));
    };
    std::vector<Last> init(worlds.count());
    std::vector<Last> finalize(worlds.count());
    for (std::size_t i = 0; i < trace.locations.size(); ++i) {
        init[worldOf(i)].consider(trace.locations[i].init, i);
        finalize[worldOf(i)].consider(trace.locations[i].finalize, i);
    }
    std::vector<std::map<Pair, Violations>> found(trace.locations.size());
    workers.forEach(found.size(), [&](std::size_t i) {
        found[i] = Search(run, i).run(init[worldOf(i)], finalize[worldOf(i)]);
    });
    const auto noteTeam = [&](const matching::ForkedStay& forked) {
        const auto thread = static_cast<std::uint32_t>(forked.location.index());
        const std::uint32_t master = forked.fork.master;
        Search::note(found[thread], {Early::Team, master}, forked.stay.event, forked.stay.enter,
                     forked.fork.fork);
        if (forked.fork.isJoined())
            Search::note(found[master], {Early::Join, thread}, 0, forked.fork.join, forked.stay.leave);
    };
    for (std::size_t i = 0; i < found.size(); ++i)
        run.matches.teams.visit(trace.locations[i].threads, LocationId(i), noteTeam);
    noteWindows(run, found);
    noteEpochs(trace, found);
    std::vector<Diagnosis> diagnoses;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const auto& [pair, violations] : found[i]) {
            const trace::Definitions& definitions = trace.definitions;
            Diagnosis diagnosis;
            diagnosis.trouble = Trouble::ClockViolation;
            diagnosis.message =
                fmt::format(fmt::runtime(sentenceOn(pair.early)),
                            definitions.locations[pair.other].reference) +
                fmt::format(", by up to {:.9f} s; {}", definitions.seconds(violations.largest), consequence);
            diagnosis.location = definitions.locations[i].reference;
            if (violations.event != 0) diagnosis.event = violations.event;
            diagnosis.time = definitions.seconds(violations.time);
            diagnosis.count = violations.count;
            diagnoses.push_back(std::move(diagnosis));
        }
    return diagnoses;
}

}  // namespace holos::analyzer::clocks
