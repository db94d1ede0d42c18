// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "algebra/model/call_names.h"
#include "algebra/model/metric_rows.h"
#include "report/query/table.h"
#include "report/query/tables.h"

namespace holos::query {

namespace {

/// A cell of a row that is kept.
using Kept = std::variant<std::monostate, std::int64_t, double, std::string>;

template <class Number>
Kept whole(Number number) {
    return static_cast<std::int64_t>(number);
}
/// Nothing where the text is empty.
Kept textOrNothing(std::string text) {
    return text.empty() ? Kept() : Kept(std::move(text));
}

/// A small table whose rows are made one by one.
class ListedTable final : public Table {
  public:
    /// Fills the row of this number; false behind the last one.
    using MakeRow = std::function<bool(std::size_t number, std::vector<Kept>& row)>;

    ListedTable(const char* name, const char* meaning, std::vector<Column> columns, MakeRow make)
        : name_(name), meaning_(meaning), columns_(std::move(columns)), make_(std::move(make)) {}

    const char* name() const override { return name_; }
    const char* meaning() const override { return meaning_; }
    const std::vector<Column>& columns() const override { return columns_; }
    double size() const override { return kUsualSize; }
    std::unique_ptr<Cursor> ask(Question /*question*/) override { return std::make_unique<Rows>(make_); }

  private:
    static constexpr double kUsualSize = 1000;

    class Rows final : public Cursor {
      public:
        explicit Rows(const MakeRow& make) : make_(make) {}
        bool next() override {
            row_.clear();
            return make_(number_++, row_);
        }
        Value value(std::size_t column) const override {
            return std::visit([](const auto& kept) -> Value { return kept; }, row_.at(column));
        }

      private:
        const MakeRow& make_;
        std::size_t number_ = 0;
        std::vector<Kept> row_;
    };

