// SPDX-License-Identifier: BSD-3-Clause
// Caliper's json-split: `nodes` is a tree of names, `columns` says what a record has, and `data` are the
// records. Where a column is no value, a record has the number of a node:
//
//   {"data": [[21948.0, 0, 4], …], "columns": ["sum#time.duration", "mpi.rank", "path"],
//    "column_metadata": [{"is_value": true}, {"is_value": true}, {"is_value": false}],
//    "nodes": [{"label": "main", "column": "path"}, {"label": "solve", "column": "path", "parent": 0}, …]}
//
// Caliper's json has a list of objects, alone, or as `records` beside `globals` and `attributes`, which say
// the units. Its paths are texts, so that the name of a region with a / in it looks like two regions:
//
//   [{"path": "main/solve", "mpi.rank": 0, "sum#time.duration": 21948.0}, …]
#include <algorithm>
#include <map>
#include <set>

#include "algebra/files/foreign/foreign.h"
#include "algebra/files/packed/compression.h"
#include "base/error.h"
#include "base/json.h"

namespace holos::algebra {

namespace {

using nlohmann::json;

struct CaliperColumn {
    std::string name;
    bool isValue = false;
    std::string unit;  ///< as the file has it
};

/// What a value is called here, and what it has to be multiplied with.
struct CaliperMeasure {
    std::string name;
    std::string unit;
    double scale = 1.0;
};

/// Times are microseconds, except where their name or unit says what they are. What a query called "time"
/// without a unit may be anything.
CaliperMeasure measureOf(const CaliperColumn& column) {
    const auto has = [&](std::string_view text) { return column.name.find(text) != std::string::npos; };
    if (column.name == "time" && column.unit.empty()) return {"time without a unit", "#", 1.0};
    if (column.unit == "sec" || column.unit == "s") return {"time", "sec", 1.0};
    if (column.unit == "nsec" || has("duration.ns")) return {"time", "sec", 1e-9};
    if (column.unit == "usec" || has("time.duration")) return {"time", "sec", 1e-6};
    return {column.name, has("bytes") || column.unit == "B" ? "bytes" : "#", 1.0};
}

/// Values that are made of others when a report is written: they are no sums over call paths.
bool isDerived(const std::string& name) {
    for (const char* begin : {"inclusive#", "min#", "max#", "avg#", "percent", "scale#", "ratio#"})
        if (name.starts_with(begin)) return true;
    return name.find("inclusive.duration") != std::string::npos;
}

/// Caliper may write numbers as texts, too.
std::optional<double> numberIn(const json& value) {
    if (value.is_number()) return value.get<double>();
    return value.is_string() ? asFiniteNumber(value.get_ref<const std::string&>()) : std::nullopt;
}

/// What the records say in a column of values.
struct CaliperContent {
    bool hasNumbers = false;
    std::optional<std::string> text;  ///< the first one that is no number

    void take(const json& value) {
        if (numberIn(value))
            hasNumbers = true;
        else if (value.is_string() && !text)
            text = value.get<std::string>();
    }
};

/// Texts where a time is expected are no profile of it: without this, nothing would be said of them.
void requireTime(const std::string& file, const CaliperMeasure& measure, const std::string& column,
                 const CaliperContent& content) {
    const bool isTime = measure.name.starts_with("time");
    if (isTime && content.text)
        throw Error("the column '" + column + "' is a time, and one of its values is no number: '" +
                        *content.text + "'",
                    {.file = file});
}

/// Throws: a profile without numbers would open as one of a program that did nothing. `texts` are the columns
/// of values that are texts, with one of each.
[[noreturn]] void failWithoutNumbers(const std::string& file,
                                     const std::map<std::string, std::string>& texts) {
    std::string message = "has no column of numbers";
    for (const auto& [column, text] : texts)
        message += (column == texts.begin()->first ? ": " : ", ") + ("'" + column) +
                   "' has texts, such as '" + text + "'";
    throw Error(message + "; a profile has values such as 'sum#time.duration'", {.file = file});
}

constexpr std::string_view kRanks[] = {"mpi.rank", "rank"};
constexpr std::string_view kThreads[] = {"omp.thread.id", "pthread.id", "thread", "cali.thread.id"};

/// The columns of paths, the best first.
constexpr std::string_view kPaths[] = {"path", "source.function#callpath.address", "region", "function",
                                       "annotation"};

/// The texts of a file of Caliper as JSON.
json documentOf(const std::filesystem::path& file) {
    constexpr JsonLimits kLimits{.bytes = std::uint64_t{1} << 30U, .depth = 100, .values = 100'000'000};
    std::string text;
    TextReader reader(file);
    for (std::string_view piece = reader.next(); !piece.empty() && text.size() <= kLimits.bytes;
         piece = reader.next())
        text += piece;
    return parseJson(text, file.string(), kLimits);
}

LocationId locationOf(ImportedTree& tree, std::optional<std::int64_t> rank,
                      std::optional<std::int64_t> thread) {
    return tree.thread(rank.value_or(0), rank ? "MPI Rank " + std::to_string(*rank) : "program",
                       thread.value_or(0), thread ? "thread " + std::to_string(*thread) : "all threads");
}

class CaliperReader {
  public:
    CaliperReader(const std::filesystem::path& file, json document)
        : name_(file.string()), document_(std::move(document)) {}

