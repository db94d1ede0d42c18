// SPDX-License-Identifier: BSD-3-Clause
#include "cli/snapshot_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "algebra/operators/metric_names.h"
#include "base/counted.h"
#include "base/utc_time.h"
#include "cli/terminal.h"

namespace holos::cli {
namespace {

constexpr const char* kAttribute = "holos::snapshot";

std::string secondsText(std::int64_t nanoseconds) {
    return fmt::format("{:.3g} s", static_cast<double>(nanoseconds) * 1e-9);
}

/// `2026-11-24 14:03:05 UTC; the newest event was 0.02 s old, and process 17 on node5 had …`
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

}  // namespace

std::filesystem::path snapshotPlace() {
    const char* folder = std::getenv("TMPDIR");
    return folder != nullptr && *folder != '\0' ? folder : "/var/tmp";
}

void report(const archive::Snapshot& snapshot) {
    constexpr std::size_t kMostNotes = 10;
    const archive::Result& result = snapshot.result();
    complain(fmt::format("{}, {}, {} until {}", counted(result.processes, "process"),
                         counted(result.locations, "location"), counted(result.events, "event"),
                         describe(snapshot)));
    const std::size_t shown = std::min(result.notes.size(), kMostNotes);
    for (std::size_t i = 0; i < shown; ++i) complain(result.notes[i]);
    if (result.notes.size() > shown)
        std::fprintf(stderr, "holos: and %zu more notes\n", result.notes.size() - shown);
}

void markAsSnapshot(algebra::Experiment& experiment, const archive::Snapshot& snapshot) {
    algebra::setAttribute(experiment.attributes, kAttribute, describe(snapshot));
}

std::optional<std::string> snapshotText(const algebra::Experiment& experiment) {
    const auto text = algebra::attribute(experiment.attributes, kAttribute);
    if (!text) return std::nullopt;
    return "a snapshot of a run that went on, with what it had recorded until " + *text;
}

}  // namespace holos::cli
