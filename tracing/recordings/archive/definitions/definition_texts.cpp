// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/definitions/definition_texts.h"

#include <algorithm>
#include <bit>

#include "base/text.h"
#include "tracing/recordings/archive/definitions/otf2_names.h"

namespace holos::archive {

namespace {

/// What a chunk and a definition start and end with.
constexpr std::uint64_t kFrame = 64;

/// A group has its members as numbers of 9 bytes at most.
std::uint64_t largestGroup(const TracePlan& plan) {
    constexpr std::uint64_t kBytesOfMember = 9;
    std::uint64_t locations = 0;
    for (const auto& process : plan.processes) locations += process.locations.size();
    return kBytesOfMember * locations;
}

/// Of those that a program chooses itself. All others are short.
std::uint64_t largestText(const TracePlan& plan, const SampledCode& code) {
    std::size_t longest = 0;
    const auto look = [&longest](const std::string& text) { longest = std::max(longest, text.size()); };
    const auto lookAtRegions = [&look](const std::vector<RecordedRegion>& regions) {
        for (const auto& region : regions) {
            look(region.name);
            look(region.file);
        }
    };
    lookAtRegions(plan.regions);
    lookAtRegions(code.regions());
    for (const auto& [file, line] : code.places()) look(file);
    for (const auto& program : plan.programs) look(program);
    for (const auto& comm : plan.comms) look(comm.name);
    for (const auto& parameter : plan.parameters) look(parameter);
    for (const auto& file : plan.files) look(file);
    for (const auto& metric : plan.metrics) {
        look(metric.name);
        look(metric.unit);
    }
    return longest;
}

}  // namespace

std::uint64_t definitionChunk(const TracePlan& plan, const SampledCode& code, std::size_t contexts) {
    constexpr std::uint64_t kBytesOfNumber = 9;  // in the mapping table of a location
    const std::uint64_t largest =
        kFrame + std::max({largestGroup(plan), largestText(plan, code), kBytesOfNumber * contexts});
    return std::clamp<std::uint64_t>(std::bit_ceil(largest), OTF2_CHUNK_SIZE_MIN, OTF2_CHUNK_SIZE_MAX);
}

std::size_t longestText(std::uint64_t chunk) {
    return chunk - kFrame;
}

std::string_view DefinitionTexts::fitting(std::string_view text) {
    constexpr std::size_t kShown = 60;
    const std::string_view cut = utf8::cut(text, longestText_);
    if (cut.size() < text.size() && !numbers_.contains(cut))
        notes_.push_back("a text of " + std::to_string(text.size()) + " bytes was cut to " +
                         std::to_string(cut.size()) +
                         ", as OTF2 takes no longer ones: " + std::string(utf8::cut(text, kShown)) + "...");
    return cut;
}

OTF2_StringRef DefinitionTexts::numberOf(std::string_view whole) {
    const std::string_view text = fitting(whole);
    if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
    const auto ref = static_cast<OTF2_StringRef>(numbers_.size());
    const auto added = numbers_.emplace(text, ref).first;
    check(OTF2_GlobalDefWriter_WriteString(out_, ref, added->first.c_str()), "a text");
    return ref;
}

}  // namespace holos::archive
