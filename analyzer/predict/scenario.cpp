// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/scenario.h"

#include <algorithm>

#include "algebra/model/call_names.h"
#include "analyzer/predict/balance.h"
#include "analyzer/predict/work.h"
#include "base/error.h"
#include "base/function_name.h"
#include "base/suggest.h"
#include "base/wrong_request.h"

namespace holos::analyzer::predict {

namespace {

using Kind = Condition::Kind;
using NodeSet = std::vector<std::vector<bool>>;  ///< by location and node

/// Which regions of a call path are meant.
enum class Regions : std::uint8_t { All, Working, WorkingOrAsleep, Computing };

/// Computation, and what is done in critical sections: how long a thread waits for them is known apart.
bool isWork(trace::RegionClass region) {
    region.clear(trace::TimeClass::OmpCritical);
    region.clear(trace::TimeClass::OmpOrdered);
    return region.isComputation();
}

class Composition {
  public:
    Composition(const Recorded& recorded, workers::Workers& workers)
        : recorded_(recorded), workers_(workers) {
        result_.scales.resize(recorded.graph.locations.size());
        for (std::size_t i = 0; i < result_.scales.size(); ++i)
            result_.scales[i].byNode.assign(recorded.regionOf[i].size(), 1);
    }

    Scenario run(std::span<const Condition> conditions) {
        for (const Condition& condition : conditions) apply(condition);
        findSavings();
        return std::move(result_);
    }

  private:
    void apply(const Condition& condition) {
        switch (condition.kind) {
            case Kind::IdealNetwork:
                if (!std::exchange(network().isIdeal, true)) takeNoTime(nodesOfMpi());
                return;
            case Kind::Latency:
                network().latency = condition.value * ticksPerSecond();
                return;
            case Kind::Bandwidth:
                network().ticksPerByte = ticksPerSecond() / condition.value;
                return;
            case Kind::Eager:
                network().eager = static_cast<std::uint64_t>(condition.value);
                return;
            case Kind::Balance:
                return balanceProcesses(named(condition, Regions::Computing));
            case Kind::Speedup:
                return scale(named(condition, Regions::Working), 1 / condition.value);
            case Kind::Remove:
                return remove(named(condition, Regions::All));
            case Kind::Limit:
                return limit(named(condition, Regions::WorkingOrAsleep), condition.value * ticksPerSecond());
            case Kind::ThreadsBalanced:
                balance(recorded_.graph, recorded_.trace, nodes({}, Regions::Computing), Among::Teams,
                        result_.scales);
                return;
            case Kind::JoinedThreadsBalanced:
                balance(recorded_.graph, recorded_.trace, nodes({}, Regions::Computing), Among::Together,
                        result_.scales);
                return;
            case Kind::LocksFree:
                result_.changes.locksAreFree = true;
                return;
            case Kind::CpuRatio:
                return scale(nodesOn(condition), 1 / condition.value);
        }
    }

    Network& network() {
        if (!result_.changes.network) result_.changes.network = recorded_.network;
        return *result_.changes.network;
    }
    double ticksPerSecond() const {
        return static_cast<double>(recorded_.trace.definitions.clock.ticksPerSecond);
    }
    const trace::RegionClass& classOf(std::size_t location, std::size_t node) const {
        return recorded_.classes[recorded_.regionOf[location][node].index()];
    }

