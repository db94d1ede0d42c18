// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/account/missed_parts.h"

#include <algorithm>
#include <array>

#include "tracing/code/debug/debug_files.h"
#include "tracing/recordings/format/settings.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::archive {
namespace {

/// OpenMP that the recorder does not see, as its threads tell: libgomp.a, linked into a program. Empty where
/// there is none.
std::string unseenOpenMp(const TracePlan& plan) {
    const auto isThread = [](const RecordedRegion& region) { return region.name == "gomp_thread_start"; };
    if (std::ranges::none_of(plan.regions, isThread)) return "";
    return "parallel regions and other constructs of OpenMP are not recorded where gcc's runtime is linked "
           "statically "
           "(libgomp.a): link with its shared library, libgomp.so.1; what its threads do is there";
}

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

/// Interfaces for other tools, among the wanted ones, whose library is part of a program, so that the
/// recorder cannot stand in front of it and hear what the program says: a sentence for each, with what to do.
/// A library that is part of a stripped program does not tell.
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

}  // namespace

std::vector<std::string> missedParts(const fs::path& recording, const TracePlan& plan) {
    const measurement::RecordSettings asked = measurement::settingsOf(recording);
    std::vector<std::string> missed;
    const auto isWanted = [](const TraceProcess& one) {
        return one.recorded != nullptr && one.recorded->isWanted;
    };
    if (std::ranges::none_of(plan.processes, isWanted))
        missed.push_back("--ranks " + asked.ranks + ": none of them was recorded; the program has 0 to " +
                         std::to_string(plan.processes.size() - 1));
    const auto isMissed = [&plan](const std::string& phase) {
        return !phase.empty() && std::ranges::none_of(plan.regions, [&phase](const RecordedRegion& region) {
            return region.name == phase;
        });
    };
    constexpr const char* kNoSuchRegion =
        ": the program entered no user region of that name (holos/holos.h), so ";
    if (isMissed(asked.phase))
        missed.push_back("--phase " + asked.phase + kNoSuchRegion + "nothing of it was recorded");
    if (const std::string traced = asked.tracedPhaseName(); isMissed(traced))
        missed.push_back("--trace-phase " + traced + kNoSuchRegion + "nothing of it was traced");
    if (std::string openMp = unseenOpenMp(plan); !openMp.empty()) missed.push_back(std::move(openMp));
    const auto wanted = tracing::annotationsOf(asked.annotations).value_or(0);
    for (std::string& sentence : unheardAnnotations(plan, wanted)) missed.push_back(std::move(sentence));
    return missed;
}

}  // namespace holos::archive
