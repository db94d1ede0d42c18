// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/hpctoolkit.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>

#include "algebra/files/file_reader.h"
#include "algebra/files/foreign/foreign.h"
#include "algebra/files/xml.h"
#include "base/error.h"

// A database of HPCToolkit before 2022 is a folder with experiment.xml, the tree of contexts, and a file
// *.metric-db for each thread. Contexts are procedures (PF, and Pr where they were inlined), loops (L), calls
// (C) and statements (S); here a procedure is a call, and has what its loops and statements have:
//
//   <PF i="4" n="7" f="3" lm="2" l="19"><M n="2" v="3.99824e+06"/><C i="5" l="27">…</C></PF>
//
// Its own metrics (M) are sums over all threads. A file of a thread has, behind a head of 32 bytes, a big
// endian double for each context and each metric of MetricDBTable. Values that include what is below are
// taken.
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

// A database of HPCToolkit 2022 and later is a folder with meta.db, the metrics and the tree of contexts, and
// profile.db, the values of each thread (FORMATS.md, which HPCToolkit puts into each such folder, version
// 4.0). Structures point to each other by their place in the file; all numbers are little endian.
//
// A context is a function, a loop, a line or an instruction. Here a function is a call, also where it was
// inlined; what is in its loops, lines and instructions is its own.

namespace {

static_assert(std::endian::native == std::endian::little);

/// One of the files of a database.
class Database {
  public:
    Database(const std::filesystem::path& file, std::string_view format)
        : file_(std::make_shared<FileReader>(file)), bytes_(file_, 0, file_->size()) {
        constexpr std::size_t kHeader = 16;
        constexpr std::uint8_t kMajor = 4;
        if (bytes_.size() < kHeader || read(0, 10) != "HPCTOOLKIT" || read(10, 4) != format)
            fail("is no database of HPCToolkit", 0);
        if (get<std::uint8_t>(14) != kMajor)
            fail("has version " + std::to_string(get<std::uint8_t>(14)) + " of the format; known is 4", 14);
        const std::string end = '_' + std::string(format) + ".db";
        if (read(bytes_.size() - end.size(), end.size()) != end)
            fail("was cut off: it does not end with '" + end + "'", bytes_.size());
    }

    template <class Number>
    Number get(std::uint64_t at) const {
        require(at, sizeof(Number));
        Number number;
        std::array<char, sizeof(Number)> bytes;
        bytes_.read(at, bytes.size(), bytes.data());
        std::memcpy(&number, bytes.data(), bytes.size());
        return number;
    }
    std::uint64_t pointer(std::uint64_t at) const { return get<std::uint64_t>(at); }

    /// A text up to its zero; empty where nothing points to it.
    std::string text(std::uint64_t at) const {
        constexpr std::uint64_t kLongest = 1U << 20U;
        constexpr std::uint64_t kPiece = 64;
        if (at == 0) return {};
        require(at, 1);
        std::string text;
        while (at < bytes_.size() && text.size() < kLongest) {
            const std::string piece = read(at, std::min(bytes_.size() - at, kPiece));
            const std::size_t end = piece.find('\0');
            text += piece.substr(0, end);
            if (end != std::string::npos) return text;
            at += piece.size();
        }
        fail("a text has no end", at);
    }

    /// Throws unless the file has so many bytes from there on.
    void require(std::uint64_t at, std::uint64_t count) const {
        if (at > bytes_.size() || count > bytes_.size() - at) fail("ends before what it points to", at);
    }
    void requireArray(std::uint64_t at, std::uint64_t count, std::uint64_t size) const {
        if (size == 0 || count > bytes_.size() / size) fail("has an array that is larger than the file", at);
        require(at, count * size);
    }
    [[noreturn]] void fail(const std::string& message, std::uint64_t at) const { file_->fail(message, at); }

  private:
    std::string read(std::uint64_t at, std::uint64_t count) const {
        std::string bytes(count, '\0');
        bytes_.read(at, count, bytes.data());
        return bytes;
    }

