// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/wait_records.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "algebra/model/call_names.h"
#include "analyzer/patterns/list.h"

namespace holos::analyzer::assemble {

namespace {

using trace::LocationId;
using trace::Ticks;

bool isSeverer(const Instance& a, const Instance& b) {
    return std::tuple(-a.wait, a.begin, a.location) < std::tuple(-b.wait, b.begin, b.location);
}

/// By the place of a wait state in the list of patterns.
std::map<const patterns::Metric*, std::size_t> ranks() {
    std::map<const patterns::Metric*, std::size_t> ranks;
    for (const patterns::Pattern* pattern : patterns::allPatterns())
        for (const patterns::Metric* metric : pattern->metrics) ranks.emplace(metric, ranks.size());
    return ranks;
}

/// The longest wait of each wait state and call path.
class Longest {
  public:
    void note(const Instance& instance) {
        const auto [known, isNew] = found_.try_emplace({instance.metric, instance.path}, instance);
        if (!isNew && isSeverer(instance, known->second)) known->second = instance;
    }
    void note(const Longest& others) {
        for (const auto& [key, instance] : others.found_) note(instance);
    }

    std::vector<Instance> take(std::size_t limit) const {
        std::vector<Instance> all;
        for (const auto& [key, instance] : found_) all.push_back(instance);
        const auto rankOf = ranks();
        std::ranges::stable_sort(all, [&](const Instance& a, const Instance& b) {
            if (a.metric != b.metric) return rankOf.at(a.metric) < rankOf.at(b.metric);
            return std::tuple(-a.wait, a.begin, a.location, a.path) <
                   std::tuple(-b.wait, b.begin, b.location, b.path);
        });
        std::vector<Instance> few;
        for (const Instance& instance : all) {
            const auto same = std::ranges::count(few, instance.metric, &Instance::metric);
            if (static_cast<std::size_t>(same) < limit) few.push_back(instance);
        }
        return few;
    }

  private:
    std::map<std::pair<const patterns::Metric*, algebra::CallPathId>, Instance> found_;
};

Longest longestIn(const patterns::JudgedTrace& run, const paths::MergedTree& merged, LocationId location) {
    Longest longest;
    const auto note = [&](const patterns::SingleWait& wait) {
        const auto path = merged.pathOf[location.index()][wait.node.index()];
        if (wait.wait > 0 && path)
            longest.note({&wait.metric, wait.wait, wait.begin, location, *path, wait.awaited});
    };
    patterns::visitAllWaits(run, location, note);
    return longest;
}

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

std::vector<Instance> severestInstances(const patterns::JudgedTrace& run, const paths::MergedTree& merged,
                                        workers::Workers& workers, std::size_t limit) {
    std::vector<Longest> byLocation(run.trace.locations.size());
    workers.forEach(byLocation.size(),
                    [&](std::size_t i) { byLocation[i] = longestIn(run, merged, LocationId(i)); });
    Longest all;
    for (const Longest& local : byLocation) all.note(local);
    return all.take(limit);
}

std::string describe(const std::vector<Instance>& instances, const trace::Definitions& definitions,
                     const paths::MergedTree& merged) {
    std::string text = "metric\twait\tbegin\tlocation\tawaited\tcall_path\n";
    for (const Instance& instance : instances) {
        text += instance.metric->uniqueName;
        for (const Ticks ticks : {instance.wait, instance.begin})
            text += '\t' + std::to_string(definitions.seconds(ticks));
        text += '\t' + nameOf(definitions, instance.location) + '\t';
        if (instance.awaited) text += nameOf(definitions, *instance.awaited);
        text += '\t' + nameOf(definitions, merged, instance.path) + '\n';
    }
    return text;
}

}  // namespace holos::analyzer::assemble
