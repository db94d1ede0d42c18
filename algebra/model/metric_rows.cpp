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
using Combination = std::function<double(double, double)>;

Combination combineOf(ValueType type) {
    if (type == ValueType::MinDouble) return [](double one, double other) { return std::min(one, other); };
    if (type == ValueType::MaxDouble) return [](double one, double other) { return std::max(one, other); };
    return std::plus<>();
}

}  // namespace

/// Rows combined with those of all call paths below, in the order in which `makeInclusive` does it. They are
/// made for as many call paths together as memory allows, so that the rows of a subtree are read once for
/// each such group that it belongs to.
class RowsBelow {
  public:
    RowsBelow(RowsPtr own, const CallTree& tree, Combination combine, std::size_t memory)
        : own_(std::move(own)), tree_(tree), combine_(std::move(combine)), hasBelow_(tree.size(), false) {
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
    struct Open {
        CallPathId path;
        std::size_t left;  ///< of its callees
        Row row;
    };

    /// The rows of this call path and of those that come next.
    void makeFrom(CallPathId first) {
        made_.clear();
        std::size_t rows = 0;
        end_ = first.index();
        for (; end_ < tree_.size() && rows < mostRows_; ++end_)
            if (hasBelow_[end_]) ++rows;
        for (std::size_t at = first.index(); at < end_; ++at)
            if (hasBelow_[at] && !made_.contains(CallPathId(at))) makeTree(CallPathId(at));
    }

    /// The rows of the call paths of the group below the root, and its own.
    void makeTree(CallPathId root) {
        std::vector<Open> open;
        enter(open, root);
        for (;;) {
            Open& last = open.back();
            if (last.left > 0) {  // the last one first
                const CallPathId callee = tree_.children(last.path)[--last.left];
                if (!hasBelow_[callee.index()]) continue;
                if (const auto known = made_.find(callee); known != made_.end())
                    addTo(last.row, known->second);
                else
                    enter(open, callee);
                continue;
            }
            Open done = std::move(open.back());
            open.pop_back();
            if (!open.empty()) addTo(open.back().row, done.row);
            if (done.path.index() < end_) made_.emplace(done.path, std::move(done.row));
            if (open.empty()) return;
        }
    }

    void enter(std::vector<Open>& open, CallPathId path) const {
        Row row(own_->locations());
        const auto own = own_->row(path, row);
        if (own.empty() || own_->allMissing(own))
            row = Row();  // without its memory
        else if (own.data() != row.data())
            std::ranges::copy(own, row.begin());
        open.push_back({path, tree_.children(path).size(), std::move(row)});
    }

    void addTo(Row& caller, const Row& callee) const {
        if (callee.empty()) return;
        if (caller.empty()) caller.assign(own_->locations(), own_->missing());
        std::ranges::transform(caller, callee, caller.begin(), combine_);
    }

    RowsPtr own_;
    const CallTree& tree_;
    Combination combine_;
    std::vector<bool> hasBelow_;  ///< it, or something below it, has values
    std::size_t mostRows_;
    std::map<CallPathId, Row> made_;
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
        below_ = std::make_unique<RowsBelow>(own_, experiment.callTree, combineOf(metric.valueType), memory);
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
