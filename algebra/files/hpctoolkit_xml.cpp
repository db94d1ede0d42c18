// SPDX-License-Identifier: BSD-3-Clause
// A database of HPCToolkit before 2022 is a folder with experiment.xml, the tree of contexts, and a file
// *.metric-db for each thread. Contexts are procedures (PF, and Pr where they were inlined), loops (L), calls
// (C) and statements (S); here a procedure is a call, and has what its loops and statements have:
//
//   <PF i="4" n="7" f="3" lm="2" l="19"><M n="2" v="3.99824e+06"/><C i="5" l="27">…</C></PF>
//
// Its own metrics (M) are sums over all threads. A file of a thread has, behind a head of 32 bytes, a big
// endian double for each context and each metric of MetricDBTable. Values that include what is below are
// taken.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <unordered_set>

#include "algebra/files/file_reader.h"
#include "algebra/files/foreign/imported_tree.h"
#include "algebra/files/foreign/text_lines.h"
#include "algebra/files/hpctoolkit.h"
#include "algebra/files/xml.h"
#include "base/error.h"

namespace holos::algebra {

namespace {

namespace fs = std::filesystem;

/// The metric of `CPUTIME (usec):Sum (I)`.
HpctoolkitMetric namedMetric(std::string name) {
    for (const std::string_view end : {" (I)", ":Sum"})
        if (name.ends_with(end)) name.resize(name.size() - end.size());
    return hpctoolkitMetric(name);
}

/// Of threads, in place of their sum.
bool isStatistic(std::string_view metric) {
    for (const char* of : {":Mean", ":StdDev", ":CfVar", ":CoefVar", ":Min", ":Max", ":Med"})
        if (metric.find(of) != std::string_view::npos) return true;
    return false;
}

struct XmlContext {
    CallPathId path;
    std::optional<CallPathId> above;
};

/// A metric of a table, and its number there.
struct TableMetric {
    std::uint64_t number;
    HpctoolkitMetric metric;
};

/// The tree of contexts, and what all threads have together.
class ContextReader : public XmlHandler {
  public:
    ContextReader(const std::string& file, ImportedTree& tree) : file_(file), tree_(tree) {}

    void begin(const XmlElement& element) override {
        if (element.name == "Metric" && element.get("t") == "inclusive" && !isStatistic(element.get("n")))
            totals_.push_back({numberOf(element, "i"), namedMetric(element.get("n"))});
        else if (element.name == "MetricDB" && element.get("t") == "inclusive")
            inThreads_.push_back({numberOf(element, "db-id"), namedMetric(element.get("n"))});
        else if (element.name == "LoadModule")
            modules_[element.get("i")] = element.get("n");
        else if (element.name == "File")
            files_[element.get("i")] = element.get("n");
        else if (element.name == "Procedure")
            procedures_[element.get("i")] = element.get("n");
        else if (element.name == "SecFlatProfileData")
            fail(element, "is a flat profile of HPCToolkit, which has no call paths");
        else if (isContext(element.name))
            open_.push_back(addContext(element));
        else if (element.name == "M" && !open_.empty())
            addTotal(element);
    }
    void end(const XmlElement& element, std::string&&) override {
        if (isContext(element.name)) open_.pop_back();
    }

    /// Of the contexts' numbers.
    const std::unordered_map<std::uint64_t, XmlContext>& contexts() const { return contexts_; }
    const std::vector<TableMetric>& metricsOfThreads() const { return inThreads_; }
    void addTotals() { totalValues_.addTo(tree_, tree_.thread(0, "program", 0, "all threads")); }
    MetricId metric(const HpctoolkitMetric& named) { return tree_.metric(named.name, named.unit); }

  private:
    static bool isContext(std::string_view name) {
        return name == "PF" || name == "Pr" || name == "C" || name == "L" || name == "S";
    }
    [[noreturn]] void fail(const XmlElement& element, const std::string& message) const {
        throw Error(message, {.file = file_, .line = element.line});
    }
    std::uint64_t numberOf(const XmlElement& element, std::string_view attribute) const {
        const auto number = asNumber<std::int64_t>(element.get(attribute));
        if (!number || *number < 0)
            fail(element,
                 "has no number '" + std::string(attribute) + "' at an element " + std::string(element.name));
        return static_cast<std::uint64_t>(*number);
    }

    XmlContext addContext(const XmlElement& element) {
        const auto above = open_.empty() ? std::nullopt : std::optional(open_.back().path);
        const bool isCall = element.name == "PF" || element.name == "Pr";
        if (!isCall && !above) fail(element, "a statement outside of all procedures");
        const XmlContext context{isCall ? callOf(element, above) : *above, above};
        if (!contexts_.try_emplace(numberOf(element, "i"), context).second)
            fail(element, "two contexts have one number");
        return context;
    }

    CallPathId callOf(const XmlElement& element, std::optional<CallPathId> caller) {
        const auto nameOf = [](const std::map<std::string, std::string>& names, const std::string& number) {
            const auto found = names.find(number);
            return found == names.end() ? std::string() : found->second;
        };
        std::string name = nameOf(procedures_, element.get("n"));
        std::string place = nameOf(files_, element.get("f"));
        if (place.empty() || place.starts_with("<unknown")) place = nameOf(modules_, element.get("lm"));
        if (name.empty()) name = "<unknown procedure>";
        return tree_.call(caller, name, place);
    }