    std::shared_ptr<const FileReader> file_;
    FilePart bytes_;
};

/// A metric whose values are those of contexts alone, or with all that is below them.
struct Measured {
    MetricId metric;
    bool isInclusive = false;
    double scale = 1.0;
};

struct DatabaseContext {
    CallPathId path;                  ///< of its function
    std::optional<CallPathId> above;  ///< that of the context that it is in
};

class DatabaseReader {
  public:
    explicit DatabaseReader(const std::filesystem::path& folder)
        : meta_(folder / "meta.db", "meta"), profiles_(folder / "profile.db", "prof") {}

    Experiment read() {
        readKinds();
        readMetrics();
        readContexts();
        readProfiles();
        return tree_.take("HPCToolkit");
    }

  private:
    enum class Scope : std::uint8_t { Point = 1, Execution = 2 };
    enum class Lexical : std::uint8_t { Function = 0 };
    enum HasFields : std::uint8_t { HasFunction = 1 };

    /// Names of what identifies a thread: NODE, RANK, THREAD, …
    void readKinds() {
        const std::uint64_t section = meta_.pointer(0x28);
        const std::uint64_t names = meta_.pointer(section);
        const auto count = meta_.get<std::uint8_t>(section + 8);
        for (std::uint64_t kind = 0; kind < count; ++kind)
            kinds_.push_back(meta_.text(meta_.pointer(names + kind * 8)));
    }

    void readMetrics() {
        const std::uint64_t section = meta_.pointer(0x38);
        const std::uint64_t metrics = meta_.pointer(section);
        const auto count = meta_.get<std::uint32_t>(section + 8);
        const auto size = meta_.get<std::uint8_t>(section + 0xC);
        const auto sizeOfScope = meta_.get<std::uint8_t>(section + 0xD);
        meta_.requireArray(metrics, count, size);
        for (std::uint64_t at = metrics; at < metrics + std::uint64_t{count} * size; at += size)
            readMetric(at, sizeOfScope);
    }

    /// Takes the values with all that is below a context, or else those of each context alone. Instructions
    /// may have values and not be in the tree; they are in what is above them.
    void readMetric(std::uint64_t at, std::uint8_t sizeOfScope) {
        const std::uint64_t scopes = meta_.pointer(at + 8);
        const auto count = meta_.get<std::uint16_t>(at + 0x18);
        std::optional<std::uint16_t> point;
        std::optional<std::uint16_t> execution;
        for (std::uint64_t one = 0; one < count; ++one) {
            const std::uint64_t scope = scopes + one * sizeOfScope;
            const auto type = static_cast<Scope>(meta_.get<std::uint8_t>(meta_.pointer(scope) + 8));
            const auto number = meta_.get<std::uint16_t>(scope + 8);
            if (type == Scope::Point) point = number;
            if (type == Scope::Execution) execution = number;
        }
        if (!point && !execution) return;
        const HpctoolkitMetric named = hpctoolkitMetric(meta_.text(meta_.pointer(at)));
        const MetricId metric = tree_.metric(named.name, named.unit);
        measured_[execution ? *execution : *point] = {metric, execution.has_value(), named.scale};
    }

    void readContexts() {
        const std::uint64_t section = meta_.pointer(0x48);
        const std::uint64_t entries = meta_.pointer(section);
        const auto count = meta_.get<std::uint16_t>(section + 8);
        const auto size = meta_.get<std::uint8_t>(section + 0xA);
        for (std::uint64_t at = entries; at < entries + std::uint64_t{count} * size; at += size) {
            const CallPathId path = tree_.call(std::nullopt, meta_.text(meta_.pointer(at + 0x18)), "");
            remember(at, {path, std::nullopt});
            below_.push_back({meta_.pointer(at + 8), meta_.pointer(at), path});
        }
        while (!below_.empty()) {
            const Children children = below_.back();
            below_.pop_back();
            readChildren(children);
        }
    }

