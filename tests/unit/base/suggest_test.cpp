// SPDX-License-Identifier: BSD-3-Clause
#include "base/suggest.h"

#include <gtest/gtest.h>

namespace holos {
namespace {

TEST(Suggest, misspelledName_findsTheNearest) {
    EXPECT_EQ(nearest("PAPI_TOT_CYX", {"PAPI_TOT_INS", "PAPI_TOT_CYC"}), "PAPI_TOT_CYC");
    EXPECT_EQ(nearest("Tmie", {"visits", "time"}), "time");
    EXPECT_EQ(didYouMean("Tmie", {"visits", "time"}), "; did you mean 'time'?");
}

TEST(Suggest, nameThatIsFarFromAll_hasNone) {
    EXPECT_EQ(nearest("bandwidth", {"visits", "time"}), "");
    EXPECT_EQ(didYouMean("bandwidth", {"visits", "time"}), "");
}

}  // namespace
}  // namespace holos