    /// Time outside of the program has no region.
    bool isInTree(std::size_t location, std::size_t node) const {
        return recorded_.pathOf[location][node].has_value() &&
               recorded_.regionOf[location][node].index() < recorded_.classes.size();
    }
    /// The nodes for which `isWanted` holds.
    template <class IsWanted>
    NodeSet nodesWhere(IsWanted&& isWanted) const {
        NodeSet set(recorded_.regionOf.size());
        for (std::size_t i = 0; i < set.size(); ++i) {
            set[i].assign(recorded_.regionOf[i].size(), false);
            for (std::size_t node = 0; node < set[i].size(); ++node)
                set[i][node] = isInTree(i, node) && isWanted(i, node);
        }
        return set;
    }
    /// In call paths of this name, or all.
    NodeSet nodes(const std::string& name, Regions regions) const {
        const std::vector<bool> paths = name.empty()
                                            ? std::vector<bool>(recorded_.experiment.callTree.size(), true)
                                            : callPathsNamed(recorded_.experiment, name);
        return nodesWhere([&](std::size_t i, std::size_t node) {
            if (!paths[recorded_.pathOf[i][node]->index()]) return false;
            switch (regions) {
                case Regions::All:
                    return true;
                case Regions::Working:
                    return isWork(classOf(i, node));
                case Regions::WorkingOrAsleep:
                    return isWork(classOf(i, node)) || classOf(i, node).has(trace::TimeClass::SystemWaiting);
                case Regions::Computing:
                    break;
            }
            return classOf(i, node).isComputation();
        });
    }
    /// Refuses what no thread executes: what devices do is not replayed.
    NodeSet named(const Condition& condition, Regions regions) const {
        bool isOfThreads = false, isOfDevices = false;
        const NodeSet all = nodes(condition.name, Regions::All);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool isThere = std::ranges::find(all[i], true) != all[i].end();
            const auto kind = recorded_.trace.definitions.locations[i].kind;
            (kind == trace::Location::Kind::Accelerator ? isOfDevices : isOfThreads) |= isThere;
        }
        if (isOfDevices && !isOfThreads)
            throw WrongRequest("condition '" + condition.text + "': only streams of accelerators execute '" +
                               condition.name + "', and what these do is not replayed");
        return nodes(condition.name, regions);
    }
    NodeSet nodesOfMpi() const {
        return nodesWhere([&](std::size_t i, std::size_t node) {
            const trace::RegionClass& region = classOf(i, node);
            return region.has(trace::TimeClass::Mpi) && !region.has(trace::TimeClass::MpiFiles) &&
                   !region.has(trace::TimeClass::MpiInitExit);
        });
    }
    NodeSet nodesOn(const Condition& condition) const {
        const trace::Definitions& definitions = recorded_.trace.definitions;
        std::vector<std::string> known;
        std::vector<bool> isThere(definitions.locations.size(), false);
        bool isAny = false;
        for (std::size_t i = 0; i < isThere.size(); ++i) {
            const trace::Process& process = definitions[definitions.locations[i].process];
            for (auto at = process.node; at; at = definitions.systemNodes[at->index()].parent) {
                const std::string& name = definitions.systemNodes[at->index()].name;
                known.push_back(name);
                isThere[i] = isThere[i] || name == condition.name;
            }
            known.push_back(process.name);
            isThere[i] = isThere[i] || process.name == condition.name;
            isAny = isAny || isThere[i];
        }
        if (!isAny)
            throw WrongRequest("condition '" + condition.text + "': the run has no node or process '" +
                               condition.name + "'" + didYouMean(condition.name, known));
        NodeSet set = nodesWhere(
            [&](std::size_t i, std::size_t node) { return isThere[i] && isWork(classOf(i, node)); });
        // What is outside of all functions is computation, too, where none was recorded.
        for (std::size_t i = 0; i < set.size(); ++i)
            if (!set[i].empty()) set[i][replay::kOutside.index()] = isThere[i];
        return set;
    }

    void scale(const NodeSet& set, double factor) {
        for (std::size_t i = 0; i < set.size(); ++i)
            for (std::size_t node = 0; node < set[i].size(); ++node)
                if (set[i][node]) result_.scales[i].byNode[node] *= factor;
    }

    /// Nobody knows which of their parts belong together where processes do not come to common points: of the
    /// ways to tell, the one counts by which the run is the shortest.
    void balanceProcesses(const NodeSet& set) {
        const std::vector<LocationScales> before = result_.scales;
        std::vector<LocationScales> best;
        Ticks shortest = 0;
        for (const Among among : {Among::Everybody, Among::Tied, Among::Working}) {
            result_.scales = before;
            const bool changes = balance(recorded_.graph, recorded_.trace, set, among, result_.scales);
            if (!changes && !best.empty()) continue;
            findSavings();
            const Ticks duration = retime(recorded_.graph, recorded_.network, result_.changes).duration();
            if (!best.empty() && duration >= shortest) continue;
            shortest = duration;
            best = std::move(result_.scales);
        }
        result_.scales = std::move(best);
    }

