// SPDX-License-Identifier: BSD-3-Clause
// Filter files, as Score-P's users write them.
#include "tracing/filter/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/function_name.h"

namespace holos::filter {
namespace {

using ::testing::HasSubstr;

Filter regions(const std::string& rules) {
    return {"SCOREP_REGION_NAMES_BEGIN\n" + rules + "\nSCOREP_REGION_NAMES_END\n", "own"};
}
Filter files(const std::string& rules) {
    return {"SCOREP_FILE_NAMES_BEGIN\n" + rules + "\nSCOREP_FILE_NAMES_END\n", "own"};
}

std::string errorOf(const std::string& text) {
    try {
        const Filter filter(text, "own");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Filter, noRules_everythingIsRecorded) {
    EXPECT_TRUE(Filter().isEmpty());
    EXPECT_FALSE(Filter().excludesRegion("main"));
    EXPECT_FALSE(Filter("# nothing\n\n", "own").excludesFile("/main.c"));
}

TEST(Filter, lastRuleThatFits_decides) {
    const Filter filter = regions("EXCLUDE *\nINCLUDE main solve_* # the solver\n  init\nEXCLUDE solve_tiny");
    EXPECT_FALSE(filter.excludesRegion("main"));
    EXPECT_FALSE(filter.excludesRegion("solve_all"));
    EXPECT_FALSE(filter.excludesRegion("init"));
    EXPECT_TRUE(filter.excludesRegion("solve_tiny"));
    EXPECT_TRUE(filter.excludesRegion("other"));
}

TEST(Filter, wildcards_asInTheShell) {
    const Filter filter = regions("EXCLUDE a?c [x-z]1 two\\ words star\\*");
    EXPECT_TRUE(filter.excludesRegion("abc"));
    EXPECT_FALSE(filter.excludesRegion("abbc"));
    EXPECT_TRUE(filter.excludesRegion("y1"));
    EXPECT_FALSE(filter.excludesRegion("a1"));
    EXPECT_TRUE(filter.excludesRegion("two words"));
    EXPECT_TRUE(filter.excludesRegion("star*"));
    EXPECT_FALSE(filter.excludesRegion("star2"));
}

TEST(Filter, functions_byDemangledOrMangledName) {
    const std::string swap = "_ZN4work4swapEii";  // work::swap(int, int)
    EXPECT_TRUE(regions("EXCLUDE work::swap*").excludesFunction(swap));
    EXPECT_FALSE(regions("EXCLUDE _ZN4work*").excludesFunction(swap));
    EXPECT_TRUE(regions("EXCLUDE MANGLED _ZN4work*").excludesFunction(swap));
    EXPECT_FALSE(regions("EXCLUDE MANGLED work::*").excludesFunction(swap));
    EXPECT_TRUE(regions("EXCLUDE *\nINCLUDE MANGLED _ZN3*").excludesFunction(swap));
}

TEST(Filter, procedureOfAFortranModule_hasTwoNames) {
    EXPECT_EQ(demangled("__solver_MOD_step"), "solver::step");
    EXPECT_EQ(demangled("__solver_MOD_step._omp_fn.0"), "solver::step._omp_fn.0");
    EXPECT_EQ(demangled("___MOD_step"), "___MOD_step");
    EXPECT_TRUE(regions("EXCLUDE solver::*").excludesFunction("__solver_MOD_step"));
    EXPECT_TRUE(regions("EXCLUDE __solver_MOD_*").excludesFunction("__solver_MOD_step"));
    EXPECT_TRUE(regions("EXCLUDE MANGLED __solver_MOD_*").excludesFunction("__solver_MOD_step"));
    EXPECT_FALSE(regions("EXCLUDE MANGLED solver::*").excludesFunction("__solver_MOD_step"));
}

TEST(Filter, functionOfCNamedAsAMangledType_keepsItsName) {
    for (const char* name : {"f", "g", "i", "Pi", "St6vectorIiSaIiEE", "__float128", "Z4stepv"})
        EXPECT_EQ(demangled(name), name);
    EXPECT_EQ(demangled("_Z1fv"), "f()");
    EXPECT_TRUE(regions("EXCLUDE f").excludesFunction("f"));
    EXPECT_FALSE(regions("EXCLUDE float").excludesFunction("f"));
}

TEST(Filter, copiesThatCompilersMake_countAsTheFunction) {
    EXPECT_TRUE(regions("EXCLUDE step").excludesFunction("step.constprop.0"));
    EXPECT_TRUE(regions("EXCLUDE work::swap(int,\\ int)").excludesFunction("_ZN4work4swapEii.part.0"));
}

TEST(Filter, procedureOfFortran_fitsByItsNamesInSourceAndLinker) {
    EXPECT_TRUE(regions("EXCLUDE solve").excludesProcedure("solve_"));
    EXPECT_TRUE(regions("EXCLUDE solve_").excludesProcedure("solve_"));
    EXPECT_FALSE(regions("EXCLUDE *\nINCLUDE solve").excludesProcedure("solve_"));
    EXPECT_TRUE(regions("EXCLUDE solver::*").excludesProcedure("__solver_MOD_step"));
    EXPECT_TRUE(regions("EXCLUDE solve").excludesFunction("solve_", "solve"));
    EXPECT_TRUE(regions("EXCLUDE outer::*").excludesFunction("inner.0", "outer::inner"));
    EXPECT_FALSE(regions("EXCLUDE solve").excludesFunction("solve_", "solve_")) << "of C";
}

TEST(Filter, procedureWhoseNameIsNotKnown_isKeptWhereThatMayDecide) {
    for (const char* symbol : {"MAIN__", "inner.0"}) {
        EXPECT_TRUE(regions("EXCLUDE *").excludesProcedure(symbol)) << symbol;
        EXPECT_FALSE(regions("EXCLUDE *\nINCLUDE solver").excludesProcedure(symbol)) << symbol;
        EXPECT_TRUE(regions("INCLUDE solver\nEXCLUDE *").excludesProcedure(symbol)) << symbol;
    }
    EXPECT_FALSE(regions("EXCLUDE solver").excludesProcedure("MAIN__"));
}

TEST(Filter, callsOfMpiAndOpenMp_onlyByRulesThatAreForThem) {
    const Filter filter = regions(
        "EXCLUDE * MPI_Test* !$omp\\ critical* omp_set_lock pthread_mutex_*\nINCLUDE MPI_Testall\nEXCLUDE "
        "MANGLED MPI_Send");
    EXPECT_TRUE(filter.excludesCall("MPI_Testany"));
    EXPECT_FALSE(filter.excludesCall("MPI_Testall"));
    EXPECT_FALSE(filter.excludesCall("MPI_Recv"));
    EXPECT_FALSE(filter.excludesCall("MPI_Send"));
    EXPECT_TRUE(filter.excludesCall("!$omp critical"));
    EXPECT_TRUE(filter.excludesCall("omp_set_lock"));
    EXPECT_FALSE(filter.excludesCall("omp_unset_lock"));
    EXPECT_TRUE(filter.excludesCall("pthread_mutex_lock"));
    EXPECT_FALSE(regions("EXCLUDE *").excludesCall("MPI_Testany"));
}

TEST(Filter, files_ownBlock) {
    const Filter filter = files("EXCLUDE */util/*\nINCLUDE */util/important.c");
    EXPECT_TRUE(filter.excludesFile("/src/util/swap.c"));
    EXPECT_FALSE(filter.excludesFile("/src/util/important.c"));
    EXPECT_FALSE(filter.excludesFile("/src/main.c"));
    EXPECT_TRUE(files("EXCLUDE util/swap.c").excludesFile("/src/util/swap.c"));
    EXPECT_FALSE(files("EXCLUDE swap.c").excludesFile("/src/util/myswap.c"));
    EXPECT_FALSE(filter.excludesRegion("util"));
}

TEST(Filter, mistakes_saidWithTheirLine) {
    EXPECT_THAT(errorOf("EXCLUDE main"), HasSubstr("own:1: expected SCOREP_FILE_NAMES_BEGIN"));
    EXPECT_THAT(errorOf("SCOREP_REGION_NAMES_BEGIN\nEXCLUDE\nINCLUDE a\nSCOREP_REGION_NAMES_END"),
                HasSubstr("own:3: a rule needs a pattern"));
    EXPECT_THAT(errorOf("SCOREP_REGION_NAMES_BEGIN\nmain\n"), HasSubstr("own:2: expected EXCLUDE, INCLUDE"));
    EXPECT_THAT(errorOf("SCOREP_REGION_NAMES_BEGIN\nEXCLUDE a\n"),
                HasSubstr("own:2: SCOREP_REGION_NAMES_END is missing"));
    EXPECT_THAT(errorOf("SCOREP_FILE_NAMES_BEGIN\nEXCLUDE a\nSCOREP_REGION_NAMES_END"),
                HasSubstr("own:3: expected EXCLUDE, INCLUDE or SCOREP_FILE_NAMES_END"));
}

TEST(Filter, fileThatIsNotThere_saysWhich) {
    EXPECT_THROW(readFilter("/no/such/filter"), Error);
}

TEST(Filter, fileWithoutEndOrFolder_throws) {
    EXPECT_THROW(readFilter("/dev/zero"), Error);
    EXPECT_THROW(readFilter("/"), Error);
    EXPECT_NO_THROW(readFilter("/dev/null"));
}

}  // namespace
}  // namespace holos::filter
