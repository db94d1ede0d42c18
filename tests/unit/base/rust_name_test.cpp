// SPDX-License-Identifier: BSD-3-Clause
#include "base/function_name.h"

#include <gtest/gtest.h>

#include <random>

namespace holos {
namespace {

std::string nameOf(std::string_view symbol) {
    return rustName(symbol).value_or("none");
}

/// Symbols of RFC 2603 and of the compiler's own tests.
TEST(RustName, pathsOfV0_areAsInTheSource) {
    EXPECT_EQ(nameOf("_RNvC6_123foo3bar"), "123foo::bar");
    EXPECT_EQ(nameOf("_RNvNtCs1234_7mycrate3foo3bar"), "mycrate::foo::bar");
    EXPECT_EQ(nameOf("_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_"), "cc::spawn::{closure#0}::{closure#0}");
    EXPECT_EQ(nameOf("_RINvNtC3std3mem8align_ofjE"), "std::mem::align_of::<usize>");
    EXPECT_EQ(nameOf("_RNvXCs2OpA4fNwd7R_1rINtB2_4StephKj3_ENtB2_3Run3runB2_"),
              "<r::Step<u8, 3> as r::Run>::run");
    EXPECT_EQ(nameOf("_RNvYNCNvCs2OpA4fNwd7R_1r4calls_0INtNtNtCsgEmfK2I1SDS_"
                     "4core3ops8function6FnOnceTlEE9call_onceB6_"),
              "<r::call::{closure#1} as core::ops::function::FnOnce<(i32,)>>::call_once");
    EXPECT_EQ(nameOf("_RINvCs2OpA4fNwd7R_1r3genFG_UKCRL0_hEzEB2_"),
              "r::gen::<for<'a> unsafe extern \"C\" fn(&'a u8) -> !>");
    EXPECT_EQ(nameOf("_RINvNtC3std3mem8align_ofjdE"), "std::mem::align_of::<usize, f64>");
}

TEST(RustName, typesOfV0_areAsInTheSource) {
    EXPECT_EQ(nameOf("_RINvC1a1fReE"), "a::f::<&str>");
    EXPECT_EQ(nameOf("_RINvC1a1fQShE"), "a::f::<&mut [u8]>");
    EXPECT_EQ(nameOf("_RINvC1a1fAhj4_E"), "a::f::<[u8; 4]>");
    EXPECT_EQ(nameOf("_RINvC1a1fTlEE"), "a::f::<(i32,)>");
    EXPECT_EQ(nameOf("_RINvC1a1fTlmEE"), "a::f::<(i32, u32)>");
    EXPECT_EQ(nameOf("_RINvC1a1fFUKClEuE"), "a::f::<unsafe extern \"C\" fn(i32)>");
    EXPECT_EQ(nameOf("_RINvC1a1fDNtC4core5DebugEL_E"), "a::f::<dyn core::Debug>");
    EXPECT_EQ(nameOf("_RINvC1a1fDINtC4core2FnTlEEp6OutputhEL_E"),
              "a::f::<dyn core::Fn<(i32,), Output = u8>>");
    EXPECT_EQ(nameOf("_RINvC1a1fFG_RL0_hEuE"), "a::f::<for<'a> fn(&'a u8)>");
    EXPECT_EQ(nameOf("_RINvC1a1fKin2a_E"), "a::f::<-42>");
    EXPECT_EQ(nameOf("_RINvC1a1fKb1_Kc41_E"), "a::f::<true, 'A'>");
    EXPECT_EQ(nameOf("_RMC1aNtB0_1S"), "<a::S>");
}

TEST(RustName, identifiersBeyondAscii_areDecoded) {
    EXPECT_EQ(nameOf("_RNvC1au8gdel_5qa"),
              "a::g\xC3\xB6"
              "del");
    EXPECT_EQ(
        nameOf("_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y"),
        "utf8_idents::\u10e1\u10d0\u10ed\u10db\u10d4\u10da\u10d0\u10d3_\u10d2\u10d4\u10db\u10e0\u10d8\u10d4"
        "\u10da\u10d8_\u10e1\u10d0\u10d3\u10d8\u10da\u10d8");
    EXPECT_EQ(nameOf("_RNvC1au3___"), "none");
}

TEST(RustName, oldScheme_losesItsHash) {
    EXPECT_EQ(nameOf("_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$"
                     "3bar17h930b740aa94f1d3aE"),
              "<Test + 'static as foo::Bar<Test>>::bar");
    EXPECT_EQ(nameOf("_ZN4work4Step3runEi"), "none") << "of C++";
    EXPECT_EQ(nameOf("_ZN99x17h0123456789abcdefE"), "none");
}

TEST(RustName, damagedSymbols_giveNone) {
    for (const char* symbol :
         {"_R", "_RN", "_RNvC", "_RNvC3a", "_RB_", "_RNvB_1f", "_RINvC1a1fB_E", "_RINvC1a1fKq_E",
          "_RINvC1a1fRL3_hE", "_R1NvC1a1f", "_RNvC1a1f!", "_RNvC99999999999999999999a1f"})
        EXPECT_EQ(nameOf(symbol), "none") << symbol;
}

/// Each level repeats the one before twice.
TEST(RustName, symbolThatGrowsWithoutEnd_givesNone) {
    std::string symbol = "_RINvC1a1f";
    std::string last = "h";
    for (int i = 0; i < 60; ++i) {
        const std::size_t place = symbol.size() - 2;
        symbol += "T" + last + last + "E";
        static constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        std::string number;
        for (std::size_t rest = place - 1;; rest = rest / 62) {
            number.insert(number.begin(), kDigits[rest % 62]);
            if (rest < 62) break;
        }
        last = "B" + number + "_";
    }
    EXPECT_EQ(nameOf(symbol + "E"), "none");
    EXPECT_EQ(nameOf("_RINvC1a1f" + std::string(100'000, 'R') + "hE"), "none") << "too deep";
}

TEST(RustName, symbolsWithWrongBytes_neverGoBeyondTheirEnd) {
    const std::vector<std::string> seeds{"RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_",
                                         "RINvC1a1fDINtC4core2FnTlEEp6OutputhEL_E", "RINvC1a1fFG_RL0_hEuE",
                                         "RNvC1au8gdel_5qa", "ZN3foo3bar17h930b740aa94f1d3aE"};
    constexpr std::string_view kBytes = "0123456789_abcdefhijklmnopqrstuvwxyzABCDEFGIKLMNOPQRSTUXY$.\xFF";
    std::mt19937 random(1);  // the same each time
    for (int i = 0; i < 50'000; ++i) {
        std::string symbol = seeds[random() % seeds.size()];
        for (std::size_t changes = random() % 4 + 1; changes > 0; --changes)
            symbol[1 + random() % (symbol.size() - 1)] = kBytes[random() % kBytes.size()];
        symbol.resize(1 + random() % symbol.size());
        const auto name = rustName("_" + symbol);
        if (name) {
            ASSERT_LE(name->size(), 1U << 16);
        }
    }
}

}  // namespace
}  // namespace holos
