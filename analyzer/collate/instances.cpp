// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/collate/instances.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "algebra/model/call_names.h"
#include "analyzer/matching/teams.h"
#include "analyzer/patterns/patterns.h"

namespace holos::analyzer::collate {

namespace {

using patterns::Measured;
using replay::NodeId;
using trace::LocationId;
using trace::Ticks;

bool isSeverer(const Instance& a, const Instance& b) {
    return std::tuple(-a.wait, a.begin, a.location) < std::tuple(-b.wait, b.begin, b.location);
}

/// The longest wait of each pattern and call path.
class Longest {
  public:
    void note(const Instance& instance) {
        const auto [known, isNew] = found_.try_emplace({instance.pattern, instance.path}, instance);
        if (!isNew && isSeverer(instance, known->second)) known->second = instance;
    }
    void note(const Longest& others) {
        for (const auto& [key, instance] : others.found_) note(instance);
    }

    std::vector<Instance> take(std::size_t limit) const {
        std::vector<Instance> all;
        for (const auto& [key, instance] : found_) all.push_back(instance);
        std::stable_sort(all.begin(), all.end(), [](const Instance& a, const Instance& b) {
            return a.pattern != b.pattern ? a.pattern < b.pattern : isSeverer(a, b);
        });
        std::vector<Instance> few;
        for (const Instance& instance : all) {
            const auto same = std::count_if(few.begin(), few.end(), [&](const Instance& taken) {
                return taken.pattern == instance.pattern;
            });
            if (static_cast<std::size_t>(same) < limit) few.push_back(instance);
        }
        return few;
    }

  private:
    std::map<std::pair<Measured, algebra::CallPathId>, Instance> found_;
};

/// Looks through the records of one location.
class Search {
  public:
    Search(const replay::ReplayedTrace& trace, const paths::MergedTree& merged, LocationId location)
        : trace_(trace), merged_(merged), location_(location) {}

    Longest run() {
        messages();
        collectives();
        oneSided();
        threads();
        return std::move(longest_);
    }

  private:
    void note(Measured pattern, NodeId node, Ticks wait, Ticks begin,
              std::optional<LocationId> awaited = std::nullopt) {
        const auto path = merged_.pathOf[location_.index()][node.index()];
        if (wait > 0 && path && pattern != Measured::Count)
            longest_.note({pattern, wait, begin, location_, *path, awaited});
    }

    void messages() {
        const auto& messages = trace_[location_].messages;
        for (const replay::Receive& receive : messages.receives)
            if (receive.wait > 0) {
                const replay::Call& call = messages.calls[receive.call];
                note(Measured::LateSender, call.node, receive.wait, call.enter,
                     LocationId(receive.matchLocation));
            }
        for (const replay::SendCompletion& completion : messages.completions)
            if (completion.wait > 0) {
                const replay::Call& call = messages.calls[completion.call];
                note(Measured::LateReceiver, call.node, completion.wait, call.enter,
                     LocationId(trace_.sendOf(location_, completion)->matchLocation));
            }
    }

    void collectives() {
        for (const replay::CollectiveRecord& record : trace_[location_].messages.collectives)
            note(patterns::waitMetricOf(record.operation), record.node, record.wait, record.blocksFrom,
                 record.waitsFor != nullptr ? std::optional(LocationId(record.waitsFor->location))
                                            : std::nullopt);
        const replay::Startup& finalize = trace_[location_].finalize;
        note(Measured::FinalizeWait, finalize.node, finalize.wait, finalize.enter);
    }

    void oneSided() {
        for (const replay::RmaWait& wait : trace_[location_].rmaWaits) {
            const replay::Call& call = trace_[location_].messages.calls[wait.call];
            note(patterns::metricOf(wait), call.node, wait.wait, call.enter, LocationId(wait.causer));
        }
    }

    void threads() {
        for (const replay::BarrierRecord& record : trace_[location_].threads.barriers)
            note(record.implicit ? Measured::OmpImplicitBarrierWait : Measured::OmpExplicitBarrierWait,
                 record.node, record.wait, record.enter);
        for (const replay::LockWait& wait : trace_[location_].threads.lockWaits) {
            const replay::LockRecord& acquisition = trace_[location_].threads.locks[wait.acquisition];
            note(patterns::contentionMetricOf(acquisition.kind), acquisition.node,
                 patterns::contentionOf(acquisition, wait), acquisition.begin, LocationId(wait.causer));
            if (acquisition.kind == trace::CallKind::PthreadCondition)
                note(Measured::ConditionSignalWait, acquisition.node, wait.wait - wait.taken,
                     acquisition.begin, LocationId(wait.causer));
        }
    }

    const replay::ReplayedTrace& trace_;
    const paths::MergedTree& merged_;
    LocationId location_;
    Longest longest_;
};

std::string nameOf(const trace::Definitions& definitions, LocationId id) {
    const trace::Location& location = definitions[id];
    const trace::Process& process = definitions[location.process];
    const std::string rank = std::to_string(location.process.index());
    return (process.name.empty() ? "Process " + rank : process.name) + " / " +
           (location.name.empty() ? "Thread " + std::to_string(location.rank) : location.name);
}

/// As `algebra::callPathText` has it.
std::string nameOf(const trace::Definitions& definitions, const paths::MergedTree& merged,
                   algebra::CallPathId path) {
    std::string text;
    for (std::optional<algebra::CallPathId> at = path; at; at = merged.tree.parent(*at)) {
        const algebra::Region& region = merged.regions[merged.tree[*at].region.index()];
        const std::string name =
            algebra::callText(region.name, paths::callPathOf(merged.tree[*at], definitions));
        text.insert(0, at == path ? name : name + '/');
    }
    return text;
}

}  // namespace

std::vector<Instance> severestInstances(const replay::ReplayedTrace& trace, const paths::MergedTree& merged,
                                        workers::Workers& workers, std::size_t limit) {
    std::vector<Longest> byLocation(trace.locations.size());
    workers.forEach(byLocation.size(),
                    [&](std::size_t i) { byLocation[i] = Search(trace, merged, LocationId(i)).run(); });
    Longest all;
    for (const Longest& local : byLocation) all.note(local);
    return all.take(limit);
}

std::string describe(const std::vector<Instance>& instances, const replay::ReplayedTrace& trace,
                     const paths::MergedTree& merged) {
    std::string text = "metric\twait\tbegin\tlocation\tawaited\tcall_path\n";
    for (const Instance& instance : instances) {
        text += patterns::textOf(instance.pattern).uniqueName;
        for (const Ticks ticks : {instance.wait, instance.begin})
            text += '\t' + std::to_string(trace.definitions.seconds(ticks));
        text += '\t' + nameOf(trace.definitions, instance.location) + '\t';
        if (instance.awaited) text += nameOf(trace.definitions, *instance.awaited);
        text += '\t' + nameOf(trace.definitions, merged, instance.path) + '\n';
    }
    return text;
}

}  // namespace holos::analyzer::collate
