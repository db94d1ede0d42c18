// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/epochs.h"

#include <map>
#include <tuple>
#include <utility>

#include "analyzer/trace/peers.h"

namespace holos::analyzer::matching {

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
        for (std::size_t i = 0; i < trace_.locations.size(); ++i) collect(LocationId(i));
        std::map<WindowPair, std::size_t> next;
        for (AccessEpoch& epoch : epochs_.accesses)
            for (AccessEpoch::Target& target : epoch.targets) {
                const WindowPair pair{epoch.window, trace_.definitions[epoch.location].process,
                                      target.process};
                const auto& exposures = exposuresOf_[pair];
                std::size_t& used = next[pair];
                if (used < exposures.size()) target.exposure = exposures[used++];
            }
        return std::move(epochs_);
    }

  private:
    void collect(LocationId location) {
        std::map<std::uint32_t, AccessEpoch> accessing;  // by window
        std::map<std::uint32_t, std::size_t> exposed;
        for (const RmaRecord& record : trace_[location].rma) switch (record.kind) {
                case RmaRecord::Kind::Start:
                    accessing[record.window] = start(location, record);
                    break;
                case RmaRecord::Kind::Access:
                    if (const auto open = accessing.find(record.window); open != accessing.end())
                        access(open->second, record);
                    break;
                case RmaRecord::Kind::Complete:
                    if (const auto open = accessing.find(record.window); open != accessing.end()) {
                        open->second.complete = record.call;
                        epochs_.accesses.push_back(std::move(open->second));
                        accessing.erase(open);
                    }
                    break;
                case RmaRecord::Kind::Post:
                    exposed[record.window] = expose(location, record);
                    break;
                case RmaRecord::Kind::Wait:
                    if (const auto open = exposed.find(record.window); open != exposed.end()) {
                        if (trace_[location].messages.calls[record.call].kind == trace::CallKind::RmaWait)
                            epochs_.exposures[open->second].wait = record.call;
                        exposed.erase(open);
                    }
                    break;
                default:
                    break;
            }
    }

    std::vector<ProcessId> processesOf(const RmaRecord& record) const {
        std::vector<ProcessId> processes;
        if (record.group == replay::kNone) return processes;
        for (const LocationId member : trace_.definitions.groups[record.group])
            processes.push_back(trace_.definitions[member].process);
        return processes;
    }

    AccessEpoch start(LocationId location, const RmaRecord& record) const {
        AccessEpoch epoch{location, record.window, record.call, replay::kNone, {}, {}};
        for (const ProcessId target : processesOf(record)) epoch.targets.push_back({target, {}});
        return epoch;
    }

    void access(AccessEpoch& epoch, const RmaRecord& record) const {
        if (const auto target =
                trace::peerProcess(trace_.definitions, record.window, epoch.location, record.target))
            epoch.accesses.push_back({*target, record.call, record.got > 0});
    }

    std::size_t expose(LocationId location, const RmaRecord& record) {
        const std::size_t exposure = epochs_.exposures.size();
        epochs_.exposures.push_back({location, record.call, replay::kNone});
        for (const ProcessId origin : processesOf(record))
            exposuresOf_[{record.window, origin, trace_.definitions[location].process}].push_back(exposure);
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

std::unordered_set<std::uint32_t> fencesAfterAccess(const replay::ReplayedTrace& trace) {
    std::unordered_set<std::uint32_t> found;
    for (const replay::LocationTrace& location : trace.locations) {
        std::map<std::uint32_t, int> others;       // by window: epochs of other kinds that are open
        std::map<std::uint32_t, bool> isAccessed;  // by window: since the last fence
        auto record = location.rma.begin();
        for (const replay::CollectiveRecord& fence : location.messages.collectives) {
            if (fence.operation != replay::Collective::WinFence) continue;
            for (; record != location.rma.end() && record->event < fence.event; ++record)
                switch (record->kind) {
                    case RmaRecord::Kind::Start:
                    case RmaRecord::Kind::Lock:
                        ++others[record->window];
                        break;
                    case RmaRecord::Kind::Complete:
                    case RmaRecord::Kind::Unlock:
                        --others[record->window];
                        break;
                    case RmaRecord::Kind::Access:
                        if (others[record->window] == 0) isAccessed[record->window] = true;
                        break;
                    default:
                        break;
                }
            if (std::exchange(isAccessed[fence.comm], false) && fence.instance != replay::kNone)
                found.insert(fence.instance);
        }
    }
    return found;
}

}  // namespace holos::analyzer::matching
