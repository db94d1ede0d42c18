// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/recorded_facts.h"

#include <fmt/format.h>

#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_processor.h"
#include "algebra/operators/history/recorded_run.h"
#include "analyzer/run_configuration.h"
#include "base/error.h"
#include "base/json.h"

namespace holos::analyzer {
namespace {

using nlohmann::json;

json objectIn(const json& object, const char* key) {
    const auto value = object.find(key);
    return value != object.end() && value->is_object() ? *value : json::object();
}

std::optional<std::uint64_t> numberIn(const json& object, const char* key) {
    const auto value = object.find(key);
    return value != object.end() && value->is_number_unsigned() ? std::optional(value->get<std::uint64_t>())
                                                                : std::nullopt;
}

specs::Processor processorOf(const json& host) {
    const json kind = objectIn(host, "processorKind");
    specs::Processor found;
    found.name = textIn(host, "processor");
    found.vendor = textIn(kind, "vendor");
    found.family = numberIn(kind, "family");
    found.model = numberIn(kind, "model");
    found.stepping = numberIn(kind, "stepping");
    if (const auto hertz = kind.find("hertz"); hertz != kind.end() && hertz->is_number())
        found.hertz = hertz->get<double>();
    return found;
}

/// How well the sums of multiplexed counters are known.
void addErrors(algebra::Experiment& experiment, const json& shares) {
    constexpr double kPercent = 100;
    for (const auto& [name, share] : shares.items()) {
        const auto metric = experiment.findMetric(algebra::safeUniqueName(name));
        if (!metric || !share.is_object()) continue;
        const auto error = share.find("error");
        if (error == share.end() || !error->is_number()) continue;
        algebra::setAttribute(experiment.metrics[*metric].attributes, algebra::kErrorAttribute,
                              fmt::format("{:.2g}", kPercent * error->get<double>()));
    }
}

/// How the run ended, and which laws do not hold of its recording.
void addEnd(algebra::Experiment& experiment, const json& measurement) {
    if (const std::string ends = textIn(measurement, "ends"); !ends.empty())
        algebra::setAttribute(experiment.attributes, algebra::kEndsAttribute, ends);
    if (const std::string unchecked = textIn(measurement, "notChecked"); !unchecked.empty())
        algebra::setAttribute(experiment.attributes, algebra::kNotCheckedAttribute, unchecked);
    const auto laws = measurement.find("laws");
    if (laws == measurement.end() || !laws->is_array()) return;
    for (const json& law : *laws) {
        const auto holds = law.is_object() ? law.find("holds") : law.end();
        if (holds == law.end() || !holds->is_boolean() || holds->get<bool>()) continue;
        algebra::setAttribute(experiment.attributes, algebra::kBrokenLawAttribute + textIn(law, "law"),
                              textIn(law, "says"));
    }
}

}  // namespace

void addRecordedFacts(algebra::Experiment& experiment, const std::filesystem::path& folder) {
    const json measurement = readObject(folder / "measurement.json");
    algebra::setProcessor(experiment, processorOf(objectIn(measurement, "host")));
    addConfiguration(experiment, measurement);
    addErrors(experiment, objectIn(measurement, "activeShares"));
    addEnd(experiment, measurement);
    if (std::string moves = textIn(measurement, "moves"); !moves.empty())
        experiment.attributes.emplace_back("holos::moves", std::move(moves));
}

std::string recordedRun(const std::filesystem::path& folder) {
    return textIn(readObject(folder / "measurement.json"), "run");
}

}  // namespace holos::analyzer
