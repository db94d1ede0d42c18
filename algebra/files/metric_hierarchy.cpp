// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/metric_hierarchy.h"

#include "algebra/files/anchor_repair.h"
#include "algebra/files/anchor_sections.h"
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

}  // namespace holos::algebra
