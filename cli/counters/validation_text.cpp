// SPDX-License-Identifier: BSD-3-Clause
#include "cli/counters/counters_validate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/json.h"
#include "cli/terminal/terminal.h"
#include "validation/microbenchmark.h"

namespace holos::cli {

using namespace validation;

namespace {

std::string machineText(const Validation& validation) {
    std::string text;
    for (const auto& [name, value] : validation.machine)
        text += fmt::format("{}: {}\n", name, printable(value));
    for (const Property& each : validation.properties) {
        const std::string found =
            each.found > 0.0 ? fmt::format("{} {}", each.found, each.unit) : "not found";
        const std::string system = each.reported > 0.0 ? fmt::format("{}", each.reported) : "nothing";
        const char* verdict = each.found == each.reported ? "" : "  (differs)";
        text += fmt::format("{} by {}: {}; the system says {}{}\n", each.name, each.method, found, system,
                            verdict);
    }
    return text;
}

const ReadCost* readCostOf(const Validation& validation, const std::string& event) {
    const auto& all = validation.reads;
    const auto found = std::ranges::find(all, event, &ReadCost::event);
    return found == all.end() ? nullptr : &*found;
}

std::string readText(const Validation& validation, const std::string& event) {
    const ReadCost* cost = readCostOf(validation, event);
    if (cost == nullptr) return "";
    return fmt::format("{:.0f} ns, {:.3g} events", cost->nanoseconds, cost->events.mean);
}

std::string trustText(const Suite& suite, double accuracy) {
    const auto range = trustedRange(suite.cases, accuracy);
    if (!range) return "never";
    return range->upTo ? fmt::format("{:.0f} to {:.0f}", range->from, *range->upTo)
                       : fmt::format("{:.0f}", range->from);
}

std::string summaryText(const Validation& validation, double accuracy) {
    const Style style = styleOfOutput();
    std::string text =
        style.strong(fmt::format("{:<22} {:<16} {:<34} {:>12}  {}\n", "event", "microbenchmark", "error",
                                 "trusted from", "a reading costs"));
    for (const Suite& suite : validation.suites) {
        const std::string error = textOf(diagnose(suite.cases));
        const std::size_t width = 34 + error.size() - columnsOf(error);
        text += fmt::format("{:<22} {:<16} {:<{}} {:>12}  {}\n", printable(suite.event), suite.microbenchmark,
                            error, width, trustText(suite, accuracy), readText(validation, suite.event));
    }
    return text;
}

std::string casesText(const Suite& suite) {
    std::string text = fmt::format("\n{} by {}, processor {}\n{:>12} {:>8} {:>16} {:>14} {:>12}\n",
                                   printable(suite.event), printable(suite.microbenchmark), suite.processor,
                                   "predicted", "runs", "mean", "deviation", "difference");
    for (const Case& one : suite.cases)
        text += fmt::format("{:>12.0f} {:>8} {:>16.2f} {:>14.2f} {:>+10.2f} %\n", one.predicted, one.runs,
                            one.mean, one.deviation, 100.0 * relativeDifference(one));
    return text;
}

/// Events that share a reason stand together.
std::string omittedText(const Validation& validation) {
    std::map<std::string, std::vector<std::string>> eventsOf;
    for (const auto& [event, why] : validation.omitted)
        eventsOf[why.starts_with(event + ": ") ? why.substr(event.size() + 2) : why].push_back(event);
    std::string text = eventsOf.empty() ? "" : "\nNot validated:\n";
    for (const auto& [why, events] : eventsOf)
        text += fmt::format("  {}:\n    {}\n", printable(why),
                            printable(fmt::format("{}", fmt::join(events, ", "))));
    return text;
}

const char* nameOf(ErrorClass error) {
    static constexpr const char* kNames[] = {"none", "bias", "multiplicative", "random", "unknown"};
    static_assert(std::size(kNames) == static_cast<std::size_t>(ErrorClass::Unknown) + 1);
    return kNames[static_cast<std::size_t>(error)];
}

nlohmann::json asJson(const Suite& suite, const Validation& validation, double accuracy) {
    const Diagnosis diagnosis = diagnose(suite.cases);
    auto cases = nlohmann::json::array();
    for (const Case& one : suite.cases)
        cases.push_back({{"predicted", one.predicted},
                         {"runs", one.runs},
                         {"mean", one.mean},
                         {"deviation", one.deviation},
                         {"difference", relativeDifference(one)}});
    nlohmann::json json{{"event", suite.event},         {"microbenchmark", suite.microbenchmark},
                        {"processor", suite.processor}, {"error", nameOf(diagnosis.error)},
                        {"factor", diagnosis.factor},   {"bias", diagnosis.bias},
                        {"cases", std::move(cases)}};
    if (const auto range = trustedRange(suite.cases, accuracy)) {
        json["trusted_from"] = range->from;
        if (range->upTo) json["trusted_to"] = *range->upTo;
    }
    if (diagnosis.upTo) json["error_up_to"] = *diagnosis.upTo;
    if (const ReadCost* cost = readCostOf(validation, suite.event))
        json["reading"] = {{"nanoseconds", cost->nanoseconds}, {"events", cost->events.mean}};
    return json;
}

}  // namespace

std::string validationText(const Validation& validation, double accuracy) {
    std::string text = machineText(validation) + '\n' + summaryText(validation, accuracy);
    for (const Suite& suite : validation.suites) text += casesText(suite);
    return text + omittedText(validation);
}

std::string validationJson(const Validation& validation, double accuracy) {
    auto suites = nlohmann::json::array();
    for (const Suite& suite : validation.suites) suites.push_back(asJson(suite, validation, accuracy));
    auto properties = nlohmann::json::array();
    for (const Property& each : validation.properties)
        properties.push_back({{"name", each.name},
                              {"unit", each.unit},
                              {"method", each.method},
                              {"found", each.found},
                              {"system", each.reported}});
    const nlohmann::json json{{"machine", std::map(validation.machine.begin(), validation.machine.end())},
                              {"configuration", std::move(properties)},
                              {"suites", std::move(suites)},
                              {"omitted", validation.omitted}};
    return jsonText(json, 2) + '\n';
}

std::string microbenchmarkText() {
    std::string text;
    for (const Microbenchmark& each : microbenchmarks())
        if (!each.events.empty())
            text += fmt::format("{:<16} {}\n{:<16} {}\n", each.name, each.description, "",
                                fmt::join(each.events, ", "));
    return text;
}

}  // namespace holos::cli
