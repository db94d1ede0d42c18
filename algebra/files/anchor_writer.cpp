// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "algebra/files/anchor.h"
#include "algebra/files/anchor_names.h"
#include "algebra/files/number_text.h"
#include "algebra/files/row_order.h"
#include "algebra/files/system_writer.h"
#include "algebra/files/value_types.h"
#include "algebra/files/xml_writer.h"

namespace holos::algebra {
namespace {

constexpr const char* kSyntaxVersion = "Cube anchor.xml syntax version";
constexpr const char* kCubePlVersion = "CubePL Version";

std::string word(bool value) {
    return value ? "true" : "false";
}

/// 4.7 where there are accelerators, which older readers do not know.
std::string versionFor(const SystemTree& system) {
    const bool accelerators = std::ranges::any_of(system.processes,
                                                  [](const Process& process) {
                                                      return process.type == Process::Type::Accelerator;
                                                  }) ||
                              std::ranges::any_of(system.locations, [](const Location& location) {
                                  return location.type == Location::Type::AcceleratorStream;
                              });
    return accelerators ? "4.7" : "4.4";
}

class AnchorWriter {
  public:
    explicit AnchorWriter(const Experiment& experiment)
        : experiment_(experiment), callPathNumbers_(callPathNumbers(experiment.callTree)) {}

    std::string run() {
        const std::string version = versionFor(experiment_.system);
        xml_.open("cube", {{"version", version}});
        writeFileAttributes(version);
        writeMirrors();
        xml_.openSection("metrics", experiment_.metricsTitle);
        for (const MetricId root : experiment_.metrics.roots())
            experiment_.metrics.walk(
                root, [this](MetricId id) { openMetric(id); }, [this](MetricId) { xml_.close(); });
        xml_.close();
        xml_.openSection("program", experiment_.callTreeTitle);
        for (std::size_t at = 0; at < experiment_.regions.size(); ++at) writeRegion(RegionId(at));
        for (const CallPathId root : experiment_.callTree.roots())
            experiment_.callTree.walk(
                root, [this](CallPathId id) { openCallPath(id); }, [this](CallPathId) { xml_.close(); });
        xml_.close();
        xml_.openSection("system", experiment_.systemTitle);
        writeSystem(experiment_, xml_);
        xml_.close();
        xml_.close();
        return xml_.take();
    }

  private:
    void writeFileAttributes(const std::string& version) {
        bool hasCubePl = false;
        for (const auto& [key, value] : experiment_.attributes) {
            if (key == kSyntaxVersion) continue;
            hasCubePl = hasCubePl || key == kCubePlVersion;
            xml_.empty("attr", {{"key", key}, {"value", value}});
        }
        xml_.empty("attr", {{"key", kSyntaxVersion}, {"value", version}});
        if (!hasCubePl) xml_.empty("attr", {{"key", kCubePlVersion}, {"value", "1.1"}});
    }

    void writeMirrors() {
        xml_.open("doc");
        xml_.open("mirrors");
        for (const std::string& mirror : experiment_.mirrors) xml_.text("murl", mirror);
        xml_.close();
        xml_.close();
    }

    void openMetric(MetricId id) {
        const Metric& metric = experiment_.metrics[id];
        const std::string number = std::to_string(id.index());
        const std::string type(wordFor(metric.storage));
        const std::string convertible = word(metric.convertible);
        const std::string cacheable = word(metric.cacheable);
        if (metric.ghost)
            xml_.open("metric", {{"id", number},
                                 {"type", type},
                                 {"viztype", "GHOST"},
                                 {"convertible", convertible},
                                 {"cacheable", cacheable}});
        else if (metric.convertible && metric.cacheable)
            xml_.open("metric", {{"id", number}, {"type", type}});
        else
            xml_.open(
                "metric",
                {{"id", number}, {"type", type}, {"convertible", convertible}, {"cacheable", cacheable}});
        xml_.text("disp_name", metric.displayName);
        xml_.text("uniq_name", metric.uniqueName);
        xml_.text("dtype", typeNameOf(metric));
        xml_.text("uom", metric.unit);
        if (metric.isVoid) xml_.text("val", "VOID");
        xml_.text("url", metric.url);
        xml_.text("descr", metric.description);
        writeExpressions(metric);
        for (const auto& [key, value] : metric.attributes)
            xml_.empty("attr", {{"key", key}, {"value", value}});
        if (metric.origin != Origin::Measured)
            xml_.empty("attr", {{"key", std::string(kOriginAttribute)},
                                {"value", std::string(wordFor(metric.origin))}});
        if (metric.incomplete)
            xml_.empty("attr", {{"key", std::string(kIncompleteAttribute)}, {"value", "true"}});
    }

    void writeExpressions(const Metric& metric) {
        if (metric.hasValues()) return;
        if (metric.rowWise)
            xml_.text("cubepl", metric.expression);
        else
            xml_.text("cubepl", metric.expression, {{"rowwise", "false"}});
        if (!metric.initialisation.empty()) xml_.text("cubeplinit", metric.initialisation);
        for (const auto& [kind, expression] : metric.aggregations)
            xml_.text("cubeplaggr", expression, {{"cubeplaggrtype", kind}});
    }

    void writeRegion(RegionId id) {
        const Region& region = experiment_[id];
        xml_.open("region", {{"id", std::to_string(id.index())},
                             {"mod", region.module},
                             {"begin", std::to_string(region.beginLine)},
                             {"end", std::to_string(region.endLine)}});
        xml_.text("name", region.name);
        xml_.text("mangled_name", region.mangledName.empty() ? region.name : region.mangledName);
        xml_.text("paradigm", region.paradigm.empty() ? "unknown" : region.paradigm);
        xml_.text("role", region.role.empty() ? "unknown" : region.role);
        xml_.text("url", region.url);
        xml_.text("descr", region.description);
        for (const auto& [key, value] : region.attributes)
            xml_.empty("attr", {{"key", key}, {"value", value}});
        xml_.close();
    }

    void openCallPath(CallPathId id) {
        const CallPath& path = experiment_.callTree[id];
        const std::string number = std::to_string(callPathNumbers_[id.index()]);
        const std::string callee = std::to_string(path.region.index());
        if (path.line < 0 && path.module.empty())
            xml_.open("cnode", {{"id", number}, {"calleeId", callee}});
        else
            xml_.open("cnode", {{"id", number},
                                {"line", std::to_string(path.line)},
                                {"mod", path.module},
                                {"calleeId", callee}});
        for (const auto& [key, value] : path.numericParameters)
            xml_.empty("parameter",
                       {{"partype", "numeric"}, {"parkey", key}, {"parvalue", shortestText(value)}});
        for (const auto& [key, value] : path.stringParameters)
            xml_.empty("parameter", {{"partype", "string"}, {"parkey", key}, {"parvalue", value}});
        for (const auto& [key, value] : path.attributes) xml_.empty("attr", {{"key", key}, {"value", value}});
    }

    const Experiment& experiment_;
    const std::vector<std::size_t> callPathNumbers_;
    XmlWriter xml_;
};

}  // namespace

std::string writeAnchor(const Experiment& experiment) {
    return AnchorWriter(experiment).run();
}

}  // namespace holos::algebra
