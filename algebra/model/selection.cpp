// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/selection.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace holos::algebra {
namespace {

struct Minimum {
    double operator()(double a, double b) const { return std::min(a, b); }
};
struct Maximum {
    double operator()(double a, double b) const { return std::max(a, b); }
};

/// The chosen call paths with what their extent adds.
std::vector<char> chosenRows(const Selection& selection, const CallTree& tree) {
    if (selection.paths.isAll()) return std::vector<char>(tree.size(), 1);
    std::vector<char> chosen(tree.size(), 0);
    std::vector<char> spreading(tree.size(), 0);
    for (const auto& [path, extent] : selection.paths.given()) {
        chosen[path.index()] = 1;
        if (extent == Extent::Inclusive) spreading[path.index()] = 1;
    }
    for (const CallPathId path : tree.ids()) {
        const auto parent = tree.parent(path);
        if (parent && spreading[parent->index()] != 0) chosen[path.index()] = spreading[path.index()] = 1;
    }
    return chosen;
}

template <class Combine>
class Reduction {
  public:
    Reduction(const SeverityTable& table, const Selection& selection, const Experiment& experiment)
        : table_(table), selection_(selection), experiment_(experiment) {}

    std::vector<double> run() const {
        switch (selection_.by) {
            case Selection::By::Location:
                return byLocation();
            case Selection::By::CallPath:
                return byCallPath();
            case Selection::By::Group:
                return byGroup();
            default:
                return {single()};
        }
    }

  private:
    std::vector<double> byLocation() const {
        std::vector<double> found(experiment_.system.locations.size(), table_.missing());
        const auto chosen = chosenRows(selection_, experiment_.callTree);
        for (std::size_t at = 0; at < table_.callPaths(); ++at) {
            if (chosen[at] == 0) continue;
            const auto row = table_.row(CallPathId(at));
            std::transform(row.begin(), row.end(), found.begin(), found.begin(), combine_);
        }
        return found;
    }

    std::vector<double> byGroup() const {
        const auto each = byLocation();
        std::vector<double> found(selection_.groups.size(), table_.missing());
        for (std::size_t at = 0; at < found.size(); ++at)
            for (const LocationId location : selection_.groups[at])
                found[at] = combine_(found[at], each[location.index()]);
        return found;
    }

    std::vector<double> byCallPath() const {
        const CallTree& tree = experiment_.callTree;
        std::vector<double> found(tree.size(), table_.missing());
        for (std::size_t at = 0; at < table_.callPaths(); ++at) found[at] = overLocations(CallPathId(at));
        if (selection_.callExtent == Extent::Exclusive) return found;
        for (std::size_t at = tree.size(); at-- > 0;)
            if (const auto parent = tree.parent(CallPathId(at)))
                found[parent->index()] = combine_(found[parent->index()], found[at]);
        return found;
    }

    double single() const {
        double found = table_.missing();
        const auto chosen = chosenRows(selection_, experiment_.callTree);
        for (std::size_t at = 0; at < table_.callPaths(); ++at)
            if (chosen[at] != 0) found = combine_(found, overLocations(CallPathId(at)));
        return found;
    }

    double overLocations(CallPathId path) const {
        const auto row = table_.row(path);
        double found = table_.missing();
        if (row.empty()) return found;
        if (selection_.locations.isAll()) {
            for (const double value : row) found = combine_(found, value);
        } else {
            for (const LocationId location : selection_.locations.given())
                found = combine_(found, row[location.index()]);
        }
        return found;
    }

    const SeverityTable& table_;
    const Selection& selection_;
    const Experiment& experiment_;
    Combine combine_;
};

template <class Combine>
std::vector<double> extremes(const SeverityTable& table, const Selection& selection,
                             const Experiment& experiment) {
    auto found = Reduction<Combine>(table, selection, experiment).run();
    std::ranges::replace(found, table.missing(), std::numeric_limits<double>::quiet_NaN());
    return found;
}

}  // namespace

std::size_t Selection::lanes(const Experiment& experiment) const {
    if (by == By::Location) return experiment.system.locations.size();
    if (by == By::Group) return groups.size();
    return by == By::CallPath ? experiment.callTree.size() : 1;
}

Selection Selection::with(Extent extent, const CallTree& tree) const {
    Selection changed = *this;
    changed.callExtent = extent;
    if (by == By::CallPath) return changed;
    std::vector<CallPathChoice> choices;
    if (paths.isAll())
        for (const CallPathId root : tree.roots()) choices.push_back({root, extent});
    for (const CallPathChoice& choice : paths.given()) choices.push_back({choice.path, extent});
    changed.paths = std::move(choices);
    return changed;
}

std::vector<double> reduce(const SeverityTable& table, ValueType type, const Selection& selection,
                           const Experiment& experiment) {
    if (type == ValueType::MinDouble) return extremes<Minimum>(table, selection, experiment);
    if (type == ValueType::MaxDouble) return extremes<Maximum>(table, selection, experiment);
    return Reduction<std::plus<>>(table, selection, experiment).run();
}

}  // namespace holos::algebra
