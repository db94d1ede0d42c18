// SPDX-License-Identifier: BSD-3-Clause
// holos show --findings
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "algebra/insight/findings/findings.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/show/show_formats.h"
#include "cli/terminal/terminal.h"
#include "report/tables/summary.h"

namespace holos::cli {

using namespace tables;

using namespace algebra;
using Json = nlohmann::ordered_json;

namespace {

std::size_t placesShown(const FindingResult& finding, AtMost top) {
    return top.of(finding.places.size());
}

std::optional<double> percentOf(const FindingResult& finding, std::optional<double> time) {
    if (!time || !finding.percent || *finding.time == 0.0) return std::nullopt;
    return *finding.percent * *time / *finding.time;
}

std::string metricName(const Experiment& experiment, MetricId metric) {
    return printable(experiment.metrics[metric].displayName);
}

class FindingsWriter {
  public:
    FindingsWriter(const Experiment& experiment, const ShowRequest& request, const Style& style)
        : experiment_(experiment), request_(request), style_(style) {}

    std::string write(const FindingReport& report) {
        for (const FindingResult& finding : report.found) write(finding);
        if (report.found.empty()) out_ += "No finding applies to any call path.\n\n";
        if (!report.nowhere.empty())
            out_ += style_.faint(fmt::format("Nowhere: {}", fmt::join(report.nowhere, ", "))) + '\n';
        for (const FindingUnknown& unknown : report.unknown)
            out_ += style_.faint(fmt::format("Not known: {} ({}): {}", unknown.name, printable(unknown.title),
                                             printable(unknown.why))) +
                    '\n';
        return std::move(out_);
    }

  private:
    void write(const FindingResult& finding) {
        out_ += style_.alert(printable(finding.title)) + "  [" + finding.name + "]\n";
        for (const FindingValue& value : finding.values) {
            const std::string limit = value.condition.substr(value.name.size());
            out_ += fmt::format("    {} = {}{} {}\n", value.name, valueText(value.value, value.unit),
                                value.unit.empty() ? "" : ' ' + printable(value.unit),
                                "(" + limit.substr(1) + ")");
        }
        if (const auto& mostly = finding.mostly)
            out_ += fmt::format(
                "    mostly {}: {:.1f} % of {}{}\n", metricName(experiment_, mostly->part), mostly->percent,
                metricName(experiment_, mostly->whole),
                mostly->besides.empty() ? "" : fmt::format(" without {}", fmt::join(mostly->besides, ", ")));
        if (finding.cost)
            out_ += fmt::format("    costs {} sec, as measured\n", valueText(*finding.cost, "sec"));
        if (!finding.explanation.empty()) out_ += wrapped(printable(finding.explanation), "    ", style_);
        out_ += fmt::format("    in {}", counted(finding.places.size(), "call path"));
        if (finding.percent) out_ += fmt::format(" with {:.1f} % of the time", *finding.percent);
        out_ += ":\n";
        const std::size_t shown = placesShown(finding, request_.top);
        for (std::size_t at = 0; at < shown; ++at) write(finding, finding.places[at]);
        if (const std::size_t hidden = finding.places.size() - shown; hidden > 0)
            out_ += style_.faint(fmt::format("    {} more (--top 0 lists all)\n", hidden));
        out_ += '\n';
    }

    void write(const FindingResult& finding, const FindingPlace& place) {
        constexpr std::size_t kNumbers = 27;
        std::string numbers;
        if (const auto percent = percentOf(finding, place.time))
            numbers = fmt::format("{:>18} {:5.1f} %  ", valueText(*place.time, "sec"), *percent);
        else
            numbers = std::string(8, ' ');
        const std::size_t room =
            style_.width == 0 ? 0 : std::max<std::size_t>(style_.width, kNumbers + 20) - kNumbers;
        out_ += numbers + keepEnd(printable(callPathText(experiment_, place.path)), room) + '\n';
    }

