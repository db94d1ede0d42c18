// SPDX-License-Identifier: BSD-3-Clause
//
// Late Post: an origin's access waits until its target exposes its window.
// Early Wait: a target waits for its origins to complete. Late Complete is the part of it in which no origin
// accesses the window any more.
//
//   origin  ──┤ Start ····├┤ Put ├────────┤ Complete ├──       late post = E(Post) − E(Start)
//   target  ─────────┤ Post ├┤ Wait ·················├──       early wait = E(Complete) − E(Wait)
//                                                              late complete = E(Complete) − L(Put)
//
// Where an implementation lets Start return at once, the post is waited for in Complete or in the access.
//
// Wait for Progress: a target that posts its window waits until its origins call MPI, because only they note
// it there. MPI does not ask for that: it shows where the post ended soon after an origin was back in MPI.
//
//   origin  ──┤ Complete ├───── works ─────┤ Start ├──         w = E(Start) − max(E(Post), L(Complete))
//   target  ──────┤ Post ······················├──
//
#include <algorithm>
#include <limits>
#include <map>

#include "analyzer/matching/epochs.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"
#include "analyzer/patterns/presence.h"
#include "analyzer/patterns/rma_calls.h"
#include "analyzer/patterns/starved_calls.h"
#include "analyzer/patterns/stays.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kLatePostPicture{
    {{"target", "Post", "----------===-------"}, {"origin", "Start, access", "----######=====-----"}},
    {{0, 10, 1, 10}}};

const algebra::Picture kEarlyWaitPicture{
    {{"origin", "access, Complete", "-----=========------"}, {"target", "Wait", "---##########==-----"}},
    {{0, 13, 1, 13}}};

const algebra::Picture kLateCompletePicture{
    {{"origin", "access … Complete", "---====------===----"}, {"target", "Wait", "---====######===----"}},
    {{0, 13, 1, 13}}};

const algebra::Picture kPostPicture{
    {{"origin", "MPI call", "------------====----"}, {"target", "Post", "----########==------"}},
    {{0, 12, 1, 12}}};

const Metric kRmaSyncLatePost{.parent = "mpi_rma_sync_active",
                              .uniqueName = "mpi_rma_sync_late_post",
                              .displayName = "Late Post",
                              .description =
                                  "Time that an origin waits in MPI_Win_start or MPI_Win_complete for a "
                                  "target that has not exposed its window yet. Let targets post earlier.",
                              .picture = &kLatePostPicture,
                              .meaning = "an access epoch waits for the exposure epoch",
                              .activity = Activity::None,
                              .before = "mpi_rma_wait_at_fence"};
const Metric kRmaCommLatePost{.parent = "mpi_rma_communication",
                              .uniqueName = "mpi_rma_comm_late_post",
                              .displayName = "Late Post",
                              .description =
                                  "Time that a one-sided operation waits for its target to expose the "
                                  "window. Let targets post earlier.",
                              .picture = &kLatePostPicture,
                              .meaning = "a one-sided operation waits for the exposure epoch",
                              .activity = Activity::None};
const Metric kRmaPostProgress{
    .parent = "mpi_rma_sync_active",
    .uniqueName = "mpi_rma_sync_active_wait_for_progress",
    .displayName = "Wait for Progress",
    .description =
        "Time that a target waits in MPI_Win_post for an origin that is outside of MPI: some MPI libraries need "
        "its help to note that the window is exposed. Let origins call MPI more often, or targets post later.",
    .picture = &kPostPicture,
    .meaning = "an exposure epoch begins when its origins call MPI",
    .activity = Activity::None,
    .before = "mpi_rma_wait_at_fence"};
const Metric kRmaEarlyWait{.parent = "mpi_rma_sync_active",
                           .uniqueName = "mpi_rma_early_wait",
                           .displayName = "Early Wait",
                           .description =
                               "Time that a target waits in MPI_Win_wait for the last origin to complete its "
                               "access. Let targets wait later, or origins complete earlier.",
                           .picture = &kEarlyWaitPicture,
                           .meaning = "an exposure epoch waits for the access epochs to complete",
                           .activity = Activity::None,
                           .before = "mpi_rma_wait_at_fence"};
const Metric kRmaLateComplete{.parent = "mpi_rma_early_wait",
                              .uniqueName = "mpi_rma_late_complete",
                              .displayName = "Late Complete",
                              .description =
                                  "The part of Early Wait in which no origin accesses the window any more: "
                                  "access could have been completed earlier.",
                              .picture = &kLateCompletePicture,
                              .meaning = "an access epoch completes later than its last operation"};

using matching::AccessEpoch;
using matching::CallRef;
using matching::Exposure;
using replay::Call;

/// What the origins of an exposure did.
struct Accesses {
    const AccessEpoch* last = nullptr;                     ///< whose completion began last
    Ticks complete = 0;                                    ///< when it did
    Ticks lastAccess = std::numeric_limits<Ticks>::min();  ///< end of the last operation
};

class ActiveTarget {
  public:
    ActiveTarget(const replay::ReplayedTrace& trace, AllFindings& found)
        : trace_(trace),
          found_(found),
          epochs_(matching::matchEpochs(trace)),
          accesses_(epochs_.exposures.size()),
          starved_(trace) {}

