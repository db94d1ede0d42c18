// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "algebra/model/queries.h"
#include "algebra/model/source_lines.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "base/wrong_request.h"
#include "cli/show/show_formats.h"
#include "tracing/recordings/archive/code_names/sampled_functions.h"
#include "tracing/recordings/archive/folder/ownership.h"

namespace holos::cli {

using namespace tables;

using namespace algebra;

namespace {

using Lines = std::vector<LineValue>;

std::string placeText(const LineValue& line) {
    return line.place.file + ':' + std::to_string(line.place.line);
}

std::string text(const Experiment& experiment, const MetricLine& metric, const Lines& lines,
                 const Style& style) {
    const std::string& unit = experiment.metrics[metric.metric].unit;
    const auto percent = [&metric](double value) {
        return metric.whole == 0.0 || std::isnan(metric.whole)
                   ? std::string(7, ' ')
                   : fmt::format("{:5.1f} %", 100.0 * value / metric.whole);
    };
    std::string out = metricHeading(experiment, metric, style);
    if (isDividedAmongLines(experiment, metric.metric))
        out += "The time of a function is divided among its lines by samples: an estimate.\n";
    out += '\n' + style.strong("Hottest source lines") + '\n' +
           fmt::format("{:>14} {:>7} {:>14} {:>7}  {}\n", "line alone", "", "with calls", "", "line");
    for (const LineValue& line : lines)
        out +=
            fmt::format("{:>14} {} {:>14} {}  {}\n", valueText(line.own, unit), percent(line.own),
                        valueText(line.inclusive, unit), percent(line.inclusive), printable(placeText(line)));
    return out;
}

std::string csv(const Lines& lines) {
    std::string out = "file,line,own,inclusive\n";
    for (const LineValue& line : lines)
        out += fmt::format("{},{},{},{}\n", csvField(line.place.file), line.place.line, csvField(line.own),
                           csvField(line.inclusive));
    return out;
}

std::string json(const Metric& metric, const Lines& lines) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const LineValue& line : lines)
        list.push_back({{"file", line.place.file},
                        {"line", line.place.line},
                        {"own", line.own},
                        {"inclusive", line.inclusive}});
    const nlohmann::ordered_json all{{"metric", metric.uniqueName}, {"unit", metric.unit}, {"lines", list}};
    return jsonText(all, 2) + '\n';
}

/// Lines with a value, what is spent in the line alone first.
Lines hottest(const Experiment& experiment, const ShowRequest& request) {
    PathValues values{perCallPath(experiment, {*request.metric}, Extent::Inclusive),
                      perCallPath(experiment, {*request.metric}, Extent::Exclusive)};
    if (isDividedAmongLines(experiment, *request.metric))
        values = dividedAmongLines(
            experiment, std::move(values),
            perCallPath(experiment, {*experiment.findMetric(kSamplesMetric)}, Extent::Exclusive));
    Lines lines = lineValues(experiment, values.inclusive, values.exclusive);
    if (!request.zeros)
        std::erase_if(lines, [](const LineValue& line) { return line.own == 0.0 && line.inclusive == 0.0; });
    std::ranges::stable_sort(lines, [](const LineValue& a, const LineValue& b) {
        return std::pair(std::fabs(a.own), std::fabs(a.inclusive)) >
               std::pair(std::fabs(b.own), std::fabs(b.inclusive));
    });
    lines.resize(request.top.of(lines.size()));
    return lines;
}

}  // namespace

std::string showSourceLines(const Experiment& experiment, const ShowRequest& request, const Style& style) {
    const Metric& metric = experiment.metrics[*request.metric];
    if (!isSumOfParts(metric))
        throw WrongRequest(metric.uniqueName + ": its values cannot be added up by lines",
                           Place{.file = request.file});
    const Lines lines = hottest(experiment, request);
    if (lines.empty())
        throw Error(metric.uniqueName +
                        ": no source line is known for the call paths that have a value; 'holos cc' and "
                        "'holos record --sample' find them in programs compiled with -g",
                    Place{.file = request.file});
    return inFormat(
        request.format,
        [&] { return text(experiment, metricLine(experiment, *request.metric), lines, style); },
        [&] { return csv(lines); }, [&] { return json(metric, lines); });
}

using archive::SampledFunction;
using archive::SampledFunctions;
using archive::SampledInstruction;

namespace {

namespace fs = std::filesystem;

/// Instructions around those with samples that are printed, too.
constexpr std::size_t kContext = 3;

using Line = std::pair<std::string, std::uint32_t>;

Line lineOf(const SampledInstruction& one) {
    return {one.file, one.line};
}

/// Lines of source files that are here.
class SourceTexts {
  public:
    std::string of(const Line& line) {
        const auto [known, isNew] = files_.try_emplace(line.first);
        if (isNew) read(line.first, known->second);
        return line.second > 0 && line.second <= known->second.size() ? known->second[line.second - 1]
                                                                      : std::string();
    }

  private:
    static void read(const std::string& file, std::vector<std::string>& lines) {
        std::error_code none;
        constexpr std::uintmax_t kLargest = std::uintmax_t{64} << 20;
        if (!fs::is_regular_file(file, none) || fs::file_size(file, none) > kLargest) return;
        std::ifstream stream(file);
        for (std::string line; std::getline(stream, line);) lines.push_back(line);
    }

