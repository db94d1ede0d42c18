// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/history/recorded_run.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/provenance.h"
#include "base/number.h"
#include "base/text.h"
#include "metric-specs/formula.h"

namespace holos::algebra {
namespace {

constexpr const char* kName = "holos::processor::name";
constexpr const char* kVendor = "holos::processor::vendor";
constexpr const char* kFamily = "holos::processor::family";
constexpr const char* kModel = "holos::processor::model";
constexpr const char* kStepping = "holos::processor::stepping";
constexpr const char* kHertz = "holos::processor::hertz";

template <class Number>
std::optional<Number> number(const Experiment& experiment, const char* key) {
    const auto text = attribute(experiment.attributes, key);
    return text ? asNumber<Number>(*text) : std::nullopt;
}

void set(Experiment& experiment, const char* key, const std::optional<std::uint64_t>& value) {
    setAttribute(experiment.attributes, key, value ? std::to_string(*value) : std::string());
}

}  // namespace

void setProcessor(Experiment& experiment, const specs::Processor& processor) {
    setAttribute(experiment.attributes, kName, processor.name);
    setAttribute(experiment.attributes, kVendor, processor.vendor);
    set(experiment, kFamily, processor.family);
    set(experiment, kModel, processor.model);
    set(experiment, kStepping, processor.stepping);
    setAttribute(experiment.attributes, kHertz,
                 processor.hertz ? specs::exactText(*processor.hertz) : std::string());
}

specs::Processor processorOf(const Experiment& experiment) {
    specs::Processor found;
    found.name = attribute(experiment.attributes, kName).value_or("");
    found.vendor = attribute(experiment.attributes, kVendor).value_or("");
    found.family = number<std::uint64_t>(experiment, kFamily);
    found.model = number<std::uint64_t>(experiment, kModel);
    found.stepping = number<std::uint64_t>(experiment, kStepping);
    found.hertz = number<double>(experiment, kHertz);
    if (found.hertz && !(std::isfinite(*found.hertz) && *found.hertz > 0.0)) found.hertz.reset();
    return found;
}

bool isDamaged(const Location& location) {
    return attribute(location.attributes, kDamagedAttribute).has_value();
}

std::string endsOf(const Experiment& experiment) {
    const auto ends = attribute(experiment.attributes, kEndsAttribute);
    return ends ? std::string(*ends) : std::string();
}

std::vector<std::string> notRecordedOf(const Experiment& experiment) {
    std::vector<std::string> notes;
    for (const auto& [name, value] : experiment.attributes)
        if (name.starts_with(kNotRecordedAttribute)) notes.push_back(value);
    return notes;
}

bool hasUnrecordedChildren(const Experiment& experiment) {
    return attribute(experiment.attributes, std::string(kNotRecordedAttribute) + kForked).has_value();
}

std::vector<std::string> brokenLawsOf(const Experiment& experiment) {
    constexpr std::string_view kPrefix = kBrokenLawAttribute;
    std::vector<std::string> laws;
    for (const auto& [name, value] : experiment.attributes)
        if (name.starts_with(kPrefix)) laws.push_back(name.substr(kPrefix.size()) + ": " + value);
    return laws;
}

namespace {

template <class IsIt>
bool isInHistory(const Provenance& made, IsIt&& isIt) {
    return isIt(made) || std::ranges::any_of(made.inputs, [&](const Provenance::Input& input) {
               return std::ranges::any_of(
                   input.origin, [&](const Provenance& origin) { return isInHistory(origin, isIt); });
           });
}

}  // namespace

bool isOwnRecording(const Experiment& experiment) {
    const auto made = provenanceOf(experiment);
    return made && isInHistory(*made, [](const Provenance& one) { return !one.run.empty(); });
}

bool isOwnAnalysis(const Experiment& experiment) {
    const auto made = provenanceOf(experiment);
    return made && isInHistory(*made, [](const Provenance& one) { return one.operation == "analyze"; });
}

bool isOfNoRun(const Experiment& experiment) {
    const auto made = provenanceOf(experiment);
    return made && isInHistory(*made, [](const Provenance& one) {
               return one.operation == "diff" || one.operation == "stddev";
           });
}

bool isOfRun(const Experiment& experiment) {
    const auto time = experiment.findMetric("time");
    return time && experiment.metrics[*time].unit == "sec" && !isOfNoRun(experiment);
}

namespace {

std::optional<double> secondsIn(const Experiment& experiment, const char* key) {
    const auto text = attribute(experiment.attributes, key);
    return text ? asNumber<double>(*text) : std::nullopt;
}

}  // namespace

std::optional<double> secondsOfRun(const Experiment& experiment) {
    return secondsIn(experiment, kSecondsOfRunAttribute);
}

std::optional<double> secondsWithOneThread(const Experiment& experiment) {
    return secondsIn(experiment, kSecondsWithOneThreadAttribute);
}

std::optional<std::string> partOfRun(const Experiment& experiment) {
    const auto range = attribute(experiment.attributes, kRangeAttribute);
    const auto gap = range ? range->find(' ') : std::string::npos;
    std::string text;
    if (gap != std::string::npos)
        text.append(range->substr(0, gap)).append(" s to ").append(range->substr(gap + 1)).append(" s");
    for (const auto& [name, value] : experiment.attributes)
        if (name == kPartAttribute) text.append(text.empty() ? "" : ", ").append(value);
    return text.empty() ? std::nullopt : std::optional(text);
}

namespace {

/// Nothing where all events are there.
std::optional<std::string> damageText(const Experiment& experiment) {
    constexpr std::size_t kFew = 3;
    std::vector<std::string> names;
    for (const Location& location : experiment.system.locations) {
        const std::string& process = experiment.system[location.process].name;
        if (isDamaged(location) && (names.empty() || names.back() != process)) names.push_back(process);
    }
    if (names.empty()) return std::nullopt;
    if (names.size() > kFew) {
        const std::size_t more = names.size() - kFew;
        names.resize(kFew);
        names.push_back(std::to_string(more) + " more");
    }
    return "Events of " + listOf(names) +
           " are missing: it is not known what happened there, and nobody is compared with that";
}

}  // namespace

std::vector<std::string> firstToKnow(const Experiment& experiment) {
    std::vector<std::string> sentences;
    for (const std::string& law : brokenLawsOf(experiment))
        sentences.push_back("The recording is not complete or not consistent, so the run is not judged: " +
                            law);
    if (auto damage = damageText(experiment)) sentences.push_back(std::move(*damage));
    if (const auto unread = attribute(experiment.attributes, kUnreadFactsAttribute))
        sentences.emplace_back(*unread);
    if (const auto part = partOfRun(experiment)) sentences.push_back("Only a part of the run, " + *part);
    if (const auto leftOut = attribute(experiment.attributes, kLeftOutAttribute))
        sentences.emplace_back(*leftOut);
    if (std::string ends = endsOf(experiment); !ends.empty()) sentences.push_back(std::move(ends));
    if (const auto unchecked = attribute(experiment.attributes, kNotCheckedAttribute))
        sentences.emplace_back(*unchecked);
    return sentences;
}

}  // namespace holos::algebra
