// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "algebra/model/call_names.h"
#include "algebra/model/wait_files.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/show/show_formats.h"

namespace holos::cli {
namespace {

constexpr std::size_t kFields = 6;
using Row = std::array<std::string, kFields>;

/// With the names of functions for reading.
void shortenPaths(const algebra::Experiment& experiment, std::vector<algebra::WaitInstance>& instances) {
    const ShortNames names = algebra::shortNamesOf(experiment);
    for (algebra::WaitInstance& instance : instances)
        if (const auto path = algebra::callPathNamed(experiment, instance.callPath))
            instance.callPath = algebra::callPathText(experiment, *path, names);
}

/// Leaves those of the metric and of its children.
void keepMetric(const algebra::Experiment& experiment, algebra::MetricId metric,
                std::vector<algebra::WaitInstance>& instances) {
    std::erase_if(instances, [&](const algebra::WaitInstance& instance) {
        std::optional<algebra::MetricId> at = experiment.findMetric(instance.metric);
        while (at && *at != metric) at = experiment.metrics.parent(*at);
        return !at;
    });
}

/// The heading first.
std::vector<Row> rowsOf(const std::vector<algebra::WaitInstance>& instances, AtMost top) {
    std::vector<Row> rows{{"metric", "wait", "begin", "location", "awaited", "call_path"}};
    std::map<std::string, std::size_t> taken;  // by metric
    for (const auto& [metric, wait, begin, location, awaited, path] : instances)
        if (top.wantsMoreThan(taken[metric]++))
            rows.push_back(
                {metric, fmt::format("{:.6f}", wait), fmt::format("{:.6f}", begin), location, awaited, path});
    return rows;
}

std::size_t widthOf(const std::vector<Row>& rows, std::size_t column) {
    std::size_t width = 0;
    for (const Row& row : rows) width = std::max(width, row[column].size());
    return width;
}

std::string text(const std::vector<Row>& rows) {
    const std::size_t metrics = widthOf(rows, 0), locations = widthOf(rows, 3), others = widthOf(rows, 4);
    std::string out;
    for (const auto& [metric, wait, begin, location, awaited, path] : rows)
        out += printable(fmt::format("{:>12} {:>12}  {:<{}}  {:<{}}  {:<{}}  {}", wait, begin, metric,
                                     metrics, location, locations, awaited, others, path)) +
               '\n';
    return out;
}

std::string csv(const std::vector<Row>& rows) {
    std::string out;
    for (const Row& row : rows)
        for (std::size_t i = 0; i < kFields; ++i) out += csvField(row[i]) + (i + 1 < kFields ? ',' : '\n');
    return out;
}

std::string json(const std::vector<Row>& rows) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t row = 1; row < rows.size(); ++row) {
        nlohmann::ordered_json object;
        for (std::size_t i = 0; i < kFields; ++i) object[rows[0][i]] = rows[row][i];
        list.push_back(std::move(object));
    }
    return jsonText(nlohmann::ordered_json{{"instances", list}}, 2) + '\n';
}

}  // namespace

std::string showInstances(const algebra::Experiment& experiment, const ShowRequest& request,
                          const Style& /*style*/) {
    std::vector<algebra::WaitInstance> instances = algebra::instancesOf(experiment);
    if (instances.empty())
        throw Error("holds no instances of waiting; holos analyze finds them in a trace",
                    Place{.file = request.file});
    if (request.metric) {
        keepMetric(experiment, *request.metric, instances);
        if (instances.empty())
            throw Error("holds no instances of " + experiment.metrics[*request.metric].displayName,
                        Place{.file = request.file});
    }
    if (request.format == Format::Text && !request.fullNames) shortenPaths(experiment, instances);
    const std::vector<Row> rows = rowsOf(instances, request.top);
    return inFormat(
        request.format, [&] { return text(rows); }, [&] { return csv(rows); }, [&] { return json(rows); });
}

}  // namespace holos::cli
