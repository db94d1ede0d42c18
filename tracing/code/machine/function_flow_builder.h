// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "tracing/code/machine/code_lines.h"
#include "tracing/code/machine/function_flow.h"

namespace holos::code {

/// Reads a function's instructions and finds its blocks.
class FunctionFlow::Builder {
  public:
    explicit Builder(const File& file) : file_(file) {}

    /// False where it cannot be read, or is very long.
    bool read(const CodeExtents::Extent& function);
    /// False where jumps lead between instructions.
    bool build(FunctionFlow& flow);

  private:
    using Line = CodeLine;
    using Lines = std::vector<Line>;
    using Numbers = std::unordered_map<std::uint64_t, std::uint32_t>;

    /// Reads all parts that jumps lead to.
    bool readParts();
    /// Finds where the jumps lead that take an address of a table. True where there is more than before.
    bool readTables();
    bool hasComputedJump() const;
    /// Also where jumps without a table lead anywhere. Those that are not are forgotten.
    bool areTablesProved(const CodeLines& lines);
    /// All are instructions of the function.
    bool hasTargets(const std::vector<std::uint64_t>& targets);
    CodeLines allLines() const;
    bool addPart(const CodeExtents::Extent& part);
    bool decode(const CodeExtents::Extent& part, Lines& lines);
    /// The function goes on there.
    bool follow(std::uint64_t target);
    bool jumpsBack(const CodeExtents::Extent& part);
    bool isInside(std::uint64_t address) const;
    bool isInstruction(std::uint64_t address) const;
    std::set<std::uint64_t> begins() const;
    void addBlocks(FunctionFlow& flow, const std::set<std::uint64_t>& begins) const;
    void addNext(Block& block, const Line& last, const Numbers& numbers, std::uint32_t anywhere) const;
    /// Blocks that nothing leads to are reached in a way that is not known.
    void addEntries(FunctionFlow& flow, const Numbers& numbers) const;

    const File& file_;
    std::map<std::uint64_t, CodeExtents::Extent> parts_;  ///< by their starts
    std::map<std::uint64_t, Lines> lines_;                ///< of the parts
    std::set<std::uint64_t> others_;                      ///< where functions begin that are no parts
    std::uint64_t begin_ = 0;                             ///< of the function
    JumpTargets tables_;                                  ///< of the jumps of which they are known
    std::set<std::uint64_t> disproved_;                   ///< jumps by tables that are none
    std::vector<LandingPad> pads_;
    std::size_t bytes_ = 0;  ///< that were decoded
};

}  // namespace holos::code
