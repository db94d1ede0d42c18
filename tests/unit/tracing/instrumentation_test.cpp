// SPDX-License-Identifier: BSD-3-Clause
// Which functions of an assembly are instrumented, and what gcc's programs are given for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tracing/code/instrumentation/compiler_step.h"

namespace holos::instrumentation {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string function(const std::string& name, const std::string& body) {
    return "\t.type\t" + name + ", @function\n" + name + ":\n.LFB1:\n\t.loc 1 4 49\n\t.cfi_startproc\n" +
           body + "\t.cfi_endproc\n\t.size\t" + name + ", .-" + name + "\n";
}

const std::string kBegin = "1:\tcall\t*__fentry__@GOTPCREL(%rip)\n";
const std::string kEnd = "\tcall\t__return__\n\tret\n";

/// What is known of each function of the assembly.
std::map<std::string, AssembledFunction> functionsOf(const std::string& assembly) {
    std::map<std::string, AssembledFunction> functions;
    instrumented(assembly, [&](const AssembledFunction& function) {
        functions[function.symbol] = function;
        return true;
    });
    return functions;
}

AssembledFunction only(const std::string& body) {
    return functionsOf(function("f", kBegin + body + kEnd)).at("f");
}

TEST(Assembly, wantedFunction_callsWhatIsAdded) {
    const std::string result =
        instrumented(function("f", kBegin + "\tnop\n" + kEnd), [](const auto&) { return true; });
    EXPECT_THAT(result, HasSubstr("\tcall\t__holos_begin\n\tnop\n\tcall\t__holos_end\n\tret\n"));
    EXPECT_THAT(result, HasSubstr("holos.stub"));
    EXPECT_THAT(result, Not(HasSubstr("__fentry__")));
}

TEST(Assembly, unwantedFunction_callsAreLeftOut) {
    const std::string two =
        function("f", kBegin + "\tnop\n" + kEnd) + function("g", "1:\tcall\t__fentry__\n\thlt\n" + kEnd);
    const std::string result = instrumented(two, [](const auto& function) { return function.symbol == "g"; });
    EXPECT_THAT(result, HasSubstr(".cfi_startproc\n\tnop\n\tret\n"));
    EXPECT_THAT(result, HasSubstr("\tcall\t__holos_begin\n\thlt\n\tcall\t__holos_end\n\tret\n"));
}

TEST(Assembly, withoutFunctions_isAsItWas) {
    const std::string text = "\t.data\nx:\t.long 3\n\t.string \"call __fentry__\"";
    EXPECT_EQ(instrumented(text, [](const auto&) { return true; }), text);
}

TEST(Assembly, instructions_areCountedWithoutWhatIsInserted) {
    const AssembledFunction counted =
        only("\tleal\t1(%rdi), %eax\n\t.loc 1 4 62\n.L2:\n\tnop\n# a comment: nop\n");
    EXPECT_EQ(counted.instructions, 3U);
    EXPECT_FALSE(counted.hasCalls);
    EXPECT_FALSE(counted.hasLoops);
}

TEST(Assembly, callsAndLastCallsThatAreJumps_areCalls) {
    EXPECT_TRUE(only("\tcall\tg@PLT\n").hasCalls);
    EXPECT_TRUE(only("\tjmp\tg@PLT\n").hasCalls);
    EXPECT_FALSE(only("\tjmp\t.L3\n.L3:\n").hasCalls);
}

TEST(Assembly, jumpBack_isALoopWhereItReturns) {
    EXPECT_TRUE(only(".L2:\n\taddl\t$1, %eax\n\tjne\t.L2\n").hasLoops);
    EXPECT_TRUE(only("\tjmp\t.L3\n.L2:\n\tnop\n.L3:\n\tjne\t.L2\n").hasLoops);
    EXPECT_TRUE(only("\trep stosq\n").hasLoops);
    EXPECT_TRUE(only("\tjmp\t*%rax\n").hasLoops) << "nobody knows";
    EXPECT_FALSE(only("\tje\t.L4\n.L2:\n\tret\n.L4:\n\tnop\n\tjmp\t.L2\n").hasLoops) << "a block at the end";
}

TEST(Assembly, seldomRunPart_belongsToItsFunction) {
    const std::string cold =
        "\t.section\t.text.unlikely\n\t.type\tf.cold, @function\nf.cold:\n\tnop\n\tjmp\t.L2\n"
        "\tcall\t__return__\n\tret\n";
    const std::string whole = function("f", kBegin + "\tje\t.L9\n.L2:\n" + kEnd + cold);
    const auto functions = functionsOf(whole);
    ASSERT_EQ(functions.size(), 1U);
    EXPECT_EQ(functions.at("f").instructions, 5U);
    EXPECT_FALSE(functions.at("f").hasLoops);
    EXPECT_THAT(instrumented(whole, [](const auto&) { return false; }), Not(HasSubstr("__return__")));
}

TEST(Assembly, file_isThatOfTheFirstLine) {
    const std::string files = "\t.file 1 \"x.c\"\n\t.file 2 \"/usr/include/c++/12\" \"vector\"\n";
    EXPECT_EQ(functionsOf(files + function("f", kBegin)).at("f").file, "x.c");
    std::string ofHeader = function("f", kBegin);
    ofHeader.replace(ofHeader.find(".loc 1"), 6, ".loc 2");
    EXPECT_EQ(functionsOf(files + ofHeader).at("f").file, "/usr/include/c++/12/vector");
}

AssembledFunction named(const std::string& symbol, unsigned instructions = 100) {
    return {symbol, "/home/x.c", instructions, false, false};
}

TEST(Choice, tinyFunction_isLeftOutUnlessItMayTakeLong) {
    EXPECT_TRUE(isWanted(named("f", kUsualSmallest), {}));
    EXPECT_FALSE(isWanted(named("f", kUsualSmallest - 1), {}));
    EXPECT_TRUE(isWanted(named("main", 3), {}));
    AssembledFunction function = named("f", 3);
    function.hasCalls = true;
    EXPECT_TRUE(isWanted(function, {}));
    function.hasCalls = false;
    function.hasLoops = true;
    EXPECT_TRUE(isWanted(function, {}));
    EXPECT_TRUE(isWanted(named("f", 1), {.filter = {}, .smallest = 0, .isFortran = false}));
}

TEST(Choice, functionsOfCompilerAndSystem_areLeftOut) {
    EXPECT_FALSE(isWanted(named("f._omp_fn.0"), {}));
    EXPECT_FALSE(isWanted(named("_GLOBAL__sub_I_x"), {}));
    EXPECT_FALSE(isWanted(named("f.resolver"), {}));
    EXPECT_TRUE(isWanted(named("f.avx2"), {}));
    AssembledFunction function = named("_ZNSt6vectorIiE4growEv");
    function.file = "/usr/include/c++/12/vector";
    EXPECT_FALSE(isWanted(function, {}));
}

TEST(Choice, filter_decidesByNameAndFile) {
    const filter::Filter filter(
        "SCOREP_FILE_NAMES_BEGIN EXCLUDE util/* SCOREP_FILE_NAMES_END "
        "SCOREP_REGION_NAMES_BEGIN EXCLUDE work::* INCLUDE work::keep* step SCOREP_REGION_NAMES_END",
        "filter");
    const Rules rules{filter, 0, false};
    EXPECT_FALSE(isWanted(named("_ZN4work4stepEv"), rules));
    EXPECT_TRUE(isWanted(named("_ZN4work4keepEv"), rules));
    EXPECT_TRUE(isWanted(named("_ZN4work4keepEv.part.0"), rules));
    AssembledFunction function = named("f");
    function.file = "/home/util/x.c";
    EXPECT_FALSE(isWanted(function, rules));
}

TEST(CompilerStep, compiler_isToldToInstrument) {
    const auto step = instrumentedStep({"/usr/lib/cc1plus", "-O2", "-o", "/tmp/x.s"}, {});
    EXPECT_EQ(step.assembly, "/tmp/x.s");
    EXPECT_THAT(step.command, Contains("-minstrument-return=call"));
    EXPECT_TRUE(instrumentedStep({"f951", "x.f90", "-o", "-"}, {}).isFortran);
}

TEST(CompilerStep, otherPrograms_areLeftAlone) {
    for (const Words& command : {Words{"as", "-o", "x.o", "x.s"}, Words{"cc1", "-E", "-o", "x.i"}}) {
        const auto step = instrumentedStep(command, {});
        EXPECT_EQ(step.command, command);
        EXPECT_EQ(step.assembly, "");
    }
}

TEST(CompilerStep, whatDoesNotServeAfterInlining_isInstrumentedBefore) {
    for (const char* option : {"-flto", "-flto=auto", "-m32", "-p", "-mcmodel=large"}) {
        const auto step = instrumentedStep({"cc1", option, "-o", "x.s"}, {});
        EXPECT_EQ(step.assembly, "") << option;
        EXPECT_THAT(step.command, Contains("-finstrument-functions")) << option;
    }
    EXPECT_EQ(instrumentedStep({"cc1", "-flto", "-fno-lto", "-o", "x.s"}, {}).assembly, "x.s");
}

TEST(CompilerStep, optionsBeforeInlining_nameWordsOfTheFilter) {
    const filter::Filter filter("SCOREP_REGION_NAMES_BEGIN EXCLUDE *swap* SCOREP_REGION_NAMES_END", "filter");
    EXPECT_THAT(optionsBeforeInlining(filter),
                ElementsAre("-finstrument-functions", StartsWith("-finstrument-functions-exclude-file-list="),
                            "-finstrument-functions-exclude-function-list=swap"));
}

}  // namespace
}  // namespace holos::instrumentation