    const char* name_;
    const char* meaning_;
    std::vector<Column> columns_;
    MakeRow make_;
};

namespace trace = analyzer::trace;

const char* kindOf(trace::Location::Kind kind) {
    switch (kind) {
        case trace::Location::Kind::Thread:
            return "thread";
        case trace::Location::Kind::Accelerator:
            return "accelerator";
        case trace::Location::Kind::Metric:
            return "metric";
    }
    return "";
}

const char* kindOf(algebra::Location::Type type) {
    switch (type) {
        case algebra::Location::Type::Thread:
            return "thread";
        case algebra::Location::Type::Metric:
            return "metric";
        case algebra::Location::Type::AcceleratorStream:
            return "accelerator";
    }
    return "";
}

bool locationRow(Run& run, std::size_t at, std::vector<Kept>& row) {
    if (run.hasTrace()) {
        const trace::Definitions& all = run.records().definitions();
        if (at >= all.locations.size()) return false;
        const trace::Location& one = all.locations[at];
        const trace::Process& process = all[one.process];
        row = {whole(at),
               whole(one.process.index()),
               whole(one.rank),
               textOrNothing(one.name),
               textOrNothing(process.name),
               textOrNothing(process.node ? all.systemNodes[process.node->index()].name : ""),
               std::string(kindOf(one.kind))};
        return true;
    }
    const algebra::SystemTree& all = run.experiment().system;
    if (at >= all.locations.size()) return false;
    const algebra::Location& one = all.locations[at];
    row = {whole(at),
           whole(one.process.index()),
           whole(one.rank),
           textOrNothing(one.name),
           textOrNothing(all[one.process].name),
           textOrNothing(all.nodes[all[one.process].node].name),
           std::string(kindOf(one.type))};
    return true;
}

bool regionRow(Run& run, std::size_t at, std::vector<Kept>& row) {
    if (run.hasTrace()) {
        const auto& all = run.records().definitions().regions;
        if (at >= all.size()) return false;
        const trace::Region& one = all[at];
        row = {one.name, textOrNothing(one.file), one.beginLine != 0 ? whole(one.beginLine) : Kept(),
               textOrNothing(one.paradigmName), textOrNothing(one.roleName)};
        return true;
    }
    const auto& all = run.experiment().regions;
    if (at >= all.size()) return false;
    const algebra::Region& one = all[at];
    row = {one.name, textOrNothing(one.module), one.beginLine > 0 ? whole(one.beginLine) : Kept(),
           textOrNothing(one.paradigm), textOrNothing(one.role)};
    return true;
}

/// Of the experiment, whose analysis may know more paths than events tell; else of the trace.
bool pathRow(Run& run, std::size_t at, std::vector<Kept>& row) {
    const algebra::CallPathId path(at);
    if (run.hasExperiment()) {
        const algebra::Experiment& all = run.experiment();
        if (at >= all.callTree.size()) return false;
        const auto parent = all.callTree.parent(path);
        const algebra::CallPath& one = all.callTree[path];
        row = {algebra::callPathText(all, path), parent ? algebra::callPathText(all, *parent) : Kept(),
               all.regionOf(path).name, textOrNothing(one.module), one.line > 0 ? whole(one.line) : Kept()};
        return true;
    }
    const analyzer::paths::MergedTree& all = run.records().tree();
    if (at >= all.tree.size()) return false;
    const std::vector<std::string>& texts = run.records().pathTexts();
    const auto parent = all.tree.parent(path);
    const algebra::CallPath one = analyzer::paths::callPathOf(all.tree[path], run.records().definitions());
    row = {texts[at], parent ? Kept(texts[parent->index()]) : Kept(), all.regions[one.region.index()].name,
           textOrNothing(one.module), one.line > 0 ? whole(one.line) : Kept()};
    return true;
}

}  // namespace

void addDefinitionTables(Run& run, Tables& tables) {
    const auto bound = [&run](auto make) {
        return [&run, make](std::size_t at, std::vector<Kept>& row) { return make(run, at, row); };
    };
    tables.push_back(std::make_unique<ListedTable>(
        "locations", "threads, and what else has events or values of its own",
        std::vector<Column>{
            {"location", Kind::Integer, Gain::None, "number, from 0"},
            {"process", Kind::Integer, Gain::None, "number of its process, from 0: the MPI rank"},
            {"thread", Kind::Integer, Gain::None, "number in its process, from 0"},
            {"name", Kind::Text, Gain::None, "such as OMP thread 1"},
            {"process_name", Kind::Text, Gain::None, "such as MPI Rank 3"},
            {"node", Kind::Text, Gain::None, "the host"},
            {"kind", Kind::Text, Gain::None, "thread, accelerator or metric"}},
        bound(locationRow)));
    tables.push_back(std::make_unique<ListedTable>(
        "regions", "functions, MPI calls, OpenMP constructs, and regions of the user",
        std::vector<Column>{{"region", Kind::Text, Gain::None, "name"},
                            {"file", Kind::Text, Gain::None, "source file or module"},
                            {"line", Kind::Integer, Gain::None, "where it begins"},
                            {"paradigm", Kind::Text, Gain::None, "mpi, openmp, compiler, user, …"},
                            {"role", Kind::Text, Gain::None, "function, barrier, point2point, …"}},
        bound(regionRow)));
    tables.push_back(std::make_unique<ListedTable>(
        "call_paths", "chains of regions from the program's root",
        std::vector<Column>{{"call_path", Kind::Text, Gain::None, "names from the root, between /"},
                            {"parent", Kind::Text, Gain::None, "the call path above it"},
                            {"region", Kind::Text, Gain::None, "its last one"},
                            {"file", Kind::Text, Gain::None, "where the call stands"},
                            {"line", Kind::Integer, Gain::None, "where the call stands"}},
        bound(pathRow)));
}

namespace {

using algebra::CallPathId;
using algebra::Experiment;
using algebra::LocationId;
using algebra::MetricId;

bool hasRows(const algebra::Metric& metric) {
    return !metric.ghost && !metric.isVoid && metric.valueType != algebra::ValueType::Compound;
}

bool metricRow(Run& run, std::size_t at, std::vector<Kept>& row) {
    const Experiment& all = run.experiment();
    if (at >= all.metrics.size()) return false;
    const MetricId metric(at);
    const algebra::Metric& one = all.metrics[metric];
    const auto parent = all.metrics.parent(metric);
    row = {one.uniqueName, one.displayName, textOrNothing(one.unit),
           parent ? textOrNothing(all.metrics[*parent].uniqueName) : Kept(), textOrNothing(one.description)};
    return true;
}

bool attributeRow(Run& run, std::size_t at, std::vector<Kept>& row) {
    const algebra::Attributes& all = run.experiment().attributes;
    if (at >= all.size()) return false;
    row = {all[at].first, all[at].second};
    return true;
}

enum : std::size_t { kMetric, kPath, kLocation, kValue, kInclusive };

/// One metric after the other, and of each one call path after the other.
class SeverityRows final : public Cursor {
  public:
    SeverityRows(const Experiment& experiment, const Question& question)
        : experiment_(experiment),
          metricWanted_(kept(question.text(kMetric))),
          pathWanted_(kept(question.text(kPath))),
          least_(question.least(kLocation)),
          most_(question.most(kLocation)) {}

    bool next() override {
        const std::size_t locations = experiment_.system.locations.size();
        for (;;) {
            if (!values_ && !nextMetric()) return false;
            while (path_ < experiment_.callTree.size()) {
                if (location_ == 0 && !beginPath()) {
                    ++path_;
                    continue;
                }
                while (location_ < locations) {
                    const std::size_t at = location_++;
                    if (static_cast<double>(at) < least_ || static_cast<double>(at) > most_) continue;
                    if (!hasValue(at)) continue;
                    return true;
                }
                location_ = 0;
                ++path_;
            }
            values_.reset();
        }
    }

