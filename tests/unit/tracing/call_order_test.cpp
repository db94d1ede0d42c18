// SPDX-License-Identifier: BSD-3-Clause
// Which calls of compiled functions may come after which.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/compiled.h"
#include "tracing/archive/symbols.h"

namespace holos::testing {
namespace {

using archive::CallOrder;
using ::testing::IsSubsetOf;
using ::testing::Not;
using Pairs = std::set<std::string>;

/// Functions that are called are declared, and defined nowhere: `a`, `b`, …
constexpr const char* kDeclared = "void a(void), b(void), c(void), d(void); int test(void);\n";

/// The calls of one function in a library.
class CompiledCalls {
  public:
    CompiledCalls(const std::filesystem::path& library, const std::string& function) : library_(library) {
        std::istringstream code(runCommand({"objdump", "-d", "--no-show-raw-insn", "-w", library}).output);
        const std::regex head("^[0-9a-f]+ <([^>]*)>:");
        const std::regex call("^ *([0-9a-f]+):\\s+(?:call|bl|jmp|b)\\s.*<(\\w+)(?:@\\w+)?>");
        const std::regex address("^ *([0-9a-f]+):");
        bool isInside = false;
        std::string called;
        for (std::string line; std::getline(code, line);) {
            std::smatch found;
            if (!called.empty() && std::regex_search(line, found, address))
                addCall(called, std::stoull(found[1], nullptr, 16) - 1);
            called.clear();
            if (std::regex_search(line, found, head)) {
                const std::string name = found[1];
                isInside = name == function || name == function + ".cold";
            } else if (isInside && std::regex_search(line, found, call)) {
                called = found[2];
            }
        }
    }

    /// As `ab`: `b` may come after `a`, in the function that is inlined so often there. Of calls that are
    /// not known none; of those of which the code is not known all.
    Pairs pairs(std::size_t inlined = 0) {
        Pairs found;
        for (const auto& [first, offsets] : calls_)
            for (const auto& [second, others] : calls_)
                for (const auto offset : offsets)
                    for (const auto other : others)
                        if (mayFollow(offset, other, inlined)) found.insert(first + second);
        return found;
    }
    bool areKnown() {
        return std::all_of(calls_.begin(), calls_.end(), [this](const auto& one) {
            return std::all_of(one.second.begin(), one.second.end(),
                               [this](auto offset) { return symbols_.callAt(library_, offset).has_value(); });
        });
    }
    std::size_t size() const { return calls_.size(); }

  private:
    void addCall(const std::string& name, std::uint64_t offset) {
        if (name != "test" && !name.starts_with("__") && name.find("jmp") == std::string::npos)
            calls_[name].push_back(offset);
    }
    bool mayFollow(std::uint64_t first, std::uint64_t second, std::size_t inlined) {
        const auto one = symbols_.callAt(library_, first);
        const auto other = symbols_.callAt(library_, second);
        return !one || !other || symbols_.mayFollow(library_, *one, *other, inlined);
    }

    std::filesystem::path library_;
    archive::Symbols symbols_;
    std::map<std::string, std::vector<std::uint64_t>> calls_;
};

/// A compiler with its options.
class CallOrderOf : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        std::istringstream words(GetParam());
        for (std::string word; words >> word;) command_.push_back(word);
        if (!haveTools({command_.front(), "objdump"})) GTEST_SKIP() << "no " << command_.front();
    }
    bool isOptimised() const { return GetParam().find("-O2") != std::string::npos; }
    CompiledCalls compiled(const std::string& source, bool isCxx = false) {
        auto command = command_;
        if (isCxx) command.front() = command.front() == "gcc" ? "g++" : "clang++";
        if (isCxx)
            return {compiledLibrary(folder_.path(),
                                    "extern \"C\" {" + std::string(kDeclared) + "}\nextern \"C\" " + source,
                                    command, "cpp"),
                    "f"};
        return {compiledLibrary(folder_.path(), kDeclared + source, command), "f"};
    }

    TemporaryDirectory folder_;
    std::vector<std::string> command_;
};

TEST_P(CallOrderOf, aSequence_isThatOfTheSource) {
    EXPECT_EQ(compiled("int f(void) { a(); b(); c(); return 1; }").pairs(), (Pairs{"ab", "ac", "bc"}));
}

TEST_P(CallOrderOf, aLoop_repeatsWhatIsInside) {
    EXPECT_EQ(compiled("int f(void) { a(); while (test()) { b(); c(); } d(); return 1; }").pairs(),
              (Pairs{"ab", "ac", "ad", "bb", "bc", "bd", "cb", "cc", "cd"}));
}

