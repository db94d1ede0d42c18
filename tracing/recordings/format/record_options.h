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

/// What `record_options.def` is made of: the choices, and the kinds of options. An option is kept by the
/// command and the recording as its kind's `Kept`; the recorder, which takes no memory for it, is told a
/// `Told`: 0 or an empty text where nothing was said.
namespace holos::tracing::core {

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

}  // namespace holos::tracing::core