    Experiment read() {
        readColumns();
        readNodes();
        for (const json& record : list("data")) readRecord(record);
        return tree_.take("Caliper");
    }

  private:
    [[noreturn]] void fail(const std::string& message) const { throw Error(message, {.file = name_}); }

    const json& list(const char* name) const {
        const auto found = document_.find(name);
        if (found == document_.end() || !found->is_array())
            fail("is no profile of Caliper in the format json-split: it has no list '" + std::string(name) +
                 "'");
        return *found;
    }

    void readColumns() {
        const json& names = list("columns");
        const json& facts = list("column_metadata");
        if (names.size() != facts.size()) fail("'columns' and 'column_metadata' are not as many");
        for (std::size_t at = 0; at < names.size(); ++at) {
            if (!names[at].is_string() || !facts[at].is_object()) fail("a column has no name");
            CaliperColumn column{names[at].get<std::string>(), false, ""};
            if (const auto value = facts[at].find("is_value"); value != facts[at].end())
                column.isValue = value->is_boolean() && value->get<bool>();
            if (const auto unit = facts[at].find("attribute.unit");
                unit != facts[at].end() && unit->is_string())
                column.unit = unit->get<std::string>();
            columns_.push_back(std::move(column));
        }
        path_ = firstOf(kPaths);
        rank_ = firstOf(kRanks);
        thread_ = firstOf(kThreads);
        if (!path_) fail("has no column of call paths, such as 'path'");
        addMeasures();
    }

    template <std::size_t kCount>
    std::optional<std::size_t> firstOf(const std::string_view (&names)[kCount]) const {
        for (const std::string_view name : names)
            for (std::size_t at = 0; at < columns_.size(); ++at)
                if (columns_[at].name == name) return at;
        return std::nullopt;
    }

    /// Of several columns of time the first one counts. Columns of texts, such as the name of a kernel, are
    /// no metrics.
    void addMeasures() {
        metrics_.resize(columns_.size());
        const std::vector<CaliperContent> contents = contentsOfColumns();
        std::map<std::string, std::string> texts;
        std::vector<std::string> known;
        for (std::size_t at = 0; at < columns_.size(); ++at) {
            if (!columns_[at].isValue || at == rank_ || at == thread_ || isDerived(columns_[at].name))
                continue;
            const CaliperMeasure measure = measureOf(columns_[at]);
            requireTime(name_, measure, columns_[at].name, contents[at]);
            if (contents[at].text) texts.emplace(columns_[at].name, *contents[at].text);
            if (!contents[at].hasNumbers) continue;
            if (std::ranges::find(known, measure.name) != known.end()) continue;
            known.push_back(measure.name);
            metrics_[at] = {tree_.metric(measure.name, measure.unit), measure.scale};
        }
        if (known.empty()) failWithoutNumbers(name_, texts);
    }

    std::vector<CaliperContent> contentsOfColumns() const {
        std::vector<CaliperContent> contents(columns_.size());
        for (const json& record : list("data")) {
            requireWhole(record);
            for (std::size_t at = 0; at < contents.size(); ++at) contents[at].take(record[at]);
        }
        return contents;
    }

    void requireWhole(const json& record) const {
        if (!record.is_array() || record.size() != columns_.size())
            fail("a record has not as many values as there are columns");
    }

    /// A parent stands before what is below it.
    void readNodes() {
        for (const json& node : list("nodes")) {
            const auto label = node.is_object() ? node.find("label") : node.end();
            if (!node.is_object() || label == node.end() || !label->is_string()) fail("a node has no label");
            std::optional<std::size_t> parent;
            if (const auto above = node.find("parent"); above != node.end() && !above->is_null()) {
                if (!above->is_number_unsigned() || above->get<std::size_t>() >= nodes_.size())
                    fail("a node's parent does not stand before it");
                parent = above->get<std::size_t>();
            }
            nodes_.push_back({label->get<std::string>(), parent, std::nullopt});
        }
    }

    void readRecord(const json& record) {
        const CallPathId path = pathOf(record[*path_]);
        const auto placeIn = [&record](std::optional<std::size_t> column) {
            return column ? std::optional(wholeNumberIn(record[*column])) : std::nullopt;
        };
        const LocationId location = locationOf(tree_, placeIn(rank_), placeIn(thread_));
        for (std::size_t at = 0; at < columns_.size(); ++at)
            if (const auto number = metrics_[at] ? numberIn(record[at]) : std::nullopt)
                tree_.add(metrics_[at]->metric, path, location, *number * metrics_[at]->scale);
    }

