// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tracing/code/machine/code_extents.h"
#include "tracing/code/machine/machine_code.h"

namespace holos::code {

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

}  // namespace holos::code