    void run() {
        for (const AccessEpoch& epoch : epochs_.accesses) {
            latePosts(epoch);
            if (epoch.complete.isKnown()) noteAccesses(epoch);
        }
        for (std::size_t i = 0; i < accesses_.size(); ++i)
            if (accesses_[i].last != nullptr) earlyWait(epochs_.exposures[i], accesses_[i]);
        for (const Exposure& exposure : epochs_.exposures) waitForOrigins(exposure);
    }

  private:
    Ticks postOf(const Exposure& exposure) const { return exposure.post.in(trace_).enter; }

    void latePosts(const AccessEpoch& epoch) {
        const Exposure* latest = nullptr;
        for (const AccessEpoch::Target& target : epoch.targets) {
            if (!target.exposure) continue;
            const Exposure& exposure = epochs_.exposures[*target.exposure];
            if (latest == nullptr || postOf(exposure) > postOf(*latest)) latest = &exposure;
            for (const AccessEpoch::Access& access : epoch.accesses)
                if (access.target == target.process) latePost(access.call, exposure, true);
        }
        if (latest == nullptr) return;
        latePost(epoch.start, *latest, false);
        if (epoch.complete.isKnown()) latePost(epoch.complete, *latest, false);
    }

    void latePost(CallRef waiting, const Exposure& exposure, bool inAccess) {
        const Call& around = waiting.in(trace_);
        const Ticks post = postOf(exposure);
        if (isWithin(post, around))
            add({inAccess ? &kRmaCommLatePost : &kRmaSyncLatePost, waiting, exposure.post,
                 post - around.enter});
    }

    const Presence& presenceOf(trace::ProcessId process) {
        return presences_.try_emplace(process, trace_, process).first->second;
    }

    /// The longest time outside of MPI of an origin behind which the post ended soon. Where there is none, it
    /// may have waited all the same.
    void waitForOrigins(const Exposure& exposure) {
        const auto location = static_cast<std::uint32_t>(exposure.post.location.index());
        const Call& post = exposure.post.in(trace_);
        const Ticks lacked = starved_.lackOf(location, exposure.post.position);
        OneSidedWait longest{&kRmaPostProgress, exposure.post, {}, 0};
        Ticks longestOutside = 0;
        for (const trace::ProcessId origin : exposure.origins) {
            if (origin == trace_.definitions[exposure.post.location].process) continue;
            Ticks outside = 0;
            for (const Presence::Return& one : presenceOf(origin).returnsWithin(post.enter, post.leave)) {
                const Ticks back = one.back->enter;
                const Ticks wait =
                    back - one.left - trace_.locations[location].notOwn(post.node, {one.left, back});
                outside += std::max<Ticks>(0, wait);
                if (wait <= longest.wait || !endSoonAfter(post.leave - back, wait, lacked)) continue;
                longest.causer = one.back->call;
                longest.wait = wait;
            }
            longestOutside = std::max(longestOutside, outside);
        }
        if (longest.wait > 0)
            add(longest);
        else if (longestOutside > 0)
            found_.own(location).calls.noteDoubt(exposure.post.position, longestOutside);
    }

    void add(const OneSidedWait& wait) { addWait(trace_, wait, Kind::RmaActive, found_); }

    void noteAccesses(const AccessEpoch& epoch) {
        const Ticks complete = epoch.complete.in(trace_).enter;
        for (const AccessEpoch::Target& target : epoch.targets) {
            if (!target.exposure) continue;
            Accesses& known = accesses_[*target.exposure];
            if (known.last == nullptr || complete > known.complete) {
                known.last = &epoch;
                known.complete = complete;
            }
            for (const AccessEpoch::Access& access : epoch.accesses)
                if (access.target == target.process)
                    known.lastAccess = std::max(known.lastAccess, access.call.in(trace_).leave);
        }
    }

    void earlyWait(const Exposure& exposure, const Accesses& accesses) {
        if (!exposure.wait.isKnown()) return;
        const Call& wait = exposure.wait.in(trace_);
        const Ticks end = std::min(accesses.complete, wait.leave);
        if (end <= wait.enter) return;
        const CallRef complete = accesses.last->complete;
        add({&kRmaEarlyWait, exposure.wait, complete, end - wait.enter});
        found_.own(exposure.wait.location.index())
            .severities.add(kRmaLateComplete, wait.node,
                            std::max<Ticks>(0, end - std::max(accesses.lastAccess, wait.enter)));
    }

    const replay::ReplayedTrace& trace_;
    AllFindings& found_;
    matching::Epochs epochs_;
    std::vector<Accesses> accesses_;  ///< by exposure
    StarvedCalls starved_;
    std::map<trace::ProcessId, Presence> presences_;
};

void findInTrace(const matching::MatchedTrace& run, AllFindings& found) {
    ActiveTarget(run.trace, found).run();
}

}  // namespace

extern const Pattern kActiveTargetPattern{
    .metrics = {&kRmaSyncLatePost, &kRmaPostProgress, &kRmaEarlyWait, &kRmaLateComplete},
    .delays = {{Kind::RmaActive, "delay_rma", "delay_rma_active", "Active Target",
                "Delays before a post or a completion that the other side waits for, and of origins that a "
                "post needs to call MPI."}},
    .inTrace = findInTrace};

extern const Pattern kLatePostOfAccessPattern{.metrics = {&kRmaCommLatePost}};

}  // namespace holos::analyzer::patterns
