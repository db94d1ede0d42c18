// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/record_request.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/error.h"
#include "base/fnv1a.h"
#include "tracing/recordings/format/annotations.h"
#include "tracing/recordings/format/settings.h"

namespace holos::launch {
namespace {

using tracing::ChosenInstances;

/// Takes a number of at least 1 from the front.
std::optional<std::uint64_t> takeNumber(std::string_view& text) {
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{} || number == 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return number;
}

/// `FIRST+COUNT` or `FIRST+COUNT/EVERY`.
std::optional<ChosenInstances> parseInstances(std::string_view text) {
    const auto first = takeNumber(text);
    if (!first || !text.starts_with('+')) return std::nullopt;
    text.remove_prefix(1);
    const auto count = takeNumber(text);
    if (!count) return std::nullopt;
    ChosenInstances chosen{.first = *first, .count = *count};
    if (text.empty()) return chosen;
    if (!text.starts_with('/')) return std::nullopt;
    text.remove_prefix(1);
    const auto every = takeNumber(text);
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
        "and "
        "111, and so on of the phase step, or a name with --trace-share, not '" +
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

}  // namespace holos::launch
