// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracing/recordings/archive/facts/host_facts.h"

namespace holos::archive {

struct RecordedBinding;

/// The processors on which a thread was found, as its events tell in their order.
class SeenProcessors {
  public:
    /// An event was recorded at this time.
    void advance(std::uint64_t ticks) {
        if (ticks > last_) passed_ += ticks - last_;
        last_ = ticks;
    }
    /// From the time of the last event on, the thread was found on this processor.
    void add(std::uint32_t processor);

    std::map<std::uint32_t, std::uint64_t> ticks() const;  ///< by processor
    std::uint64_t changes() const { return changes_; }
    /// Describes itself to a `Packer` or `Unpacker`.
    template <class Packing>
    void pack(Packing& packing) {
        packing.map(ticks_);
        packing.optional(present_, [&](std::uint32_t& processor) { packing.value(processor); });
        packing.value(last_);
        packing.value(passed_);
        packing.value(changes_);
    }
    /// The one on which it was longest, as far as was seen.
    std::optional<std::uint32_t> longest() const;

  private:
    std::map<std::uint32_t, std::uint64_t> ticks_;  ///< without the present stay
    std::optional<std::uint32_t> present_;
    std::uint64_t passed_ = 0;  ///< since it was found there
    std::uint64_t last_ = 0;
    std::uint64_t changes_ = 0;
};

/// Where a thread was allowed to run, and where it did.
struct Placement {
    std::string allowed;       ///< processors at its start, such as `0-3,8`; empty where that is unknown
    std::string allowedAtEnd;  ///< equal to `allowed` where its end was not seen
    bool mayChangeCore = false;
    std::optional<std::uint32_t> processor;  ///< where it was found for the longest time
    std::optional<Hardware::Place> place;    ///< of that processor, where the hardware is known
    std::size_t processorsSeen = 0;
    std::size_t coresSeen = 0;  ///< those of processors without a place not counted; so with NUMA nodes
    std::size_t numaNodesSeen = 0;
    std::uint64_t changesSeen = 0;           ///< of processors, between two looks
    std::optional<std::int64_t> migrations;  ///< the kernel's count, from the thread's start to its end

    /// Whether it was found on several cores, or the kernel moved it while it could use several.
    bool moved() const { return coresSeen > 1 || (mayChangeCore && migrations.value_or(0) > 0); }
    /// How often, at least.
    std::uint64_t moves() const { return migrations ? static_cast<std::uint64_t>(*migrations) : changesSeen; }
};

/// `bindings`: at the thread's start, and at its end when that was seen. `hardware` may be null.
Placement placementOf(const std::vector<RecordedBinding>& bindings, const SeenProcessors& seen,
                      const Hardware* hardware);

/// Numbers of the bits that are set, as the kernel writes lists of processors: `0-3,8`.
std::string listOf(const std::vector<std::uint64_t>& mask);

/// Which cache lines several threads of a process used, as far as accesses to them were sampled.
///
/// Thread safety: `of` is safe while nothing is added.
class SharedLines {
  public:
    static constexpr std::uint64_t kLineBytes = 64;
    static constexpr std::uint64_t kWordBytes = 8;

    enum class Use : std::uint8_t {
        Own,      ///< of one thread, or nobody wrote it
        Shared,   ///< of several threads, of which one wrote a word that another one used
        Falsely,  ///< of several threads, of which one wrote, but no word that others used
    };

    /// `block`: number of the block of memory; what comes to the same place later is other data.
    void add(std::uint32_t thread, std::uint64_t address, std::uint32_t block, bool isStore);
    Use of(std::uint64_t address, std::uint32_t block) const;

  private:
    struct Users {
        std::uint32_t first = kNobody;
        bool areSeveral = false;
        bool isWritten = false;
        void add(std::uint32_t thread, bool isStore);
        bool share() const { return areSeveral && isWritten; }
    };
    static constexpr std::uint32_t kNobody = 0xFFFFFFFFU;
    struct Line {
        Users all;
        std::array<Users, kLineBytes / kWordBytes> words;
    };
    std::map<std::pair<std::uint64_t, std::uint32_t>, Line> lines_;  ///< by number of the line, and block
};

}  // namespace holos::archive
