// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracing/counters/interrupts.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/format/settings.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::launch {

/// The phase of which some instances are traced beside a profile.
struct TracedPhase {
    std::string name;  ///< empty: none
    tracing::ChosenInstances chosen;
};

/// What `--trace-phase NAME:FIRST+COUNT/EVERY`, or `NAME` with `--trace-share`, asks for. `share`: per cent.
/// `run`: the id of the run, from which all of its commands draw the same instances. Throws `UsageError`
/// where a text is none of these.
TracedPhase tracedPhase(const std::string& text, std::optional<double> share, const std::string& run);

/// What `holos record` was asked for: how to record, and what of, where to.
struct RecordRequest : measurement::RecordSettings {
#define HOLOS_COMMAND_OPTION(names, Kind, member, usual, ...) \
    tracing::core::OptionKind<tracing::core::Kind>::Kept member = usual;
#include "tracing/recordings/format/record_options.def"
    std::vector<std::string> command;  ///< the program and its arguments
};

/// Whether an option can be given with `--attach`.
enum class OptionUse : unsigned char { WithAttach, InProgram };
/// By the long name of an option.
OptionUse useOf(const std::string& option);

/// Throws `UsageError` where something that was asked for cannot be meant, in the words of the options of
/// `holos record`.
void check(const RecordRequest& request);

/// What is to interrupt the program's threads; nothing when that was not asked for. Throws `UsageError` for a
/// text that names nothing, `Error` where this build takes no samples.
std::optional<counters::Interrupts> callStackSamples(const RecordRequest& request);

/// The counters of a recording, by when they are read.
struct ChosenCounters {
    std::vector<std::string> all;
    std::vector<std::string> ofThreads;  ///< read at region boundaries
    std::vector<std::string> sampled;    ///< of processes and nodes
};

/// The names of counters that are asked for: those that are named, or those of the specification's set, each
/// by the first of its names that this machine knows. Throws `UsageError`.
std::vector<std::string> wantedCounters(const RecordRequest& request);

/// The wanted counters, which can be counted here. Throws `Error` where one cannot be counted,
/// `UsageError` for what cannot be meant, in the words of the options of `holos record`.
ChosenCounters chooseCounters(const RecordRequest& request);

using Environment = std::vector<std::pair<std::string, std::string>>;

/// The variables that a recorded program gets: what the recorder has to know, and what makes the system load
/// it. What the variables of others hold now stays in them. `directory`: the folder of the
/// recording; `link`: a name that follows it when it is moved; `run`: the id of the run; `preload`: as
/// `Preload` gives it.
Environment environmentFor(const std::filesystem::path& directory, const std::filesystem::path& link,
                           const std::string& run, const std::string& preload, const ChosenCounters& counters,
                           const RecordRequest& request);

/// What the recording keeps of the command. `openMp`: the runtime that takes the place of gcc's, or nothing.
/// `run`: the id of the run.
measurement::Command commandOf(const RecordRequest& request, const ChosenCounters& counters,
                               const std::filesystem::path& openMp, const std::string& run);

}  // namespace holos::launch
