// SPDX-License-Identifier: BSD-3-Clause
// Flame graphs as https://www.speedscope.app reads them (its file-format-schema.json): a profile for each
// thread, in which a call path is a sample whose weight is what the metric has there alone.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "algebra/model/call_names.h"
#include "algebra/model/source_lines.h"
#include "base/json.h"
#include "cli/export/export_format.h"

namespace holos::cli {

using namespace algebra;

namespace {

/// As speedscope knows them.
const char* unitOf(const Metric& metric) {
    return metric.unit == "sec" ? "seconds" : metric.unit == "bytes" ? "bytes" : "none";
}

class SpeedscopeSink : public ValueSink {
  public:
    SpeedscopeSink(ExportOutput& output, const Experiment& experiment)
        : output_(output), experiment_(experiment), values_(experiment.system.locations.size()) {}

    void add(const ExportedValue& value) override {
        metric_ = value.metric;
        if (value.value < 0)
            ++belowZero_;
        else
            values_[value.location.index()].push_back({value.path, value.value});
    }

    void finish() override {
        writeFrames();
        output_.write(R"(,"profiles":[)");
        bool isFirst = true;
        for (std::size_t at = 0; at < values_.size(); ++at) {
            if (values_[at].empty()) continue;
            output_.write(isFirst ? "\n" : ",\n");
            isFirst = false;
            writeProfile(LocationId(at));
        }
        output_.write(
            fmt::format(R"(],"name":{},"exporter":"Holos {}"}})", jsonString(metricName()), HOLOS_VERSION) +
            "\n");
        sayLeftOutBelowZero(belowZero_);
    }

  private:
    struct Weight {
        CallPathId path;
        double value;
    };

    std::string metricName() const { return metric_ ? experiment_.metrics[*metric_].displayName : ""; }

    /// One for each text of a call, whatever called it.
    void writeFrames() {
        output_.write(
            R"({"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[)");
        std::map<std::string, std::size_t> numbers;
        for (const CallPathId path : experiment_.callTree.ids()) {
            const std::string name = callText(experiment_, path);
            const auto [at, isNew] = numbers.try_emplace(name, numbers.size());
            frames_.push_back(at->second);
            if (!isNew) continue;
            nlohmann::ordered_json frame{{"name", name}};
            if (const auto line = sourceLineOf(experiment_, path)) {
                frame["file"] = line->file;
                if (line->line > 0) frame["line"] = line->line;
            }
            output_.write((at->second == 0 ? "\n" : ",\n") + jsonText(frame));
        }
        output_.write("]}");
    }

    std::string stackOf(CallPathId path) const {
        std::vector<std::size_t> calls;
        for (std::optional<CallPathId> at = path; at; at = experiment_.callTree.parent(*at))
            calls.push_back(frames_[at->index()]);
        std::string stack;
        for (std::size_t at = calls.size(); at-- > 0;)
            stack += std::to_string(calls[at]) + (at > 0 ? "," : "");
        return '[' + stack + ']';
    }

    void writeProfile(LocationId location) {
        const Location& thread = experiment_.system[location];
        const std::string name = experiment_.system[thread.process].name + " / " + thread.name;
        double all = 0;
        for (const Weight& weight : values_[location.index()]) all += weight.value;
        output_.write(fmt::format(
            R"({{"type":"sampled","name":{},"unit":"{}","startValue":0,"endValue":{},"samples":[)",
            jsonString(name), unitOf(experiment_.metrics[*metric_]), all));
        bool isFirst = true;
        for (const Weight& weight : values_[location.index()]) {
            output_.write((isFirst ? "" : ",") + stackOf(weight.path));
            isFirst = false;
        }
        output_.write(R"(],"weights":[)");
        isFirst = true;
        for (const Weight& weight : values_[location.index()]) {
            output_.write(fmt::format("{}{}", isFirst ? "" : ",", weight.value));
            isFirst = false;
        }
        output_.write("]}");
    }

    ExportOutput& output_;
    const Experiment& experiment_;
    std::optional<MetricId> metric_;
    std::vector<std::vector<Weight>> values_;  ///< by location
    std::vector<std::size_t> frames_;          ///< by call path
    std::size_t belowZero_ = 0;                ///< stacks
};

class Speedscope : public ValueFormat {
  public:
    std::string word() const override { return "speedscope"; }
    std::vector<MetricId> metrics(const Experiment& experiment,
                                  const std::vector<MetricId>& named) const override {
        return {onlyMetric(experiment, named, word())};
    }
    std::unique_ptr<ValueSink> valuesTo(ExportOutput& output, const Experiment& experiment) const override {
        return std::make_unique<SpeedscopeSink>(output, experiment);
    }
};

}  // namespace

std::unique_ptr<ExportFormat> makeSpeedscopeFormat() {
    return std::make_unique<Speedscope>();
}

}  // namespace holos::cli
