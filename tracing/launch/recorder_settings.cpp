// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/launch/recorder_settings.h"

#include <cstdlib>
#include <optional>

#include "tracing/archive/archive.h"
#include "tracing/core/run_variables.h"
#include "tracing/core/settings.h"
#include "tracing/launch/traced_phase.h"

namespace holos::launch {
namespace {

namespace fs = std::filesystem;

std::string join(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ",") + name;
    return text;
}

/// Where the program has AddressSanitizer, it shall not insist on being the first library.
std::string addressSanitizerOptions() {
    const char* others = std::getenv("ASAN_OPTIONS");
    return (others != nullptr && *others != '\0' ? std::string(others) + ':' : "") +
           "verify_asan_link_order=0";
}

/// A folder that is searched for libraries before all others.
std::string libraryPath(const fs::path& folder) {
    const char* others = std::getenv("LD_LIBRARY_PATH");
    return fs::absolute(folder).string() +
           (others != nullptr && *others != '\0' ? std::string(":") + others : "");
}

/// 0 where none are given.
std::int64_t whole(std::optional<double> nanoseconds) {
    return static_cast<std::int64_t>(nanoseconds.value_or(0));
}

/// What the recorder has to know.
std::string settingsFor(const ChosenCounters& counters, const RecordRequest& request,
                        const TracedPhase& traced, const fs::path& folder) {
    const std::string ofThreads = join(counters.ofThreads);
    const std::string sampled = join(counters.sampled);
    const auto samples = callStackSamples(request);
    const std::string stackSamples = samples ? samples->text() : "";
    return tracing::core::encode({.writesEvents = request.makesTrace(),
                                  .addsUp = request.profile,
                                  .counters = ofThreads,
                                  .sampledCounters = sampled,
                                  .sampleInterval = request.sampledEvery(),
                                  .compensates = request.compensate,
                                  .multiplexes = request.multiplex,
                                  .stackSamples = stackSamples,
                                  .callPaths = request.callPaths,
                                  .throttle = request.throttle,
                                  .throttleBelow = request.throttleBelow,
                                  .ranks = request.ranks,
                                  .first = whole(request.first),
                                  .phase = request.phase,
                                  .tracePhase = traced.name,
                                  .traced = traced.chosen,
                                  .mpiGroups = request.mpi,
                                  .clockOffsetsEvery = whole(request.clockOffsetsEvery),
                                  .writeBack = whole(request.writeBack),
                                  .buffer = request.buffer.zeroIfAll(),
                                  .whenFull = request.whenFull,
                                  .diskReserve = request.reserveOn(folder),
                                  .stopsWhenDiskLow = request.whenDiskLow == archive::WhenDiskLow::Stop,
                                  .eachPoll = request.polls == archive::Thinning::Each,
                                  .eachLock = request.locks == archive::Thinning::Each});
}

}  // namespace

Environment environmentFor(const std::filesystem::path& directory, const std::filesystem::path& link,
                           const std::string& run, const std::string& preload, const ChosenCounters& counters,
                           const RecordRequest& request) {
    const TracedPhase traced = tracedPhase(request.tracePhase, request.traceShare, run);
    const fs::path recording = fs::absolute(archive::recordingOf(directory));
    Environment environment{
        {"LD_PRELOAD", preload},
        {"ASAN_OPTIONS", addressSanitizerOptions()},
        {tracing::core::kRecordingVariable, recording},
        {tracing::core::kRecordingLinkVariable, archive::recordingOf(link)},
        {tracing::core::kRunVariable, run},
        {tracing::core::kSettingsVariable, settingsFor(counters, request, traced, directory)}};
    if (!request.hasOwnOpenMpRuntime()) environment.emplace_back("LD_LIBRARY_PATH", libraryPath(recording));
    return environment;
}

archive::Command commandOf(const RecordRequest& request, const ChosenCounters& counters,
                           const std::filesystem::path& openMp, const std::string& run) {
    const auto samples = callStackSamples(request);
    const TracedPhase traced = tracedPhase(request.tracePhase, request.traceShare, run);
    return {.settings = request,
            .arguments = request.command,
            .counters = counters.all,
            .workingDirectory = fs::current_path(),
            .sampled = counters.sampled,
            .callStacks = samples ? samples->text() : "",
            .openMpRuntime = openMp,
            .traced = traced.chosen};
}

}  // namespace holos::launch
