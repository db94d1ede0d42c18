// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/cube3.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "algebra/files/anchor.h"
#include "algebra/files/anchor_sections.h"
#include "algebra/files/cube3_sections.h"
#include "algebra/files/file_reader.h"
#include "algebra/files/packed/compression.h"
#include "algebra/files/stored_values.h"
#include "algebra/files/xml.h"
#include "algebra/model/experiment.h"
#include "algebra/model/metric_rows.h"
#include "algebra/model/queries.h"
#include "base/error.h"

namespace holos::algebra {

/// By MetricId, whether a CUBE 3 document can have the metric: one value per place, which adds up. That is,
/// stored numbers, and expressions that are evaluated before they are summed.
std::vector<bool> metricsForCube3(const Experiment& experiment);

/// The inside of `<system>`: trees of any depth as machines, nodes, processes and threads. A machine is a
/// root, a node whatever has processes, under the names of all levels between.
void writeCube3System(const Experiment& experiment, XmlWriter& xml);

namespace {

bool fits(const Experiment& experiment, MetricId id) {
    const Metric& metric = experiment.metrics[id];
    if (metric.ghost || metric.valueType == ValueType::Compound || missingValue(metric.valueType) != 0.0 ||
        metric.storage == Storage::PostDerived)
        return false;
    return metric.hasValues() || !whyNotEvaluated(experiment, id);
}

void addTo(std::string& list, const std::string& name) {
    list += (list.empty() ? "" : ", ") + name;
}

template <class Items, class Condition>
void noteIfAny(std::vector<std::string>& notes, const Items& items, Condition condition, const char* note) {
    if (std::ranges::any_of(items, condition)) notes.emplace_back(note);
}

bool isPlainTree(const SystemTree& system) {
    return std::ranges::all_of(system.processes,
                               [&](const Process& process) { return system.nodes.depth(process.node) == 1; });
}

}  // namespace

std::vector<bool> metricsForCube3(const Experiment& experiment) {
    std::vector<bool> found;
    for (const MetricId id : experiment.metrics.ids()) found.push_back(fits(experiment, id));
    return found;
}

std::vector<std::string> lossesInCube3(const Experiment& experiment) {
    std::vector<std::string> notes;
    std::string leftOut;
    std::string evaluated;
    const auto kept = metricsForCube3(experiment);
    for (const MetricId id : experiment.metrics.ids()) {
        if (!kept[id.index()]) addTo(leftOut, experiment.metrics[id].uniqueName);
        if (kept[id.index()] && !experiment.metrics[id].hasValues())
            addTo(evaluated, experiment.metrics[id].uniqueName);
    }
    if (!leftOut.empty()) notes.push_back("metrics left out: " + leftOut);
    if (!evaluated.empty()) notes.push_back("expressions replaced by their values: " + evaluated);
    std::string files;
    for (const auto& [name, content] : experiment.files) addTo(files, name);
    if (!files.empty()) notes.push_back("additional files left out: " + files);
    noteIfAny(
        notes, experiment.callTree.ids(),
        [&](CallPathId id) {
            return !experiment.callTree[id].numericParameters.empty() ||
                   !experiment.callTree[id].stringParameters.empty();
        },
        "parameters of call paths left out");
    noteIfAny(
        notes, experiment.regions,
        [](const Region& region) {
            return !(region.paradigm.empty() || region.paradigm == "unknown") ||
                   !(region.role.empty() || region.role == "unknown");
        },
        "paradigms and roles of regions left out");
    noteIfAny(
        notes, experiment.system.locations,
        [](const Location& location) { return location.type != Location::Type::Thread; },
        "locations of other kinds written as threads");
    if (!isPlainTree(experiment.system)) notes.emplace_back("system tree written as machines and nodes");
    return notes;
}

namespace {

class Cube3SystemWriter {
  public:
    Cube3SystemWriter(const Experiment& experiment, XmlWriter& xml)
        : system_(experiment.system),
          xml_(xml),
          processesOf_(processesByNode(system_)),
          locationsOf_(locationsByProcess(system_)) {}

    void writeTree() {
        for (const SystemNodeId root : system_.nodes.roots()) {
            xml_.open("machine", {{"Id", std::to_string(root.index())}});
            writeNames(system_.nodes[root].name, system_.nodes[root].description);
            for (const SystemNodeId node : system_.nodes.subtree(root))
                if (!processesOf_[node.index()].empty()) writeNode(root, node);
            xml_.close();
        }
    }

