// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

namespace holos::tracing::stacks {

/// What the recorder found out about code, and keeps, is true as long as no file with code is unloaded. This
/// counts how often files were unloaded, and says whether one may be going away just now.
///
/// Thread safety: safe.
class Unloadings {
  public:
    /// The state of unloading at a moment, to be compared with a later one.
    class Moment {
      public:
        explicit Moment(std::uint64_t state) noexcept : state_(state) {}
        /// No file is going away: what is found now may be kept if the state is still the same afterwards.
        bool isQuiet() const noexcept { return state_ >> kCountBits == 0; }
        std::uint32_t unloadings() const noexcept { return static_cast<std::uint32_t>(state_); }
        friend bool operator==(const Moment&, const Moment&) = default;

      private:
        std::uint64_t state_;
    };

    Moment now() const noexcept { return Moment(state_.load(std::memory_order_acquire)); }

    /// The calling thread may be about to unload files; several threads may be at the same time.
    void begin() noexcept { state_.fetch_add(kOneThread); }
    /// Between `begin` and `end`: files were unloaded. Returns how often that has happened.
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
