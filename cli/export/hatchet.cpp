// SPDX-License-Identifier: BSD-3-Clause
// The call tree as Hatchet reads it (`hatchet.GraphFrame.from_literal`): a list of roots, each with its
// metrics and the calls below it. A metric has its value of the call path alone, and with `(inc)` behind its
// name that with what is called from there, both over all threads.
#include <fmt/format.h>

#include <cmath>

#include "algebra/model/call_names.h"
#include "base/error.h"
#include "base/wrong_request.h"
#include "cli/export/export_format.h"

namespace holos::cli {

using namespace algebra;

namespace {

class HatchetSink : public ValueSink {
  public:
    HatchetSink(ExportOutput& output, const Experiment& experiment)
        : output_(output), experiment_(experiment) {}

    void add(const ExportedValue& value) override {
        if (!std::isfinite(value.value)) return;
        if (columns_.empty() || columns_.back().metric != value.metric) addColumn(value.metric);
        columns_.back().alone[value.path.index()] += value.value;
    }

    void finish() override {
        for (Column& column : columns_) addInclusive(column);
        output_.write("[");
        bool isFirst = true;
        for (const CallPathId root : experiment_.callTree.roots()) {
            output_.write(std::exchange(isFirst, false) ? "\n" : ",\n");
            writeBelow(root);
        }
        output_.write("\n]\n");
    }

  private:
    struct Column {
        MetricId metric;
        std::string name, nameOfInclusive;
        std::vector<double> alone, inclusive;  ///< by call path, over all threads
    };
    struct Open {
        CallPathId path;
        std::size_t next = 0;  ///< of its callees
    };

    void addColumn(MetricId metric) {
        const std::string& name = experiment_.metrics[metric].uniqueName;
        columns_.push_back({metric,
                            jsonString(name),
                            jsonString(name + " (inc)"),
                            std::vector<double>(experiment_.callTree.size()),
                            {}});
    }

    void addInclusive(Column& column) const {
        column.inclusive = column.alone;
        for (std::size_t at = column.inclusive.size(); at-- > 0;)  // callees stand behind their callers
            if (const auto caller = experiment_.callTree.parent(CallPathId(at)))
                column.inclusive[caller->index()] += column.inclusive[at];
    }

    /// A call tree may be deeper than the stack.
    void writeBelow(CallPathId root) {
        std::vector<Open> open{{root}};
        begin(root);
        while (!open.empty()) {
            Open& last = open.back();
            const auto& calls = experiment_.callTree.children(last.path);
            if (last.next == calls.size()) {
                output_.write(calls.empty() ? "}" : "]}");
                open.pop_back();
                continue;
            }
            output_.write(last.next == 0 ? ",\"children\":[\n" : ",\n");
            const CallPathId call = calls[last.next++];
            begin(call);
            open.push_back({call});
        }
    }

    void begin(CallPathId path) {
        output_.write(fmt::format(R"({{"frame":{{"name":{},"type":"function"}},"metrics":{{)",
                                  jsonString(callText(experiment_, path))));
        bool isFirst = true;
        for (const Column& column : columns_) {
            output_.write(fmt::format("{}{}:{},{}:{}", std::exchange(isFirst, false) ? "" : ",", column.name,
                                      column.alone[path.index()], column.nameOfInclusive,
                                      column.inclusive[path.index()]));
        }
        output_.write("}");
    }

    ExportOutput& output_;
    const Experiment& experiment_;
    std::vector<Column> columns_;  ///< of metrics with values
};

class Hatchet : public ValueFormat {
  public:
    std::string word() const override { return "hatchet"; }

    /// The metrics that can be added up over threads and calls.
    std::vector<MetricId> metrics(const Experiment& experiment,
                                  const std::vector<MetricId>& named) const override {
        for (const MetricId metric : named)
            if (!isSumOfParts(experiment.metrics[metric]))
                throw WrongRequest("metric \"" + experiment.metrics[metric].uniqueName +
                                   "\": its values cannot be added up over threads");
        std::vector<MetricId> sums = ValueFormat::metrics(experiment, named);
        std::erase_if(sums, [&](MetricId metric) { return !isSumOfParts(experiment.metrics[metric]); });
        if (sums.empty()) throw Error("has no metric whose values can be added up");
        return sums;
    }

    std::unique_ptr<ValueSink> valuesTo(ExportOutput& output, const Experiment& experiment) const override {
        return std::make_unique<HatchetSink>(output, experiment);
    }
};

}  // namespace

std::unique_ptr<ExportFormat> makeHatchetFormat() {
    return std::make_unique<Hatchet>();
}

}  // namespace holos::cli