    /// Calls of MPI, but for the time in which they lacked a processor: no network gives them one.
    void takeNoTime(const NodeSet& set) {
        for (std::size_t i = 0; i < set.size(); ++i) {
            LocationScales& scales = result_.scales[i];
            std::vector<bool> keeps(set[i].size(), false);
            for (const Lack& lack : recorded_.graph.locations[i].lackingAside)
                keeps[lack.node.index()] = set[i][lack.node.index()];
            for (std::size_t node = 0; node < set[i].size(); ++node)
                if (set[i][node] && !keeps[node]) scales.byNode[node] = 0;
            if (std::ranges::find(keeps, true) != keeps.end())
                scales.layers.push_back(keptLacks(recorded_.graph.locations[i],
                                                  recorded_.trace.locations[i].profile, std::move(keeps)));
        }
    }

    /// Each thread that takes longer in all, after the conditions before, does all of that so much quicker.
    /// What lasts until others do something is none of it.
    void limit(NodeSet set, double most) {
        for (std::size_t i = 0; i < set.size(); ++i) {
            const LocationGraph& graph = recorded_.graph.locations[i];
            for (PackedMarks::Reader mark(graph.marks); !mark.isAtEnd(); mark.next())
                if (mark->piece != Piece::Work && mark->node != NodeId() &&
                    mark->node.index() < set[i].size())
                    set[i][mark->node.index()] = false;
            const std::vector<Segment> all{{0, kNone}};
            const double takes =
                workOf(recorded_.trace.locations[i].profile, result_.scales[i], set[i], all).front();
            if (takes <= most) continue;
            for (std::size_t node = 0; node < set[i].size(); ++node)
                if (set[i][node]) result_.scales[i].byNode[node] *= most / takes;
        }
    }

    /// Waiting that is not work is left out at its marks.
    void remove(const NodeSet& set) {
        scale(set, 0);
        auto& removed = result_.changes.removed;
        removed.resize(set.size());
        for (std::size_t i = 0; i < set.size(); ++i) {
            const PackedMarks& marks = recorded_.graph.locations[i].marks;
            removed[i].resize(marks.size(), false);
            for (PackedMarks::Reader mark(marks); !mark.isAtEnd(); mark.next())
                if (mark->piece != Piece::Work && set[i][mark->node.index()])
                    removed[i][mark.position()] = true;
        }
    }

    void findSavings() {
        Changes& changes = result_.changes;
        changes.saved.clear();
        changes.savedTasks.clear();
        changes.saved.resize(result_.scales.size());
        changes.savedTasks.resize(result_.scales.size());
        workers_.forEach(result_.scales.size(), [&](std::size_t i) {
            if (!result_.scales[i].changes()) return;
            Savings savings = savingsOf(recorded_.graph.locations[i], recorded_.trace.locations[i].profile,
                                        result_.scales[i]);
            changes.saved[i] = std::move(savings.work);
            changes.savedTasks[i] = std::move(savings.tasks);
        });
    }

    const Recorded& recorded_;
    workers::Workers& workers_;
    Scenario result_;
};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == '/')
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

/// As users name a region: as recorded, short, or without its parameters, with the place of the call or
/// without, and without the class or module that it belongs to.
class Names {
  public:
    explicit Names(const algebra::Experiment& experiment)
        : experiment_(experiment), short_(algebra::shortNamesOf(experiment)) {
        for (const algebra::Region& region : experiment.regions)
            folded_.push_back(folded(region.name, Folding::All));
    }

    bool isCalled(algebra::CallPathId path, const std::string& name) const {
        const std::string& region = experiment_.regionOf(path).name;
        const std::string bare = region.substr(0, region.find('('));
        const algebra::CallPath& call = experiment_.callTree[path];
        const std::string& folded = folded_[call.region.index()];
        return name == folded || name == algebra::callText(folded, call) || name == region ||
               name == short_.of(region) || name == algebra::callText(experiment_, path) ||
               name == region.substr(0, region.find(" @")) || name == bare || bare.ends_with("::" + name);
    }

