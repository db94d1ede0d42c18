// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tracing/counters/source.h"

namespace holos::counters {

/// Takes from growing counters what reading them counts: instructions, or nanoseconds of processor time.
class Compensation {
  public:
    Compensation() = default;
    /// What one reading of all counters adds to each of them; 0 for states.
    explicit Compensation(std::vector<std::uint64_t> costs)
        : costs_(std::move(costs)), last_(costs_.size()) {}

    bool empty() const noexcept { return costs_.empty(); }

    /// Corrects the values of the next reading. They never decrease: a reading that cost less than usual is
    /// made up for by the next ones.
    void apply(std::span<std::uint64_t> values) noexcept;

  private:
    std::vector<std::uint64_t> costs_;
    std::vector<std::uint64_t> last_;
    std::uint64_t readings_ = 0;
};

/// The least difference between neighbouring readings, per counter: others were disturbed. `readings` has the
/// values of all counters of the first one, then of the second one, and so on.
std::vector<std::uint64_t> leastDifferences(std::span<const std::uint64_t> readings, std::size_t counters);

/// The most counters of one recording.
inline constexpr std::size_t kMostCounters = 32;

/// Counters in the calling thread, over all sources.
class Reader {
  public:
    /// Writes one value for each counter of the selection, in its order; false on an error. As `Group::read`.
    bool read(std::uint64_t* values) noexcept {
        for (const auto& part : parts_) {
            if (!part.group->read(part.values.get())) return false;
            for (std::size_t i = 0; i < part.places.size(); ++i) values[part.places[i]] = part.values[i];
        }
        if (!compensation_.empty()) compensation_.apply({values, counters_});
        return true;
    }

    /// The part of the time in which a counter was counted; 1 unless counters take turns.
    double activeShare(std::size_t counter) const noexcept {
        const auto [group, place] = find(counter);
        return group == nullptr ? 1 : group->activeShare(place);
    }

    /// How well its last value is known; nothing for a counter that does not take turns.
    std::optional<Estimate> estimate(std::size_t counter) const noexcept {
        const auto [group, place] = find(counter);
        return group == nullptr ? std::nullopt : group->estimate(place);
    }

    /// The part of the readings of a counter that took no system call; nothing where that is not known.
    std::optional<double> userSpaceShare(std::size_t counter) const noexcept {
        const auto [group, place] = find(counter);
        return group == nullptr ? std::nullopt : group->userSpaceShare(place);
    }

  private:
    friend class Selection;
    /// The group that has a counter of the selection, and its place there.
    std::pair<const Group*, std::size_t> find(std::size_t counter) const noexcept {
        for (const auto& part : parts_)
            for (std::size_t i = 0; i < part.places.size(); ++i)
                if (part.places[i] == counter) return {part.group.get(), i};
        return {nullptr, 0};
    }

    struct Part {
        std::unique_ptr<Group> group;
        std::vector<std::size_t> places;  ///< of its values in the selection
        std::unique_ptr<std::uint64_t[]> values;
    };
    std::vector<Part> parts_;
    std::size_t counters_ = 0;
    Compensation compensation_;
};

/// Counters chosen by name.
class Selection {
  public:
    Selection() = default;
    /// Throws `Refusal` for a name that no source knows (with the nearest ones that exist), or that cannot be
    /// counted here (with the reason), and `Error` for one that is given twice.
    /// `inTurns`: they may be more than can be counted at once, and be estimates.
    explicit Selection(const std::vector<std::string>& names, bool inTurns = false);

    bool empty() const noexcept { return counters_.empty(); }
    const std::vector<Counter>& counters() const noexcept { return counters_; }

    /// The chosen names that count for threads, processes or nodes.
    std::vector<std::string> namesOf(Scope scope) const;

    /// Whether one of them is a counter of that source.
    bool uses(const Source& source) const;

    /// Starts counting in the calling thread. Throws `Refusal` for a counter that cannot be counted, and
    /// `Error` when they cannot be counted together.
    std::unique_ptr<Reader> open() const;
    /// Opens a reader that takes from its values what the reading itself counts, measured here.
    std::unique_ptr<Reader> openCompensated() const;

  private:
    struct Share {
        const Source* source;
        std::vector<std::string> names;
        std::vector<std::size_t> places;
    };
    std::vector<Counter> counters_;
    std::vector<Share> shares_;
    bool inTurns_ = false;
};

/// True when this machine has a counter of this name and can count it.
bool canCount(const std::string& name);

/// Separates the names of `a,b,cpu/event=1,umask=2/`.
std::vector<std::string> splitNames(const std::string& text);

}  // namespace holos::counters
