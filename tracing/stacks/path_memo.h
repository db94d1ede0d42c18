// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "tracing/stacks/known_steps.h"
#include "tracing/stacks/walk/path_tree.h"

namespace holos::tracing::stacks {

/// What a thread found for return addresses, each in one place: where a program has displaced what the
/// recorder reads, each place more is a further wait for memory. Good for one moment of `Unloadings`.
class PathMemo {
  public:
    void forget() noexcept { entries_.fill({}); }

    /// `stacks::stepAt`.
    Step stepAt(std::uint64_t returnAddress) noexcept {
        Entry& entry = entryOf(returnAddress);
        if (entry.returnAddress == returnAddress) return entry.step;
        const Step step = stacks::stepAt(returnAddress);
        // Code of no file, too, which may become other code at any time.
        if (step.kind != Step::Kind::Unknown) entry = {returnAddress, step, kNoPath, kNoPath};
        return step;
    }

    /// `stacks::pathBelow`.
    PathNumber pathBelow(PathNumber caller, std::uint64_t returnAddress) noexcept {
        Entry& entry = entryOf(returnAddress);
        const bool isKnown = entry.returnAddress == returnAddress;
        if (isKnown && entry.caller == caller && entry.path != kNoPath) return entry.path;
        const PathNumber path = stacks::pathBelow(caller, returnAddress);
        if (isKnown) {
            entry.caller = caller;
            entry.path = path;
        }
        return path;
    }

  private:
    struct Entry {
        std::uint64_t returnAddress = 0;
        Step step;
        PathNumber caller = kNoPath;
        PathNumber path = kNoPath;  ///< of the call below `caller`; `kNoPath`: not known
    };
    static constexpr unsigned kBits = 8;

    Entry& entryOf(std::uint64_t returnAddress) noexcept {
        return entries_[(returnAddress * 0x9E3779B97F4A7C15U) >> (64 - kBits)];
    }

    std::array<Entry, std::size_t{1} << kBits> entries_;
};

}  // namespace holos::tracing::stacks
