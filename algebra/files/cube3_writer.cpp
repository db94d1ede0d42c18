// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "algebra/files/cube3.h"
#include "algebra/files/cube3_parts.h"
#include "algebra/files/number_text.h"
#include "algebra/files/row_order.h"
#include "algebra/files/text_file.h"
#include "algebra/model/metric_values.h"

namespace holos::algebra {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

class Cube3Writer {
  public:
    Cube3Writer(const Experiment& experiment, TextWriter& out)
        : experiment_(experiment),
          out_(out),
          kept_(metricsForCube3(experiment)),
          callPathNumbers_(callPathNumbers(experiment.callTree)) {}

    void run() {
        xml_.open("cube", {{"version", "3.0"}});
        for (const auto& [key, value] : experiment_.attributes)
            xml_.empty("attr", {{"key", key}, {"value", value}});
        xml_.open("doc");
        xml_.open("mirrors");
        for (const std::string& mirror : experiment_.mirrors) xml_.text("murl", mirror);
        xml_.close();
        xml_.close();
        xml_.openSection("metrics", experiment_.metricsTitle);
        writeMetrics();
        xml_.close();
        xml_.openSection("program", experiment_.callTreeTitle);
        writeProgram();
        xml_.close();
        xml_.openSection("system", experiment_.systemTitle);
        writeCube3System(experiment_, xml_);
        xml_.close();
        xml_.open("severity");
        for (const MetricId id : experiment_.metrics.ids())
            if (kept_[id.index()]) writeMatrix(id);
        xml_.close();
        xml_.close();
        out_.write(xml_.take());
        out_.finish();
    }

  private:
    /// Metrics below one that is left out become trees of their own.
    void writeMetrics() {
        for (const MetricId id : experiment_.metrics.ids()) {
            const auto parent = experiment_.metrics.parent(id);
            if (kept_[id.index()] && (!parent || !kept_[parent->index()])) writeMetricTree(id);
        }
    }

    void writeMetricTree(MetricId root) {
        std::size_t leftOut = 0;  // metrics around the current one
        const auto enter = [&](MetricId id) {
            if (leftOut > 0 || !kept_[id.index()])
                ++leftOut;
            else
                openMetric(id);
        };
        const auto leave = [&](MetricId) {
            if (leftOut > 0)
                --leftOut;
            else
                xml_.close();
        };
        experiment_.metrics.walk(root, enter, leave);
    }

    void openMetric(MetricId id) {
        const Metric& metric = experiment_.metrics[id];
        const bool whole = metric.hasValues() && metric.valueType != ValueType::Double;
        xml_.open("metric", {{"id", std::to_string(id.index())}});
        xml_.text("disp_name", metric.displayName);
        xml_.text("uniq_name", metric.uniqueName);
        xml_.text("dtype", whole ? "INTEGER" : "FLOAT");
        xml_.text("uom", metric.unit);
        if (metric.isVoid) xml_.text("val", "VOID");
        xml_.text("url", metric.url);
        xml_.text("descr", metric.description);
    }

    void writeProgram() {
        for (std::size_t at = 0; at < experiment_.regions.size(); ++at) {
            const Region& region = experiment_.regions[at];
            xml_.open("region", {{"id", std::to_string(at)},
                                 {"mod", region.module},
                                 {"begin", std::to_string(region.beginLine)},
                                 {"end", std::to_string(region.endLine)}});
            xml_.text("name", region.name);
            xml_.text("url", region.url);
            xml_.text("descr", region.description);
            xml_.close();
        }
        for (const CallPathId root : experiment_.callTree.roots())
            experiment_.callTree.walk(
                root, [this](CallPathId id) { openCallPath(id); }, [this](CallPathId) { xml_.close(); });
    }

    void openCallPath(CallPathId id) {
        const CallPath& path = experiment_.callTree[id];
        xml_.open("cnode", {{"id", std::to_string(callPathNumbers_[id.index()])},
                            {"line", std::to_string(path.line)},
                            {"mod", path.module},
                            {"calleeId", std::to_string(path.region.index())}});
    }

    void writeMatrix(MetricId metric) {
        MetricValues values(experiment_, {});
        const SeverityTable& table = values.everywhere(metric);
        xml_.open("matrix", {{"metricId", std::to_string(metric.index())}});
        if (table.callPaths() > 0)
            for (const CallPathId path : experiment_.callTree.ids()) writeRow(path, table.row(path));
        xml_.close();
    }

    void writeRow(CallPathId path, std::span<const double> row) {
        if (std::ranges::all_of(row, [](double value) { return value == 0.0; })) return;
        std::string text;
        // Readers of CUBE 3 know finite numbers only.
        for (const double value : row) text += shortestText(std::isfinite(value) ? value : 0.0) + '\n';
        xml_.text("row", text, {{"cnodeId", std::to_string(callPathNumbers_[path.index()])}});
        if (xml_.size() > kPiece) out_.write(xml_.take());
    }

    const Experiment& experiment_;
    TextWriter& out_;
    std::vector<bool> kept_;
    std::vector<std::size_t> callPathNumbers_;
    XmlWriter xml_;
};

}  // namespace

void writeCube3(const Experiment& experiment, const std::filesystem::path& path, Links links) {
    OutputFile file(path, links);
    TextWriter out(file, path.extension() == ".gz");
    Cube3Writer(experiment, out).run();
    file.commit();
}

}  // namespace holos::algebra
