// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/severities.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace holos::algebra {
namespace {

RowSource sourceOf(std::shared_ptr<const SeverityTable> table) {
    return [table = std::move(table)] { return rowsOf(table); };
}

/// A loader may give up what it loads from, so it is called once.
class LoadOnce {
  public:
    explicit LoadOnce(Severities::Loader loader) : loader_(std::move(loader)) {}
    std::shared_ptr<const SeverityTable> table() {
        std::call_once(loaded_, [this] {
            table_ = std::make_shared<SeverityTable>(loader_());
            loader_ = nullptr;
        });
        return table_;
    }

  private:
    std::once_flag loaded_;
    Severities::Loader loader_;
    std::shared_ptr<SeverityTable> table_;
};

}  // namespace

void Severities::set(MetricId metric, SeverityTable table) {
    Entry& slot = entry(metric);
    slot.source = nullptr;
    slot.table = std::make_shared<SeverityTable>(std::move(table));
}

void Severities::setLoader(MetricId metric, Loader loader) {
    setRows(metric, [once = std::make_shared<LoadOnce>(std::move(loader))] { return rowsOf(once->table()); });
}

void Severities::setRows(MetricId metric, RowSource source) {
    Entry& slot = entry(metric);
    slot.source = std::move(source);
    slot.table = nullptr;
}

const SeverityTable& Severities::table(MetricId metric) const {
    static const SeverityTable kEmpty;
    Entry* const slot = find(metric);
    if (slot == nullptr) return kEmpty;
    const std::lock_guard lock(slot->loading);
    if (slot->source) {
        slot->table = std::const_pointer_cast<SeverityTable>(slot->source()->table());
        slot->source = nullptr;
    }
    return *slot->table;
}

SeverityTable& Severities::edit(MetricId metric) {
    Entry& slot = entry(metric);
    if (slot.source) table(metric);
    if (!slot.table) slot.table = std::make_shared<SeverityTable>();
    // Others who were given these values keep them.
    if (slot.table.use_count() > 1) slot.table = std::make_shared<SeverityTable>(*slot.table);
    return *slot.table;
}

RowSource Severities::source(MetricId metric) const {
    Entry* const slot = find(metric);
    if (slot == nullptr) return sourceOf(std::make_shared<SeverityTable>());
    const std::lock_guard lock(slot->loading);
    return slot->table ? sourceOf(slot->table) : slot->source;
}

bool Severities::has(MetricId metric) const {
    return find(metric) != nullptr;
}

Severities::Entry& Severities::entry(MetricId metric) {
    if (entries_.size() <= metric.index()) entries_.resize(metric.index() + 1);
    auto& slot = entries_[metric.index()];
    if (!slot) slot = std::make_unique<Entry>();
    return *slot;
}

Severities::Entry* Severities::find(MetricId metric) const {
    return metric.index() < entries_.size() ? entries_[metric.index()].get() : nullptr;
}

namespace {}  // namespace

}  // namespace holos::algebra