    /// Records outside of all regions belong to the program.
    CallPathId pathOf(const json& value) {
        if (value.is_null()) return tree_.call(std::nullopt, "program", "");
        if (!value.is_number_unsigned() || value.get<std::size_t>() >= nodes_.size())
            fail("a record's path is no number of a node");
        std::vector<std::size_t> below;
        std::optional<std::size_t> at = value.get<std::size_t>();
        for (; at && !nodes_[*at].path; at = nodes_[*at].parent) below.push_back(*at);
        std::optional<CallPathId> path = at ? nodes_[*at].path : std::nullopt;
        for (auto node = below.rbegin(); node != below.rend(); ++node) {
            path = tree_.call(path, nodes_[*node].label, "");
            nodes_[*node].path = path;
        }
        return *path;
    }

    static std::int64_t wholeNumberIn(const json& value) {
        return value.is_number_integer() ? value.get<std::int64_t>() : 0;
    }

    struct Node {
        std::string label;
        std::optional<std::size_t> parent;
        std::optional<CallPathId> path;
    };
    struct Target {
        MetricId metric;
        double scale;
    };

    std::string name_;
    json document_;
    ImportedTree tree_;
    std::vector<CaliperColumn> columns_;
    std::vector<std::optional<Target>> metrics_;  ///< by column
    std::vector<Node> nodes_;
    std::optional<std::size_t> path_, rank_, thread_;
};

/// Reads Caliper's list of records.
class CaliperRecords {
  public:
    CaliperRecords(const std::filesystem::path& file, const json& document)
        : name_(file.string()),
          records_(document.is_object() ? document["records"] : document),
          attributes_(document.is_object() && document.contains("attributes") ? document["attributes"]
                                                                              : json::object()) {}

    Experiment read() {
        if (!records_.is_array()) fail("'records' is no list");
        for (const json& record : records_)
            if (!record.is_object()) fail("a record is no object");
        path_ = pathColumn();
        for (const json& record : records_) readRecord(record);
        if (!hasNumbers_) failWithoutNumbers(name_, texts_);
        return tree_.take("Caliper");
    }

  private:
    [[noreturn]] void fail(const std::string& message) const { throw Error(message, {.file = name_}); }

    /// The column of paths that most is known of: the best one that any record has.
    std::string pathColumn() const {
        for (const std::string_view name : kPaths)
            if (std::ranges::any_of(records_, [&](const json& record) { return record.contains(name); }))
                return std::string(name);
        fail("is no list of Caliper's records: none of them has a call path, such as 'path'");
    }

    template <std::size_t kCount>
    static std::optional<std::int64_t> placeIn(const json& record, const std::string_view (&names)[kCount]) {
        for (const std::string_view name : names)
            if (const auto found = record.find(name); found != record.end())
                if (const auto number = numberIn(*found); number && std::abs(*number) < 1e15)
                    return static_cast<std::int64_t>(*number);
        return std::nullopt;
    }

    void readRecord(const json& record) {
        const LocationId location = locationOf(tree_, placeIn(record, kRanks), placeIn(record, kThreads));
        const CallPathId path = pathOf(record);
        std::set<std::string, std::less<>> known;
        for (const auto& [name, value] : record.items()) {
            if (isPlace(name) || isDerived(name)) continue;
            const CaliperMeasure measure = measureOf({name, true, unitOf(name)});
            CaliperContent content;
            content.take(value);
            requireTime(name_, measure, name, content);
            if (content.text) texts_.emplace(name, *content.text);
            const auto number = numberIn(value);
            if (!number) continue;
            hasNumbers_ = true;
            if (known.insert(measure.name).second)  // of several times the first one counts
                tree_.add(tree_.metric(measure.name, measure.unit), path, location, *number * measure.scale);
        }
    }

    static bool isPlace(std::string_view name) {
        const auto isIn = [name](const auto& names) {
            return std::ranges::find(names, name) != std::end(names);
        };
        return isIn(kRanks) || isIn(kThreads) || isIn(kPaths);
    }

    std::string unitOf(const std::string& name) const {
        const auto attribute = attributes_.find(name);
        return attribute != attributes_.end() && attribute->is_object() ? textIn(*attribute, "attribute.unit")
                                                                        : std::string();
    }

    /// Records outside of all regions belong to the program.
    CallPathId pathOf(const json& record) {
        const std::string text = textIn(record, path_.c_str());
        if (text.empty()) return tree_.call(std::nullopt, "program", "");
        std::optional<CallPathId> path;
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find('/', begin), text.size());
            if (end > begin) path = tree_.call(path, text.substr(begin, end - begin), "");
            begin = end + 1;
        }
        return path ? *path : tree_.call(std::nullopt, text, "");
    }

    std::string name_;
    json records_;
    json attributes_;
    ImportedTree tree_;
    std::string path_;
    bool hasNumbers_ = false;
    std::map<std::string, std::string> texts_;  ///< by column of values: one that is no number
};

}  // namespace

Experiment readCaliper(const std::filesystem::path& file) {
    json document = documentOf(file);
    if (document.is_array() || document.contains("records")) return CaliperRecords(file, document).read();
    return CaliperReader(file, std::move(document)).read();
}

Experiment refuseCali(const std::filesystem::path& file) {
    throw Error(
        "is a file in Caliper's own format, which only Caliper reads: turn it into one that Holos reads by "
        "'cali-query -q \"format json-split\" FILE.cali > FILE.json'",
        {.file = file.string()});
}

}  // namespace holos::algebra
