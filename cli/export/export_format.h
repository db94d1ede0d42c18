// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/model/experiment.h"
#include "base/output_file.h"
#include "cli/command.h"

namespace holos::cli {

/// Where an export goes: standard output, or a file that appears when it is complete.
class ExportOutput {
  public:
    /// Empty: standard output.
    explicit ExportOutput(const std::string& file) {
        if (!file.empty()) file_.emplace(file);
    }
    void write(std::string_view text);
    void finish();

  private:
    void flush();

    std::optional<OutputFile> file_;
    std::string pending_;
};

/// A text as JSON has it, in quotes.
std::string jsonString(const std::string& text);

/// A value and where it is.
struct ExportedValue {
    algebra::MetricId metric;
    algebra::CallPathId path;
    algebra::LocationId location;
    double value;      ///< exclusive along the call tree, inclusive of the metrics below
    double inclusive;  ///< with what the call path calls
};

/// Writes the values of an export: those of a metric together, of them those of a call path together, in the
/// order of the call tree and of the locations.
class ValueSink {
  public:
    virtual ~ValueSink() = default;
    virtual void add(const ExportedValue& value) = 0;
    virtual void finish() = 0;  ///< writes what is left
};

/// What is asked of an export.
struct ExportRequest {
    /// Experiments or their folders, one for most formats; of formats of a trace: its folder or its anchor.
    std::vector<std::string> files;
    std::vector<std::string> metrics;  ///< by name; empty: those that the format has
    bool zeros = false;                ///< also values that are 0
    bool communication = false;        ///< instead of values who sent what to whom
    std::optional<double> from;        ///< of formats over time: seconds of the run
    std::optional<double> to;
    std::vector<std::size_t> processes;  ///< of formats over time; empty: all
};

/// A format of `holos export`. One is added by a file that defines `makeXFormat` and a line for X in
/// `formats.def`.
class ExportFormat {
  public:
    virtual ~ExportFormat() = default;

    virtual std::string word() const = 0;  ///< of `--format`
    virtual bool isOverTime() const { return false; }
    virtual bool takesSeveralFiles() const { return false; }
    /// Declares options that this format alone has, and returns them.
    virtual std::vector<Option> addOptions(Command& command);
    /// Throws `UsageError` where the request makes no sense for the format, `Error` for what cannot be read.
    virtual void write(const ExportRequest& request, ExportOutput& output) const = 0;
};

/// A format for the values of an experiment.
class ValueFormat : public ExportFormat {
  public:
    void write(const ExportRequest& request, ExportOutput& output) const final;

  protected:
    /// What is exported where these metrics are named: these; or else all that have values and are not
    /// hidden. Throws `UsageError` where the format has no place for them.
    virtual std::vector<algebra::MetricId> metrics(const algebra::Experiment& experiment,
                                                   const std::vector<algebra::MetricId>& named) const;

  private:
    /// `experiment` and `output` must outlive the sink.
    virtual std::unique_ptr<ValueSink> valuesTo(ExportOutput& output,
                                                const algebra::Experiment& experiment) const = 0;
    /// Who sent what to whom (`--communication`). Throws `UsageError` where the format has no such table.
    virtual std::string communication(const algebra::Experiment& experiment, const std::string& file) const;
};

/// The metric of a format that has place for one, whose values must add up: the named one, or else the time.
/// Throws `UsageError` for several or none, `Error` for one whose values do not add up. `format`: its word.
algebra::MetricId onlyMetric(const algebra::Experiment& experiment,
                             const std::vector<algebra::MetricId>& named, const std::string& format);

/// Says so where stacks were left out because a flame graph has no place for negative values.
void sayLeftOutBelowZero(std::size_t stacks);

/// In the order of `formats.def`.
std::vector<std::unique_ptr<ExportFormat>> makeExportFormats();

}  // namespace holos::cli
