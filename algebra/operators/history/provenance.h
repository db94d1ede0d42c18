// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// How an experiment came about: one operator, and the same for each of its inputs that is a result itself.
struct Provenance {
    struct Input;
    std::string operation;                                     ///< `merge`, `cut`, …
    std::string version;                                       ///< of Holos
    std::vector<std::pair<std::string, std::string>> options;  ///< as given, in the order of the help
    std::vector<Input> inputs;
    /// The id of the recorded run that it was made of; empty where it was made of others.
    std::string run = {};
};
struct Provenance::Input {
    std::string name;                ///< the file as it was given
    std::vector<Provenance> origin;  ///< one, or none for a measurement
};

/// Attribute of an experiment that holds its provenance, as JSON.
inline constexpr const char* kProvenanceAttribute = "holos::provenance";

/// Nothing for an experiment that no operator made, or whose attribute is damaged.
std::optional<Provenance> provenanceOf(const Experiment& experiment);

/// Replaces the experiment's provenance. Histories that would make the text longer than 64 KiB are shortened
/// from their oldest end.
void setProvenance(Experiment& experiment, const Provenance& provenance);

}  // namespace holos::algebra
