// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/metric_rows.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {
namespace {

using Row = std::vector<double>;  ///< empty: all values are missing
using Combination = void (*)(Row& into, const Row& other);

template <class Combine>
void combineWith(Row& into, const Row& other) {
    std::ranges::transform(into, other, into.begin(), Combine());
}

struct Least {
    double operator()(double one, double other) const { return std::min(one, other); }
};
struct Most {
    double operator()(double one, double other) const { return std::max(one, other); }
};

Combination combinationOf(ValueType type) {
    if (type == ValueType::MinDouble) return combineWith<Least>;
    if (type == ValueType::MaxDouble) return combineWith<Most>;
    return combineWith<std::plus<>>;
}

}  // namespace

/// Rows combined with those of all call paths below, in the order in which `makeInclusive` does it. They are
/// made for as many call paths together as memory allows, so that the rows of a subtree are read once for
/// each such group that it belongs to.
class RowsBelow {
  public:
    RowsBelow(RowsPtr own, const CallTree& tree, Combination combine, std::size_t memory)
        : own_(std::move(own)), tree_(tree), combine_(combine), hasBelow_(tree.size(), false) {
        for (std::size_t at = tree.size(); at-- > 0;) {  // callees stand behind their callers
            const CallPathId path(at);
            if (own_->hasRow(path)) hasBelow_[at] = true;
            const auto caller = tree.parent(path);
            if (hasBelow_[at] && caller) hasBelow_[caller->index()] = true;
        }
        const std::size_t bytes = std::max<std::size_t>(own_->locations(), 1) * sizeof(double);
        mostRows_ = std::max<std::size_t>(memory / bytes, 1);
    }

    bool hasRow(CallPathId path) const { return hasBelow_[path.index()]; }

    std::span<const double> row(CallPathId path) {
        if (!hasRow(path)) return {};
        if (!made_.contains(path)) makeFrom(path);
        return made_.at(path);
    }

  private:
    /// A call path, and how many of its callers are entered before it.
    struct Visit {
        CallPathId path;
        std::size_t depth;
    };
    struct Open {
        CallPathId path;
        Row row;
    };

    /// The rows of this call path and of those that come next. Values are read on all processor cores.
    void makeFrom(CallPathId first) {
        for (auto& [path, row] : made_) keepMemory(std::move(row));
        made_.clear();
        std::size_t rows = 0;
        end_ = first.index();
        for (; end_ < tree_.size() && rows < mostRows_; ++end_)
            if (hasBelow_[end_]) ++rows;
        const std::vector<Visit> visits = visitsFrom(first.index());
        std::vector<CallPathId> paths;
        for (const Visit& visit : visits) paths.push_back(visit.path);
        std::vector<Open> open;
        auto next = visits.begin();
        const auto enter = [&](std::span<const double> own) {
            leaveTo(open, next->depth);
            open.push_back({next->path, own.empty() ? Row() : emptyRow()});
            open.back().row.assign(own.begin(), own.end());
            ++next;
        };
        passThrough(
            *own_, paths, [](std::span<const double>) { return 0.0; },
            [&](const ReadRows& block) {
                for (std::size_t at = 0; at < block.paths().size(); ++at) {
                    while (next->path != block.paths()[at]) enter({});  // all of its values are missing
                    enter(block.row(at));
                }
            });
        while (next != visits.end()) enter({});
        leaveTo(open, 0);
    }

    /// The call paths of the group and all below them: callers first, of callees the last one first.
    std::vector<Visit> visitsFrom(std::size_t first) const {
        std::vector<bool> isSeen(tree_.size(), false);
        std::vector<Visit> visits;
        std::vector<Visit> waiting;
        for (std::size_t root = first; root < end_; ++root) {
            if (!hasBelow_[root] || isSeen[root]) continue;
            waiting.push_back({CallPathId(root), 0});
            while (!waiting.empty()) {
                const Visit visit = waiting.back();
                waiting.pop_back();
                isSeen[visit.path.index()] = true;
                visits.push_back(visit);
                for (const CallPathId callee : tree_.children(visit.path))
                    if (hasBelow_[callee.index()]) waiting.push_back({callee, visit.depth + 1});
            }
        }
        return visits;
    }

    /// Adds those that are deeper to their callers.
    void leaveTo(std::vector<Open>& open, std::size_t depth) {
        while (open.size() > depth) {
            Open done = std::move(open.back());
            open.pop_back();
            if (!open.empty()) addTo(open.back().row, done.row);
            if (done.path.index() < end_)
                made_.emplace(done.path, std::move(done.row));
            else
                keepMemory(std::move(done.row));
        }
    }

    /// Memory that is used again need not come from the system again.
    void keepMemory(Row&& row) {
        if (row.capacity() > 0) unused_.push_back(std::move(row));
    }
    Row emptyRow() {
        if (unused_.empty()) return {};
        Row row = std::move(unused_.back());
        unused_.pop_back();
        return row;
    }

    void addTo(Row& caller, const Row& callee) {
        if (callee.empty()) return;
        if (caller.empty()) {
            caller = emptyRow();
            caller.assign(own_->locations(), own_->missing());
        }
        combine_(caller, callee);
    }

    RowsPtr own_;
    const CallTree& tree_;
    Combination combine_;
    std::vector<bool> hasBelow_;  ///< it, or something below it, has values
    std::size_t mostRows_;
    std::map<CallPathId, Row> made_;
    std::vector<Row> unused_;
    std::size_t end_ = 0;  ///< of the call paths of the group
};

namespace {

/// A table of somebody else, who keeps it.
RowsPtr rowsIn(const SeverityTable& table) {
    return rowsOf(std::shared_ptr<const SeverityTable>(std::shared_ptr<void>(), &table));
}

bool hasExtremes(const Metric& metric) {
    return metric.valueType == ValueType::MinDouble || metric.valueType == ValueType::MaxDouble;
}

}  // namespace

MetricRows::MetricRows(const Experiment& experiment, MetricId id, Below below, std::size_t memory) {
    const Metric& metric = experiment.metrics[id];
    if (metric.hasValues()) {
        own_ = experiment.severities.opened(id);
    } else {
        values_.emplace(experiment, Selection{});
        own_ = rowsIn(values_->everywhere(id));
    }
    missing_ = own_->missing();
    scratch_.resize(own_->locations());
    if (below == Below::Nothing || own_->callPaths() == 0 || (hasExtremes(metric) && below == Below::Added))
        return;
    if (values_ && !hasExtremes(metric))
        evaluatedBelow_ = rowsIn(values_->everywhere(id, Extent::Inclusive));
    else
        below_ =
            std::make_unique<RowsBelow>(own_, experiment.callTree, combinationOf(metric.valueType), memory);
}

MetricRows::~MetricRows() = default;

bool MetricRows::hasRow(CallPathId path) const {
    const auto isIn = [path](const RowsPtr& rows) {
        return rows && path.index() < rows->callPaths() && rows->hasRow(path);
    };
    return isIn(own_) || isIn(evaluatedBelow_) || (below_ && below_->hasRow(path));
}

std::span<const double> MetricRows::own(CallPathId path) {
    return path.index() < own_->callPaths() ? own_->row(path, scratch_) : std::span<const double>();
}

std::span<const double> MetricRows::withBelow(CallPathId path) {
    if (below_) return below_->row(path);
    if (!evaluatedBelow_ || path.index() >= evaluatedBelow_->callPaths()) return {};
    return evaluatedBelow_->row(path, {});
}

}  // namespace holos::algebra