    Value value(std::size_t column) const override {
        switch (column) {
            case kMetric:
                return std::string_view(experiment_.metrics[MetricId(metric_ - 1)].uniqueName);
            case kPath:
                return std::string_view(pathText_);
            case kLocation:
                return static_cast<std::int64_t>(location_ - 1);
            case kValue:
                return number(own_);
            default:
                return hasInclusive_ ? number(inclusive_) : Value();
        }
    }

  private:
    static std::optional<std::string> kept(const std::string* text) {
        return text == nullptr ? std::nullopt : std::optional(*text);
    }
    static Value number(double value) { return std::isfinite(value) ? Value(value) : Value(); }

    bool nextMetric() {
        while (metric_ < experiment_.metrics.size()) {
            const MetricId metric(metric_++);
            const algebra::Metric& one = experiment_.metrics[metric];
            if (!hasRows(one) || (metricWanted_ && *metricWanted_ != one.uniqueName)) continue;
            // Of the smallest and the largest values there is no sum.
            hasInclusive_ = one.valueType != algebra::ValueType::MinDouble &&
                            one.valueType != algebra::ValueType::MaxDouble;
            values_.emplace(
                experiment_, metric,
                hasInclusive_ ? algebra::MetricRows::Below::Added : algebra::MetricRows::Below::Nothing);
            path_ = location_ = 0;
            return true;
        }
        return false;
    }
    bool beginPath() {
        const CallPathId path(path_);
        if (!values_->hasRow(path)) return false;
        pathText_ = algebra::callPathText(experiment_, path);
        if (pathWanted_ && *pathWanted_ != pathText_) return false;
        ownRow_ = values_->own(path);
        inclusiveRow_ = hasInclusive_ ? values_->withBelow(path) : ownRow_;
        return true;
    }
    /// Where neither the call path nor what it calls has a value there is no row.
    bool hasValue(std::size_t location) {
        const double missing = values_->missing();
        own_ = ownRow_.empty() ? missing : ownRow_[location];
        inclusive_ = inclusiveRow_.empty() ? missing : inclusiveRow_[location];
        return own_ != missing || inclusive_ != missing;
    }

    const Experiment& experiment_;
    std::optional<std::string> metricWanted_;
    std::optional<std::string> pathWanted_;
    double least_, most_;
    std::optional<algebra::MetricRows> values_;
    bool hasInclusive_ = false;
    std::span<const double> ownRow_;
    std::span<const double> inclusiveRow_;
    std::size_t metric_ = 0;
    std::size_t path_ = 0;
    std::size_t location_ = 0;
    std::string pathText_;
    double own_ = 0;
    double inclusive_ = 0;
};

class Severities final : public Table {
  public:
    explicit Severities(Run& run) : run_(run) {}
    const char* name() const override { return "severities"; }
    const char* meaning() const override { return "values of the experiment; those that are 0 have no row"; }
    const std::vector<Column>& columns() const override {
        static const std::vector<Column> kColumns{
            {"metric", Kind::Text, Gain::Direct, "unique name"},
            {"call_path", Kind::Text, Gain::Fewer, "names from the root, between /"},
            {"location", Kind::Integer, Gain::Fewer, "number"},
            {"value", Kind::Real, Gain::None, "of this call path alone, and of the metric with all below it"},
            {"inclusive", Kind::Real, Gain::None, "with all that the call path calls"}};
        return kColumns;
    }
    double size() const override { return kUsualSize; }
    std::unique_ptr<Cursor> ask(Question question) override {
        return std::make_unique<SeverityRows>(run_.experiment(), question);
    }

  private:
    static constexpr double kUsualSize = 1e6;
    Run& run_;
};

}  // namespace

void addExperimentTables(Run& run, Tables& tables) {
    tables.push_back(std::make_unique<ListedTable>(
        "metrics", "what the experiment has values of",
        std::vector<Column>{{"metric", Kind::Text, Gain::None, "unique name, such as mpi_latesender"},
                            {"name", Kind::Text, Gain::None, "as it is shown, such as Late Sender"},
                            {"unit", Kind::Text, Gain::None, "sec, occ, bytes, …"},
                            {"parent", Kind::Text, Gain::None, "the metric above it"},
                            {"description", Kind::Text, Gain::None, "what it means"}},
        [&run](std::size_t at, std::vector<Kept>& row) { return metricRow(run, at, row); }));
    tables.push_back(std::make_unique<Severities>(run));
    tables.push_back(std::make_unique<ListedTable>(
        "run", "what is known of the run as a whole",
        std::vector<Column>{{"name", Kind::Text, Gain::None, "of the attribute"},
                            {"value", Kind::Text, Gain::None, "its text"}},
        [&run](std::size_t at, std::vector<Kept>& row) { return attributeRow(run, at, row); }));
}

}  // namespace holos::query
