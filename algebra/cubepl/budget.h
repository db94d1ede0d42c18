// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/error.h"

namespace holos::algebra::cubepl {

/// What one query may cost, whatever its programs do.
struct Limits {
    std::uint64_t work = 100'000'000;            ///< in steps of about ten nanoseconds
    std::size_t memory = std::size_t{64} << 20;  ///< bytes that variables hold at a time
};

/// The budget does not suffice; the message goes on behind the name of what was evaluated.
class Exhausted : public Error {
  public:
    using Error::Error;
};

/// What the evaluations of one query together may still spend: for every operator, text, pattern and call.
/// Work that is spent is gone; memory comes back with the evaluation that took it. Throws `Exhausted` when
/// a program wants more than there is.
class Budget {
  public:
    explicit Budget(const Limits& limits = {}) : work_(limits.work), memory_(limits.memory) {}

    void spend(std::uint64_t steps) {
        if (steps > work_) exhausted();
        work_ -= steps;
        spent_ += steps;
    }
    /// For a text that is copied, compared or searched once.
    void spendOnText(std::size_t bytes) { spend(1 + bytes / kBytesPerStep); }
    /// Room for as many steps more, which the size of the query's result is worth.
    void allow(std::uint64_t steps) { work_ += steps; }
    /// As if all had been spent, after something that cannot be counted.
    [[noreturn]] void exhausted() {
        spent_ += work_;
        work_ = 0;
        throw Exhausted("takes too long");
    }

    void take(std::size_t bytes) {
        if (bytes > memory_) throw Exhausted("takes too much memory");
        memory_ -= bytes;
    }
    void release(std::size_t bytes) { memory_ += bytes; }

    /// Since the start.
    std::uint64_t spent() const { return spent_; }
    std::uint64_t left() const { return work_; }

  private:
    static constexpr std::size_t kBytesPerStep = 8;

    std::uint64_t work_;
    std::uint64_t spent_ = 0;
    std::size_t memory_;
};

}  // namespace holos::algebra::cubepl
