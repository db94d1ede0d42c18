// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/code_names/program_interface.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace holos::archive {
namespace {

bool isLeftOut(const std::string& function, const std::string& definedIn = "") {
    code::CodePlace place;
    place.function = function;
    place.definedIn = definedIn;
    return isOfProgramInterface(place);
}

std::string textOf(const std::string& file) {
    std::ifstream in(HOLOS_USER + ("/" + file));
    return {std::istreambuf_iterator<char>(in), {}};
}

/// What the first group of an expression matches in a text.
std::set<std::string> allOf(const std::string& text, const std::regex& expression) {
    std::set<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
        found.insert((*match)[1]);
    return found;
}

TEST(ProgramInterface, functionsOfTheHeaderForC_areKnownByName) {
    static const std::regex kDefinition(R"(HOLOS_INLINE [^(]*\b(holos_\w+)\()");
    const auto functions = allOf(textOf("include/holos/holos.h"), kDefinition);
    EXPECT_EQ(functions.size(), 11);
    for (const auto& function : functions) EXPECT_TRUE(isLeftOut(function)) << function;
}

TEST(ProgramInterface, functionsOfTheHeaderForCxx_areKnownByName) {
    static const std::regex kDefinition(R"(HOLOS_UNSEEN (~?\w+)\()");
    const auto functions = allOf(textOf("include/holos/holos.hpp"), kDefinition);
    EXPECT_EQ(functions, (std::set<std::string>{"Region", "~Region", "Paused", "~Paused"}));
    for (const auto& function : functions) {
        const std::string name = function[0] == '~' ? function.substr(1) : function;
        EXPECT_TRUE(isLeftOut("holos::" + name + "::" + function + "()")) << function;
    }
    EXPECT_TRUE(isLeftOut("holos::Region::Region(unsigned int&, char const*, char const*, unsigned int)"));
}

TEST(ProgramInterface, proceduresOfTheFortranModule_areKnownByName) {
    const std::string text = textOf("holos.f90");
    static const std::regex kDefinition(R"(\n  (?:subroutine|function) (\w+)\()");
    const auto procedures = allOf(text.substr(text.find("\ncontains")), kDefinition);
    EXPECT_EQ(procedures.size(), 9);
    for (const auto& procedure : procedures) EXPECT_TRUE(isLeftOut("holos::" + procedure)) << procedure;
}

TEST(ProgramInterface, functionsThatTellOtherTools_areKnownByName) {
    for (const char* function : {"nvtxRangePushA", "nvtxDomainRangePushEx_impl_init_v3", "nvtxMarkA",
                                 "void nvtx3::v1::mark<char [2]>(char const (&) [2])",
                                 "nvtx3::v1::scoped_range_in<…>::scoped_range_in<…>(char const (&) [6])",
                                 "Kokkos::Tools::beginParallelFor(…)", "Kokkos::Profiling::pushRegion(…)"})
        EXPECT_TRUE(isLeftOut(function, "any.h")) << function;
    for (const char* function : {"nvtx", "Kokkos::parallel_for<…>(…)", "Tools::begin()"})
        EXPECT_FALSE(isLeftOut(function, "any.h")) << function;
}

TEST(ProgramInterface, withDebugInformation_isWhatItsFilesDefine) {
    EXPECT_TRUE(isLeftOut("holos_region_begin", "/usr/include/holos/holos.h"));
    EXPECT_TRUE(isLeftOut("holos_of_a_later_version", "/usr/include/holos/holos.h"));
    EXPECT_TRUE(isLeftOut("holos::Region::Region(unsigned int&)", "/opt/include/holos/holos.hpp"));
    EXPECT_TRUE(isLeftOut("holos_begin", "/usr/share/holos/holos.f90"));
    EXPECT_FALSE(isLeftOut("holos_find", "/home/me/search.c"));
}

TEST(ProgramInterface, otherFunctionsOfThatName_arePartOfTheProgram) {
    for (const std::string definedIn : {"", "/home/me/code.cpp"}) {
        EXPECT_FALSE(isLeftOut("holos_foo", definedIn));
        EXPECT_FALSE(isLeftOut("holos::analyzer::analyze(holos::analyzer::Options const&)", definedIn));
        EXPECT_FALSE(isLeftOut("holos::Regions::find()", definedIn));
        EXPECT_FALSE(isLeftOut("holos_finder", definedIn));
        EXPECT_FALSE(isLeftOut("main", definedIn));
    }
    EXPECT_FALSE(isLeftOut(""));
}

}  // namespace
}  // namespace holos::archive
