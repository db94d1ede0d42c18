// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/unite/unite_parts.h"

#include "algebra/model/value_kinds.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/unite/pairing.h"

namespace holos::algebra {
namespace {

struct MetricKey {
    std::optional<MetricId> parent;
    std::string name;
    bool hasValues;
    bool operator==(const MetricKey&) const = default;
};

struct MetricKeyHash {
    std::size_t operator()(const MetricKey& key) const {
        std::size_t seed = key.parent ? key.parent->index() + 1 : 0;
        mixHash(seed, key.name);
        mixHash(seed, key.hasValues);
        return seed;
    }
};

/// Of what is attributed in one experiment, others have each value once, too: earlier versions of Holos have
/// it where it was read.
void reconcileAttribution(Metric& into, const Metric& from) {
    const auto by = attribute(from.attributes, kAttributedAttribute);
    if (!by || attribute(into.attributes, kAttributedAttribute)) return;
    setAttribute(into.attributes, kAttributedAttribute, *by);
    into.description = from.description;
}

void reconcile(Metric& into, const Metric& from) {
    into.valueType = commonType(into.valueType, from.valueType);
    if (into.typeName != from.typeName) into.typeName.clear();
    if (from.incomplete && !into.incomplete) {
        into.incomplete = true;
        into.displayName = from.displayName;
    }
    reconcileAttribution(into, from);
    into.isVoid = into.isVoid && from.isVoid;
    into.ghost = into.ghost && from.ghost;
    if (into.origin != from.origin && !into.isVoid) into.origin = Origin::Measured;
    if (into.description.empty()) into.description = from.description;
    if (into.url.empty()) into.url = from.url;
}

}  // namespace

std::vector<MetricId> uniteMetrics(MetricForest& into, const MetricForest& from) {
    const auto keyOf = [](const Metric& metric, std::optional<MetricId> parent) {
        return MetricKey{parent, specifiedName(metric), metric.hasValues()};
    };
    Pairing<MetricKey, MetricId, MetricKeyHash> pairing;
    for (const MetricId id : into.ids()) pairing.declare(keyOf(into[id], into.parent(id)), id);

    std::vector<MetricId> map;
    map.reserve(from.size());
    for (const MetricId id : from.ids()) {
        const auto above = from.parent(id);
        const auto parent = above ? std::optional(map[above->index()]) : std::nullopt;
        const auto make = [&] { return into.add(from[id], parent); };
        const MetricId partner = pairing.pair(keyOf(from[id], parent), make);
        reconcile(into[partner], from[id]);
        map.push_back(partner);
    }
    return map;
}

}  // namespace holos::algebra
