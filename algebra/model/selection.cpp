// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/selection.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>

#include "algebra/model/remembered_results.h"
#include "algebra/model/row_sums.h"

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

/// Of a row's values at the chosen locations, in their order.
template <class Combine>
double overChosen(std::span<const double> row, const ChosenLocations& locations, double missing,
                  Combine combine) {
    double found = missing;
    if (locations.isAll()) {
        for (const double value : row) found = combine(found, value);
    } else {
        for (const LocationId location : locations.given()) found = combine(found, row[location.index()]);
    }
    return found;
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
        return row.empty() ? table_.missing()
                           : overChosen(row, selection_.locations, table_.missing(), combine_);
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

namespace {

/// What `Reduction` does, from rows that pass by. Additions come in its order.
template <class Combine>
class StreamedReduction {
  public:
    StreamedReduction(const Rows& rows, const Selection& selection, const Experiment& experiment)
        : rows_(rows), selection_(selection), experiment_(experiment) {}

    /// By location, over the chosen call paths.
    std::vector<double> byLocation() const {
        if (const CombinedElsewhere* const there = rows_.elsewhere()) return there->byLocation(chosenPaths());
        std::vector<double> found(experiment_.system.locations.size(), rows_.missing());
        passThrough(
            rows_, chosenPaths(), [](std::span<const double>) { return 0.0; },
            [&](const ReadRows& block) { addRows(block, found); });
        return found;
    }

    /// By call path without those below, over the chosen locations; those that are not chosen are missing.
    std::vector<double> byCallPath() const {
        const CombinedElsewhere* const there = rows_.elsewhere();
        if (there != nullptr && !selection_.locations.isAll())
            return there->byCallPath(selection_.locations.given());
        std::vector<double> found(experiment_.callTree.size(), rows_.missing());
        if (!selection_.locations.isAll() && rows_.picksQuickly(selection_.locations.given().size())) {
            pickInto(found);
            return found;
        }
        passThrough(
            rows_, chosenPaths(), [this](std::span<const double> row) { return overLocations(row); },
            [&](const ReadRows& block) { putResults(block, found); });
        return found;
    }

    RowSums sums() const {
        if constexpr (std::is_same_v<Combine, std::plus<>>) {
            RowSums found = sumsOf(rows_);
            found.paths.resize(experiment_.callTree.size());
            found.locations.resize(experiment_.system.locations.size());
            return found;
        } else {
            RowSums found{std::vector<double>(experiment_.callTree.size(), rows_.missing()),
                          std::vector<double>(experiment_.system.locations.size(), rows_.missing()),
                          {}};
            passThrough(
                rows_, chosenPaths(), [this](std::span<const double> row) { return overLocations(row); },
                [&](const ReadRows& block) {
                    addRows(block, found.locations);
                    putResults(block, found.paths);
                });
            return found;
        }
    }

    /// Of call paths without those below to what the selection asks for.
    std::vector<double> finish(std::vector<double> ofPaths) const {
        const CallTree& tree = experiment_.callTree;
        if (selection_.by == Selection::By::CallPath) {
            if (selection_.callExtent == Extent::Exclusive) return ofPaths;
            for (std::size_t at = tree.size(); at-- > 0;)
                if (const auto parent = tree.parent(CallPathId(at)))
                    ofPaths[parent->index()] = combine_(ofPaths[parent->index()], ofPaths[at]);
            return ofPaths;
        }
        double found = rows_.missing();
        for (const CallPathId path : chosenPaths()) found = combine_(found, ofPaths[path.index()]);
        return {found};
    }

    std::vector<double> grouped(const std::vector<double>& each) const {
        std::vector<double> found(selection_.groups.size(), rows_.missing());
        for (std::size_t at = 0; at < found.size(); ++at)
            for (const LocationId location : selection_.groups[at])
                found[at] = combine_(found[at], each[location.index()]);
        return found;
    }

  private:
    std::vector<CallPathId> chosenPaths() const {
        std::vector<CallPathId> chosen;
        const std::vector<char> isChosen = chosenRows(selection_, experiment_.callTree);
        for (const CallPathId path : experiment_.callTree.ids())
            if (path.index() < rows_.callPaths() && isChosen[path.index()] != 0) chosen.push_back(path);
        return chosen;
    }

    /// Reads the chosen locations alone.
    void pickInto(std::vector<double>& found) const {
        const std::vector<LocationId>& locations = selection_.locations.given();
        const std::vector<CallPathId> paths = chosenPaths();
        tbb::this_task_arena::isolate([&] {
            tbb::parallel_for(std::size_t{0}, paths.size(), [&](std::size_t at) {
                if (!rows_.hasRow(paths[at])) return;
                std::vector<double> values(locations.size());
                rows_.pick(paths[at], locations, values);
                double& sum = found[paths[at].index()];
                for (const double value : values) sum = combine_(sum, value);
            });
        });
    }

    void addRows(const ReadRows& block, std::vector<double>& found) const {
        for (std::size_t at = 0; at < block.paths().size(); ++at) {
            const auto row = block.row(at);
            std::transform(row.begin(), row.end(), found.begin(), found.begin(),
                           [this](double value, double before) { return combine_(value, before); });
        }
    }

    static void putResults(const ReadRows& block, std::vector<double>& found) {
        for (std::size_t at = 0; at < block.paths().size(); ++at)
            found[block.paths()[at].index()] = block.results[at];
    }

    double overLocations(std::span<const double> row) const {
        return overChosen(row, selection_.locations, rows_.missing(), combine_);
    }

    const Rows& rows_;
    const Selection& selection_;
    const Experiment& experiment_;
    Combine combine_;
};

/// What was asked of a metric's rows, without what is made of the numbers afterwards.
RememberedResults::Key keyOf(MetricId metric, const Selection& selection, bool byLocation) {
    RememberedResults::Key key{metric.index(), byLocation ? 1U : 0U};
    if (!selection.paths.isAll())
        for (const auto& [path, extent] : selection.paths.given())
            key.push_back(2 * path.index() + (extent == Extent::Inclusive ? 1 : 0));
    key.push_back(~std::uint64_t{0});
    if (!byLocation && !selection.locations.isAll())
        for (const LocationId location : selection.locations.given()) key.push_back(location.index());
    return key;
}

bool isByLocation(const Selection& selection) {
    return selection.by == Selection::By::Location || selection.by == Selection::By::Group;
}

template <class Combine>
std::vector<double> streamed(MetricId metric, const Selection& selection, const Experiment& experiment) {
    const Severities& severities = experiment.severities;
    const RowsPtr rows = severities.opened(metric);
    const StreamedReduction<Combine> reduction(*rows, selection, experiment);
    const bool byLocation = isByLocation(selection);
    const auto finish = [&](const std::vector<double>& numbers) {
        if (selection.by == Selection::By::Group) return reduction.grouped(numbers);
        return byLocation ? numbers : reduction.finish(numbers);
    };
    const auto wholeSums = [&] {
        return severities.sums(metric, [&](const Rows& opened) {
            return StreamedReduction<Combine>(opened, {}, experiment).sums();
        });
    };
    if (byLocation && selection.paths.isAll()) return finish(wholeSums()->locations);
    if (!byLocation && selection.locations.isAll()) return finish(wholeSums()->paths);
    const RememberedResults::Key key = keyOf(metric, selection, byLocation);
    auto known = severities.results().find(key);
    if (!known)
        known = severities.results().add(key, byLocation ? reduction.byLocation() : reduction.byCallPath());
    return finish(*known);
}

template <class Combine>
std::vector<double> streamedExtremes(MetricId metric, const Selection& selection,
                                     const Experiment& experiment) {
    auto found = streamed<Combine>(metric, selection, experiment);
    std::ranges::replace(found, experiment.severities.opened(metric)->missing(),
                         std::numeric_limits<double>::quiet_NaN());
    return found;
}

}  // namespace

std::vector<double> reduceStored(MetricId metric, const Selection& selection, const Experiment& experiment) {
    const ValueType type = experiment.metrics[metric].valueType;
    if (const SeverityTable* table = experiment.severities.tableIfSmall(metric))
        return reduce(*table, type, selection, experiment);
    if (type == ValueType::MinDouble) return streamedExtremes<Minimum>(metric, selection, experiment);
    if (type == ValueType::MaxDouble) return streamedExtremes<Maximum>(metric, selection, experiment);
    return streamed<std::plus<>>(metric, selection, experiment);
}

bool isReducedQuickly(MetricId metric, const Selection& selection, const Experiment& experiment) {
    constexpr std::size_t kQuicklyRead = std::size_t{32} << 20;
    constexpr std::size_t kQuicklyPicked = 20'000;
    const Severities& severities = experiment.severities;
    const bool byLocation = isByLocation(selection);
    if (byLocation ? selection.paths.isAll() : selection.locations.isAll())
        return severities.isAtHand(metric);
    if (severities.isInMemory(metric) || severities.results().find(keyOf(metric, selection, byLocation)))
        return true;
    if (severities.isFar(metric)) return false;
    const std::vector<char> isChosen = chosenRows(selection, experiment.callTree);
    const auto rows = static_cast<std::size_t>(std::ranges::count(isChosen, 1));
    if (!byLocation && severities.opened(metric)->picksQuickly(selection.locations.given().size()))
        return rows * selection.locations.given().size() <= kQuicklyPicked;
    return rows * experiment.system.locations.size() * sizeof(double) <= kQuicklyRead;
}

}  // namespace holos::algebra
