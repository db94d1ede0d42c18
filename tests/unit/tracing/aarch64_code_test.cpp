// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/aarch64_code.h"

#include <gtest/gtest.h>

#include "tracing/code/machine/machine_code.h"

namespace holos::testing {
namespace {

using Kind = code::Instruction::Kind;

constexpr std::uint64_t kAddress = 0x4000;

code::Instruction decoded(std::uint32_t word) {
    return code::aarch64Instruction(word, kAddress);
}

TEST(Aarch64Code, branches_sayWhereTheyLead) {
    struct Expected {
        std::uint32_t word;
        Kind kind;
        std::uint64_t target;
    };
    const Expected all[] = {{0x14000002, Kind::Jump, kAddress + 8},     // b
                            {0x17FFFFFF, Kind::Jump, kAddress - 4},     // b, backwards
                            {0x94000004, Kind::Call, kAddress + 16},    // bl
                            {0x54000040, Kind::Branch, kAddress + 8},   // b.eq
                            {0xB4000040, Kind::Branch, kAddress + 8},   // cbz x0
                            {0x35FFFFC1, Kind::Branch, kAddress - 8},   // cbnz w1
                            {0x36180060, Kind::Branch, kAddress + 12},  // tbz w0, #3
                            {0x3707FFE0, Kind::Branch, kAddress - 4}};  // tbnz w0, #0
    for (const auto& [word, kind, target] : all) {
        EXPECT_EQ(decoded(word).kind, kind) << std::hex << word;
        EXPECT_EQ(decoded(word).target, target) << std::hex << word;
        EXPECT_EQ(decoded(word).size, 4);
    }
}

TEST(Aarch64Code, jumpsByRegister_areToldFromCallsAndReturns) {
    for (const std::uint32_t word : {0xD61F0020U, 0xD71F0822U})
        EXPECT_EQ(decoded(word).kind, Kind::JumpAnywhere);
    for (const std::uint32_t word : {0xD63F0040U, 0xD73F0822U}) EXPECT_EQ(decoded(word).kind, Kind::Call);
    for (const std::uint32_t word : {0xD65F03C0U, 0xD65F0BFFU}) EXPECT_EQ(decoded(word).kind, Kind::End);
    EXPECT_FALSE(decoded(0xD63F0040).target.has_value());
}

TEST(Aarch64Code, others_runOnOrEnd) {
    EXPECT_EQ(decoded(0x91000400).kind, Kind::Plain);    // add
    EXPECT_EQ(decoded(0xD503201F).kind, Kind::Padding);  // nop
    EXPECT_EQ(decoded(0xD503233F).kind, Kind::Plain);    // paciasp
    EXPECT_EQ(decoded(0xD4200020).kind, Kind::End);      // brk #1
    EXPECT_EQ(decoded(0).kind, Kind::End);               // udf
}

TEST(Aarch64Code, aLinkersStub_namesThePlaceThatItReads) {
    EXPECT_EQ(code::aarch64Slot(0x90000090, 0xF947D611, 0x400),
              0x10FA8);  // adrp x16; ldr x17, [x16, #0xfa8]
    EXPECT_FALSE(code::aarch64Slot(0x90000090, 0x91000400, 0x400).has_value());
    EXPECT_FALSE(code::aarch64Slot(0x90000091, 0xF947D611, 0x400).has_value());
}

}  // namespace
}  // namespace holos::testing
