// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/aarch64_code.h"

#include "tracing/code/machine/machine_code.h"

namespace holos::code {
namespace {

using Kind = Instruction::Kind;

/// Some bits of a word, from `low` on, as a signed number.
std::int64_t signedBits(std::uint32_t word, unsigned low, unsigned count) {
    return static_cast<std::int32_t>(word << (32U - low - count)) >> (32U - count);
}

bool matches(std::uint32_t word, std::uint32_t mask, std::uint32_t value) {
    return (word & mask) == value;
}

std::uint64_t instructionsFrom(std::uint64_t address, std::int64_t distance) {
    return address + static_cast<std::uint64_t>(distance * kAarch64Instruction);
}

}  // namespace

Instruction aarch64Instruction(std::uint32_t word, std::uint64_t address) {
    constexpr std::uint32_t kLong = 0xFC000000;
    constexpr std::uint32_t kConditional = 0xFF000000;  // B.cond and BC.cond
    constexpr std::uint32_t kCompareOrTest = 0x7E000000;
    constexpr std::uint32_t kRegister = 0xFE000000;
    constexpr std::uint32_t kOfRegister = 0x00600000;
    const auto to = [address](Kind kind, std::int64_t distance) {
        return Instruction{kind, kAarch64Instruction, instructionsFrom(address, distance), {}};
    };
    if (matches(word, kLong, 0x14000000)) return to(Kind::Jump, signedBits(word, 0, 26));
    if (matches(word, kLong, 0x94000000)) return to(Kind::Call, signedBits(word, 0, 26));
    if (matches(word, kConditional, 0x54000000)) return to(Kind::Branch, signedBits(word, 5, 19));
    if (matches(word, kCompareOrTest, 0x34000000)) return to(Kind::Branch, signedBits(word, 5, 19));
    if (matches(word, kCompareOrTest, 0x36000000)) return to(Kind::Branch, signedBits(word, 5, 14));
    Instruction other{Kind::Plain, kAarch64Instruction, {}, {}};
    if (matches(word, kRegister, 0xD6000000)) {  // BR, BLR, RET, ERET, with and without authentication
        const std::uint32_t operation = word & kOfRegister;
        const bool isReturn = operation != 0 && operation != 0x00200000;
        other.kind = isReturn ? Kind::End : operation == 0 ? Kind::JumpAnywhere : Kind::Call;
    } else if (word == 0xD503201F) {  // NOP
        other.kind = Kind::Padding;
    } else if (matches(word, 0xFFFF0000, 0) || matches(word, 0xFFE0001F, 0xD4200000)) {  // UDF, BRK
        other.kind = Kind::End;
    }
    return other;
}

std::optional<std::uint64_t> aarch64Slot(std::uint32_t page, std::uint32_t load, std::uint64_t address) {
    constexpr std::uint64_t kPage = 4096;
    constexpr unsigned kRegisterOfStubs = 16;
    const bool isStub = matches(page, 0x9F00001F, 0x90000000 | kRegisterOfStubs) &&
                        matches(load, 0xFFC003FF, 0xF9400000 | kRegisterOfStubs << 5U | 17U);
    if (!isStub) return {};
    const std::int64_t pages = signedBits(page, 5, 19) * 4 + (page >> 29U & 3U);
    return (address & ~(kPage - 1)) + static_cast<std::uint64_t>(pages) * kPage + (load >> 10U & 0xFFFU) * 8;
}

}  // namespace holos::code
