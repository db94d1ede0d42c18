// SPDX-License-Identifier: BSD-3-Clause
#include "cli/instances.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "analyzer/analyze.h"
#include "cli/csv.h"
#include "metric-specs/error.h"

namespace holos::cli {

namespace {

/// Metric, waiting time, begin, location, awaited location, call path.
constexpr std::size_t kFields = 6;
using Row = std::array<std::string, kFields>;

Row rowOf(const std::string& line) {
    Row row;
    std::istringstream fields(line);
    for (std::string& field : row) std::getline(fields, field, '\t');
    return row;
}

/// The heading first.
std::vector<Row> rowsOf(const std::string& text, std::size_t top) {
    std::vector<Row> rows;
    std::map<std::string, std::size_t> taken;  // by metric
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        Row row = rowOf(line);
        if (rows.empty() || top == 0 || taken[row[0]]++ < top) rows.push_back(std::move(row));
    }
    return rows;
}

std::string text(const std::vector<Row>& rows) {
    std::string out;
    for (const auto& [metric, wait, begin, location, awaited, path] : rows)
        out += printable(fmt::format("{:>12} {:>12}  {:<20} {:<28} {:<28} {}", wait, begin, metric, location,
                                     awaited, path)) +
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
    return nlohmann::ordered_json{{"instances", list}}.dump(2) + '\n';
}

}  // namespace

std::string showInstances(const algebra::Experiment& experiment, const ShowRequest& request) {
    const auto found = experiment.files.find(analyzer::kInstancesName);
    if (found == experiment.files.end())
        throw Error("holds no instances of waiting; holos analyze finds them in a trace",
                    Place{.file = request.file});
    const std::vector<Row> rows = rowsOf(found->second, request.top);
    return request.format == "csv" ? csv(rows) : request.format == "json" ? json(rows) : text(rows);
}

}  // namespace holos::cli
