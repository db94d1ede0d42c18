// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "metric-specs/registers.h"

namespace holos::specs {

inline std::uint64_t allRegisters(const Registers& registers) {
    return registers.count >= Registers::kMost ? ~std::uint64_t{0}
                                               : (std::uint64_t{1} << registers.count) - 1;
}

/// Gives every event a register of its own (bipartite matching along augmenting paths). `allowed` has for
/// each event a bit for each register that it can use.
class RegisterAssignment {
  public:
    RegisterAssignment(std::size_t registers, std::vector<std::uint64_t> allowed)
        : allowed_(std::move(allowed)), holder_(registers) {}

    /// Index of the first event that finds no register, whatever the others do.
    std::optional<std::size_t> firstWithout() {
        for (std::size_t event = 0; event < allowed_.size(); ++event) {
            tried_ = 0;
            if (!place(event)) return event;
        }
        return std::nullopt;
    }

    /// The registers that were looked at for the event without one: all held by events that need them.
    std::uint64_t tried() const { return tried_; }

  private:
    bool place(std::size_t event) {
        for (std::uint64_t open = allowed_[event] & ~tried_; open != 0; open = allowed_[event] & ~tried_) {
            const auto at = static_cast<std::size_t>(std::countr_zero(open));
            tried_ |= std::uint64_t{1} << at;
            if (!holder_[at] || place(*holder_[at])) {
                holder_[at] = event;
                return true;
            }
        }
        return false;
    }

    std::vector<std::uint64_t> allowed_;
    std::vector<std::optional<std::size_t>> holder_;
    std::uint64_t tried_ = 0;
};

}  // namespace holos::specs
