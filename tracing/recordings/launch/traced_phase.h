// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "tracing/recordings/format/chosen_instances.h"

namespace holos::launch {

/// The phase of which some instances are traced beside a profile.
struct TracedPhase {
    std::string name;  ///< empty: none
    tracing::ChosenInstances chosen;
};

/// What `--trace-phase NAME:FIRST+COUNT/EVERY`, or `NAME` with `--trace-share`, asks for. `share`: per cent.
/// `run`: the id of the run, from which all of its commands draw the same instances. Throws `UsageError`
/// where a text is none of these.
TracedPhase tracedPhase(const std::string& text, std::optional<double> share, const std::string& run);

}  // namespace holos::launch
