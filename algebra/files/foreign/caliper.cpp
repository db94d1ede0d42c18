// SPDX-License-Identifier: BSD-3-Clause
// Caliper's json-split: `nodes` is a tree of names, `columns` says what a record has, and `data` are the
// records. Where a column is no value, a record has the number of a node:
//
//   {"data": [[21948.0, 0, 4], …], "columns": ["sum#time.duration", "mpi.rank", "path"],
//    "column_metadata": [{"is_value": true}, {"is_value": true}, {"is_value": false}],
//    "nodes": [{"label": "main", "column": "path"}, {"label": "solve", "column": "path", "parent": 0}, …]}
#include <algorithm>

#include "algebra/files/foreign/foreign.h"
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

/// Times are microseconds, except where their name or unit says what they are.
CaliperMeasure measureOf(const CaliperColumn& column) {
    const auto has = [&](std::string_view text) { return column.name.find(text) != std::string::npos; };
    if (column.unit == "sec" || column.unit == "s") return {"time", "sec", 1.0};
    if (column.unit == "nsec" || has("duration.ns")) return {"time", "sec", 1e-9};
    if (column.unit == "usec" || has("time.duration")) return {"time", "sec", 1e-6};
    return {column.name, has("bytes") || column.unit == "B" ? "bytes" : "#", 1.0};
}

/// Values that are made of others when a report is written: they are no sums over call paths.
bool isDerived(const std::string& name) {
    for (const char* begin : {"inclusive#", "min#", "max#", "avg#", "percent", "scale#", "ratio#"})
        if (name.starts_with(begin)) return true;
    return false;
}

constexpr std::string_view kRanks[] = {"mpi.rank", "rank"};
constexpr std::string_view kThreads[] = {"omp.thread.id", "pthread.id", "thread", "cali.thread.id"};

/// The columns of paths, the best first.
constexpr std::string_view kPaths[] = {"path", "source.function#callpath.address", "region", "function",
                                       "annotation"};

class CaliperReader {
  public:
    explicit CaliperReader(const std::filesystem::path& file)
        : name_(file.string()),
          document_(readJson(file, {.bytes = std::uint64_t{1} << 30U, .depth = 100, .values = 100'000'000})) {
    }

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

    /// Of several columns of time the first one counts.
    void addMeasures() {
        metrics_.resize(columns_.size());
        std::vector<std::string> known;
        for (std::size_t at = 0; at < columns_.size(); ++at) {
            if (!columns_[at].isValue || at == rank_ || at == thread_ || isDerived(columns_[at].name))
                continue;
            const CaliperMeasure measure = measureOf(columns_[at]);
            if (std::ranges::find(known, measure.name) != known.end()) continue;
            known.push_back(measure.name);
            metrics_[at] = {tree_.metric(measure.name, measure.unit), measure.scale};
        }
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
        if (!record.is_array() || record.size() != columns_.size())
            fail("a record has not as many values as there are columns");
        const CallPathId path = pathOf(record[*path_]);
        const std::int64_t rank = rank_ ? numberIn(record[*rank_]) : 0;
        const std::int64_t thread = thread_ ? numberIn(record[*thread_]) : 0;
        const LocationId location =
            tree_.thread(rank, rank_ ? "MPI Rank " + std::to_string(rank) : "program", thread,
                         thread_ ? "thread " + std::to_string(thread) : "all threads");
        for (std::size_t at = 0; at < columns_.size(); ++at)
            if (metrics_[at] && record[at].is_number())
                tree_.add(metrics_[at]->metric, path, location,
                          record[at].get<double>() * metrics_[at]->scale);
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

    static std::int64_t numberIn(const json& value) {
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

}  // namespace

Experiment readCaliper(const std::filesystem::path& file) {
    return CaliperReader(file).read();
}

}  // namespace holos::algebra
