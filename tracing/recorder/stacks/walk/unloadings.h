// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

namespace holos::tracing::stacks {

/// What was found in the code of files, and kept, holds while no file is unloaded. Counts how often files
/// were unloaded, and says whether one may be going away just now.
///
/// Thread safety: safe.
class Unloadings {
  public:
    /// When something was found.
    class Moment {
      public:
        explicit Moment(std::uint64_t state) noexcept : state_(state) {}
        /// No file is going away: what is found may be kept, if it is still that moment afterwards.
        bool isQuiet() const noexcept { return state_ >> kCountBits == 0; }
        std::uint32_t unloadings() const noexcept { return static_cast<std::uint32_t>(state_); }
        friend bool operator==(const Moment&, const Moment&) = default;

      private:
        std::uint64_t state_;
    };

    Moment now() const noexcept { return Moment(state_.load(std::memory_order_acquire)); }

    /// The calling thread may be about to unload files. Others may, too.
    void begin() noexcept { state_.fetch_add(kOneThread); }
    /// Files were unloaded; the thread has not ended that yet. How often they have been.
    std::uint32_t add() noexcept { return static_cast<std::uint32_t>(state_.fetch_add(1)) + 1; }
    void end() noexcept { state_.fetch_sub(kOneThread); }

  private:
    static constexpr unsigned kCountBits = 32;
    static constexpr std::uint64_t kOneThread = std::uint64_t{1} << kCountBits;
    /// How many threads are unloading, above how often it was done.
    std::atomic<std::uint64_t> state_{0};
};

inline Unloadings unloadings;

}  // namespace holos::tracing::stacks
