// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holos::specs {

/// Registers apart from the processor's own, for events of another unit.
struct RegisterBank {
    std::string name;
    std::size_t count = 0;
};

/// The registers that count events, and which events go where (`registers` lines).
struct Registers {
    static constexpr std::size_t kMost = 64;

    bool limited = false;     ///< false: no line says how many there are
    bool restricted = false;  ///< which event goes where is known only from the file's sets
    std::size_t first = 0;    ///< number of the first register
    std::size_t count = 0;
    std::map<std::string, std::uint64_t, std::less<>> allowed;  ///< by event: bit i for register `first + i`
    std::set<std::string, std::less<>> fixed;                   ///< events with a register of their own
    std::vector<std::vector<std::string>> exclusions;           ///< at most one of each in a run
    std::vector<RegisterBank> banks;
    std::map<std::string, std::size_t, std::less<>> bankOf;  ///< by event: index of its bank
};

/// Whether an event takes none of the processor's registers from others: one of a `fixed` register, or of
/// another component of PAPI (`coretemp:::…`), which counts beside all of the processor's.
bool needsNoRegister(const Registers& registers, std::string_view event);

/// Why these events cannot be counted in one run, apart from what `restricted` leaves open: more of them
/// than registers, two for one register, or events that exclude each other. Nothing when they can.
std::optional<std::string> whyNotTogether(const Registers& registers, const std::vector<std::string>& events);

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
