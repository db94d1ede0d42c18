// SPDX-License-Identifier: BSD-3-Clause
// Which calls may come after which in functions with a `switch`, of which compilers make a table of
// addresses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/tracing/compiled_calls.h"
#include "tests/unit/tracing/random_function.h"

namespace holos::testing {
namespace {

/// Each case makes a call of its own. Other code than calls keeps compilers from choosing without a table.
std::string casesOf(const std::string& calls) {
    std::string text;
    for (std::size_t i = 0; i < calls.size(); ++i)
        text += " case " + std::to_string(i) + ": test(); " + calls[i] + "(); break;";
    return text;
}

constexpr const char* kMore = "void e(void), g(void), h(void), i(void);\n";

class SwitchOrderOf : public CompiledFunctions {
  protected:
    static constexpr std::uint64_t kFirstAddress = 0x400000;  // as linkers choose it

    /// A library; a program at fixed addresses where its code is not for libraries.
    CompiledCalls functionIn(const std::string& source) {
        const std::string whole = kMore + source;
        if (GetParam().find("-fno-pic") == std::string::npos) return compiled(whole);
        std::string others = "int test(void) { return 0; } int f(); int main(void) { return f(1); }\n";
        for (const char name : std::string("abcdeghi"))
            others += "void " + std::string(1, name) + "(void) {}\n";
        return {compiledProgram(folder_.path(), kDeclared + whole, others, command_), "f", objdump(),
                kFirstAddress};
    }
};

TEST_P(SwitchOrderOf, aSwitch_leadsToItsCasesAlone) {
    auto found = functionIn("int f(int x) { a(); switch (x) {" + casesOf("bcdeghi") + " } return 1; }");
    EXPECT_EQ(found.pairs(), (Pairs{"ab", "ac", "ad", "ae", "ag", "ah", "ai"}));
}

TEST_P(SwitchOrderOf, aSwitchInALoop_leadsToItsCasesAgain) {
    auto found = functionIn("int f(int x) { for (a(); test() != 0; ++x) switch (test()) {" +
                            casesOf("bcdegh") + " } i(); return 1; }");
    EXPECT_EQ(found.pairs().count("ia"), 0);
    EXPECT_EQ(found.pairs().count("ba"), 0);
    EXPECT_EQ(found.pairs().count("ih"), 0);
    EXPECT_EQ(found.pairs().count("hb"), 1);
}

TEST_P(SwitchOrderOf, ofNumbersThatDoNotBeginWithZero_leadsToItsCasesAlone) {
    auto found = functionIn(
        "int f(int x) { a(); switch (x) { case 100: test(); b(); break; case 102: test(); c(); break; case "
        "103: "
        "test(); d(); break; case 104: test(); e(); break; case 105: test(); g(); break; case 109: test(); "
        "h(); "
        "break; default: test(); i(); } return 1; }");
    EXPECT_EQ(found.pairs(), (Pairs{"ab", "ac", "ad", "ae", "ag", "ah", "ai"}));
}

TEST_P(SwitchOrderOf, ofACharacter_leadsToItsCasesAlone) {
    auto found = functionIn("int f(const unsigned char* x) { a(); switch (*x) {" + casesOf("bcdeghi") +
                            " } return 1; }");
    EXPECT_EQ(found.pairs(), (Pairs{"ab", "ac", "ad", "ae", "ag", "ah", "ai"}));
}

TEST_P(SwitchOrderOf, ofALongNumber_leadsToItsCasesAlone) {
    auto found = functionIn("int f(long x) { a(); switch (x) {" + casesOf("bcdeghi") + " } return 1; }");
    EXPECT_EQ(found.pairs(), (Pairs{"ab", "ac", "ad", "ae", "ag", "ah", "ai"}));
}

TEST_P(SwitchOrderOf, twoSwitches_comeAfterEachOther) {
    auto found = functionIn("int f(int x) { switch (x) {" + casesOf("abcde") + " } switch (test()) {" +
                            casesOf("ghigh") + " } return 1; }");
    for (const char* never : {"ga", "hb", "ic", "ab", "ba", "gh", "hg"})
        EXPECT_EQ(found.pairs().count(never), 0) << never;
    for (const char* may : {"ag", "bh", "ci", "dg", "ei"}) EXPECT_EQ(found.pairs().count(may), 1) << may;
}

TEST_P(SwitchOrderOf, randomFunctions_isThatOfTheSource) {
    if (GetParam().find("-fno-pic") != std::string::npos) return;  // a library's code
    for (unsigned seed = 1; seed <= 5; ++seed) {
        const RandomFunction function(seed, RandomFunction::Switches::Yes);
        EXPECT_EQ(compiled(function.source()).pairs(), function.pairs()) << function.source();
    }
}

INSTANTIATE_TEST_SUITE_P(Compilers, SwitchOrderOf,
                         ::testing::Values("gcc -g -O0", "gcc -g -O2", "gcc -g -O2 -fcf-protection",
                                           "gcc -g -O0 -fno-pic -no-pie", "gcc -g -O2 -fno-pic -no-pie",
                                           "clang -g -O0", "clang -g -O2", "clang -g -O0 -fno-pic -no-pie",
                                           "clang -g -O2 -fno-pic -no-pie", "aarch64-linux-gnu-gcc -g -O0",
                                           "aarch64-linux-gnu-gcc -g -O2",
                                           "clang --target=aarch64-linux-gnu -nostdlib -g -O0",
                                           "clang --target=aarch64-linux-gnu -nostdlib -g -O2"),
                         [](const auto& one) { return nameOfCommand(one.param); });

/// A jump by a table to one of three calls, written by hand.
class SwitchOrderOfAssembly : public AssembledFunctions {
  protected:
    static constexpr const char* kCases = "1: call a@plt\nret\n2: call b@plt\nret\n3: call c@plt\nret\n";
    static constexpr const char* kTable =
        ".section .rodata\ntable: .long 1b-table,2b-table,3b-table,3b-table\n";
    static constexpr const char* kCheck = "cmp $2,%edi\nja 3f\n";
    static constexpr const char* kJump =
        "mov %edi,%eax\nlea table(%rip),%rcx\nmovslq (%rcx,%rax,4),%rax\nadd %rcx,%rax\njmp *%rax\n";