    struct Children {
        std::uint64_t at;
        std::uint64_t bytes;
        CallPathId path;  ///< that they are in
    };

    void readChildren(const Children& children) {
        constexpr std::uint64_t kFixed = 0x20;
        if (children.bytes == 0) return;
        meta_.require(children.at, children.bytes);
        for (std::uint64_t at = children.at; at < children.at + children.bytes;) {
            const auto words = meta_.get<std::uint8_t>(at + 0x17);
            const auto type = static_cast<Lexical>(meta_.get<std::uint8_t>(at + 0x16));
            const CallPathId path = type == Lexical::Function ? callAt(at, children.path) : children.path;
            remember(at, {path, children.path});
            below_.push_back({meta_.pointer(at + 8), meta_.pointer(at), path});
            at += kFixed + std::uint64_t{words} * 8;
        }
    }

    CallPathId callAt(std::uint64_t context, CallPathId caller) {
        if ((meta_.get<std::uint8_t>(context + 0x14) & HasFunction) == 0)
            return tree_.call(caller, "<unknown function>", "");
        const std::uint64_t function = meta_.pointer(context + 0x20);
        const std::uint64_t module = meta_.pointer(function + 8);
        const std::uint64_t file = meta_.pointer(function + 0x18);
        std::string name = meta_.text(meta_.pointer(function));
        std::string place;
        if (file != 0)
            place = meta_.text(meta_.pointer(file + 8));
        else if (module != 0)
            place = meta_.text(meta_.pointer(module + 8));
        if (name.empty()) name = "<unknown function> in " + place;
        return tree_.call(caller, name, place);
    }

    /// Throws for a number that another context has: so damaged files that point in circles end.
    void remember(std::uint64_t at, const DatabaseContext& context) {
        const auto number = meta_.get<std::uint32_t>(at + 0x10);
        if (!contexts_.try_emplace(number, context).second) meta_.fail("two contexts have one number", at);
    }

    void readProfiles() {
        const std::uint64_t section = profiles_.pointer(0x18);
        const std::uint64_t profiles = profiles_.pointer(section);
        const auto count = profiles_.get<std::uint32_t>(section + 8);
        const auto size = profiles_.get<std::uint8_t>(section + 0xC);
        profiles_.requireArray(profiles, count, size);
        constexpr std::uint32_t kIsSummary = 1;
        for (std::uint64_t number = 0; number < count; ++number) {
            const std::uint64_t at = profiles + number * size;
            if ((profiles_.get<std::uint32_t>(at + 0x28) & kIsSummary) == 0)
                readProfile(at, threadOf(profiles_.pointer(at + 0x20), number));
        }
    }

    void readProfile(std::uint64_t block, LocationId location) {
        constexpr std::uint64_t kValue = 10;
        constexpr std::uint64_t kIndex = 12;
        const std::uint64_t count = profiles_.pointer(block);
        const std::uint64_t values = profiles_.pointer(block + 8);
        const auto contexts = profiles_.get<std::uint32_t>(block + 0x10);
        const std::uint64_t indices = profiles_.pointer(block + 0x18);
        profiles_.requireArray(values, count, kValue);
        profiles_.requireArray(indices, contexts, kIndex);
        constexpr double kRoundingOfSums = 1e-12;
        InclusiveValues inclusive(kRoundingOfSums);
        for (std::uint64_t number = 0; number < contexts; ++number) {
            const std::uint64_t index = indices + number * kIndex;
            const auto begin = profiles_.get<std::uint64_t>(index + 4);
            const std::uint64_t end =
                number + 1 < contexts ? profiles_.get<std::uint64_t>(index + kIndex + 4) : count;
            if (begin > end || end > count)
                profiles_.fail("values of a context are not in their order", index);
            const auto context = contexts_.find(profiles_.get<std::uint32_t>(index));
            if (context == contexts_.end()) continue;  // 0: the sum of all
            for (std::uint64_t value = begin; value < end; ++value)
                add(values + value * kValue, context->second, location, inclusive);
        }
        inclusive.addTo(tree_, location);
    }

