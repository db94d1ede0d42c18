// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/choice_words.h"
#include "base/chosen.h"
#include "tracing/recordings/format/chosen_instances.h"

namespace holos::tracing::core {

/// What `record_options.def` is made of: the choices, and the kinds of options. An option is kept by the
/// command and the recording as its kind's `Kept`; the recorder, which takes no memory for it, is told a
/// `Told`: 0 or an empty text where nothing was said.
#define HOLOS_CHOICE2(Type, A, a, B, b)                                  \
    enum class Type : std::uint8_t { A, B };                             \
    constexpr auto wordsOf(Type) {                                       \
        return std::array{std::pair{a, Type::A}, std::pair{b, Type::B}}; \
    }
#define HOLOS_CHOICE3(Type, A, a, B, b, C, c)                                                   \
    enum class Type : std::uint8_t { A, B, C };                                                 \
    constexpr auto wordsOf(Type) {                                                              \
        return std::array{std::pair{a, Type::A}, std::pair{b, Type::B}, std::pair{c, Type::C}}; \
    }
#include "tracing/recordings/format/record_options.def"

/// Of the option that `names` are those of: `counters` of `-c,--counters A,B`.
constexpr std::string_view longName(std::string_view names) {
    names.remove_prefix(names.find("--") + 2);
    return names.substr(0, names.find(' '));
}

template <class Value>
struct SameForAll {
    using Kept = Value;
    using Told = Value;
    static constexpr Told told(Kept value) { return value; }
};

using FlagOption = SameForAll<bool>;
using CountOption = SameForAll<std::uint32_t>;
using NumberOption = SameForAll<double>;

struct TextOption {
    using Kept = std::string;
    using Told = std::string_view;  ///< of a text that somebody else has
    static constexpr Told told(std::string_view value) { return value; }
};

/// Nanoseconds.
struct TimeOption {
    using Kept = std::optional<double>;
    using Told = std::int64_t;
    static constexpr Told told(Kept value) { return static_cast<Told>(value.value_or(0)); }
};

struct PercentOption {
    using Kept = std::optional<double>;
};

/// Bytes.
struct SizeOption {
    using Kept = std::optional<std::size_t>;
};

/// Bytes, of which people write millions; 0 where there is no limit.
struct MegabytesOption {
    using Kept = AtMost;
    using Told = std::uint64_t;
    static constexpr Told told(Kept value) { return value.zeroIfAll(); }
};

/// One of these kinds, or a choice.
template <class Kind>
using OptionKind = std::conditional_t<std::is_enum_v<Kind>, SameForAll<Kind>, Kind>;

/// What a command tells the recorder about the recording that it starts.

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

namespace holos::tracing::core {

/// Variables of the environment by which a command tells the recorder of a run. Settings, which people may
/// set, are above.
inline constexpr const char* kRunVariable = "HOLOS_RUN";              ///< its random id
inline constexpr const char* kRecordingVariable = "HOLOS_RECORDING";  ///< the folder that is written to
/// A path that leads to the folder when it has been moved.
inline constexpr const char* kRecordingLinkVariable = "HOLOS_RECORDING_LINK";

/// Where launchers put the rank of a process in its environment; the first one that is a number counts.
inline constexpr const char* kRankVariables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                                 "SLURM_PROCID"};

}  // namespace holos::tracing::core