    /// Where the table is not believed, the jump may lead back to the first call.
    bool isKnown(const std::string& jump, const std::string& table = kTable) {
        const Pairs found = assembled("call d@plt\n" + jump + kCases, true, table).pairs();
        EXPECT_THAT((Pairs{"da", "db", "dc"}), ::testing::IsSubsetOf(found)) << jump << table;
        EXPECT_LE(found.size(), found.contains("dd") ? 4U : 3U);
        return !found.contains("dd");
    }
};

TEST_F(SwitchOrderOfAssembly, whereTheNumberIsCompared_isKnown) {
    const std::string jump = kJump;
    for (const std::string check : {kCheck, "cmp $3,%edi\njae 3f\n", "cmp $2,%edi\njbe 9f\njmp 3f\n9:\n",
                                    "cmp $3,%edi\njb 9f\njmp 3f\n9:\n", "and $3,%edi\n"})
        EXPECT_TRUE(isKnown(check + jump)) << check;
}

TEST_F(SwitchOrderOfAssembly, whereTheNumberIsNotCompared_isNotKnown) {
    const std::string jump = kJump;
    for (const std::string check :
         {"", "cmp $2,%esi\nja 3f\n", "cmp $2,%edi\njg 3f\n", "cmp $2,%edi\njb 3f\n", "cmp $2,%dil\nja 3f\n",
          "cmp $2,%edi\ntest %esi,%esi\nja 3f\n", "cmp $2,%edi\nja 3f\nadd $1,%edi\n",
          "cmp $2,%edi\nja 3f\nmov (%rsi),%edi\n", "cmp $2,%edi\nja 3f\ncall test@plt\n"})
        EXPECT_FALSE(isKnown(check + jump)) << check;
}

TEST_F(SwitchOrderOfAssembly, ofANumberInMemoryThatMayHaveChanged_isNotKnown) {
    const std::string check = "cmpl $2,8(%rdi)\nja 3f\n";
    const std::string jump =
        "mov 8(%rdi),%eax\nlea table(%rip),%rcx\nmovslq (%rcx,%rax,4),%rax\nadd %rcx,%rax\njmp *%rax\n";
    EXPECT_TRUE(isKnown(check + jump));
    EXPECT_TRUE(isKnown(check + "movl $7,16(%rdi)\n" + jump));
    for (const std::string change : {"movl $7,(%rsi)\n", "movl $7,10(%rdi)\n", "incl 8(%rdi)\n"})
        EXPECT_FALSE(isKnown(check + change + jump)) << change;
}

TEST_F(SwitchOrderOfAssembly, whereAnotherWayLeadsToTheJump_isNotKnown) {
    const std::string other = "test %esi,%esi\nje 9f\n";
    EXPECT_FALSE(isKnown(other + kCheck + "9:\n" + kJump));
    EXPECT_TRUE(isKnown(other + "9:\n" + kCheck + kJump));
}

TEST_F(SwitchOrderOfAssembly, ofATableThatCannotBeOne_isNotKnown) {
    const std::string entries = "table: .long 1b-table,2b-table,";
    const std::string readOnly = ".section .rodata\n";
    const std::vector<std::string> tables{readOnly + entries + "1b-table+1\n",     // within an instruction
                                          readOnly + entries + "0x7fffffff\n",     // out of the file
                                          readOnly + entries + "0\n",              // no code
                                          ".data\n" + entries + "3b-table\n",      // may be changed
                                          readOnly + ".set table,.-0x70000000\n",  // out of the file
                                          readOnly + ".long 0,0,0\n.set table,.-12\n"};  // other data
    for (const std::string& table : tables)
        EXPECT_FALSE(isKnown(std::string(kCheck) + kJump, table)) << table;
}

TEST_F(SwitchOrderOfAssembly, ofAnEndlessTable_isNotKnown) {
    const std::string endless = ".section .rodata\ntable: .rept 100000\n.long 1b-table\n.endr\n";
    for (const std::string check :
         {"cmp $99999,%edi\nja 3f\n", "cmp $-1,%edi\nja 3f\n", "cmp $-2,%edi\nja 3f\n"})
        EXPECT_FALSE(isKnown(check + kJump, endless)) << check;
}

}  // namespace
}  // namespace holos::testing