  private:
    const algebra::Experiment& experiment_;
    ShortNames short_;
    std::vector<std::string> folded_;  ///< by region: without parameters
};

}  // namespace

Scenario scenarioOf(const Recorded& recorded, std::span<const Condition> conditions,
                    workers::Workers& workers) {
    return Composition(recorded, workers).run(conditions);
}

std::vector<bool> callPathsNamed(const algebra::Experiment& experiment, const std::string& text) {
    const algebra::CallTree& tree = experiment.callTree;
    std::vector<bool> isIn(tree.size(), false);
    bool isAny = false;
    if (const auto whole = algebra::callPathNamed(experiment, text)) {
        isIn[whole->index()] = true;
        isAny = true;
    } else {
        const Names names(experiment);
        const std::vector<std::string> parts = split(text);
        for (const algebra::CallPathId path : tree.ids()) {
            std::optional<algebra::CallPathId> at = path;
            bool fits = names.isCalled(path, text);
            if (!fits) {
                auto part = parts.rbegin();
                for (; part != parts.rend() && at && names.isCalled(*at, *part); ++part)
                    at = tree.parent(*at);
                fits = part == parts.rend();
            }
            if (fits) isIn[path.index()] = isAny = true;
        }
    }
    if (!isAny) {
        std::vector<std::string> known;
        for (const algebra::CallPathId path : tree.ids()) {
            known.push_back(experiment.regionOf(path).name);
            known.push_back(algebra::callPathText(experiment, path));
        }
        throw WrongRequest("the run has no call path '" + text + "'" + didYouMean(text, known) +
                           "; 'holos show --tree calls' lists them");
    }
    for (const algebra::CallPathId path : tree.ids())  // parents stand before their children
        if (const auto parent = tree.parent(path); parent && isIn[parent->index()]) isIn[path.index()] = true;
    return isIn;
}

PathNames::PathNames(const algebra::Experiment& experiment) : experiment_(experiment) {
    std::vector<std::string> names;
    for (const algebra::Region& region : experiment.regions)
        names.push_back(folded(region.name, Folding::All));
    for (const algebra::CallPathId path : experiment.callTree.ids()) {
        const algebra::CallPath& call = experiment.callTree[path];
        calls_.push_back(algebra::callText(names[call.region.index()], call));
        regions_.push_back(names[call.region.index()]);
    }
}

std::string PathNames::of(algebra::CallPathId path) const {
    if (isNameOf(regions_[path.index()], path)) return regions_[path.index()];
    const algebra::CallTree& tree = experiment_.callTree;
    /// The callers of those that have the same name so far, or these themselves.
    std::vector<std::optional<algebra::CallPathId>> alike;
    for (const algebra::CallPathId other : tree.ids()) alike.emplace_back(other);
    std::string name;
    for (std::optional<algebra::CallPathId> at = path; at; at = tree.parent(*at)) {
        const std::string& call = calls_[at->index()];
        std::erase_if(alike, [&](const auto& other) { return !other || calls_[other->index()] != call; });
        name = name.empty() ? call : call + '/' + name;
        if (alike.size() == 1) break;
        for (auto& other : alike) other = tree.parent(*other);
    }
    return isNameOf(name, path) ? name : algebra::callPathText(experiment_, path);
}

bool PathNames::isNameOf(const std::string& name, algebra::CallPathId path) const try {
    const std::vector<bool> named = callPathsNamed(experiment_, name);
    std::vector<bool> isBelow(named.size(), false);
    isBelow[path.index()] = true;
    for (const algebra::CallPathId each : experiment_.callTree.ids())
        if (const auto parent = experiment_.callTree.parent(each); parent && isBelow[parent->index()])
            isBelow[each.index()] = true;
    return named == isBelow;
} catch (const Error&) {
    return false;
}

}  // namespace holos::analyzer::predict
