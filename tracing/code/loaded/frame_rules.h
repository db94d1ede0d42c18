// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <link.h>
#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "tracing/code/loaded/byte_reader.h"

namespace holos::code {

/// What a loaded file says about how to get from a function to its caller (`.eh_frame`).
struct UnwindEntry {
    std::uint64_t functionBegin = 0;
    std::uint64_t codeAlignment = 1;
    std::int64_t dataAlignment = 1;
    std::uint64_t returnRegister = 0;
    std::uint8_t encoding = 0;   ///< of addresses in the instructions
    bool isSignalFrame = false;  ///< what a signal handler returns to
    ByteReader common;           ///< instructions that hold at the function's start
    ByteReader own;              ///< instructions from there on
};

/// A loaded file, as far as samples need it.
struct LoadedFile {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    const unsigned char* table = nullptr;  ///< `.eh_frame_hdr`
    const char* path = nullptr;            ///< empty for the program itself; valid while the file is loaded
};

/// A file that is loaded so far from where it was linked to, from its first to its last part.
/// Async-signal-safe.
LoadedFile loadedFile(std::uint64_t distance, const ElfW(Phdr) * parts, std::size_t count,
                      const char* path) noexcept;

/// The file that an address belongs to; false when there is none. Takes no lock. Asks the C library, or looks
/// into a table (`file_table.h`).
bool findLoadedFile(std::uint64_t address, LoadedFile& file) noexcept;

/// The entry of the function at an address; false when the file says nothing of it, or in a form that is not
/// known, or what it says does not hold (`core::swapsStacks`). Reads nothing outside of the file.
/// Async-signal-safe.
bool findUnwindEntry(const LoadedFile& file, std::uint64_t address, UnwindEntry& entry) noexcept;

/// Registers of a thread by their numbers in unwind tables (System V ABI of x86-64, figure 3.36; DWARF for
/// the Arm 64-bit architecture, section 4.1).
struct Registers {
#if defined(__aarch64__)
    static constexpr std::size_t kCount = 33;
    static constexpr std::size_t kFramePointer = 29;
    static constexpr std::size_t kStackPointer = 31;
    static constexpr std::size_t kProgramCounter = 32;
    /// Where a function finds the address that it returns to.
    static constexpr std::size_t kReturnAddress = 30;
    /// Whether a call moves the stack pointer.
    static constexpr bool kCallsPush = false;
#else
    static constexpr std::size_t kCount = 17;
    static constexpr std::size_t kFramePointer = 6;
    static constexpr std::size_t kStackPointer = 7;
    static constexpr std::size_t kProgramCounter = 16;
    static constexpr std::size_t kReturnAddress = kProgramCounter;
    static constexpr bool kCallsPush = true;
#endif

    /// Of a thread that was interrupted, as a signal handler gets them.
    static Registers of(const ucontext_t& context) noexcept;

    std::array<std::uint64_t, kCount> values{};

    std::uint64_t pc() const noexcept {
        return values[kProgramCounter];
    }
    std::uint64_t sp() const noexcept {
        return values[kStackPointer];
    }
};

/// Processors of Arm sign return addresses in the bits that no address of a program has.
inline std::uint64_t withoutSignature(std::uint64_t address) noexcept {
#if defined(__aarch64__)
    constexpr unsigned kBits = 48;
    return address & ((std::uint64_t{1} << kBits) - 1);
#else
    return address;
#endif
}

/// A thread's stack: the only memory that is read on the way to its callers.
struct Stack {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    bool contains(std::uint64_t address, std::uint64_t bytes = 1) const noexcept {
        return address >= low && address <= high && bytes <= high - address;
    }
    bool read(std::uint64_t address, std::uint64_t& value) const noexcept {
        if (!contains(address, sizeof value)) return false;
        std::memcpy(&value, bytesAt(address), sizeof value);
        return true;
    }
};

/// How a register of the caller is found.
struct Rule {
    enum class Kind : std::uint8_t {
        Same,
        Undefined,
        AtOffset,
        IsOffset,
        Register,
        AtExpression,
        IsExpression
    };
    Kind kind = Kind::Same;
    std::uint32_t bytes = 0;  ///< of the expression
    /// Offset from the frame's address, a register, or where the expression lies. One word, because an
    /// interpreter keeps many rules on a stack that may be small.
    std::int64_t number = 0;

    ByteReader expression() const noexcept {
        const unsigned char* const begin = bytesAt(static_cast<std::uint64_t>(number));
        return {begin, begin + bytes};
    }
};

/// What unwind tables say at one instruction: where the frame begins, and how each register is found. The
/// frame's address is the stack pointer before its call (canonical frame address, CFA).
struct FrameRules {
    bool isExpression = false;  ///< of the address; else register and offset
    std::uint64_t frameRegister = 0;
    std::int64_t frameOffset = 0;
    ByteReader frameExpression;
    std::array<Rule, Registers::kCount> registers{};
};

/// The rules at an address within the function of the entry (DWARF 5, section 6.4). False for instructions
/// that are not known. Async-signal-safe.
bool findFrameRules(const UnwindEntry& entry, std::uint64_t address, FrameRules& rules) noexcept;

/// The value of an expression (DWARF 5, section 2.5), of the operations that unwind tables use. `first` is on
/// the evaluation's stack at its start where it is given. False when it cannot be evaluated.
bool evaluate(ByteReader expression, const Registers& registers, const Stack& stack,
              const std::uint64_t* first, std::uint64_t& value) noexcept;

}  // namespace holos::code
