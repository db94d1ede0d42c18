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
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/rma_calls.h"
#include "analyzer/patterns/texts.h"
#include "analyzer/trace/peers.h"

namespace holos::analyzer::patterns {

const MetricText kRmaSyncLatePostText{
    "mpi_rma_sync_late_post", "Late Post", "sec",
    "Time that an origin waits in MPI_Win_start or MPI_Win_complete for a target that has not exposed its "
    "window yet. Let targets post earlier."};
const MetricText kRmaCommLatePostText{"mpi_rma_comm_late_post", "Late Post", "sec",
                                      "Time that a one-sided operation waits for its target to expose the "
                                      "window. Let targets post earlier."};
const MetricText kRmaEarlyWaitText{"mpi_rma_early_wait", "Early Wait", "sec",
                                   "Time that a target waits in MPI_Win_wait for the last origin to "
                                   "complete its access. Let targets wait later, or origins complete "
                                   "earlier."};
const MetricText kRmaLateCompleteText{"mpi_rma_late_complete", "Late Complete", "sec",
                                      "The part of Early Wait in which no origin accesses the window any "
                                      "more: access could have been completed "
                                      "earlier."};

namespace {

using replay::Call;
using replay::RmaRecord;
using trace::LocationId;
using trace::ProcessId;
using trace::Ticks;

/// From MPI_Win_post to MPI_Win_wait.
struct Exposure {
    LocationId location;
    Ticks post = 0;
    const Call* wait = nullptr;     ///< none when it ends with MPI_Win_test
    std::optional<Ticks> complete;  ///< enter of the last origin's MPI_Win_complete
    std::optional<Ticks> access;    ///< end of the last origin's last access
};

struct Access {
    ProcessId target;
    const Call* call;
};

/// From MPI_Win_start to MPI_Win_complete.
struct AccessEpoch {
    LocationId location;
    std::uint32_t window;
    std::vector<ProcessId> targets;
    const Call* start;
    const Call* complete;
    std::vector<Access> accesses;
};

/// Window, origin, target.
using Pair = std::tuple<std::uint32_t, ProcessId, ProcessId>;

class ActiveTarget {
  public:
    ActiveTarget(const replay::ReplayedTrace& trace, std::vector<LocalSeverities>& severities)
        : trace_(trace), severities_(severities) {}

    void run() {
        for (std::size_t i = 0; i < trace_.locations.size(); ++i) collect(LocationId(i));
        for (const AccessEpoch& epoch : epochs_) match(epoch);
        for (const auto& exposure : exposures_) bookWait(*exposure);
    }

  private:
    void collect(LocationId location) {
        const auto& messages = trace_[location].messages;
        std::map<std::uint32_t, AccessEpoch> accessing;  // by window
        std::map<std::uint32_t, Exposure*> exposed;
        for (const RmaRecord& record : trace_[location].rma) {
            const Call& call = messages.calls[record.call];
            switch (record.kind) {
                case RmaRecord::Kind::Start:
                    accessing[record.window] = {location, record.window, processesOf(record),
                                                &call,    nullptr,       {}};
                    break;
                case RmaRecord::Kind::Access:
                    noteAccess(accessing, location, record, call);
                    break;
                case RmaRecord::Kind::Complete:
                    if (const auto open = accessing.find(record.window); open != accessing.end()) {
                        open->second.complete = &call;
                        epochs_.push_back(std::move(open->second));
                        accessing.erase(open);
                    }
                    break;
                case RmaRecord::Kind::Post:
                    exposed[record.window] = expose(location, record, call);
                    break;
                case RmaRecord::Kind::Wait:
                    if (const auto open = exposed.find(record.window); open != exposed.end()) {
                        if (call.kind == trace::CallKind::RmaWait) open->second->wait = &call;
                        exposed.erase(open);
                    }
                    break;
                default:
                    break;
            }
        }
    }

    std::vector<ProcessId> processesOf(const RmaRecord& record) const {
        std::vector<ProcessId> processes;
        if (record.group == replay::kNone) return processes;
        for (const LocationId member : trace_.definitions.groups[record.group])
            processes.push_back(trace_.definitions[member].process);
        return processes;
    }

    void noteAccess(std::map<std::uint32_t, AccessEpoch>& accessing, LocationId location,
                    const RmaRecord& record, const Call& call) const {
        const auto open = accessing.find(record.window);
        if (open == accessing.end()) return;
        if (const auto target =
                trace::peerProcess(trace_.definitions, record.window, location, record.target))
            open->second.accesses.push_back({*target, &call});
    }

    Exposure* expose(LocationId location, const RmaRecord& record, const Call& call) {
        exposures_.push_back(std::make_unique<Exposure>());
        Exposure* exposure = exposures_.back().get();
        exposure->location = location;
        exposure->post = call.enter;
        for (const ProcessId origin : processesOf(record))
            exposuresOf_[{record.window, origin, trace_.definitions[location].process}].push_back(exposure);
        return exposure;
    }

    /// The n-th access epoch of an origin to a target belongs to the n-th exposure of the target to it.
    void match(const AccessEpoch& epoch) {
        std::optional<Ticks> latestPost;
        for (const ProcessId target : epoch.targets) {
            const Pair pair{epoch.window, trace_.definitions[epoch.location].process, target};
            const auto& exposures = exposuresOf_[pair];
            std::size_t& next = next_[pair];
            if (next == exposures.size()) continue;
            Exposure& exposure = *exposures[next++];
            latestPost = std::max(latestPost, std::optional(exposure.post));
            exposure.complete = std::max(exposure.complete, std::optional(epoch.complete->enter));
            for (const Access& access : epoch.accesses) {
                if (access.target != target) continue;
                exposure.access = std::max(exposure.access, std::optional(access.call->leave));
                bookLatePost(epoch.location, *access.call, exposure.post, Measured::RmaCommLatePost);
            }
        }
        if (!latestPost) return;
        bookLatePost(epoch.location, *epoch.start, *latestPost, Measured::RmaSyncLatePost);
        bookLatePost(epoch.location, *epoch.complete, *latestPost, Measured::RmaSyncLatePost);
    }

    void bookLatePost(LocationId location, const Call& call, Ticks post, Measured metric) {
        if (isWithin(post, call)) severities_[location.index()].add(metric, call.node, post - call.enter);
    }

    void bookWait(const Exposure& exposure) {
        if (exposure.wait == nullptr || !exposure.complete) return;
        const Call& wait = *exposure.wait;
        const Ticks end = std::min(*exposure.complete, wait.leave);
        if (end <= wait.enter) return;
        auto& severities = severities_[exposure.location.index()];
        severities.add(Measured::RmaEarlyWait, wait.node, end - wait.enter);
        const Ticks idle = std::max(exposure.access.value_or(wait.enter), wait.enter);
        severities.add(Measured::RmaLateComplete, wait.node, std::max<Ticks>(0, end - idle));
    }

    const replay::ReplayedTrace& trace_;
    std::vector<LocalSeverities>& severities_;
    std::vector<AccessEpoch> epochs_;
    std::vector<std::unique_ptr<Exposure>> exposures_;
    std::map<Pair, std::vector<Exposure*>> exposuresOf_;
    std::map<Pair, std::size_t> next_;
};

}  // namespace

void activeTargetWaits(const replay::ReplayedTrace& trace, std::vector<LocalSeverities>& severities) {
    ActiveTarget(trace, severities).run();
}

}  // namespace holos::analyzer::patterns
