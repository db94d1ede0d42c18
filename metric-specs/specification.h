// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "metric-specs/formula.h"

namespace holos::specs {

/// `measure NAME = EVENT`: the metric NAME is what the counter EVENT counts.
struct Alias {
    std::string name;
    std::string event;
    std::uint64_t line = 0;
};

/// `compose NAME = TERM + TERM …` or `compute NAME = …`.
struct Definition {
    enum class Kind : std::uint8_t { Compose, Compute };
    Kind kind = Kind::Compose;
    std::string name;
    Formula formula;
    std::uint64_t line = 0;
};

/// `aggroup NAME = EVENT EVENT …`: counters that can be counted together.
struct MeasurementSet {
    std::string name;
    std::vector<std::string> events;
    std::uint64_t line = 0;
};

/// What a specification file declares; every list in the order of the file. The syntax is that of the KOJAK
/// paper (sections 2.1, 2.2 and appendix A), with `describe` and `unit` added: docs/specifications.md.
struct Specification {
    std::string file;  ///< as given to `parse` or `load`
    std::string text;  ///< the whole file as it was read

    /// Several aliases of one name are alternatives: the first whose event was measured counts.
    std::vector<Alias> aliases;
    std::vector<Definition> definitions;  ///< names are unique, terms are free of cycles
    std::vector<MeasurementSet> sets;     ///< names are unique
    std::map<std::string, std::string, std::less<>> units;
    std::map<std::string, std::string, std::less<>> descriptions;

    /// The measurement set of this name. Throws Error with a suggestion when there is none.
    const MeasurementSet& set(std::string_view name) const;
    /// Every name that may be a counter: aliased events, members of sets, and terms without a definition.
    std::vector<std::string> events() const;
};

/// Reads a specification from memory. Throws SpecificationError with everything that is wrong in it.
Specification parse(std::string text, const std::string& filename);

/// Reads a file. Throws Error when it cannot be read or is larger than any specification.
Specification load(const std::filesystem::path& path);

}  // namespace holos::specs