    const Experiment& experiment_;
    const ShowRequest& request_;
    const Style& style_;
    std::string out_;
};

Json placeObject(const Experiment& experiment, const FindingResult& finding, const FindingPlace& place) {
    const Region& region = experiment.regionOf(place.path);
    const std::string site = calledAt(experiment.callTree[place.path]);
    Json object{{"callPath", callPathText(experiment, place.path)},
                {"module", region.module},
                {"line", region.beginLine},
                {"time", orNull(place.time)},
                {"percentOfTime", orNull(percentOf(finding, place.time))},
                {"values", Json::array()},
                {"calledAt", site.empty() ? Json() : Json(site)}};
    for (const double value : place.values) object["values"].push_back(value);
    return object;
}

Json findingObject(const Experiment& experiment, const FindingResult& finding, AtMost top) {
    Json object{{"finding", finding.name},
                {"title", finding.title},
                {"explanation", finding.explanation},
                {"time", orNull(finding.time)},
                {"percentOfTime", orNull(finding.percent)},
                {"cost", orNull(finding.cost)},
                {"conditions", Json::array()},
                {"mostly", Json()},
                {"callPaths", Json::array()}};
    for (const FindingValue& value : finding.values)
        object["conditions"].push_back(
            {{"condition", value.condition}, {"value", value.value}, {"unit", value.unit}});
    if (const auto& most = finding.mostly)
        object["mostly"] = {{"of", experiment.metrics[most->whole].displayName},
                            {"metric", experiment.metrics[most->part].displayName},
                            {"percent", most->percent}};
    for (std::size_t at = 0; at < placesShown(finding, top); ++at)
        object["callPaths"].push_back(placeObject(experiment, finding, finding.places[at]));
    return object;
}

std::string findingsCsv(const Experiment& experiment, const FindingReport& report,
                        const ShowRequest& request) {
    const auto field = [](std::optional<double> value) { return value ? csvField(*value) : std::string(); };
    std::string text = "finding,title,call_path,module,line,time,percent_of_time,condition,value\n";
    for (const FindingResult& finding : report.found)
        for (std::size_t at = 0; at < placesShown(finding, request.top); ++at) {
            const FindingPlace& place = finding.places[at];
            const Region& region = experiment.regionOf(place.path);
            for (std::size_t i = 0; i < finding.values.size(); ++i)
                text += fmt::format("{},{},{},{},{},{},{},{},{}\n", csvField(finding.name),
                                    csvField(finding.title), csvField(callPathText(experiment, place.path)),
                                    csvField(region.module), region.beginLine, field(place.time),
                                    field(percentOf(finding, place.time)),
                                    csvField(finding.values[i].condition), csvField(place.values[i]));
        }
    return text;
}

std::string findingsJson(const Experiment& experiment, const FindingReport& report,
                         const ShowRequest& request) {
    Json object{{"findings", Json::array()}, {"nowhere", report.nowhere}, {"unknown", Json::array()}};
    for (const FindingResult& finding : report.found)
        object["findings"].push_back(findingObject(experiment, finding, request.top));
    for (const FindingUnknown& unknown : report.unknown)
        object["unknown"].push_back(
            {{"finding", unknown.name}, {"title", unknown.title}, {"why", unknown.why}});
    object["file"] = request.file;
    return jsonText(object, 2) + '\n';
}

FindingReport reportOf(const Experiment& experiment, const std::string& file) {
    try {
        return findings(experiment);
    } catch (const Error& error) {
        if (!error.place().file.empty()) throw;
        throw Error(error.what(), Place{.file = file});
    }
}

}  // namespace

std::string showFindings(const Experiment& experiment, const ShowRequest& request, const Style& style) {
    const FindingReport report = reportOf(experiment, request.file);
    return inFormat(
        request.format, [&] { return FindingsWriter(experiment, request, style).write(report); },
        [&] { return findingsCsv(experiment, report, request); },
        [&] { return findingsJson(experiment, report, request); });
}

}  // namespace holos::cli
