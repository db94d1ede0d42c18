// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/recorder_settings.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/fnv1a.h"
#include "base/number.h"
#include "metric-specs/library.h"
#include "tracing/counters/selection.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/format/settings.h"
#include "tracing/recordings/launch/installation.h"

namespace holos::launch {
namespace {

using tracing::ChosenInstances;

/// Takes a number of at least 1 from the front.
std::optional<std::uint64_t> takeCount(std::string_view& text) {
    const auto number = takeLeadingNumber<std::uint64_t>(text);
    return number.value_or(0) != 0 ? number : std::nullopt;
}

/// `FIRST+COUNT` or `FIRST+COUNT/EVERY`.
std::optional<ChosenInstances> parseInstances(std::string_view text) {
    const auto first = takeCount(text);
    if (!first || !text.starts_with('+')) return std::nullopt;
    text.remove_prefix(1);
    const auto count = takeCount(text);
    if (!count) return std::nullopt;
    ChosenInstances chosen{.first = *first, .count = *count};
    if (text.empty()) return chosen;
    if (!text.starts_with('/')) return std::nullopt;
    text.remove_prefix(1);
    const auto every = takeCount(text);
    if (!every || !text.empty() || *every < *count) return std::nullopt;
    chosen.every = *every;
    return chosen;
}

std::uint64_t seedOf(std::string_view run) {
    return Fnv1a().add(run.data(), run.size()).value();
}

[[noreturn]] void refuse(const std::string& text) {
    throw UsageError(
        "--trace-phase: expected NAME:FIRST+COUNT/EVERY, such as step:10+2/100 for instances 10 and 11, 110 "
        "and 111, and so on of the phase step, or a name with --trace-share, not '" +
        text + "'");
}

}  // namespace

TracedPhase tracedPhase(const std::string& text, std::optional<double> share, const std::string& run) {
    constexpr double kAll = 100;
    if (text.empty() && !share) return {};
    if (text.empty()) throw UsageError("--trace-share: --trace-phase names the phase");
    if (share) return {text, {.oneIn = ChosenInstances::oneInFor(*share / kAll), .seed = seedOf(run)}};
    const std::size_t colon = text.rfind(':');  // names may have some
    if (colon == std::string::npos || colon == 0) refuse(text);
    const auto chosen = parseInstances(std::string_view(text).substr(colon + 1));
    if (!chosen) refuse(text);
    return {text.substr(0, colon), *chosen};
}

namespace {

/// Throws `UsageError` where the part of the run that is asked for cannot be understood.
void checkSelection(const RecordRequest& request) {
    if (!request.ranks.empty() && !tracing::listHasRank(request.ranks, 0))
        throw UsageError("--ranks: expected numbers and ranges such as 0,4-7, not '" + request.ranks + "'");
    if (request.mpi.empty() || tracing::mpi::groupsOf(request.mpi)) return;
    std::string names;
    for (const auto& [name, group] : tracing::mpi::kGroupNames)
        if (group != 0) names += (names.empty() ? "" : ", ") + std::string(name);
    throw UsageError("--mpi: expected some of " + names + ", separated by commas, or none, not '" +
                     request.mpi + "'");
}

/// Throws `UsageError` where an interface is not known.
void checkAnnotations(const RecordRequest& request) {
    if (tracing::annotationsOf(request.annotations)) return;
    std::string names;
    for (const auto& one : tracing::kAnnotationInterfaces)
        names += (names.empty() ? "" : ", ") + std::string(one.word);
    throw UsageError("--annotations: expected all, none, or some of " + names +
                     ", separated by commas, not '" + request.annotations + "'");
}

/// Throws `UsageError` where a profile cannot have what was asked for.
void checkProfile(const RecordRequest& request) {
    if (!request.profile) return;
    const auto refuse = [](const std::string& option, const char* reason) {
        throw UsageError("--profile with " + option + ": " + reason);
    };
    const RecordRequest other;
#define HOLOS_RECORDING_OPTION(names, Kind, member, usual, attach, why, ...) \
    if (!std::string_view(why).empty() && request.member != other.member)    \
        refuse("--" + std::string(tracing::core::longName(names)), why);
#include "tracing/recordings/format/record_options.def"
    if (request.trace && !request.tracePhase.empty())
        refuse("--trace", "--trace-phase makes a trace of some instances, and not of the whole run");
    tracedPhase(request.tracePhase, request.traceShare, "");
}

/// An option that lacks its value takes the next one, or --.
void checkOutput(const RecordRequest& request) {
    if (request.directory.starts_with('-'))
        throw UsageError("--output: expected a folder, not '" + request.directory + "' (write ./" +
                         request.directory + " for one of that name)");
}

/// The program may change its folder.
void checkLocal(const RecordRequest& request) {
    if (!request.local.empty() && request.local[0] != '/' && request.local[0] != '$')
        throw UsageError("--local: expected a path that begins with / or $NAME, not '" + request.local + "'");
}

}  // namespace

void check(const RecordRequest& request) {
    checkOutput(request);
    checkSelection(request);
    checkAnnotations(request);
    if (request.buffer == kAll && !request.stopsWhenFull())
        throw UsageError("--when-full: needs a limit, --buffer");
    checkLocal(request);
    checkProfile(request);
}

OptionUse useOf(const std::string& option) {
#define HOLOS_COMMAND_OPTION(names, Kind, member, usual, attach, ...) \
    if (option == tracing::core::longName(names)) return OptionUse::attach;
#define HOLOS_RECORDING_OPTION HOLOS_COMMAND_OPTION
#include "tracing/recordings/format/record_options.def"
    return OptionUse::InProgram;
}

std::optional<counters::Interrupts> callStackSamples(const RecordRequest& request) {
    if (request.sample.empty()) return std::nullopt;
    auto interrupts = counters::parseInterrupts(request.sample);
    if (!interrupts)
        throw UsageError(
            "--sample: expected a time with its unit, such as 10ms, or an event and a period, such as "
            "cycles:1000000, not '" +
            request.sample + "'");
    if (interrupts->isTooOften())
        throw UsageError("--sample: expected 100us or a longer time, not '" + request.sample + "'");
    if (const char* reason = tracing::stacks::whyNoSamples()) throw Error("--sample: " + std::string(reason));
    return interrupts;
}

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
            "--counters-async: no chosen counter is of the process or the node; 'holos counters list' says "
            "which are");
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
