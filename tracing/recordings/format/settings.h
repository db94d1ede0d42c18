// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/choice_words.h"
#include "base/chosen.h"

/// The interfaces by which programs say what they do, made for other tools, that the recorder hears.
namespace holos::tracing {

enum class Annotation : std::uint8_t { Kokkos, Nvtx, Itt, Caliper, Likwid, ScoreP };

struct AnnotationInterface {
    Annotation which;
    std::string_view word;  ///< in the option
    const char* name;       ///< for people
    const char* variable;   ///< names the library of the tool that hears it; null: it is heard by preloading
    const char* older;      ///< another one, which may not name another tool at the same time; null: none
};
inline constexpr std::array kAnnotationInterfaces{
    AnnotationInterface{Annotation::Kokkos, "kokkos", "Kokkos", "KOKKOS_TOOLS_LIBS",
                        "KOKKOS_PROFILE_LIBRARY"},
    AnnotationInterface{Annotation::Nvtx, "nvtx", "NVTX", "NVTX_INJECTION64_PATH", nullptr},
    AnnotationInterface{Annotation::Itt, "itt", "ITT", "INTEL_LIBITTNOTIFY64", nullptr},
    AnnotationInterface{Annotation::Caliper, "caliper", "Caliper", nullptr, nullptr},
    AnnotationInterface{Annotation::Likwid, "likwid", "LIKWID", nullptr, nullptr},
    AnnotationInterface{Annotation::ScoreP, "scorep", "Score-P", nullptr, nullptr}};

/// A set of them, by bits.
using Annotations = std::uint8_t;
constexpr Annotations bitOf(Annotation which) noexcept {
    return static_cast<Annotations>(1U << static_cast<unsigned>(which));
}

constexpr Annotations bitsOf(std::string_view word) noexcept {
    for (const AnnotationInterface& one : kAnnotationInterfaces)
        if (one.word == word) return bitOf(one.which);
    return 0;
}

/// The set that `all`, `none` or a list such as `kokkos,nvtx` names; nothing where a word is none of these.
constexpr std::optional<Annotations> annotationsOf(std::string_view list) noexcept {
    if (list == "none") return Annotations{0};
    if (list == "all") return static_cast<Annotations>((1U << kAnnotationInterfaces.size()) - 1);
    Annotations all = 0;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = list.find(',', begin) < list.size() ? list.find(',', begin) : list.size();
        const Annotations bits = bitsOf(list.substr(begin, end - begin));
        if (bits == 0) return std::nullopt;
        all = static_cast<Annotations>(all | bits);
        begin = end + 1;
    }
    return all;
}

}  // namespace holos::tracing

/// The groups of MPI functions that can be left out of a recording.
namespace holos::tracing::mpi {

/// Bits of a set of groups.
enum FunctionGroup : std::uint8_t {
    kP2p = 1,
    kColl = 2,
    kRma = 4,
    kIo = 8,
    kComm = 16,
    kOther = 32,
    kEvery = 63
};

struct GroupName {
    std::string_view name;
    FunctionGroup group;
};
inline constexpr std::array<GroupName, 7> kGroupNames{{{"p2p", kP2p},
                                                       {"coll", kColl},
                                                       {"rma", kRma},
                                                       {"io", kIo},
                                                       {"comm", kComm},
                                                       {"other", kOther},
                                                       {"none", FunctionGroup{}}}};

/// The set that a list such as `p2p,coll` names; nothing when a word of it is none of the names, or `none` is
/// not the only one.
inline std::optional<std::uint8_t> groupsOf(std::string_view list) noexcept {
    std::uint8_t groups = 0;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = list.find(',', begin) < list.size() ? list.find(',', begin) : list.size();
        const std::string_view word = list.substr(begin, end - begin);
        bool isKnown = false;
        for (const auto& [name, group] : kGroupNames)
            if (name == word && (group != 0 || word.size() == list.size())) {
                groups = static_cast<std::uint8_t>(groups | group);
                isKnown = true;
            }
        if (!isKnown) return std::nullopt;
        begin = end + 1;
    }
    return groups;
}

}  // namespace holos::tracing::mpi

namespace holos::tracing {

/// Which instances of a phase, numbered from 1, are traced. Depends on nothing but the number and what is
/// here, so that all processes of a run choose the same ones; so there are no floating-point numbers, either,
/// which a program may have computed differently.
struct ChosenInstances {
    static constexpr unsigned kFraction = 32;  ///< bits

    std::uint64_t first = 1;
    std::optional<std::uint64_t> count = {};  ///< so many from the first on; nothing: all of them
    std::optional<std::uint64_t> every = {};  ///< and as many from each `every`-th after the first on
    /// Instead of these one of so many, at random, times 2^`kFraction`.
    std::optional<std::uint64_t> oneIn = {};
    std::uint64_t seed = 0;  ///< of the choice at random

