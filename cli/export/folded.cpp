// SPDX-License-Identifier: BSD-3-Clause
// Folded stacks, as tools for flame graphs read them (flamegraph.pl, speedscope, inferno): a line for each
// call path, its calls from the root with semicolons between them, a blank, and what the metric has there
// alone:
//
//     main;solve;MPI_Recv 123
#include <fmt/format.h>

#include <map>

#include "algebra/model/call_names.h"
#include "cli/choice.h"
#include "cli/export/export_format.h"

namespace holos::cli {

using namespace algebra;

namespace {

/// What the first frame of each stack stands for.
enum class StacksOf : unsigned char { Program, Processes, Threads };
constexpr auto wordsOf(StacksOf) {
    return std::array{std::pair{"program", StacksOf::Program}, std::pair{"processes", StacksOf::Processes},
                      std::pair{"threads", StacksOf::Threads}};
}

/// A name without the characters that stand between frames (`;`) and before values: a frame `step 2` at the
/// end of a stack would be taken for a value.
std::string frameNamed(const std::string& name) {
    std::string frame;
    for (const char c : name) {
        const bool isBlank = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
        frame += c == ';' ? ':' : isBlank ? '_' : c;
    }
    return frame.empty() ? "_" : frame;
}

/// Whole numbers of a metric: seconds become microseconds.
double scaleOf(const Metric& metric) {
    constexpr double kMicroseconds = 1e6;
    return metric.unit == "sec" ? kMicroseconds : 1;
}

class FoldedSink : public ValueSink {
  public:
    FoldedSink(ExportOutput& output, const Experiment& experiment, StacksOf stacks)
        : output_(output), experiment_(experiment), stacks_(stacks) {
        for (const CallPathId path : experiment.callTree.ids())
            frames_.push_back(frameNamed(callText(experiment, path)));
    }

    void add(const ExportedValue& value) override {
        if (path_ != value.path) write();
        path_ = value.path;
        scale_ = scaleOf(experiment_.metrics[value.metric]);
        values_[firstFrame(value.location)] += value.value;
    }

    void finish() override {
        write();
        sayLeftOutBelowZero(belowZero_);
    }

  private:
    std::string firstFrame(LocationId location) const {
        const Process& process = experiment_.system[experiment_.system[location].process];
        switch (stacks_) {
            case StacksOf::Program:
                return {};
            case StacksOf::Processes:
                return frameNamed(process.name) + ';';
            case StacksOf::Threads:
                return frameNamed(process.name) + ';' + frameNamed(experiment_.system[location].name) + ';';
        }
        return {};
    }

    std::string stackOf(CallPathId path) const {
        std::vector<CallPathId> calls;
        for (std::optional<CallPathId> at = path; at; at = experiment_.callTree.parent(*at))
            calls.push_back(*at);
        std::string stack;
        for (std::size_t at = calls.size(); at-- > 0;)
            stack += frames_[calls[at].index()] + (at > 0 ? ";" : "");
        return stack;
    }

    /// The stacks of the call path that came last.
    void write() {
        if (values_.empty()) return;
        const std::string stack = stackOf(*path_);
        for (const auto& [first, value] : values_) {
            if (value < 0) ++belowZero_;
            if (value >= 0) output_.write(fmt::format("{}{} {:.0f}\n", first, stack, value * scale_));
        }
        values_.clear();
    }

    ExportOutput& output_;
    const Experiment& experiment_;
    StacksOf stacks_;
    std::vector<std::string> frames_;  ///< by call path
    std::optional<CallPathId> path_;
    std::map<std::string, double> values_;  ///< of `path_`, by what its stacks begin with
    double scale_ = 1;
    std::size_t belowZero_ = 0;  ///< stacks
};

class Folded : public ValueFormat {
  public:
    std::string word() const override { return "folded"; }

    std::vector<Option> addOptions(Command& command) override {
        return {
            addChoice(command, "--stacks-of", stacks_,
                      "With --format folded: begin each stack with its process, or its process and thread")};
    }

    std::vector<MetricId> metrics(const Experiment& experiment,
                                  const std::vector<MetricId>& named) const override {
        return {onlyMetric(experiment, named, word())};
    }

    std::unique_ptr<ValueSink> valuesTo(ExportOutput& output, const Experiment& experiment) const override {
        return std::make_unique<FoldedSink>(output, experiment, stacks_);
    }

  private:
    StacksOf stacks_ = StacksOf::Program;
};

}  // namespace

std::unique_ptr<ExportFormat> makeFoldedFormat() {
    return std::make_unique<Folded>();
}

}  // namespace holos::cli
