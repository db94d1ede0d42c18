// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tracing/code/machine/code_extents.h"
#include "tracing/code/machine/machine_code.h"

namespace holos::code {

/// What a program or library has in memory that nothing changes, neither the program nor the loader.
class ReadOnlyData {
  public:
    /// The file must live longer.
    explicit ReadOnlyData(Elf* elf);

    /// None where there is no such data.
    std::optional<std::uint64_t> numberAt(std::uint64_t address, Operation::Part part) const;

  private:
    struct Section {
        std::uint64_t begin;
        std::uint64_t size;
        const unsigned char* bytes;
    };
    std::vector<Section> sections_;
};

/// An instruction, and where it stands.
struct CodeLine {
    std::uint64_t address;
    Instruction instruction;

    std::uint64_t end() const { return address + instruction.size; }
    /// The instruction behind it need not be the next one.
    bool endsBlock() const {
        return instruction.kind != Instruction::Kind::Plain && instruction.kind != Instruction::Kind::Padding;
    }
    bool isJump() const {
        return instruction.kind == Instruction::Kind::Jump || instruction.kind == Instruction::Kind::Branch;
    }
    /// The one behind it may be the next one.
    bool mayGoOn() const {
        return !endsBlock() || instruction.kind == Instruction::Kind::Call ||
               instruction.kind == Instruction::Kind::Branch;
    }
};

/// Where jumps lead that take an address of a table, by the jump.
using JumpTargets = std::unordered_map<std::uint64_t, std::vector<std::uint64_t>>;

/// The instructions of a function, and after which of them each may come.
class CodeLines {
  public:
    /// By its place among all. Jumps to addresses that nothing is known of lead anywhere.
    using Number = std::size_t;

    /// `parts`: of the function, each ascending, its start first.
    CodeLines(const std::vector<const std::vector<CodeLine>*>& parts, const std::vector<LandingPad>& pads,
              const JumpTargets& targets);

    const CodeLine& operator[](Number number) const { return lines_[number]; }
    std::size_t size() const { return lines_.size(); }
    std::optional<Number> at(std::uint64_t address) const;
    bool isEntry(Number number) const { return number == entry_; }

    /// The lines that certainly may come before it.
    std::vector<Number> before(Number number) const;
    /// Whether a jump to anywhere may lead there, or a way that is not known.
    bool isReachedFromAnywhere(Number number) const;
    /// The jumps to anywhere.
    const std::vector<Number>& toAnywhere() const { return toAnywhere_; }

  private:
    bool isBehind(Number number) const;
    void findGaps();

    std::vector<CodeLine> lines_;  ///< ascending
    std::vector<bool> isGap_;      ///< compilers fill places with it that nothing leads to
    Number entry_ = 0;
    std::unordered_map<Number, std::vector<Number>> jumps_;  ///< by where they lead
    std::vector<Number> toAnywhere_;
};

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

/// Where the jumps of a function lead that a compiler made of a `switch`: to the addresses of a table, of
/// which the number is compared before that chooses one.
///
///     cmp $5,%edi        ja default                          as many entries
///     lea table(%rip),%rdx                                   a constant, also from before a loop
///     movslq (%rdx,%rdi,4),%rax    add %rdx,%rax    jmp *%rax
///
/// All instructions that certainly ran one after the other before the jump are looked at, whichever a
/// compiler chose. It is taken for granted that no other computed jump leads between the comparison and the
/// jump.
class JumpTables {
  public:
    JumpTables(const MachineCode& code, const ReadOnlyData& data, const CodeLines& lines)
        : code_(code), data_(data), lines_(lines) {}

    /// What is thought of the other jumps of which it is not known.
    enum class Others : std::uint8_t { HaveTables, LeadAnywhere };
    /// None where it is not certain. They may lie outside of the function.
    std::optional<std::vector<std::uint64_t>> targetsOf(CodeLines::Number jump, Others others) const;

  private:
    using Number = CodeLines::Number;
    /// What runs before the jump, in this order, and comes after nothing else.
    std::vector<Number> wayTo(Number jump) const;
    /// A register before a line, where it is the same whichever way led there. A constant may be made of
    /// another one: so often.
    struct Wanted {
        Number line;
        Operation::Register number;
        unsigned steps;
    };
    std::optional<std::uint64_t> constantOf(const Wanted& wanted, Others others) const;
    std::optional<std::uint64_t> constantBy(const Operation& change, const Wanted& wanted,
                                            Others others) const;
    std::optional<std::vector<std::uint64_t>> read(const JumpTable& table) const;

    const MachineCode& code_;
    const ReadOnlyData& data_;
    const CodeLines& lines_;
};

}  // namespace holos::code
