// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tracing/recordings/format/chosen_instances.h"
#include "tracing/recordings/format/record_options.h"

/// What a command tells the recorder about the recording that it starts.
namespace holos::tracing::core {

/// Texts are views: in the command of its options, in the recorder of its own copy. Empty texts and 0 mean
/// that nothing was asked for. Each member stands in `record_options.def`.
struct Settings {
#define HOLOS_RECORDER_OPTION(names, Kind, member, usual, ...) \
    OptionKind<Kind>::Told member = OptionKind<Kind>::told(usual);
#define HOLOS_FOLLOWING(Type, member, usual, ...) Type member = usual;
#include "tracing/recordings/format/record_options.def"

    bool operator==(const Settings&) const = default;
};

/// The environment variable in which settings travel.
inline constexpr const char* kSettingsVariable = "HOLOS_SETTINGS";

/// The settings that are not the usual ones, as `name=value` between semicolons, where `%`, semicolons and
/// control characters of texts are written as `%` and two hexadecimal digits.
std::string encode(const Settings& settings);

/// The settings that `text` names, in whose place their texts are decoded; what it does not name, or what
/// cannot be understood, is as usual.
Settings decode(char* text) noexcept;

}  // namespace holos::tracing::core

#pragma GCC visibility push(default)  // for the MPI adapters
namespace holos::tracing::core {

/// The settings of this process, as they were when they were first asked for.
const Settings& settings() noexcept;

}  // namespace holos::tracing::core
#pragma GCC visibility pop