    void writeTopology(const Topology& topology) {
        const auto nameOf = [](const auto& resource) -> ResourceName {
            if (const auto* location = std::get_if<LocationId>(&resource))
                return {"thrdId", location->index()};
            return {"procId", std::get<ProcessId>(resource).index()};
        };
        algebra::writeTopology(topology, false, nameOf, xml_);
    }

  private:
    void writeNames(const std::string& name, const std::string& description) {
        xml_.text("name", name);
        if (!description.empty()) xml_.text("descr", description);
    }

    void writeNode(SystemNodeId root, SystemNodeId node) {
        xml_.open("node", {{"Id", std::to_string(node.index())}});
        std::string name = system_.nodes[node].name;
        for (auto up = node == root ? std::nullopt : system_.nodes.parent(node); up && *up != root;
             up = system_.nodes.parent(*up))
            name.insert(0, system_.nodes[*up].name + '/');
        writeNames(name, system_.nodes[node].description);
        for (const ProcessId process : processesOf_[node.index()]) writeProcess(process);
        xml_.close();
    }

    void writeProcess(ProcessId id) {
        xml_.open("process", {{"Id", std::to_string(id.index())}});
        xml_.text("name", system_[id].name);
        xml_.text("rank", std::to_string(system_[id].rank));
        for (const LocationId location : locationsOf_[id.index()]) {
            xml_.open("thread", {{"Id", std::to_string(location.index())}});
            xml_.text("name", system_[location].name);
            xml_.text("rank", std::to_string(system_[location].rank));
            xml_.close();
        }
        xml_.close();
    }

    const SystemTree& system_;
    XmlWriter& xml_;
    std::vector<std::vector<ProcessId>> processesOf_;
    LocationGroups locationsOf_;
};

}  // namespace

void writeCube3System(const Experiment& experiment, XmlWriter& xml) {
    Cube3SystemWriter writer(experiment, xml);
    writer.writeTree();
    xml.open("topologies");
    for (const Topology& topology : experiment.topologies) writer.writeTopology(topology);
    xml.close();
}

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
        MetricRows rows(experiment_, metric, MetricRows::Below::Nothing);
        xml_.open("matrix", {{"metricId", std::to_string(metric.index())}});
        for (const CallPathId path : experiment_.callTree.ids())
            if (rows.hasRow(path)) writeRow(path, rows.own(path));
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

namespace {

constexpr std::size_t kLargestStructure = std::size_t{1} << 29;
constexpr std::string_view kValues = "<severity";

/// The text before the values, as XML. `rest` is what was read beyond it, `offset` where that begins.
std::string readStructure(TextReader& file, std::string& rest, std::uint64_t& offset) {
    std::string text;
    while (true) {
        const std::string_view piece = file.next();
        const std::size_t from = text.size() - std::min(text.size(), kValues.size());
        text += piece;
        const auto values = text.find(kValues, from);
        if (values != text.npos) {
            rest = text.substr(values);
            text.resize(values);
        }
        offset = text.size();
        if (values != text.npos || piece.empty()) return repairAnchor(text);
        if (text.size() > kLargestStructure)
            throw Error("the structure of the experiment is too large", Place{.file = file.name()});
    }
}

/// `values`: the file, where these stay there.
Experiment readDocument(const std::filesystem::path& path, const std::shared_ptr<const FileReader>& values) {
    TextReader file(path);
    Anchor anchor;
    Cube3System system(anchor, file.name());
    Cube3Severity severity(anchor, file.name());
    DocumentReader reader(anchor, file.name(), "3", system, &severity);
    XmlParser parser(file.name(), reader);

    // Only the structure has texts that CUBE's writers may have left unescaped; the values pass as they come.
    std::string rest;
    std::uint64_t offset = 0;
    parser.feed(readStructure(file, rest, offset));
    RowPlaces places(offset);
    if (values) severity.leaveInFile(values, places);
    const auto feed = [&](std::string_view piece) {
        if (values) places.scan(piece);
        parser.feed(piece);
    };
    feed(rest);
    for (std::string_view piece = file.next(); !piece.empty(); piece = file.next()) feed(piece);
    parser.finish();
    return std::move(anchor.experiment);
}

bool isPacked(const FileReader& file) {
    constexpr std::string_view kGzip = "\x1f\x8b";
    return file.size() >= kGzip.size() && file.read(0, kGzip.size()) == kGzip;
}

}  // namespace

Experiment readCube3(const std::filesystem::path& path, std::uint64_t large) {
    const auto file = std::make_shared<const FileReader>(path);
    if (file->size() > large && !isPacked(*file)) {
        try {
            return readDocument(path, file);
        } catch (const UnknownPlaces&) {  // all of it is read again
        }
    }
    return readDocument(path, nullptr);
}

}  // namespace holos::algebra
