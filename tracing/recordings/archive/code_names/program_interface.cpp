// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/code_names/program_interface.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "base/text.h"

namespace holos::archive {
namespace {

constexpr std::array<std::string_view, 3> kFiles{"holos.h", "holos.hpp", "holos.f90"};

/// All that these files define.
constexpr std::array<std::string_view, 24> kFunctions{"holos_find",
                                                      "holos_region_begin",
                                                      "holos_region_end",
                                                      "holos_phase_begin",
                                                      "holos_pause_thread",
                                                      "holos_resume_thread",
                                                      "holos_synchronize_clocks",
                                                      "holos_known_metric",
                                                      "holos_record_integer",
                                                      "holos_record_real",
                                                      "holos_record_parameter",
                                                      "holos::Region::Region",
                                                      "holos::Region::~Region",
                                                      "holos::Paused::Paused",
                                                      "holos::Paused::~Paused",
                                                      "holos::holos_begin",
                                                      "holos::holos_end",
                                                      "holos::holos_pause",
                                                      "holos::holos_resume",
                                                      "holos::holos_synchronize_clocks",
                                                      "holos::record_integer",
                                                      "holos::record_real",
                                                      "holos::is_known",
                                                      "holos::find_recorder"};

/// How names of functions begin that tell tools what the program does, and call nothing of it: the parts of
/// NVTX and Kokkos that are compiled into the program, and of TBB that calls ITT.
constexpr std::array<std::string_view, 8> kOfAnnotations{
    "nvtxRange",           "nvtxDomain",           "nvtxMark", "nvtx3::", "void nvtx3::", "Kokkos::Tools::",
    "Kokkos::Profiling::", "tbb::detail::r1::itt_"};

}  // namespace

bool isOfProgramInterface(const code::CodePlace& place) {
    const auto begins = [&](std::string_view beginning) { return place.function.starts_with(beginning); };
    if (std::ranges::any_of(kOfAnnotations, begins)) return true;
    if (!place.definedIn.empty())
        return isOneOf(std::filesystem::path(place.definedIn).filename().string(), kFiles);
    return isOneOf(std::string_view(place.function).substr(0, place.function.find('(')), kFunctions);
}

}  // namespace holos::archive
