// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Zydis/Zydis.h>
#include <gelf.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holos::code {

/// The sections of a program or library that hold code. Addresses are the file's own.
class CodeSections {
  public:
    struct Section {
        std::uint64_t begin;
        std::uint64_t end;
        const unsigned char* bytes;
    };
    /// What the linker makes to reach functions of other files (`.plt`) is code, too.
    enum class LinkersCode : std::uint8_t { Counts, LeftOut };

    CodeSections() = default;  ///< none
    /// The file must live longer.
    CodeSections(Elf* elf, LinkersCode linkers);

    /// Null where there is no code.
    const Section* at(std::uint64_t address) const;

  private:
    std::vector<Section> sections_;  ///< ascending
};

/// Calls in the code of a program or library that say themselves where they lead. Of x86-64; in files of
/// other processors none are known.
class DirectCalls {
  public:
    explicit DirectCalls(Elf* elf);

    /// Where the call leads that returns to this address, in the file's own terms. None where it is no such
    /// call, or leads to another file (by the linker's table for that, `.plt`).
    std::optional<std::uint64_t> targetAt(std::uint64_t returnAddress) const;

  private:
    CodeSections codes_;
};

/// An instruction as people read it.
struct InstructionText {
    std::uint64_t address = 0;
    std::uint8_t size = 0;  ///< bytes
    std::string text;
};

/// The machine code of a program or library as text (Intel's way of writing), for x86-64; of other processors
/// none is known. Addresses are the file's own.
class Disassembly {
  public:
    /// The file must live longer.
    explicit Disassembly(Elf* elf);

    /// From an instruction at `begin` on. What cannot be decoded is a `(byte)`.
    std::vector<InstructionText> between(std::uint64_t begin, std::uint64_t end) const;

  private:
    bool isKnown_ = false;
    CodeSections codes_;
};

/// What an instruction does, as far as it serves to follow an address that a program computes: the same for
/// all processors.
struct Operation {
    /// By its number; x86-64 and aarch64 have up to 32.
    using Register = std::uint8_t;
    static constexpr Register kNone = 0xFF;

    /// The lower bits of a number; the others are 0, or as the highest of these.
    struct Part {
        std::uint8_t bits = 64;
        bool isSigned = false;
    };
    /// constant + base + (part of index << shift)
    struct Sum {
        std::uint64_t constant = 0;
        Register base = kNone;
        Register index = kNone;
        std::uint8_t shift = 0;
        Part part{};
    };
    enum class Kind : std::uint8_t {
        Other,
        Set,         ///< `to` becomes a part of the sum
        Load,        ///< `to` becomes what lies at the sum: as many bits as the part has
        Store,       ///< these bits of `from` come there; none: of something else
        Jump,        ///< to the sum
        JumpThrough  ///< to what lies at the sum
    };
    /// A number is compared with a constant.
    struct Comparison {
        bool isOfMemory = false;  ///< what lies at the sum
        Sum sum;
        std::uint8_t bits = 64;
        std::uint64_t limit = 0;
    };
    /// When a branch is taken: numbers without sign that were compared.
    enum class Condition : std::uint8_t { Other, Above, AboveOrEqual, Below, BelowOrEqual };

    Kind kind = Kind::Other;
    Register to = kNone;
    Register from = kNone;
    Sum sum;
    Part part{};
    std::optional<Comparison> comparison;
    Condition condition = Condition::Other;
    std::uint32_t changed = 0;   ///< registers, as bits; `to` is one
    bool changesMemory = false;  ///< in another way than `Store`
    bool keepsFlags = false;     ///< what was compared before is still known
};

/// What an instruction says of the one that runs after it.
struct Instruction {
    enum class Kind : std::uint8_t {
        Plain,    ///< the one behind it
        Padding,  ///< the one behind it; compilers fill gaps with it
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

/// Of the instruction that these bytes at an address begin with.
Operation x86Operation(const ZydisDecoder& decoder, const unsigned char* bytes, std::size_t size,
                       std::uint64_t address);

}  // namespace holos::code
