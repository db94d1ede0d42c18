// SPDX-License-Identifier: BSD-3-Clause
#include "report/tables/notes.h"

#include <fmt/format.h>

#include "algebra/operators/history/metric_names.h"
#include "base/utc_time.h"

namespace holos::tables {
namespace {

constexpr const char* kAttribute = "holos::snapshot";

std::string secondsText(std::int64_t nanoseconds) {
    return fmt::format("{:.3g} s", static_cast<double>(nanoseconds) * 1e-9);
}

}  // namespace

std::string describe(const archive::Snapshot& snapshot) {
    std::string text = readableTime(snapshot.moment().time.realtime);
    const auto& age = snapshot.age();
    if (!age) return text;
    text += "; the newest event was " + secondsText(age->newest) + " old";
    constexpr std::int64_t kWorthSaying = 1'000'000'000;
    if (age->oldest - age->newest > kWorthSaying)
        text += fmt::format(", and process {} on {} had recorded none for {}", age->process, age->host,
                            secondsText(age->oldest));
    return text;
}

void markAsSnapshot(algebra::Experiment& experiment, const archive::Snapshot& snapshot) {
    algebra::setAttribute(experiment.attributes, kAttribute, describe(snapshot));
}

std::optional<std::string> snapshotText(const algebra::Experiment& experiment) {
    const auto text = algebra::attribute(experiment.attributes, kAttribute);
    if (!text) return std::nullopt;
    return "a snapshot of a run that went on, with what it had recorded until " + *text;
}

}  // namespace holos::tables
