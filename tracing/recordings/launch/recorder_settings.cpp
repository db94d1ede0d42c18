// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/recorder_settings.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/error.h"
#include "metric-specs/library.h"
#include "tracing/counters/selection.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/format/annotations.h"
#include "tracing/recordings/format/settings.h"
#include "tracing/recordings/launch/installation.h"

namespace holos::launch {
namespace {

/// The events of a set, each by the first of its names that can be counted here, or else by its own.
std::vector<std::string> eventsOfSet(const specs::Specification& specification, const std::string& set) {
    std::vector<std::string> events = specification.set(set).events;
    for (std::string& event : events) {
        const auto others = specification.otherNames.find(event);
        if (others == specification.otherNames.end() || counters::canCount(event)) continue;
        const auto known = std::ranges::find_if(others->second, counters::canCount);
        if (known != others->second.end()) event = *known;
    }
    return events;
}

/// Sums of a profile, and what a reading costs, are whole numbers.
void checkReal(const std::string& counter, const RecordRequest& request) {
    for (const auto& [option, isGiven] :
         {std::pair("--profile", request.profile), std::pair("--compensate", request.compensate)})
        if (isGiven)
            throw UsageError(std::string(option) + ": takes whole numbers only, and the values of " +
                             counter + " are real");
}

}  // namespace

std::vector<std::string> wantedCounters(const RecordRequest& request) {
    if (!request.set.empty()) return eventsOfSet(specs::find(request.specification), request.set);
    std::vector<std::string> names = counters::splitNames(request.counters);
    if (!request.counters.empty() && names.empty())
        throw UsageError("--counters: no name in '" + request.counters + "'");
    return names;
}

ChosenCounters chooseCounters(const RecordRequest& request) {
    ChosenCounters chosen{wantedCounters(request), {}, {}};
    if (request.multiplex && chosen.all.empty())
        throw UsageError("--multiplex: no counters are chosen; --counters or --set say which take turns");
    const counters::Selection selection(chosen.all, request.multiplex);
    selection.open();
    chosen.ofThreads = selection.namesOf(counters::Scope::Thread);
    chosen.sampled = selection.namesOf(counters::Scope::Process);
    for (const auto& name : selection.namesOf(counters::Scope::Node)) chosen.sampled.push_back(name);
    if (request.sampleInterval && chosen.sampled.empty())
        throw UsageError(
            "--counters-async: no chosen counter is of the process or the node; 'holos counters "
            "list' says which are");
    if (request.profile && !chosen.sampled.empty())
        throw UsageError("--profile: counters of a process or a node, such as " + chosen.sampled.front() +
                         ", are read by time, which only a trace keeps");
    for (const counters::Counter& counter : selection.counters())
        if (counter.values == counters::Values::Real) checkReal(counter.name, request);
    return chosen;
}

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

/// The tool that hears programs lies beside the recorder among the libraries that are preloaded; empty where
/// that is not there.
std::string toolBeside(const std::string& preload) {
    const std::size_t name = preload.find("libholos-tracing.so");
    if (name == std::string::npos) return {};
    const std::size_t before = preload.rfind(':', name);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return preload.substr(begin, name - begin) + "libholos-annotations.so";
}

bool isSet(const char* variable) {
    const char* const value = variable != nullptr ? std::getenv(variable) : nullptr;
    return value != nullptr && *value != '\0';
}

/// Interfaces for other tools ask the library that a variable names. A tool that the user named stays.
void addAnnotations(Environment& environment, const std::string& annotations, const std::string& tool) {
    const auto wanted = tracing::annotationsOf(annotations).value_or(0);
    for (const tracing::AnnotationInterface& one : tracing::kAnnotationInterfaces) {
        if (one.variable == nullptr || (wanted & bitOf(one.which)) == 0 || tool.empty()) continue;
        if (!isSet(one.variable) && !isSet(one.older)) environment.emplace_back(one.variable, tool);
    }
}

/// What the recorder's settings follow from.
struct Given {
    const RecordRequest& request;
    const TracedPhase& traced;
    const fs::path& folder;
    std::string counters;
    std::string sampled;
    std::string stackSamples;
    std::string mpiAdapters;
};

std::string settingsFor(const ChosenCounters& counters, const RecordRequest& request,
                        const TracedPhase& traced, const fs::path& folder) {
    const auto samples = callStackSamples(request);
    const Given given{request,
                      traced,
                      folder,
                      join(counters.ofThreads),
                      join(counters.sampled),
                      samples ? samples->text() : "",
                      adaptersMadeLater(request.mpiAdapters)};
    using namespace tracing::core;
    Settings settings;
#define HOLOS_RECORDER_OPTION(names, Kind, member, ...) \
    settings.member = OptionKind<Kind>::told(request.member);
#define HOLOS_FOLLOWING(Type, member, usual, name, value) settings.member = value;
#include "tracing/recordings/format/record_options.def"
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
    addAnnotations(environment, request.annotations, toolBeside(preload));
    return environment;
}

measurement::Command commandOf(const RecordRequest& request, const ChosenCounters& counters,
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
