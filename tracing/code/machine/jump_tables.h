// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tracing/code/machine/code_lines.h"
#include "tracing/code/machine/read_only_data.h"
#include "tracing/code/machine/symbolic_run.h"

namespace holos::code {

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
