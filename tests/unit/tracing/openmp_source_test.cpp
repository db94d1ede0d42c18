// SPDX-License-Identifier: BSD-3-Clause
// Lines of OpenMP's constructs, as their source has them.
#include "tracing/archive/openmp_source.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_directory.h"

namespace holos::archive {
namespace {

class OpenMpSource : public ::testing::Test {
  protected:
    OpenMpSource() {
        std::ofstream(file()) << "void one(void) {\n"                         // 1
                                 "#pragma omp parallel num_threads(2)\n"      // 2
                                 "    body();\n"                              // 3
                                 "}\n"                                        // 4
                                 "void other(void) {\n"                       // 5
                                 "#pragma omp parallel for\n"                 // 6
                                 "    for (int i = 0; i < 9; ++i) body();\n"  // 7
                                 "}\n";                                       // 8
    }
    std::uint32_t lineOf(const std::string& name, tracing::Role role, std::uint32_t line,
                         bool isOutlinedBody) {
        RecordedRegion region;
        region.name = name;
        region.role = role;
        region.file = file();
        region.beginLine = region.endLine = line;
        correctFromSource(region, isOutlinedBody);
        EXPECT_EQ(region.beginLine, region.endLine);
        return region.beginLine;
    }
    std::string file() const { return directory_.path() / "code.c"; }

    holos::testing::TemporaryDirectory directory_;
};

TEST_F(OpenMpSource, regionWhoseCodeBeginsInItsBody_hasTheLineOfItsDirective) {
    for (const bool isFirst : {true, false}) {
        const std::uint32_t directive = isFirst ? 2 : 6;
        EXPECT_EQ(lineOf("!$omp parallel", tracing::Role::Parallel, directive + 1, true), directive);
        EXPECT_EQ(lineOf("!$omp implicit barrier", tracing::Role::ImplicitBarrier, directive + 1, true),
                  directive);
        EXPECT_EQ(lineOf("!$omp parallel", tracing::Role::Parallel, directive, true), directive);
    }
}

TEST_F(OpenMpSource, regionThatIsKnownByItsCall_hasThatLine) {
    EXPECT_EQ(lineOf("!$omp parallel", tracing::Role::Parallel, 8, false), 8);
}

TEST_F(OpenMpSource, lineThatTheSourceDoesNotHave_staysAsItIs) {
    EXPECT_EQ(lineOf("!$omp parallel", tracing::Role::Parallel, 99, true), 99);
}

}  // namespace
}  // namespace holos::archive
