// SPDX-License-Identifier: BSD-3-Clause
// A row for each value, as data frames read them: csv, json and parquet. The names and the order of the
// columns are a promise (docs/experiments.md).
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "algebra/model/call_names.h"
#include "base/csv.h"
#include "base/json.h"
#include "cli/export/export_format.h"
#include "cli/parquet_table.h"
#include "cli/show/show_formats.h"
#include "report/tables/summary.h"

namespace holos::cli {

using namespace tables;

using namespace algebra;

namespace {

/// Call paths as text, in which a `/` of a name is `\\/`. Of very deep ones, whose texts would together be as
/// long as the square of the depth, the calls in the middle are left out.
class PathTexts {
  public:
    explicit PathTexts(const Experiment& experiment) : tree_(experiment.callTree) {
        for (const CallPathId path : tree_.ids()) {
            names_.push_back(escaped(callText(experiment, path)));
            const auto parent = tree_.parent(path);
            depths_.push_back(parent ? depths_[parent->index()] + 1 : 0);
            const bool isOfTop = depths_.back() < kKept || !parent;
            tops_.push_back(isOfTop ? path : tops_[parent->index()]);
        }
    }

    std::string of(CallPathId path) const {
        const std::size_t depth = depths_[path.index()];
        if (depth < 2 * kKept) return upTo(path, depth + 1);
        const std::size_t omitted = depth + 1 - 2 * kKept;
        return upTo(tops_[path.index()], kKept) + fmt::format("/… {} calls …/", omitted) + upTo(path, kKept);
    }

  private:
    static constexpr std::size_t kKept = 100;  ///< of a deep one at both ends

    static std::string escaped(const std::string& name) {
        std::string text;
        for (const char c : name) {
            if (c == '/' || c == '\\') text += '\\';
            text += c;
        }
        return text;
    }
    std::string upTo(CallPathId path, std::size_t calls) const {
        std::vector<CallPathId> chain;
        for (std::optional<CallPathId> at = path; at && chain.size() < calls; at = tree_.parent(*at))
            chain.push_back(*at);
        std::string text;
        for (std::size_t at = chain.size(); at-- > 0;)
            text += names_[chain[at].index()] + (at > 0 ? "/" : "");
        return text;
    }

    const CallTree& tree_;
    std::vector<std::string> names_;
    std::vector<std::size_t> depths_;
    /// Of each call path, the caller with which the beginning of its text ends.
    std::vector<CallPathId> tops_;
};

/// How values of several call paths or locations become one.
const char* aggregationOf(const Metric& metric) {
    if (metric.storage == Storage::PostDerived) return "expression";
    if (metric.valueType == ValueType::MinDouble) return "minimum";
    return metric.valueType == ValueType::MaxDouble ? "maximum" : "sum";
}

/// The cells of a row that are not in its value itself.
class Cells {
  public:
    explicit Cells(const Experiment& experiment) : experiment_(experiment), paths_(experiment) {}

    const Metric& metric(const ExportedValue& row) const { return experiment_.metrics[row.metric]; }
    const Region& region(const ExportedValue& row) const { return experiment_.regionOf(row.path); }
    const Location& thread(const ExportedValue& row) const { return experiment_.system[row.location]; }
    const Process& process(const ExportedValue& row) const { return experiment_.system[thread(row).process]; }
    std::string location(const ExportedValue& row) const { return locationText(experiment_, row.location); }
    std::optional<CallPathId> parent(const ExportedValue& row) const {
        return experiment_.callTree.parent(row.path);
    }
    const char* aggregation(const ExportedValue& row) const { return aggregationOf(metric(row)); }
    /// The text of the last row is kept: rows come path by path.
    const std::string& callPath(const ExportedValue& row) {
        if (pathOfText_ != row.path) text_ = paths_.of(row.path);
        pathOfText_ = row.path;
        return text_;
    }

  private:
    const Experiment& experiment_;
    PathTexts paths_;
    std::optional<CallPathId> pathOfText_;
    std::string text_;
};

class CsvSink : public ValueSink {
  public:
    CsvSink(ExportOutput& output, const Experiment& experiment) : output_(output), cells_(experiment) {
        output_.write(
            "metric,unit,call_path_id,call_path,region,module,rank,thread,location,value,"
            "parent,inclusive,aggregation\n");
    }

    void add(const ExportedValue& row) override {
        const Metric& metric = cells_.metric(row);
        const Region& region = cells_.region(row);
        const auto parent = cells_.parent(row);
        output_.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csvField(metric.uniqueName),
                                  csvField(metric.unit), row.path.index(), csvField(cells_.callPath(row)),
                                  csvField(region.name), csvField(region.module), cells_.process(row).rank,
                                  cells_.thread(row).rank, csvField(cells_.location(row)),
                                  csvField(row.value), parent ? std::to_string(parent->index()) : "",
                                  csvField(row.inclusive), cells_.aggregation(row)));
    }

