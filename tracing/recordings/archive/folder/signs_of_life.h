// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "tracing/recordings/archive/folder/living.h"

/// Whether processes live of which this machine cannot tell, as locks do not reach from theirs to this one.
/// Who lives and records changes its files. Where a thread of the recorder writes to them (copies, or
/// `--write-back`), it counts up a number in `status`, too. Two looks are compared by the clock of this
/// machine; what the clocks of others say does not matter.
///
/// A change is a proof, up to what a file server delivers late. That there is none proves nothing: a process
/// may have been stopped, its machine may hang, the network may be cut off.
namespace holos::archive {

/// What others see of a process at a moment.
struct Sign {
    std::uint64_t beats = 0;
    std::uint64_t bytes = 0;  ///< of its files
    bool operator==(const Sign&) const = default;
};

/// By the process's folder. Opens its files anew, as network file systems then show what is new.
Sign signOf(const fs::path& folder);

struct Listening {
    /// At most, where no sign comes: a process that lives gives several in that time.
    std::chrono::milliseconds time{10'000};
    /// Called between two looks, with the time to wait. False ends it all.
    std::function<bool(std::chrono::milliseconds)> pause = sleep;

    static bool sleep(std::chrono::milliseconds time);
};

/// As `ownersOf`. Where that is not known of some, and nobody else lives, waits for their signs of life:
/// those that gave one are among the living, with its age, and those that ended in order meanwhile are left
/// out.
Owners listenTo(const fs::path& recording, const Listening& how = {});

}  // namespace holos::archive