    void addTotal(const XmlElement& element) {
        const auto value = asFiniteNumber(element.get("v"));
        const auto number = asNumber<std::int64_t>(element.get("n"));
        if (!value || !number) fail(element, "a metric has no number or no value");
        for (const TableMetric& total : totals_)
            if (total.number == static_cast<std::uint64_t>(*number))
                totalValues_.add(metric(total.metric), open_.back().path, open_.back().above,
                                 *value * total.metric.scale);
    }

    static constexpr double kSixDigits = 1e-5;

    const std::string& file_;
    ImportedTree& tree_;
    std::map<std::string, std::string> modules_, files_, procedures_;
    std::vector<TableMetric> totals_, inThreads_;
    std::vector<XmlContext> open_;
    std::unordered_map<std::uint64_t, XmlContext> contexts_;
    InclusiveValues totalValues_{kSixDigits};
};

/// Feeds what follows the document type, which describes the format for other readers.
void parseWithoutType(const fs::path& file, XmlHandler& handler) {
    constexpr std::uint64_t kPiece = 1U << 20U;
    const FileReader reader(file);
    XmlParser parser(reader.name(), handler);
    std::uint64_t at = 0;
    const std::string begin = reader.read(0, std::min(kPiece, reader.size()));
    if (const std::size_t root = begin.find("<HPCToolkitExperiment"); root != std::string::npos) at = root;
    while (at < reader.size()) {
        const std::uint64_t count = std::min(kPiece, reader.size() - at);
        parser.feed(reader.read(at, count));
        at += count;
    }
    parser.finish();
}

double bigEndianDouble(const char* bytes) {
    std::uint64_t number = 0;
    for (int at = 0; at < 8; ++at) number = number << 8U | static_cast<unsigned char>(bytes[at]);
    return std::bit_cast<double>(number);
}

/// `1.cpi-000003-001-a8c00273-160446-0.metric-db`: rank 3, thread 1.
struct PlaceOfThread {
    std::int64_t rank = 0;
    std::int64_t thread = 0;
};
std::optional<PlaceOfThread> placeOfThread(const fs::path& file) {
    std::string name = file.filename().string();
    if (!name.ends_with(".metric-db")) return std::nullopt;
    std::vector<std::string> parts;  // the last first; names of programs have dashes, too
    while (parts.size() < 5) {
        const std::size_t dash = name.rfind('-');
        if (dash == std::string::npos) return std::nullopt;
        // The ending has a dash of its own.
        if (name.substr(dash) != "-db") parts.push_back(name.substr(dash + 1));
        name.resize(dash);
    }
    const auto rank = asNumber<std::int64_t>(parts[4]);
    const auto thread = asNumber<std::int64_t>(parts[3]);
    return rank && thread ? std::optional(PlaceOfThread{*rank, *thread}) : std::nullopt;
}

void readThread(const fs::path& file, const PlaceOfThread& place, ContextReader& contexts,
                ImportedTree& tree) {
    constexpr std::uint64_t kBytesOfHead = 32;
    constexpr std::size_t kEndian = 23;
    const FileReader reader(file);
    const std::string head = reader.read(0, kBytesOfHead);
    if (!head.starts_with("HPCPROF-metricdb") || head[kEndian] != 'b')
        reader.fail("is no file of metrics of HPCToolkit in big endian", 0);
    const auto number = [&](std::size_t at) {
        std::uint64_t value = 0;
        for (std::size_t byte = at; byte < at + 4; ++byte)
            value = value << 8U | static_cast<unsigned char>(head[byte]);
        return value;
    };
    const std::uint64_t nodes = number(24);
    const std::uint64_t metrics = number(28);
    if (metrics == 0 || nodes > (reader.size() - kBytesOfHead) / 8 / metrics)
        reader.fail("ends before the values of all contexts: the file was cut off", reader.size());
    constexpr double kRoundingOfSums = 1e-12;
    InclusiveValues values(kRoundingOfSums);
    for (std::uint64_t node = 1; node <= nodes; ++node) {
        const auto context = contexts.contexts().find(node);
        if (context == contexts.contexts().end()) continue;
        const std::string row = reader.read(kBytesOfHead + (node - 1) * metrics * 8, metrics * 8);
        for (const TableMetric& metric : contexts.metricsOfThreads()) {
            if (metric.number >= metrics) continue;
            const double value = bigEndianDouble(row.data() + metric.number * 8) * metric.metric.scale;
            if (std::isfinite(value) && value != 0.0)
                values.add(contexts.metric(metric.metric), context->second.path, context->second.above,
                           value);
        }
    }
    values.addTo(tree, tree.thread(place.rank, "MPI Rank " + std::to_string(place.rank), place.thread,
                                   "thread " + std::to_string(place.thread)));
}

}  // namespace

Experiment readHpctoolkitXml(const fs::path& file) {
    ImportedTree tree;
    const std::string name = file.string();
    ContextReader contexts(name, tree);
    parseWithoutType(file, contexts);
    std::vector<std::tuple<std::int64_t, std::int64_t, fs::path>> threads;
    for (const auto& entry : fs::directory_iterator(fs::absolute(file).parent_path()))
        if (const auto place = placeOfThread(entry.path()); place && entry.is_regular_file())
            threads.emplace_back(place->rank, place->thread, entry.path());
    std::ranges::sort(threads);
    for (const auto& [rank, thread, path] : threads) readThread(path, {rank, thread}, contexts, tree);
    if (threads.empty()) contexts.addTotals();
    return tree.take("HPCToolkit");
}

}  // namespace holos::algebra
