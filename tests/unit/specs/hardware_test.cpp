// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/specs/problems_of.h"

namespace holos::specs {
namespace {

using ::testing::HasSubstr;
using testing::problemOf;

constexpr const char* kEpyc =
    "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\n"
    "model name\t: AMD EPYC 7763\nstepping\t: 1\ncpu MHz\t\t: 2445.426\n\nprocessor\t: 1\nmodel\t: 99\n";

Processor intel(std::uint64_t model, std::uint64_t stepping = 0) {
    return {"", "GenuineIntel", 6, model, stepping, {}};
}

Platform platformOf(const std::string& text) {
    return parse(text, "x.spec").platform.value();
}

TEST(Processor, x86_isRead) {
    const Processor found = parseCpuinfo(kEpyc);
    EXPECT_EQ(found.name, "AMD EPYC 7763");
    EXPECT_EQ(found.vendor, "AuthenticAMD");
    EXPECT_EQ(found.family, 25u);
    EXPECT_EQ(found.model, 1u);
    EXPECT_EQ(found.hertz, 2445.426e6);
}

TEST(Processor, nominalClock_winsOverTheMomentaryOne) {
    EXPECT_EQ(parseCpuinfo("model name : Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz\ncpu MHz : 1000.0\n").hertz,
              2.4e9);
}

TEST(Processor, arm_isRead) {
    const Processor found = parseCpuinfo(
        "processor : 0\nCPU implementer : 0x41\nCPU architecture: 8\nCPU part : 0xd0c\nCPU revision : 1\n");
    EXPECT_EQ(found.vendor, "0x41");
    EXPECT_EQ(found.model, 0xd0cu);
}

TEST(Processor, power_isRead) {
    const Processor found = parseCpuinfo(
        "processor : 0\ncpu : POWER9 (architected), altivec supported\nclock : 3800.000000MHz\n");
    EXPECT_EQ(found.vendor, "IBM");
    EXPECT_EQ(found.family, 9u);
    EXPECT_EQ(found.hertz, 3.8e9);
}

TEST(Processor, foreignText_isUnknown) {
    const Processor found = parseCpuinfo("nothing\n:\nmodel name :\ncpu MHz : -3\n");
    EXPECT_TRUE(found.vendor.empty());
    EXPECT_FALSE(found.hertz);
}

TEST(Platform, modelsAndSteppings_match) {
    const Platform platform =
        platformOf("platform p = GenuineIntel family 6 model 85 100-0x6a stepping 5-7,9\n");
    EXPECT_TRUE(platform.matches(intel(85, 5)));
    EXPECT_TRUE(platform.matches(intel(106, 9)));
    EXPECT_FALSE(platform.matches(intel(85, 8)));
    EXPECT_FALSE(platform.matches(intel(84, 5)));
    EXPECT_FALSE(platform.matches({"", "AuthenticAMD", 6, 85, 5, {}}));
    EXPECT_FALSE(platform.matches({"", "GenuineIntel", {}, {}, {}, {}}));
}

TEST(Platform, severalLines_areAlternatives) {
    const Platform platform = platformOf(
        "platform p = GenuineIntel family 6 model 85\nplatform p = GenuineIntel family 6 model 106\n");
    EXPECT_TRUE(platform.matches(intel(85)));
    EXPECT_TRUE(platform.matches(intel(106)));
}

TEST(Platform, withoutPattern_matchesNothing) {
    EXPECT_FALSE(platformOf("platform ultrasparc3\n").matches({}));
}

TEST(Platform, title_isItsDescription) {
    EXPECT_EQ(parse("platform p\ndescribe p \"The P\"\n", "x.spec").title(), "The P");
    EXPECT_EQ(parse("platform p\n", "x.spec").title(), "p");
    EXPECT_EQ(parse("", "folder/x.spec").title(), "x");
}

TEST(Platform, mistakes_areReported) {
    EXPECT_THAT(problemOf("platform p = AuthenticAMD famly 25\n").message,
                HasSubstr("did you mean 'family'?"));
    EXPECT_THAT(problemOf("platform p = AuthenticAMD model x\n").message, HasSubstr("numbers and ranges"));
    EXPECT_THAT(problemOf("platform p =\n").message, HasSubstr("the vendor"));
    EXPECT_THAT(problemOf("platform p\nplatform q\n").message, HasSubstr("one platform"));
}

Registers registersOf(const std::string& text) {
    return parse(text, "x.spec").registers;
}

std::string whyNot(const std::string& text, const std::vector<std::string>& events) {
    return whyNotTogether(registersOf(text), events).value_or("");
}

TEST(Registers, withoutALine_haveNoLimit) {
    EXPECT_EQ(whyNot("", {"a", "b", "c", "d", "e", "f", "g", "h", "i"}), "");
}

TEST(Registers, unrestricted_countUpToTheirNumber) {
    EXPECT_EQ(whyNot("registers = 2\n", {"a", "b"}), "");
    EXPECT_EQ(whyNot("registers = 2\n", {"a", "b", "c"}), "3 events for 2 registers: a, b, c");
}

/// a only on 1; b on 1 or 2; c on 2 or 3: all three fit, though b in its first place would block a.
TEST(Registers, eventsMoveAsideForOthers) {
    const char* text = "registers = 1-3\nregisters 1 = a\nregisters 1-2 = b\nregisters 2,3 = c\n";
    EXPECT_EQ(whyNot(text, {"b", "a", "c"}), "");
    EXPECT_EQ(whyNot(text, {"c", "b", "a"}), "");
    EXPECT_EQ(whyNot("registers = 1-3\nregisters 1-2 = a b c\n", {"a", "b", "c"}),
              "a, b, c can be counted on registers 1, 2 only");
}

TEST(Registers, fixedOnes_takeNoOther) {
    EXPECT_EQ(whyNot("registers = 1\nregisters fixed = f g\n", {"f", "a", "g"}), "");
}

TEST(Registers, eventsOfOtherComponents_takeNone) {
    EXPECT_EQ(whyNot("registers = 1\n", {"coretemp:::temp1", "a", "net:::eth0:rx:bytes"}), "");
}

TEST(Registers, exclusion_isNamed) {
    EXPECT_EQ(whyNot("registers = 4\nregisters exclude = a b c\n", {"a", "d", "c"}),
              "a, c exclude each other");
}

TEST(Registers, banks_countForThemselves) {
    const char* text = "registers = 1\nregisters l3 = 2 of x y z\n";
    EXPECT_EQ(whyNot(text, {"a", "x", "y"}), "");
    EXPECT_EQ(whyNot(text, {"x", "y", "z"}), "3 events for 2 registers of l3: x, y, z");
}

TEST(Registers, mistakes_areReported) {
    EXPECT_THAT(problemOf("registers\n").message, HasSubstr("'=' and their number"));
    EXPECT_THAT(problemOf("registers = many\n").message, HasSubstr("a number or a range"));
    EXPECT_THAT(problemOf("registers = 0\n").message, HasSubstr("from 1 to 64"));
    EXPECT_THAT(problemOf("registers = 65\n").message, HasSubstr("from 1 to 64"));
    EXPECT_THAT(problemOf("registers = 2 restrcted\n").message, HasSubstr("'restricted'"));
    EXPECT_THAT(problemOf("registers = 2\nregisters = 3\n").message, HasSubstr("twice"));
    EXPECT_THAT(problemOf("registers = 2\nregisters 2 = a\n").message, HasSubstr("from 0 to 1"));
    EXPECT_THAT(problemOf("registers 0 = a\n").message, HasSubstr("not given before"));
    EXPECT_THAT(problemOf("registers = 2\nregisters fixed =\n").message, HasSubstr("the names of events"));
    EXPECT_THAT(problemOf("registers exclude = a\n").message, HasSubstr("two or more"));
    EXPECT_THAT(problemOf("registers l3 = of a\n").message, HasSubstr("the number of registers of 'l3'"));
    EXPECT_THAT(problemOf("registers l3 = 2 a\n").message, HasSubstr("'of'"));
}

}  // namespace
}  // namespace holos::specs
