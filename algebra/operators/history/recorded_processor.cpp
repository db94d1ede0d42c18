// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/history/recorded_processor.h"

#include <cmath>

#include "algebra/operators/history/metric_names.h"
#include "base/number.h"
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
                 processor.hertz ? specs::textOf(*processor.hertz) : std::string());
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

}  // namespace holos::algebra
