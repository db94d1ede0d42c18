// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "tracing/code/machine/operation.h"

namespace holos::code {

/// A table of addresses that a jump takes one of.
struct JumpTable {
    std::uint64_t begin = 0;
    std::uint64_t stride = 0;  ///< from one entry to the next
    Operation::Part entry{};   ///< its size, and whether it has a sign
    std::uint64_t count = 0;   ///< entries
    std::uint64_t base = 0;    ///< the target is this + factor * entry
    std::uint64_t factor = 1;
};

/// Instructions one after the other, on registers and memory of which nothing is known at first but what
/// `constantOf` says. Tells how an address came about that is computed at the end.
class SymbolicRun {
  public:
    using ConstantOf = std::function<std::optional<std::uint64_t>(Operation::Register)>;
    explicit SymbolicRun(ConstantOf constantOf) : constantOf_(std::move(constantOf)) {}

    void run(const Operation& operation);
    /// A branch was taken or not, which tells of what was compared before.
    void learn(Operation::Condition condition, bool isTaken);
    /// Of the jump at the end; none where it leads elsewhere, or how far the table goes is not known.
    std::optional<JumpTable> tableOf(const Operation& jump);

  private:
    using Term = std::uint32_t;
    static constexpr Term kNoTerm = ~Term{0};
    static constexpr unsigned kRegisters = 32;

    /// constant + factor * term, as registers calculate.
    struct Value {
        std::uint64_t constant = 0;
        Term term = kNoTerm;
        std::uint64_t factor = 0;

        bool isConstant() const { return term == kNoTerm; }
        bool isTerm() const { return term != kNoTerm && constant == 0 && factor == 1; }
        friend bool operator==(const Value&, const Value&) = default;
    };
    /// A number that is not known.
    struct Unknown {
        enum class Kind : std::uint8_t { Any, PartOfValue, Loaded };
        Kind kind = Kind::Any;
        Value of{};                           ///< whose part it is, or the address
        Operation::Part part{};               ///< that was taken or loaded
        std::optional<std::uint64_t> most{};  ///< it is not larger
    };
    struct Slot {
        Value address;
        unsigned bits;
        Value value;
    };

    Value unknown(const Unknown& what);
    Value registerValue(Operation::Register number);
    Value valueOf(const Operation::Sum& sum);
    Value sumOf(const Value& one, const Value& other);
    Value partOf(const Value& value, Operation::Part part);
    Value load(const Value& address, Operation::Part part);
    void store(const Value& address, unsigned bits, const std::optional<Value>& value);
    Value result(const Operation& operation);
    std::optional<std::uint64_t> mostOf(Term term) const;

    ConstantOf constantOf_;
    std::vector<Unknown> unknowns_;
    std::array<std::optional<Value>, kRegisters> registers_;
    std::vector<Slot> slots_;  ///< memory of which something is known
    struct Compared {
        Value value;
        std::uint64_t limit;
    };
    std::optional<Compared> compared_;
};

}  // namespace holos::code
