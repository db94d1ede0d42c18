// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

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
