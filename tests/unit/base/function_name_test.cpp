// SPDX-License-Identifier: BSD-3-Clause
#include "base/function_name.h"

#include <gtest/gtest.h>

namespace holos {
namespace {

TEST(Demangled, symbolsOfCxxFortranAndRust_areAsInTheSource) {
    EXPECT_EQ(demangled("_ZN4work4Step3runEi"), "work::Step::run(int)");
    EXPECT_EQ(demangled("__solver_MOD_step"), "solver::step");
    EXPECT_EQ(demangled("_RNvCs15kBYyAo9fc_7mycrate7example"), "mycrate::example");
    EXPECT_EQ(demangled("_ZN4core3fmt5write17h0123456789abcdefE"), "core::fmt::write");
}

TEST(Demangled, functionOfCNamedAsAMangledType_keepsItsName) {
    for (const char* name : {"f", "g", "i", "Pi", "St6vectorIiSaIiEE", "__float128", "Z4stepv", "R4stepv",
                             "solve_", "___MOD_step", "_Znonsense", "_Rnonsense", "_R", "_Z", ""})
        EXPECT_EQ(demangled(name), name);
}

TEST(WithoutCopy, whatCompilersAdd_isCutOff) {
    for (const char* symbol : {"f", "f.cold", "f.constprop.0", "f.isra.1", "f.part.2.cold", "f.lto_priv.0",
                               "f.llvm.1234", "f._omp_fn.3", "f.omp_outlined", "f.omp_outlined_debug__"})
        EXPECT_EQ(withoutCopy(symbol), "f") << symbol;
    for (const char* symbol : {"f.party", "f.0", ".omp_outlined.", "_start", ""})
        EXPECT_EQ(withoutCopy(symbol), symbol);
}

TEST(OutlinedBody, ofGccAndClang_isKnown) {
    for (const char* symbol : {"f._omp_fn.0", "__m_MOD_f._omp_fn.1", ".omp_outlined.", ".omp_outlined..3",
                               "f.omp_outlined", ".omp_outlined._debug__", ".omp_task_entry."})
        EXPECT_TRUE(isOutlinedBody(symbol)) << symbol;
    for (const char* symbol : {"f", "f.part.0", "omp_outlined", ""}) EXPECT_FALSE(isOutlinedBody(symbol));
}

}  // namespace
}  // namespace holos
