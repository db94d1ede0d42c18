// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/severities.h"

#include <utility>

namespace holos::algebra {

void Severities::set(MetricId metric, SeverityTable table) {
    Entry& slot = entry(metric);
    slot.loader = nullptr;
    slot.table = std::move(table);
}

void Severities::setLoader(MetricId metric, Loader loader) {
    entry(metric).loader = std::move(loader);
}

const SeverityTable& Severities::table(MetricId metric) const {
    static const SeverityTable kEmpty;
    const Entry* slot = find(metric);
    if (slot == nullptr) return kEmpty;
    auto& loading = const_cast<Entry&>(*slot);  // loading is invisible to callers
    std::call_once(loading.loaded, [&loading] {
        if (loading.loader) loading.table = loading.loader();
    });
    return slot->table;
}

SeverityTable& Severities::edit(MetricId metric) {
    entry(metric);
    return const_cast<SeverityTable&>(table(metric));
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

const Severities::Entry* Severities::find(MetricId metric) const {
    return metric.index() < entries_.size() ? entries_[metric.index()].get() : nullptr;
}

}  // namespace holos::algebra