    bool operator==(const ChosenInstances&) const = default;
    bool areAtRandom() const noexcept { return oneIn.has_value(); }

    bool has(std::uint64_t instance) const noexcept {
        if (oneIn) return isDrawn(instance, *oneIn);
        if (instance < first) return false;
        const std::uint64_t since = instance - first;
        return !count || (every ? since % *every : since) < *count;
    }

    /// For a part of all instances, at most 1.
    static std::uint64_t oneInFor(double share) noexcept {
        return static_cast<std::uint64_t>(0x1p32 / share);
    }

  private:
    /// One of each `width` instances in a row is chosen, where that is no whole number of as many as lie
    /// between two of its multiples: they are spread over the whole run, and yet no period of the program can
    /// fall together with them.
    bool isDrawn(std::uint64_t instance, std::uint64_t width) const noexcept {
        std::uint64_t part = ((instance - 1) << kFraction) / width;
        if (instance > endOf(part, width)) ++part;
        const std::uint64_t begin = part == 0 ? 0 : endOf(part - 1, width);
        return instance == begin + 1 + drawBelow(endOf(part, width) - begin, part);
    }
    static std::uint64_t endOf(std::uint64_t part, std::uint64_t width) noexcept {
        return ((part + 1) * width) >> kFraction;
    }

    /// The bits are mixed as by SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
    /// Generators, 2014).
    std::uint64_t drawBelow(std::uint64_t limit, std::uint64_t part) const noexcept {
        std::uint64_t bits = seed + (part + 1) * 0x9E3779B97F4A7C15U;
        bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
        bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
        bits ^= bits >> 31U;
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((static_cast<Wide>(bits) * limit) >> 64U);
    }
};

/// Whether a list such as `0,4-7` has the rank; nothing where the text is no such list.
inline std::optional<bool> listHasRank(std::string_view list, std::uint32_t rank) noexcept {
    bool found = false;
    const char* at = list.data();
    const char* const end = at + list.size();
    for (;;) {
        std::uint32_t first = 0;
        auto read = std::from_chars(at, end, first);
        if (read.ec != std::errc{}) return std::nullopt;
        std::uint32_t last = first;
        if (read.ptr != end && *read.ptr == '-') read = std::from_chars(read.ptr + 1, end, last);
        if (read.ec != std::errc{} || last < first) return std::nullopt;
        found = found || (first <= rank && rank <= last);
        if (read.ptr == end) return found;
        if (*read.ptr != ',') return std::nullopt;
        at = read.ptr + 1;
    }
}

}  // namespace holos::tracing

namespace holos::tracing::stacks {

/// Why this build takes no samples of the call stack; null where it does. They need registers whose names are
/// known.
constexpr const char* whyNoSamples() noexcept {
#if !defined(__x86_64__) && !defined(__aarch64__)
    return "samples of the call stack are taken on x86-64 and aarch64 alone";
#else
    return nullptr;
#endif
}

}  // namespace holos::tracing::stacks

namespace holos::tracing::core {

/// What `record_options.def` is made of: the choices, and the kinds of options. An option is kept by the
/// command and the recording as its kind's `Kept`; the recorder, which takes no memory for it, is told a
/// `Told`: 0 or an empty text where nothing was said.
#define HOLOS_CHOICE2(Type, A, a, B, b)                                  \
    enum class Type : std::uint8_t { A, B };                             \
    constexpr auto wordsOf(Type) noexcept {                              \
        return std::array{std::pair{a, Type::A}, std::pair{b, Type::B}}; \
    }
#define HOLOS_CHOICE3(Type, A, a, B, b, C, c)                                                   \
    enum class Type : std::uint8_t { A, B, C };                                                 \
    constexpr auto wordsOf(Type) noexcept {                                                     \
        return std::array{std::pair{a, Type::A}, std::pair{b, Type::B}, std::pair{c, Type::C}}; \
    }
#include "tracing/recordings/format/record_options.def"

/// Of the option that `names` are those of: `counters` of `-c,--counters A,B`.
constexpr std::string_view longName(std::string_view names) noexcept {
    names.remove_prefix(names.find("--") + 2);
    return names.substr(0, names.find(' '));
}

template <class Value>
struct SameForAll {
    using Kept = Value;
    using Told = Value;
    static constexpr Told told(Kept value) noexcept { return value; }
};

using FlagOption = SameForAll<bool>;
using CountOption = SameForAll<std::uint32_t>;
using NumberOption = SameForAll<double>;

struct TextOption {
    using Kept = std::string;
    using Told = std::string_view;  ///< of a text that somebody else has
    static constexpr Told told(std::string_view value) noexcept { return value; }
};

/// Nanoseconds.
struct TimeOption {
    using Kept = std::optional<double>;
    using Told = std::int64_t;
    static constexpr Told told(Kept value) noexcept { return static_cast<Told>(value.value_or(0)); }
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
    static constexpr Told told(Kept value) noexcept { return value.zeroIfAll(); }
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