    void finish() override {}

  private:
    ExportOutput& output_;
    Cells cells_;
};

/// An array of records.
class JsonSink : public ValueSink {
  public:
    JsonSink(ExportOutput& output, const Experiment& experiment) : output_(output), cells_(experiment) {
        output_.write("[");
    }

    void add(const ExportedValue& row) override {
        const Metric& metric = cells_.metric(row);
        const Region& region = cells_.region(row);
        const auto parent = cells_.parent(row);
        const nlohmann::ordered_json object{
            {"metric", metric.uniqueName},
            {"unit", metric.unit},
            {"call_path_id", row.path.index()},
            {"call_path", cells_.callPath(row)},
            {"region", region.name},
            {"module", region.module},
            {"rank", cells_.process(row).rank},
            {"thread", cells_.thread(row).rank},
            {"location", cells_.location(row)},
            {"value", row.value},
            {"parent", parent ? nlohmann::ordered_json(parent->index()) : nlohmann::ordered_json()},
            {"inclusive", row.inclusive},
            {"aggregation", cells_.aggregation(row)}};
        output_.write((std::exchange(isFirst_, false) ? "\n" : ",\n") + jsonText(object));
    }

    void finish() override { output_.write("\n]\n"); }

  private:
    ExportOutput& output_;
    Cells cells_;
    bool isFirst_ = true;
};

class ParquetSink : public ValueSink {
  public:
    ParquetSink(ExportOutput& output, const Experiment& experiment)
        : cells_(experiment),
          table_({{"metric", Kind::Text},
                  {"unit", Kind::Text},
                  {"call_path_id", Kind::Integer},
                  {"call_path", Kind::Text},
                  {"region", Kind::Text},
                  {"module", Kind::Text},
                  {"rank", Kind::Integer},
                  {"thread", Kind::Integer},
                  {"location", Kind::Text},
                  {"value", Kind::Real},
                  {"parent", Kind::Integer},
                  {"inclusive", Kind::Real},
                  {"aggregation", Kind::Text}},
                 [&output](std::string_view bytes) { output.write(bytes); }) {}

    void add(const ExportedValue& row) override {
        const Metric& metric = cells_.metric(row);
        const Region& region = cells_.region(row);
        const auto parent = cells_.parent(row);
        const std::string location = cells_.location(row);
        table_.add(std::array<Cell, 13>{
            metric.uniqueName, metric.unit, number(row.path.index()), cells_.callPath(row), region.name,
            region.module, number(cells_.process(row).rank), number(cells_.thread(row).rank), location,
            defined(row.value), parent ? Cell(number(parent->index())) : Cell(), defined(row.inclusive),
            cells_.aggregation(row)});
    }

    void finish() override { table_.finish(); }

  private:
    using Kind = ParquetTable::Kind;
    using Cell = ParquetTable::Cell;

    template <class Number>
    static std::int64_t number(Number number) {
        return static_cast<std::int64_t>(number);
    }
    static Cell defined(double value) { return std::isnan(value) ? Cell() : Cell(value); }

    Cells cells_;
    ParquetTable table_;
};

template <Format Printed, class Sink>
class DataFrame : public ValueFormat {
  public:
    std::string word() const override { return wordOf(Printed); }
    std::unique_ptr<ValueSink> valuesTo(ExportOutput& output, const Experiment& experiment) const override {
        return std::make_unique<Sink>(output, experiment);
    }
    std::string communication(const Experiment& experiment, const std::string& file) const override {
        ShowRequest request;
        request.file = file;
        request.format = Printed;
        request.top = kAll;
        return showCommunication(experiment, request, {});
    }
};

class ParquetFormat : public ValueFormat {
  public:
    std::string word() const override { return "parquet"; }
    std::unique_ptr<ValueSink> valuesTo(ExportOutput& output, const Experiment& experiment) const override {
        return std::make_unique<ParquetSink>(output, experiment);
    }
};

}  // namespace

std::unique_ptr<ExportFormat> makeCsvFormat() {
    return std::make_unique<DataFrame<Format::Csv, CsvSink>>();
}

std::unique_ptr<ExportFormat> makeJsonFormat() {
    return std::make_unique<DataFrame<Format::Json, JsonSink>>();
}

std::unique_ptr<ExportFormat> makeParquetFormat() {
    return std::make_unique<ParquetFormat>();
}

}  // namespace holos::cli