TEST_P(CallOrderOf, alternatives_doNotFollowEachOther) {
    EXPECT_EQ(compiled("int f(void) { if (test()) { a(); } else { b(); } c(); return 1; }").pairs(),
              (Pairs{"ac", "bc"}));
}

TEST_P(CallOrderOf, aSwitch_isKnownBehindIt) {
    std::string source = "int f(int x) { d(); switch (x) {";
    for (int i = 0; i < 9; ++i)
        source += " case " + std::to_string(i) + (i % 2 != 0 ? ": a(); break;" : ": b(); test(); test();");
    const Pairs found = compiled(source + " } c(); return 1; }").pairs();
    EXPECT_THAT((Pairs{"da", "db", "dc", "ac", "bc", "ba"}), IsSubsetOf(found));
    for (const char* never : {"ca", "cb", "cc", "cd"}) EXPECT_EQ(found.count(never), 0) << never;
}

TEST_P(CallOrderOf, anExceptionsHandler_isReachedFromWhatThrows) {
    const Pairs found =
        compiled("int f(void) { a(); try { b(); } catch (...) { c(); } d(); return 1; }", true).pairs();
    EXPECT_THAT((Pairs{"ab", "bc", "bd", "cd", "ad"}), IsSubsetOf(found));
    EXPECT_THAT((Pairs{"ba", "aa", "da", "dd", "ca"}), ::testing::Each(Not(::testing::AnyOfArray(found))));
    const Pairs again =
        compiled("int f(void) { for (;;) try { a(); return 1; } catch (int) { b(); } }", true).pairs();
    EXPECT_THAT((Pairs{"aa", "ab", "ba", "bb"}), IsSubsetOf(again));
}

TEST_P(CallOrderOf, aJumpBackOverCalls_mayReachWhatIsBehindItsTarget) {
    const Pairs found = compiled(
                            "#include <setjmp.h>\njmp_buf place; int f(void) { a(); if (setjmp(place) != 0) "
                            "b(); c(); d(); return 1; }")
                            .pairs();
    EXPECT_THAT((Pairs{"ab", "cb", "db", "dc", "cc"}), IsSubsetOf(found));
    EXPECT_EQ(found.count("ba"), 0);
}

TEST_P(CallOrderOf, computedJumps_mayLeadAnywhere) {
    const Pairs found = compiled(
                            "int f(void) { static void* const to[] = {&&one, &&two, &&end}; goto *to[test()];"
                            " one: a(); goto *to[test()]; two: b(); goto *to[test()]; end: c(); return 1; }")
                            .pairs();
    EXPECT_THAT((Pairs{"aa", "ab", "ac", "ba", "bb", "bc"}), IsSubsetOf(found));
}

TEST_P(CallOrderOf, whatRunsRarely_belongsToTheFunction) {
    const Pairs found =
        compiled("void d(void) __attribute__((cold)); int f(void) { a(); if (test()) d(); b(); return 1; }")
            .pairs();
    EXPECT_EQ(found, (Pairs{"ad", "ab", "db"}));
}

TEST_P(CallOrderOf, aFunctionThatWasInlined_isLeftAndEnteredAgain) {
    if (!isOptimised()) return;  // nothing is inlined
    const std::string exchange =
        "static inline __attribute__((always_inline)) void exchange(void) { a(); while (test()) b(); c(); "
        "}\n";
    auto looped = compiled(exchange + "int f(void) { while (test()) { d(); exchange(); } return 1; }");
    EXPECT_EQ(looped.pairs(1).count("ca"), 0);
    EXPECT_EQ(looped.pairs(1).count("aa"), 0);
    EXPECT_THAT((Pairs{"ab", "ac", "bb", "bc"}), IsSubsetOf(looped.pairs(1)));
    EXPECT_THAT((Pairs{"ca", "aa", "cd", "da", "dd", "dc"}), IsSubsetOf(looped.pairs(0)));
    const Pairs once = compiled(exchange + "int f(void) { exchange(); d(); return 1; }").pairs(0);
    EXPECT_EQ(once, (Pairs{"ad", "bd", "cd"}));
}

INSTANTIATE_TEST_SUITE_P(Compilers, CallOrderOf,
                         ::testing::Values("gcc -g -O0", "gcc -g -O2", "clang -g -O0", "clang -g -O2",
                                           "gcc -g -O2 -fno-plt"),
                         [](const auto& one) {
                             return std::regex_replace(one.param, std::regex("[^A-Za-z0-9]+"), "_");
                         });

