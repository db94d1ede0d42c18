// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <utility>

#include "algebra/files/anchor_names.h"
#include "algebra/files/anchor_sections.h"
#include "algebra/files/value_types.h"
#include "base/error.h"
#include "base/text.h"

namespace holos::algebra {
namespace {

struct TextField {
    std::string_view element;
    std::string Metric::*field;
};

constexpr std::array kTextFields{
    TextField{"disp_name", &Metric::displayName},
    TextField{"uom", &Metric::unit},
    TextField{"url", &Metric::url},
    TextField{"descr", &Metric::description},
    TextField{"cubepl", &Metric::expression},
    TextField{"cubeplinit", &Metric::initialisation},
};

}  // namespace

void MetricsSection::begin(const XmlElement& element) {
    if (element.name == "metric") {
        beginMetric(element);
    } else if (!open_.empty()) {
        Metric& metric = experiment_.metrics[open_.back()];
        if (element.name == "attr") addAttribute(metric, element);
        if (element.name == "cubepl") metric.rowWise = element.get("rowwise") != "false";
    }
}

void MetricsSection::beginMetric(const XmlElement& element) {
    const std::uint64_t id = ids_ == Ids::Needed ? index(element, "id") : seen_.size();
    if (!seen_.insert(id).second) fail(element, "the metric id " + std::to_string(id) + " is there twice");
    Metric metric;
    metric.storage = storageOf(element.get("type"));
    metric.ghost = element.get("viztype") == "GHOST";
    metric.convertible = element.get("convertible") != "false";
    metric.cacheable = element.get("cacheable") != "false";
    open_.push_back(experiment_.metrics.add(std::move(metric),
                                            open_.empty() ? std::nullopt : std::optional(open_.back())));
    anchor_.metricIds.push_back(id);
}

void MetricsSection::addAttribute(Metric& metric, const XmlElement& element) {
    const std::string key = element.get("key");
    const std::string value = element.get("value");
    if (key == kOriginAttribute && originOf(value))
        metric.origin = *originOf(value);
    else if (key == kIncompleteAttribute)
        metric.incomplete = value == "true";
    else
        metric.attributes.emplace_back(key, value);
}

void MetricsSection::end(const XmlElement& element, std::string&& text) {
    if (open_.empty()) return;
    if (element.name == "metric") {
        open_.pop_back();
        return;
    }
    Metric& metric = experiment_.metrics[open_.back()];
    for (const auto& [name, field] : kTextFields)
        if (element.name == name) metric.*field = text;
    if (element.name == "uniq_name") metric.uniqueName = trimmed(text);
    if (element.name == "val") metric.isVoid = trimmed(text) == "VOID";
    if (element.name == "cubeplaggr") metric.aggregations.emplace_back(element.get("cubeplaggrtype"), text);
    if (element.name == "dtype") {
        metric.typeName = trimmed(text);
        metric.valueType = valueTypeOf(metric.typeName);
    }
}

void MetricsSection::finish() {
    std::vector<cubepl::Definition> definitions;
    for (const MetricId id : experiment_.metrics.ids())
        for (const std::string* text :
             {&experiment_.metrics[id].expression, &experiment_.metrics[id].initialisation}) {
            if (text->find("cube::metric::p") == text->npos) continue;
            try {
                for (cubepl::Definition& found : cubepl::parse(*text).definitions)
                    definitions.push_back(std::move(found));
            } catch (const Error&) {
                // Is kept as it is, and named when it is to be evaluated.
            }
        }
    for (const cubepl::Definition& definition : definitions) define(definition);
}

void MetricsSection::define(const cubepl::Definition& definition) {
    using Kind = cubepl::Definition::Kind;
    if (experiment_.findMetric(definition.name)) return;
    Metric metric;
    metric.uniqueName = metric.displayName = definition.name;
    metric.ghost = true;
    metric.storage = definition.kind == Kind::PostDerived           ? Storage::PostDerived
                     : definition.kind == Kind::PreDerivedInclusive ? Storage::PreDerivedInclusive
                                                                    : Storage::PreDerivedExclusive;
    metric.expression = definition.expression;
    experiment_.metrics.add(std::move(metric));
    anchor_.metricIds.push_back(seen_.empty() ? 0 : *seen_.rbegin() + 1);
    seen_.insert(anchor_.metricIds.back());
}

}  // namespace holos::algebra
