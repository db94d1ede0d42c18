// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "tracing/recordings/watch/call_names.h"
#include "tracing/recordings/watch/followed_run.h"
#include "tracing/recordings/watch/waits.h"

namespace holos::cli {

/// A run that is watched, and the names of what it is in.
struct WatchedRun {
    explicit WatchedRun(const std::filesystem::path& directory) : folder(directory), run(directory) {}

    std::filesystem::path folder;
    watch::FollowedRun run;
    watch::CallNames names;
};

/// One picture as text: what each process does, where it is, and who waits for whom.
std::string watchText(WatchedRun& watched);

/// One picture as a line of JSON (docs/live.md).
std::string watchJson(WatchedRun& watched);

/// One picture in the text format of Prometheus.
std::string watchMetrics(const watch::Picture& picture);

/// The first line of a picture: how many processes live, how much is recorded.
std::string watchSummary(const WatchedRun& watched);

/// Sentences on what cannot be known, or is wrong.
std::vector<std::string> watchNotes(const watch::Picture& picture);

/// Sentences on who waits for whom: cycles, and those for whom others wait. Empty where nobody waits.
std::vector<std::string> waitSentences(WatchedRun& watched, const watch::Waits& waits);

/// The calls and regions that a thread is in, from the outermost one, in a line.
std::string pathText(WatchedRun& watched, const watch::ThreadAt& thread);
/// What it is in now: the innermost region, or the function that it computes in.
std::string placeText(WatchedRun& watched, const watch::ThreadAt& thread);

/// `14.2 s`, `3 min 5 s`; `>` in front where it may be longer.
std::string durationText(const watch::Duration& duration);
/// `computing`, `MPI`, …, or that it ended, crashed, or gives no sign of life.
std::string stateText(const watch::SeenProcess& process);
std::string percentText(double share);
/// `12.3 M`, `870`
std::string amountText(double number);

}  // namespace holos::cli