/// A program of sequences, alternatives and loops, and which of its calls may come after which.
class RandomFunction {
  public:
    explicit RandomFunction(unsigned seed) : random_(seed) {
        const Part all = sequence(4);
        text_ = "int f(void) {" + all.text + " return 1; }\n";
        for (int i = 0; i < calls_; ++i) declared_ += "void " + name(i) + "(void);\n";
        pairs_ = all.pairs;
    }
    std::string source() const { return declared_ + text_; }
    const Pairs& pairs() const { return pairs_; }

  private:
    struct Part {
        std::string text;
        Pairs pairs;
        std::set<std::string> calls;
        bool mayBeLeft = true;
    };
    static std::string name(int call) { return "m" + std::to_string(call) + "_"; }
    unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }

    static void connect(Part& part, const std::set<std::string>& before, const std::set<std::string>& after) {
        for (const auto& one : before)
            for (const auto& other : after) part.pairs.insert(one + other);
    }
    static void add(Part& part, const Part& more) {
        part.calls.insert(more.calls.begin(), more.calls.end());
        part.pairs.insert(more.pairs.begin(), more.pairs.end());
    }
    Part call() {
        const std::string called = name(calls_++);
        return {called + "(); ", {}, {called}};
    }
    Part sequence(unsigned depth) {
        Part whole;
        for (unsigned i = 0, count = 1 + draw(3); i < count; ++i) {
            const Part next = part(depth);
            connect(whole, whole.calls, next.calls);
            add(whole, next);
            whole.text += next.text;
        }
        return whole;
    }
    Part part(unsigned depth) {
        const unsigned kind = depth == 0 ? 0 : draw(4);
        if (kind < 2) return call();
        Part whole = sequence(depth - 1);
        if (kind == 2) {
            connect(whole, whole.calls, whole.calls);
            whole.text = "while (test()) { " + whole.text + "} ";
            return whole;
        }
        const Part other = sequence(depth - 1);
        whole.text = "if (test()) { " + whole.text + "} else { " + other.text + "} ";
        add(whole, other);
        return whole;
    }

    std::mt19937 random_;
    int calls_ = 0;
    std::string declared_;
    std::string text_;
    Pairs pairs_;
};

TEST_P(CallOrderOf, randomFunctions_isThatOfTheSource) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const RandomFunction function(seed);
        EXPECT_EQ(compiled(function.source()).pairs(), function.pairs()) << function.source();
    }
}

/// Written by hand.
class CallOrderOfAssembly : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!haveTools({"gcc", "objdump"}) || runCommand({"gcc", "-dumpmachine"}).output.find("x86_64") != 0)
            GTEST_SKIP() << "for gcc on x86-64";
    }
    CompiledCalls assembled(const std::string& body, bool hasTables = true) {
        const std::string begin = hasTables ? ".cfi_startproc\n" : "";
        const std::string end = hasTables ? ".cfi_endproc\n" : "";
        return {compiledLibrary(folder_.path(),
                                ".text\n.globl f\n.type f,@function\nf:\n" + begin + body + end +
                                    ".size f,.-f\n.section .note.GNU-stack,\"\",@progbits\n",
                                {"gcc"}, "s"),
                "f"};
    }
    TemporaryDirectory folder_;
};

TEST_F(CallOrderOfAssembly, withoutUnwindTables_isNotKnown) {
    auto code = assembled("call a@plt\ncall b@plt\nret\n", false);
    EXPECT_EQ(code.size(), 2);
    EXPECT_FALSE(code.areKnown());
}

TEST_F(CallOrderOfAssembly, withAJumpIntoAnInstruction_isNotKnown) {
    EXPECT_FALSE(assembled("call a@plt\ntest %eax,%eax\nje 1f+1\n1: mov $0x12345678,%eax\ncall b@plt\nret\n")
                     .areKnown());
}

TEST_F(CallOrderOfAssembly, withWhatIsNoCode_isNotKnown) {
    EXPECT_FALSE(assembled("call a@plt\njmp 1f\n.byte 0x06,0x06\n1: call b@plt\nret\n").areKnown());
}

TEST_F(CallOrderOfAssembly, withCodeThatNothingLeadsTo_mayReachItAfterAnyCall) {
    EXPECT_EQ(assembled("call a@plt\ncall b@plt\nret\ncall c@plt\nret\n").pairs(),
              (Pairs{"ab", "ac", "bc", "cc"}));
}

TEST_F(CallOrderOfAssembly, ofAVeryLongFunction_isNotKnown) {
    EXPECT_FALSE(assembled("call a@plt\n.rept 300000\nnop\n.endr\ncall b@plt\nret\n").areKnown());
}

}  // namespace
}  // namespace holos::testing
