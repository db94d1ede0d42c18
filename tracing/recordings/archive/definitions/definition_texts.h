// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tracing/recordings/archive/code_names/sampled_code.h"
#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {

/// OTF2 writes definitions in chunks, and each definition must fit into one. This is the size of chunk that
/// holds each of a trace's: the smallest that does, since one is cleared for each location. `contexts`: how
/// many a location has met at most.
std::uint64_t definitionChunk(const TracePlan& plan, const SampledCode& code, std::size_t contexts);

/// Bytes of the longest text that a chunk of this size can hold.
std::size_t longestText(std::uint64_t chunk);

/// The texts of the global definitions, each of which is written once.
class DefinitionTexts {
  public:
    /// Texts of more than `longestText` bytes are cut.
    DefinitionTexts(OTF2_GlobalDefWriter* out, std::size_t longestText)
        : out_(out), longestText_(longestText) {}

    /// Its number. Numbers are given in the order of first use, from 0 on.
    OTF2_StringRef numberOf(std::string_view text);

    /// Which texts had to be cut, for people.
    const std::vector<std::string>& notes() const { return notes_; }

  private:
    std::string_view fitting(std::string_view text);

    OTF2_GlobalDefWriter* out_;
    std::size_t longestText_;
    std::vector<std::string> notes_;
    std::map<std::string, OTF2_StringRef, std::less<>> numbers_;
};

}  // namespace holos::archive
