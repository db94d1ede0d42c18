// SPDX-License-Identifier: BSD-3-Clause
// A function of C++ has one name, whether it was inlined or not: where the linker knows nothing of it, its
// parameters are those of the debug information.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/compiled.h"
#include "tracing/code/symbols.h"

namespace holos::code {
namespace {

namespace fs = std::filesystem;
using testing::compiledLibrary;
using testing::haveTools;
using testing::TemporaryDirectory;

/// Each function has a label, and is called once. Of what is inlined at the begin of a source, gcc 14 loses
/// the place with DWARF 4: a range that is empty and begins there ends the list of ranges. So another
/// function stands first.
const std::string kSource = R"(
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>
#define CODE(label) sink = sink + 1; __asm__ volatile(#label ": nop")
#define HOW_OF_LAMBDA __attribute__((HOW))
#define FUNCTION static inline __attribute__((HOW))
volatile int sink;
struct Domain { double& x(int) { static double one; return one; } int size; };
namespace work {
enum class Kind { One, Two };
template <class T, int N> struct Box { T all[N]; };
typedef struct { int a; } Unnamed;
FUNCTION void simple(int) { CODE(simple_code); }
namespace {
struct Step {
    __attribute__((HOW)) int run(const char*, std::size_t) const { CODE(run_code); return 1; }
    __attribute__((HOW)) static int once(Kind) { CODE(once_code); return 1; }
};
}
template <class T, class... All> FUNCTION T made(T value, All...) { CODE(made_code); return value; }
}
template <class Work> FUNCTION void applied(Work&& work) { CODE(applied_code); work(2); }
FUNCTION void lambdas(int number) {
    struct Local { __attribute__((HOW)) static void run() { CODE(local_code); } };
    Local::run();
    const auto first = [&](long) HOW_OF_LAMBDA { CODE(first_code); return number; };
    first(1);
    {
        const auto other = [&](char*) HOW_OF_LAMBDA { CODE(other_code); return number; };
        other(nullptr);
    }
    applied([&](long) HOW_OF_LAMBDA { CODE(second_code); return number; });
}
FUNCTION void nothing() { CODE(nothing_code); }
FUNCTION void numbers(unsigned char, short, unsigned short, long, unsigned long, long long, unsigned long long, bool,
                      wchar_t, signed char, float, long double, __int128) { CODE(numbers_code); }
FUNCTION void pointers(int*, const int*, int* const, const char* const*, void*, const void*, volatile int&, double&&)
    { CODE(pointers_code); }
FUNCTION void send(Domain&, double& (Domain::**)(int), int Domain::*, int (*)(double, ...), void (*(*)(int))(long))
    { CODE(send_code); }
FUNCTION void arrays(int[4], int (&)[3], const double (*)[2][5]) { CODE(arrays_code); }
FUNCTION void several(int, ...) { CODE(several_code); }
FUNCTION void texts(const std::string&, std::ostream&, std::vector<std::vector<long>>, std::nullptr_t)
    { CODE(texts_code); }
FUNCTION void boxes(work::Box<unsigned, 3>&, work::Box<work::Kind, 2>, work::Unnamed*) { CODE(boxes_code); }
extern "C" void before() { sink = sink + 1; }
extern "C" void visible() {
    work::simple(1);
    work::Step step;
    step.run("", 1);
    work::Step::once(work::Kind::One);
    work::made(1L, 2, 'c');
    nothing();
    numbers(1, 1, 1, 1, 1, 1, 1, true, L'a', 1, 1, 1, 1);
    pointers(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, const_cast<volatile int&>(sink), 1.0);
    static Domain domain;
    send(domain, nullptr, nullptr, nullptr, nullptr);
    static int three[4];
    arrays(three, *reinterpret_cast<int(*)[3]>(three), nullptr);
    several(1);
    texts("", std::cout, {}, nullptr);
    static work::Box<unsigned, 3> box;
    boxes(box, {}, nullptr);
    lambdas(3);
    CODE(visible_code);
}
)";

const std::vector<std::string> kFunctions = {"simple",   "run",   "once",   "made",    "nothing", "numbers",
                                             "pointers", "send",  "arrays", "several", "texts",   "boxes",
                                             "local",    "first", "other",  "second",  "applied", "visible"};

class InlinedNames : public ::testing::TestWithParam<std::string> {
  protected:
    /// The names of the functions that stand around the labels.
    std::vector<std::string> names(const std::string& how) {
        const TemporaryDirectory directory;
        std::istringstream words(GetParam());
        std::vector<std::string> command{std::istream_iterator<std::string>(words), {}};
        command.push_back("-DHOW=" + how);
        const fs::path library = compiledLibrary(directory.path(), kSource, command, "cpp");
        const std::string symbolTable = testing::runCommand({"nm", library}).output;
        Symbols symbols(DebugFiles({}, {}));
        std::vector<std::string> result;
        for (const auto& function : kFunctions) {
            const auto at = symbolTable.find(' ' + function + "_code\n");
            EXPECT_NE(at, std::string::npos) << function;
            const std::size_t line = symbolTable.rfind('\n', at) + 1;
            const auto address = std::stoull(symbolTable.substr(line), nullptr, 16);
            result.push_back(symbols.inlinedAt(library, address).front().function);
        }
        return result;
    }
};

TEST_P(InlinedNames, areThoseOfFunctionsThatAreCalled) {
    const std::string compiler = GetParam().substr(0, GetParam().find(' '));
    if (!haveTools({compiler, "nm"})) GTEST_SKIP() << "no " << compiler << " here";
    const auto called = names("noinline");
    EXPECT_EQ(called.at(0), "work::simple(int)");
    EXPECT_EQ(called.back(), "visible");
    EXPECT_EQ(names("always_inline"), called);
}

INSTANTIATE_TEST_SUITE_P(Compilers, InlinedNames,
                         ::testing::Values("g++ -std=c++17 -O2 -g", "g++ -std=c++17 -O2 -g -gdwarf-4",
                                           "clang++ -std=c++17 -O2 -g"),
                         [](const auto& command) {
                             std::string name = command.param;
                             std::replace_if(
                                 name.begin(), name.end(),
                                 [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                             return name;
                         });

}  // namespace
}  // namespace holos::code
