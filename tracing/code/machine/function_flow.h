// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tracing/code/machine/code_extents.h"
#include "tracing/code/machine/jump_tables.h"
#include "tracing/code/machine/machine_code.h"

namespace holos::code {

/// Which calls of a program or library lead to functions that may return several times from one call:
/// `setjmp` and the like.
class ReturningTwice {
  public:
    explicit ReturningTwice(Elf* elf);

    /// False where it certainly is not.
    bool isCalledBy(const Instruction& call, const MachineCode& code) const;

  private:
    std::unordered_set<std::uint64_t> functions_;  ///< addresses
    std::unordered_set<std::uint64_t> slots_;      ///< places where the loader puts those of other files
};

/// Parts of a file's code, such as those of a function that was inlined: where each begins and ends.
using CodeRanges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Which calls of a function may come after which in one run of it, by its machine code. A `switch` leads to
/// what its table says (`jump_tables.h`). Where the code does not say it, as behind another jump to an
/// address that was computed, all that is in the function may follow.
///
/// A function is what unwinding takes for one, with other parts that it jumps into the middle of, or that
/// jump back into its own (compilers move away what runs rarely).
class FunctionFlow {
  public:
    /// What a program or library tells.
    struct File {
        const MachineCode& code;
        const CodeExtents& extents;
        const LandingPads& pads;
        const ReturningTwice& twice;
        const ReadOnlyData& data;
    };
    /// The function at an address; null where its code cannot be read, or is very long.
    static std::unique_ptr<FunctionFlow> at(const File& file, std::uint64_t address);

    /// Whether there is a call that returns to that address.
    bool hasCall(std::uint64_t returned) const { return callTo(returned) != kNone; }

    /// What may run after a call.
    class Reach;
    /// Of the call that returns to that address. `within`: only on ways that do not leave this code (null:
    /// all). `inner`: code of which the result tells whether a way leaves it. A block of instructions belongs
    /// to the code if one of them does: compilers move single ones about.
    Reach after(std::uint64_t returned, const CodeRanges* within, const CodeRanges* inner) const;

  private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    class Builder;

    /// Instructions that run one after the other. A call is the last one of its block.
    struct Block {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        Instruction::Kind last = Instruction::Kind::Plain;  ///< padding: there is nothing else
        std::vector<std::uint32_t> next;                    ///< the number of blocks stands for all of them
    };
    std::uint32_t callTo(std::uint64_t returned) const;

    std::vector<Block> blocks_;              ///< ascending
    std::vector<std::uint32_t> afterCalls_;  ///< where the function may go on after any call
};

class FunctionFlow::Reach {
  public:
    /// The call that returns there may follow.
    bool includes(std::uint64_t returned) const;
    /// `includes` on a way that leaves the inner code.
    bool includesFromOutside(std::uint64_t returned) const;

  private:
    friend class FunctionFlow;
    enum State : std::uint8_t { kInside = 1, kOutside = 2 };

    Reach(const FunctionFlow& flow, const CodeRanges* within, const CodeRanges* inner);
    void follow(std::uint32_t call);
    void enter(std::uint32_t block, State from);
    std::uint8_t stateOf(std::uint64_t returned) const;

    const FunctionFlow* flow_;
    const CodeRanges* within_;
    const CodeRanges* inner_;
    std::vector<std::uint8_t> states_;                      ///< by block, and of all of them
    std::vector<std::pair<std::uint32_t, State>> pending_;  ///< were entered
};

}  // namespace holos::code