    void add(std::uint64_t at, const DatabaseContext& context, LocationId location,
             InclusiveValues& inclusive) {
        const auto measured = measured_.find(profiles_.get<std::uint16_t>(at));
        const auto value = profiles_.get<double>(at + 2);
        if (measured == measured_.end() || !std::isfinite(value)) return;
        const Measured& what = measured->second;
        if (what.isInclusive)
            inclusive.add(what.metric, context.path, context.above, value * what.scale);
        else
            tree_.add(what.metric, context.path, location, value * what.scale);
    }

    /// Of a tuple such as NODE 3, RANK 7, THREAD 0.
    LocationId threadOf(std::uint64_t tuple, std::uint64_t number) {
        constexpr std::int64_t kOthers = 1 << 20;
        std::int64_t rank = 0;
        std::int64_t thread = 0;
        bool isOfRank = false;
        std::string others;
        const auto count = tuple == 0 ? std::uint16_t{0} : profiles_.get<std::uint16_t>(tuple);
        for (std::uint64_t id = tuple + 8; id < tuple + 8 + std::uint64_t{count} * 16; id += 16) {
            const auto kind = profiles_.get<std::uint8_t>(id);
            const auto value = static_cast<std::int64_t>(profiles_.get<std::uint32_t>(id + 4));
            const std::string name = kind < kinds_.size() ? kinds_[kind] : "kind " + std::to_string(kind);
            if (name == "RANK") {
                rank = value;
                isOfRank = true;
            } else if (name == "THREAD") {
                thread = value;
            } else if (name != "NODE" && name != "CORE") {
                others += (others.empty() ? "" : " ") + name + ' ' + std::to_string(value);
            }
        }
        if (!others.empty()) thread = kOthers + static_cast<std::int64_t>(number);
        return tree_.thread(rank, isOfRank ? "MPI Rank " + std::to_string(rank) : "program", thread,
                            others.empty() ? "thread " + std::to_string(thread) : others);
    }

    Database meta_;
    Database profiles_;
    ImportedTree tree_;
    std::vector<std::string> kinds_;
    std::unordered_map<std::uint16_t, Measured> measured_;  ///< by its number in profiles
    std::unordered_map<std::uint32_t, DatabaseContext> contexts_;
    std::vector<Children> below_;  ///< that are not read yet
};

}  // namespace

Experiment readHpctoolkitDatabase(const std::filesystem::path& file) {
    return DatabaseReader(std::filesystem::absolute(file).parent_path()).read();
}

HpctoolkitMetric hpctoolkitMetric(std::string_view name) {
    const bool isInSeconds = name.ends_with("(sec)");
    const bool isInMicroseconds = name.ends_with("(usec)");
    if (!isInSeconds && !isInMicroseconds) return {std::string(name), "#", 1.0};
    HpctoolkitMetric metric{std::string(name.substr(0, name.rfind(" ("))), "sec", isInSeconds ? 1.0 : 1e-6};
    if (metric.name == "CPUTIME") metric.name = "on_processors";
    if (metric.name == "REALTIME" || metric.name == "WALLCLOCK") metric.name = "time";
    return metric;
}

ForeignReader hpctoolkitReaderOf(const std::filesystem::path& file) {
    constexpr std::uint64_t kBegin = 1U << 12U;
    const FileReader reader(file);
    const std::string begin = reader.read(0, std::min(kBegin, reader.size()));
    if (begin.starts_with("HPCTOOLKIT")) return &readHpctoolkitDatabase;
    const bool isXml = begin.starts_with('<') && begin.find("HPCToolkitExperiment") != std::string::npos;
    return isXml ? &readHpctoolkitXml : nullptr;
}

}  // namespace holos::algebra
