// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>

#include "tracing/recorder/stacks/known_steps.h"
#include "tracing/recorder/stacks/walk/path_tree.h"

namespace holos::tracing::stacks {

/// What a thread found for return addresses, each in one cache line: where a program has displaced what the
/// recorder reads, each line more is a further wait for memory. Good for one moment of `Unloadings`.
class PathMemo {
  public:
    void forget() noexcept {
        steps_.forget();
        paths_.forget();
    }

    /// `stacks::stepAt`.
    Step stepAt(std::uint64_t returnAddress) noexcept {
        if (const KnownStep* const known = steps_.find({returnAddress, {}})) return known->step;
        const Step step = stacks::stepAt(returnAddress);
        // Code of no file, too, which may become other code at any time.
        if (step.kind != Step::Kind::Unknown) steps_.add({returnAddress, step});
        return step;
    }

    /// `stacks::pathBelow`.
    PathNumber pathBelow(PathNumber caller, std::uint64_t returnAddress) noexcept {
        if (const KnownPath* const known = paths_.find({returnAddress, caller, kNoPath})) return known->path;
        const PathNumber path = stacks::pathBelow(caller, returnAddress);
        if (steps_.find({returnAddress, {}}) != nullptr) paths_.add({returnAddress, caller, path});
        return path;
    }

  private:
    struct KnownStep {
        std::uint64_t returnAddress = 0;
        Step step;
        std::uint64_t place() const noexcept { return returnAddress; }
        bool isOf(const KnownStep& other) const noexcept { return returnAddress == other.returnAddress; }
    };
    struct KnownPath {
        std::uint64_t returnAddress = 0;
        PathNumber caller = kNoPath;
        PathNumber path = kNoPath;
        std::uint64_t place() const noexcept { return returnAddress + caller; }
        bool isOf(const KnownPath& other) const noexcept {
            return returnAddress == other.returnAddress && caller == other.caller;
        }
    };

    /// Of those that share a cache line the newest ones.
    template <class Known>
    class Lines {
      public:
        void forget() noexcept { lines_.fill({}); }
        const Known* find(const Known& wanted) const noexcept {
            for (const Known& known : lines_[indexOf(wanted)].newestFirst)
                if (known.isOf(wanted)) return &known;
            return nullptr;
        }
        void add(const Known& known) noexcept {
            auto& line = lines_[indexOf(known)].newestFirst;
            std::move_backward(line.begin(), line.end() - 1, line.end());
            line.front() = known;
        }

      private:
        struct alignas(64) Line {
            std::array<Known, 64 / sizeof(Known)> newestFirst;
        };
        static constexpr unsigned kBits = 7;
        static std::size_t indexOf(const Known& known) noexcept {
            return (known.place() * 0x9E3779B97F4A7C15U) >> (64 - kBits);
        }
        std::array<Line, std::size_t{1} << kBits> lines_;
    };
    Lines<KnownStep> steps_;
    Lines<KnownPath> paths_;
};

}  // namespace holos::tracing::stacks
