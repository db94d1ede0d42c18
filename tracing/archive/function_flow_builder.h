// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tracing/archive/function_flow.h"

namespace holos::archive {

/// Reads a function's instructions and finds its blocks.
class FunctionFlow::Builder {
  public:
    explicit Builder(const File& file) : file_(file) {}

    /// False where it cannot be read, or is very long.
    bool read(const CodeExtents::Extent& function);
    /// False where jumps lead between instructions.
    bool build(FunctionFlow& flow);

  private:
    struct Line {
        std::uint64_t address;
        Instruction instruction;

        std::uint64_t end() const { return address + instruction.size; }
        /// The instruction behind it need not be the next one.
        bool endsBlock() const {
            return instruction.kind != Instruction::Kind::Plain &&
                   instruction.kind != Instruction::Kind::Padding;
        }
        bool isJump() const {
            return instruction.kind == Instruction::Kind::Jump ||
                   instruction.kind == Instruction::Kind::Branch;
        }
    };
    using Lines = std::vector<Line>;
    using Numbers = std::unordered_map<std::uint64_t, std::uint32_t>;

    bool addPart(const CodeExtents::Extent& part);
    bool decode(const CodeExtents::Extent& part, Lines& lines);
    /// The function goes on there.
    bool follow(std::uint64_t target);
    bool jumpsBack(const CodeExtents::Extent& part);
    bool isInside(std::uint64_t address) const;
    std::set<std::uint64_t> begins() const;
    void addBlocks(FunctionFlow& flow, const std::set<std::uint64_t>& begins) const;
    void addNext(Block& block, const Line& last, const Numbers& numbers, std::uint32_t anywhere) const;
    /// Blocks that nothing leads to are reached in a way that is not known.
    void addEntries(FunctionFlow& flow, const Numbers& numbers) const;

    const File& file_;
    std::map<std::uint64_t, CodeExtents::Extent> parts_;  ///< by their begins
    std::map<std::uint64_t, Lines> lines_;                ///< of the parts
    std::set<std::uint64_t> others_;                      ///< begins of functions that are no parts
    std::vector<LandingPad> pads_;
    std::size_t bytes_ = 0;  ///< that were decoded
};

}  // namespace holos::archive
