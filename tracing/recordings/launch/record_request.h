// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracing/counters/interrupts.h"
#include "tracing/recordings/format/settings.h"
#include "tracing/recordings/measurement/record_settings.h"

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

}  // namespace holos::launch
