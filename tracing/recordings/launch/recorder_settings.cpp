// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/recorder_settings.h"

#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/fields.h"
#include "tracing/recordings/archive/archive.h"
#include "tracing/recordings/format/run_variables.h"
#include "tracing/recordings/format/settings.h"
#include "tracing/recordings/launch/traced_phase.h"

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

/// What the recorder's settings follow from.
struct Given {
    const RecordRequest& request;
    const TracedPhase& traced;
    const fs::path& folder;
    std::string counters;
    std::string sampled;
    std::string stackSamples;
};

/// The one list of what the recorder is told, with what it is made of.
template <class Visit>
constexpr void forEachTold(const Visit& visit) {
    using tracing::core::Settings;
    visit(&Settings::writesEvents, [](const Given& given) { return given.request.makesTrace(); });
    visit(&Settings::addsUp, [](const Given& given) { return given.request.profile; });
    visit(&Settings::counters, [](const Given& given) { return std::string_view(given.counters); });
    visit(&Settings::sampledCounters, [](const Given& given) { return std::string_view(given.sampled); });
    visit(&Settings::sampleInterval, [](const Given& given) { return given.request.sampledEvery(); });
    visit(&Settings::compensates, [](const Given& given) { return given.request.compensate; });
    visit(&Settings::multiplexes, [](const Given& given) { return given.request.multiplex; });
    visit(&Settings::stackSamples, [](const Given& given) { return std::string_view(given.stackSamples); });
    visit(&Settings::callPaths, [](const Given& given) { return given.request.callPaths; });
    visit(&Settings::throttle, [](const Given& given) { return given.request.throttle; });
    visit(&Settings::throttleBelow, [](const Given& given) { return given.request.throttleBelow; });
    visit(&Settings::ranks, [](const Given& given) { return std::string_view(given.request.ranks); });
    visit(&Settings::first, [](const Given& given) { return whole(given.request.first); });
    visit(&Settings::phase, [](const Given& given) { return std::string_view(given.request.phase); });
    visit(&Settings::tracePhase, [](const Given& given) { return std::string_view(given.traced.name); });
    visit(&Settings::traced, [](const Given& given) { return given.traced.chosen; });
    visit(&Settings::mpiGroups, [](const Given& given) { return std::string_view(given.request.mpi); });
    visit(&Settings::clockOffsetsEvery,
          [](const Given& given) { return whole(given.request.clockOffsetsEvery); });
    visit(&Settings::writeBack, [](const Given& given) { return whole(given.request.writeBack); });
    visit(&Settings::buffer, [](const Given& given) { return given.request.buffer.zeroIfAll(); });
    visit(&Settings::whenFull, [](const Given& given) { return given.request.whenFull; });
    visit(&Settings::diskReserve, [](const Given& given) { return given.request.reserveOn(given.folder); });
    visit(&Settings::stopsWhenDiskLow,
          [](const Given& given) { return given.request.whenDiskLow == archive::WhenDiskLow::Stop; });
    visit(&Settings::eachPoll,
          [](const Given& given) { return given.request.polls == archive::Thinning::Each; });
    visit(&Settings::eachLock,
          [](const Given& given) { return given.request.locks == archive::Thinning::Each; });
}

constexpr std::size_t told() {
    std::size_t number = 0;
    forEachTold([&number](const auto&...) { ++number; });
    return number;
}
static_assert(told() == fieldsOf<tracing::core::Settings>(), "the recorder is told each of its settings");

std::string settingsFor(const ChosenCounters& counters, const RecordRequest& request,
                        const TracedPhase& traced, const fs::path& folder) {
    const auto samples = callStackSamples(request);
    const Given given{request,
                      traced,
                      folder,
                      join(counters.ofThreads),
                      join(counters.sampled),
                      samples ? samples->text() : ""};
    tracing::core::Settings settings;
    forEachTold([&](auto setting, const auto& of) { settings.*setting = of(given); });
    return tracing::core::encode(settings);
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
