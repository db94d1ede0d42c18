// SPDX-License-Identifier: BSD-3-Clause
#include "base/csv.h"

#include <gtest/gtest.h>

#include <limits>

namespace holos {
namespace {

TEST(CsvField, textThatASpreadsheetTakesForAFormula_isGuarded) {
    EXPECT_EQ(csvField("=HYPERLINK(A1)"), "'=HYPERLINK(A1)");
    EXPECT_EQ(csvField("@sum"), "'@sum");
    EXPECT_EQ(csvField("+cmd"), "'+cmd");
    EXPECT_EQ(csvField("-[Solver step]"), "'-[Solver step]");
    EXPECT_EQ(csvField("\t=1"), "'\t=1");
    EXPECT_EQ(csvField("\r=1"), "' =1");
    EXPECT_EQ(csvField("=A1,\"x\""), "\"'=A1,\"\"x\"\"\"");
    EXPECT_EQ(csvField("-1+cmd"), "'-1+cmd");
    EXPECT_EQ(csvField("-"), "'-");
}

/// Of names in a file, shown on a terminal.
TEST(CsvField, whatWouldSteerATerminal_isLeftOut) {
    EXPECT_EQ(csvField("\x1b]0;title\x07main\x1b[2J"), " ]0;title main [2J");
    EXPECT_EQ(csvField("two\nlines"), "\"two\nlines\"");
}

TEST(CsvField, numbersAndOtherTexts_stayAsTheyAre) {
    for (const char* text : {"", "main", "a=b", "-1.5e-3", "+2", "-0", "1e999", "-inf"})
        EXPECT_EQ(csvField(text), text);
    EXPECT_EQ(csvField(-0.5), "-0.5");
    EXPECT_EQ(csvField(std::numeric_limits<double>::quiet_NaN()), "");
}

}  // namespace
}  // namespace holos
