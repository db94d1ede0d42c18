// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Zydis/Zydis.h>
#include <gelf.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tracing/code/machine/code_sections.h"
#include "tracing/code/machine/operation.h"

namespace holos::code {

/// What an instruction says of the one that runs after it.
struct Instruction {
    enum class Kind : std::uint8_t {
        Plain,    ///< the one behind it
        Padding,  ///< as above; compilers fill gaps with it
        Jump,     ///< the target
        Branch,   ///< the target, or the one behind it
        JumpAnywhere,
        JumpAway,  ///< through a place in memory where the loader puts a function of another file
        Call,      ///< the one behind it, when what it calls returns
        End        ///< none: it returns, or nothing comes back from it
    };
    Kind kind = Kind::Plain;
    std::uint8_t size = 0;                ///< bytes
    std::optional<std::uint64_t> target;  ///< of a jump, branch or call that says it itself
    std::optional<std::uint64_t> slot;    ///< of a jump or call through memory: the fixed place that it reads
};

/// The machine code of a program or library, for x86-64 and aarch64. Addresses are the file's own.
class MachineCode {
  public:
    /// The file must live longer.
    explicit MachineCode(Elf* elf);

    /// None where there is no code, or none that is known.
    std::optional<Instruction> at(std::uint64_t address) const;

    /// What an instruction does; all may have changed where there is none that is known.
    Operation operationAt(std::uint64_t address) const;

    /// The place in memory through which a call to there leads on: of a stub that the linker made for a
    /// function of another file.
    std::optional<std::uint64_t> slotOfStub(std::uint64_t address) const;

  private:
    std::optional<Instruction> x86At(const unsigned char* bytes, std::size_t size,
                                     std::uint64_t address) const;
    std::optional<std::uint32_t> wordAt(std::uint64_t address) const;

    ZydisDecoder decoder_{};
    unsigned machine_ = 0;  ///< as ELF numbers processors
    CodeSections codes_;
};

}  // namespace holos::code
