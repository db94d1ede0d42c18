// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/account/unheard_annotations.h"

#include <algorithm>
#include <array>

#include "tracing/code/debug/symbol_tables.h"

namespace holos::archive {
namespace {

/// A library that the recorder stands in front of, and a function that no program with it is without.
struct Library {
    tracing::Annotation interface;
    const char* function;
    const char* linked;
    const char* shared;
};
constexpr std::array kLibraries{
    Library{tracing::Annotation::Caliper, "_ZN4cali7Caliper8instanceEv", "libcaliper.a", "libcaliper.so"},
    Library{tracing::Annotation::Likwid, "likwid_markerStartRegion", "liblikwid.a", "liblikwid.so"}};

}  // namespace

std::vector<std::string> unheardAnnotations(const TracePlan& plan, tracing::Annotations wanted) {
    std::vector<std::string> sentences;
    for (const Library& library : kLibraries) {
        const auto isPart = [&](const std::string& program) {
            return code::definesFunction(program, library.function);
        };
        if ((wanted & bitOf(library.interface)) == 0 || std::ranges::none_of(plan.programs, isPart)) continue;
        const char* const name =
            tracing::kAnnotationInterfaces[static_cast<std::size_t>(library.interface)].name;
        sentences.push_back(std::string("what the program says by ") + name +
                            " is not recorded where its library is part of the program (" + library.linked +
                            "): link with its shared library, " + library.shared);
    }
    return sentences;
}

}  // namespace holos::archive
