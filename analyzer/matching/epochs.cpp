// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/epochs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analyzer/trace/comm_members.h"

namespace holos::analyzer::matching {

std::vector<RmaRef> oneSidedOf(const replay::ReplayedTrace& trace, const trace::Process& process) {
    std::vector<RmaRef> all;
    bool isOrdered = true;
    for (const trace::LocationId thread : process.threads) {
        const auto count = static_cast<std::uint32_t>(trace[thread].rma.size());
        if (count != 0) isOrdered = all.empty();
        for (std::uint32_t i = 0; i < count; ++i) all.push_back({thread, i});
    }
    if (!isOrdered)
        std::ranges::stable_sort(all,
                                 [&](RmaRef a, RmaRef b) { return a.in(trace).time < b.in(trace).time; });
    return all;
}

namespace {

using replay::RmaRecord;
using trace::LocationId;
using trace::ProcessId;

/// Window, origin, target.
using WindowPair = std::tuple<std::uint32_t, ProcessId, ProcessId>;

class Matching {
  public:
    explicit Matching(const replay::ReplayedTrace& trace) : trace_(trace) {}

    Epochs run() {
        for (std::size_t i = 0; i < trace_.definitions.processes.size(); ++i) collect(ProcessId(i));
        std::map<WindowPair, std::size_t> next;
        for (AccessEpoch& epoch : epochs_.accesses)
            for (AccessEpoch::Target& target : epoch.targets) {
                const WindowPair pair{epoch.window, epoch.origin, target.process};
                const auto& exposures = exposuresOf_[pair];
                std::size_t& used = next[pair];
                if (used < exposures.size()) target.exposure = exposures[used++];
            }
        return std::move(epochs_);
    }

  private:
    void collect(ProcessId process) {
        std::map<std::uint32_t, AccessEpoch> accessing;  // by window
        std::map<std::uint32_t, std::size_t> exposed;
        for (const RmaRef ref : oneSidedOf(trace_, trace_.definitions[process])) {
            const RmaRecord& record = ref.in(trace_);
            const CallRef call = ref.callIn(trace_);
            switch (record.kind) {
                case RmaRecord::Kind::Start:
                    accessing[record.window] = start(process, record, call);
                    break;
                case RmaRecord::Kind::Access:
                    if (const auto open = accessing.find(record.window); open != accessing.end())
                        access(open->second, record, call);
                    break;
                case RmaRecord::Kind::Complete:
                    if (auto open = accessing.extract(record.window)) {
                        open.mapped().complete = call;
                        epochs_.accesses.push_back(std::move(open.mapped()));
                    }
                    break;
                case RmaRecord::Kind::Post:
                    exposed[record.window] = expose(process, record, call);
                    break;
                case RmaRecord::Kind::Wait:
                    if (const auto open = exposed.extract(record.window))
                        if (call.in(trace_).kind == trace::CallKind::RmaWait)
                            epochs_.exposures[open.mapped()].wait = call;
                    break;
                default:
                    break;
            }
        }
        for (auto& [window, epoch] : accessing) epochs_.accesses.push_back(std::move(epoch));
    }

    std::vector<ProcessId> processesOf(const RmaRecord& record) const {
        std::vector<ProcessId> processes;
        if (record.group == replay::kNone) return processes;
        for (const LocationId member : trace_.definitions.groups[record.group])
            processes.push_back(trace_.definitions[member].process);
        return processes;
    }

    AccessEpoch start(ProcessId origin, const RmaRecord& record, CallRef call) const {
        AccessEpoch epoch{origin, record.window, call, {}, {}, {}};
        for (const ProcessId target : processesOf(record)) epoch.targets.push_back({target, {}});
        return epoch;
    }

    void access(AccessEpoch& epoch, const RmaRecord& record, CallRef call) const {
        if (const auto target =
                trace::peerProcess(trace_.definitions, record.window, call.location, record.target))
            epoch.accesses.push_back({*target, call, record.got > 0});
    }

    std::size_t expose(ProcessId target, const RmaRecord& record, CallRef call) {
        const std::size_t exposure = epochs_.exposures.size();
        epochs_.exposures.push_back({call, {}, processesOf(record)});
        for (const ProcessId origin : epochs_.exposures.back().origins)
            exposuresOf_[{record.window, origin, target}].push_back(exposure);
        return exposure;
    }

    const replay::ReplayedTrace& trace_;
    Epochs epochs_;
    std::map<WindowPair, std::vector<std::size_t>> exposuresOf_;
};

}  // namespace

Epochs matchEpochs(const replay::ReplayedTrace& trace) {
    return Matching(trace).run();
}

namespace {

struct Fence {
    LocationId location;
    const replay::CollectiveRecord* record;
    std::uint32_t instance;
};

std::vector<Fence> fencesOf(const replay::ReplayedTrace& trace, const CollectiveMatches& matches,
                            const trace::Process& process) {
    std::vector<Fence> all;
    for (const LocationId thread : process.threads) {
        const auto& records = trace[thread].messages.collectives;
        for (std::size_t i = 0; i < records.size(); ++i)
            if (records[i].operation == replay::Collective::WinFence)
                all.push_back({thread, &records[i], matches.instanceOf[thread.index()][i]});
    }
    std::ranges::stable_sort(
        all, [](const Fence& a, const Fence& b) { return a.record->begin < b.record->begin; });
    return all;
}

/// Events of one thread have an order even where the clock does not tell.
bool isBefore(const replay::ReplayedTrace& trace, const RmaRef& ref, const Fence& fence) {
    const RmaRecord& record = ref.in(trace);
    return ref.location == fence.location ? record.event < fence.record->event
                                          : record.time <= fence.record->begin;
}

/// Whether a process's windows are accessed between fences, and not in epochs of other kinds.
class FenceEpochs {
  public:
    void take(const RmaRecord& record) {
        switch (record.kind) {
            case RmaRecord::Kind::Start:
            case RmaRecord::Kind::Lock:
                ++others_[record.window];
                break;
            case RmaRecord::Kind::Complete:
            case RmaRecord::Kind::Unlock:
                --others_[record.window];
                break;
            case RmaRecord::Kind::Access:
                if (others_[record.window] == 0) isAccessed_[record.window] = true;
                break;
            default:
                break;
        }
    }
    bool endsAccess(std::uint32_t window) { return std::exchange(isAccessed_[window], false); }

  private:
    std::map<std::uint32_t, int> others_;  ///< by window: epochs of other kinds that are open
    std::map<std::uint32_t, bool> isAccessed_;
};

}  // namespace

std::unordered_set<std::uint32_t> fencesAfterAccess(const replay::ReplayedTrace& trace,
                                                    const CollectiveMatches& matches) {
    std::unordered_set<std::uint32_t> found;
    for (const trace::Process& process : trace.definitions.processes) {
        const std::vector<Fence> fences = fencesOf(trace, matches, process);
        if (fences.empty()) continue;
        const std::vector<RmaRef> records = oneSidedOf(trace, process);
        FenceEpochs epochs;
        auto next = records.begin();
        for (const Fence& fence : fences) {
            for (; next != records.end() && isBefore(trace, *next, fence); ++next)
                epochs.take(next->in(trace));
            if (epochs.endsAccess(fence.record->comm) && fence.instance != replay::kNone)
                found.insert(fence.instance);
        }
    }
    return found;
}

}  // namespace holos::analyzer::matching
