// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/remap.h"

#include <memory>
#include <unordered_map>
#include <utility>

#include "algebra/files/anchor.h"
#include "algebra/files/anchor_sections.h"
#include "algebra/model/metric_values.h"
#include "algebra/operators/rows/regroup.h"
#include "base/error.h"

namespace holos::algebra {
namespace {

/// Passes on what is inside of `<metrics>`, and takes the mirrors.
class HierarchyReader final : public AnchorSection {
  public:
    HierarchyReader(Anchor& anchor, const std::string& file)
        : AnchorSection(anchor, file), metrics_(anchor, file, MetricsSection::Ids::None) {}

    void begin(const XmlElement& element) override {
        if (inMetrics_) metrics_.begin(element);
        inMetrics_ = inMetrics_ || element.name == "metrics";
    }

    void end(const XmlElement& element, std::string&& text) override {
        if (element.name == "murl") experiment_.mirrors.push_back(text);
        inMetrics_ = inMetrics_ && element.name != "metrics";
        if (inMetrics_) metrics_.end(element, std::move(text));
    }

    void finish() override { metrics_.finish(); }

  private:
    MetricsSection metrics_;
    bool inMetrics_ = false;
};

/// As one document: there is no element around the parts of a specification.
std::string enclosed(const std::string& text) {
    const std::size_t declared = text.starts_with("<?xml") ? text.find("?>") : std::string::npos;
    return "<cube>" + (declared == std::string::npos ? text : text.substr(declared + 2)) + "</cube>";
}

}  // namespace

MetricHierarchy readMetricHierarchy(const std::string& text, const std::string& file) {
    Anchor anchor;
    HierarchyReader reader(anchor, file);
    parseXml(repairAnchor(enclosed(text)), file, reader);
    reader.finish();
    if (anchor.experiment.metrics.empty())
        throw Error("holds no metrics: a remapping specification was expected", Place{.file = file});
    return {std::move(anchor.experiment.metrics), std::move(anchor.experiment.mirrors)};
}

namespace {

using MetricIds = std::unordered_map<std::string, MetricId>;

/// What the hierarchy leaves open is as it was measured.
void takeType(Metric& metric, const Metric& measured) {
    metric.valueType = measured.valueType;
    metric.typeName = measured.typeName;
    metric.isVoid = measured.isVoid;
    if (!measured.hasValues()) {
        metric.storage = measured.storage;
        metric.expression = measured.expression;
        metric.initialisation = measured.initialisation;
    }
    if (metric.unit.empty()) metric.unit = measured.unit;
    for (const auto& attribute : measured.attributes) metric.attributes.push_back(attribute);
}

/// Gives the experiment the metrics of the hierarchy, and those that it does not name.
class Remapping {
  public:
    Remapping(Experiment& experiment, MetricForest hierarchy)
        : experiment_(experiment),
          old_(std::exchange(experiment.metrics, std::move(hierarchy))),
          values_(std::exchange(experiment.severities, {})),
          compounds_(std::exchange(experiment.compoundValues, {})) {}

    void run() {
        for (const MetricId id : experiment_.metrics.ids())
            places_.emplace(experiment_.metrics[id].uniqueName, id);
        for (const MetricId id : old_.ids()) {
            const auto [place, isNew] = places_.try_emplace(old_[id].uniqueName);
            if (isNew)
                place->second = addOld(id);
            else if (experiment_.metrics[place->second].hasValues())
                takeType(experiment_.metrics[place->second], old_[id]);
            takeValues(id, place->second);
        }
    }

  private:
    MetricId addOld(MetricId id) {
        const auto parent = old_.parent(id);
        return experiment_.metrics.add(
            old_[id], parent ? std::optional(places_.at(old_[*parent].uniqueName)) : std::nullopt);
    }

    void takeValues(MetricId from, MetricId to) {
        if (!experiment_.metrics[to].hasValues()) return;
        if (const auto found = compounds_.find(from); found != compounds_.end())
            experiment_.compoundValues.emplace(to, found->second);
        if (values_.has(from)) experiment_.severities.setRows(to, values_.source(from));
    }

    Experiment& experiment_;
    MetricForest old_;
    Severities values_;
    std::map<MetricId, std::shared_ptr<const CompoundValues>> compounds_;
    MetricIds places_;
};

RowSource evaluated(std::shared_ptr<const Experiment> experiment, MetricId metric) {
    return [experiment = std::move(experiment), metric] {
        try {
            MetricValues values(*experiment, {});
            return rowsOf(std::make_shared<SeverityTable>(values.everywhere(metric)));
        } catch (const Error& error) {
            throw Error("the metric \"" + experiment->metrics[metric].uniqueName +
                        "\" cannot be evaluated: " + error.what());
        }
    };
}

bool isEvaluated(const Metric& metric) {
    const bool prederived =
        metric.storage == Storage::PreDerivedExclusive || metric.storage == Storage::PreDerivedInclusive;
    return prederived && metric.initialisation.empty();
}

Experiment evaluate(Experiment experiment) {
    const auto source = std::make_shared<const Experiment>(std::move(experiment));
    Experiment result = structureOf(*source);
    for (const MetricId id : source->metrics.ids()) {
        Metric& metric = result.metrics[id];
        if (isEvaluated(metric)) {
            metric.storage = Storage::Exclusive;
            metric.valueType = ValueType::Double;
            metric.typeName.clear();
            metric.expression.clear();
            result.severities.setRows(id, evaluated(source, id));
        } else if (source->severities.has(id)) {
            result.severities.setRows(id, source->severities.source(id));
        }
    }
    return result;
}

}  // namespace

Experiment remap(Experiment experiment, MetricHierarchy hierarchy, Expressions expressions) {
    Remapping(experiment, std::move(hierarchy.metrics)).run();
    if (!hierarchy.mirrors.empty()) experiment.mirrors = std::move(hierarchy.mirrors);
    experiment.files.erase(kRemappingFile);
    return expressions == Expressions::Keep ? std::move(experiment) : evaluate(std::move(experiment));
}

}  // namespace holos::algebra