    std::map<std::string, std::vector<std::string>> files_;
};

class Listing {
  public:
    Listing(const SampledFunction& function, std::uint64_t all, bool isWhole, const Style& style)
        : function_(function), all_(all), isWhole_(isWhole), style_(style) {
        for (const SampledInstruction& one : function.instructions) byLine_[lineOf(one)] += one.samples;
    }

    std::string text() {
        std::string out = style_.strong(printable(function_.name)) + " of " + printable(function_.file) +
                          ": " +
                          fmt::format("{} of {} samples\n\n{:>9} {:>7}  {:>12}  {}\n", function_.samples,
                                      all_, "samples", "", "address", "instruction");
        std::optional<Line> last;
        for (std::size_t at = 0; at < function_.instructions.size();) {
            if (!isNearSamples(at)) {
                const std::size_t from = at;
                while (at < function_.instructions.size() && !isNearSamples(at)) ++at;
                out += fmt::format("{:>33}{} without samples\n", "⋮ ", counted(at - from, "instruction"));
                last.reset();
                continue;
            }
            const SampledInstruction& one = function_.instructions[at++];
            if (last != lineOf(one)) out += heading(lineOf(one));
            last = lineOf(one);
            out += fmt::format("{}  {:>12x}  {}\n", numbers(one.samples), one.address, one.text);
        }
        return out;
    }

  private:
    bool isNearSamples(std::size_t at) const {
        if (isWhole_) return true;
        const auto& all = function_.instructions;
        const std::size_t end = std::min(at + kContext + 1, all.size());
        for (std::size_t near = at - std::min(at, kContext); near < end; ++near)
            if (all[near].samples != 0) return true;
        return false;
    }
    std::string numbers(std::uint64_t samples) const {
        if (samples == 0) return std::string(17, ' ');
        return fmt::format("{:>9} {:5.1f} %", samples,
                           100.0 * static_cast<double>(samples) / static_cast<double>(all_));
    }
    std::string heading(const Line& line) {
        if (line.first.empty()) return {};
        const std::string place =
            fs::path(line.first).filename().string() + ':' + std::to_string(line.second);
        return numbers(byLine_[line]) + "  " + style_.strong(printable(place + "  " + texts_.of(line))) +
               '\n';
    }

    const SampledFunction& function_;
    std::uint64_t all_;
    bool isWhole_;
    const Style& style_;
    std::map<Line, std::uint64_t> byLine_;
    SourceTexts texts_;
};

std::string text(const SampledFunctions& functions, bool zeros, const Style& style) {
    std::string out;
    for (const SampledFunction& function : functions.found)
        out += (out.empty() ? "" : "\n") + Listing(function, functions.samples, zeros, style).text();
    for (const std::string& note : functions.notes) out += "\nnote: " + printable(note) + '\n';
    return out;
}

std::string csv(const SampledFunctions& functions) {
    std::string out = "function,object,address,instruction,file,line,samples\n";
    for (const SampledFunction& function : functions.found)
        for (const SampledInstruction& one : function.instructions)
            out += fmt::format("{},{},{:#x},{},{},{},{}\n", csvField(function.name), csvField(function.file),
                               one.address, csvField(one.text), csvField(one.file), one.line, one.samples);
    return out;
}

std::string json(const SampledFunctions& functions) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const SampledFunction& function : functions.found) {
        nlohmann::ordered_json instructions = nlohmann::ordered_json::array();
        for (const SampledInstruction& one : function.instructions)
            instructions.push_back({{"address", one.address},
                                    {"instruction", one.text},
                                    {"file", one.file},
                                    {"line", one.line},
                                    {"samples", one.samples}});
        list.push_back({{"function", function.name},
                        {"object", function.file},
                        {"samples", function.samples},
                        {"instructions", instructions}});
    }
    const nlohmann::ordered_json all{
        {"samples", functions.samples}, {"functions", list}, {"notes", functions.notes}};
    return jsonText(all, 2) + '\n';
}

std::string joined(const std::vector<std::string>& notes) {
    std::string text;
    for (const std::string& note : notes) text += "; " + note;
    return text;
}

}  // namespace

std::string showInstructions(const algebra::Experiment& /*experiment*/, const ShowRequest& request,
                             const Style& style) {
    std::error_code none;
    const fs::path file = request.file;
    const fs::path folder = fs::is_directory(file, none) ? file : fs::absolute(file).parent_path();
    const auto samples = archive::readSampledInstructions(folder / "traces" / archive::kSamplesOfEvents);
    if (samples.empty())
        throw Error(
            "has no samples of instructions: 'holos record --sample' takes them, and they are kept with the "
            "trace, which must lie beside the experiment",
            Place{.file = request.file});
    const SampledFunctions functions = archive::sampledFunctions(samples, request.function);
    if (functions.found.empty()) {
        const std::string message = "no sample is in a function \"" + request.function + '"';
        if (functions.notes.empty()) throw WrongRequest(message, Place{.file = request.file});
        throw Error(message + joined(functions.notes), Place{.file = request.file});
    }
    return inFormat(
        request.format, [&] { return text(functions, request.zeros, style); }, [&] { return csv(functions); },
        [&] { return json(functions); });
}

}  // namespace holos::cli
