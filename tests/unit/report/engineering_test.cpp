// SPDX-License-Identifier: BSD-3-Clause
// Numbers of reports: four digits and a prefix.
#include "report/formats.h"

#include <gtest/gtest.h>

#include <limits>

namespace holos::report {
namespace {

TEST(Engineering, number_hasFourDigitsAndAPrefix) {
    EXPECT_EQ(engineering(25'911'000'000'000.0), "25.91 T");
    EXPECT_EQ(engineering(6.38e-07), "638.0 n");
    EXPECT_EQ(engineering(0.12345), "123.5 m");
    EXPECT_EQ(engineering(-12.5), "-12.50");
    EXPECT_EQ(engineering(15'499), "15.50 k");
}

TEST(Engineering, smallWholeNumber_isExact) {
    EXPECT_EQ(engineering(9956), "9956");
    EXPECT_EQ(engineering(117), "117");
    EXPECT_EQ(engineering(-3), "-3");
    EXPECT_EQ(engineering(0), "0");
}

TEST(Engineering, numberThatIsRoundedUp_takesTheNextPrefix) {
    EXPECT_EQ(engineering(999'960), "1.000 M");
    EXPECT_EQ(engineering(0.99996), "1.000");
}

TEST(Engineering, beyondAllPrefixes_digitsStay) {
    EXPECT_EQ(engineering(2.5e22), "25000 E");
    EXPECT_EQ(engineering(2.5e-20), "0.0250 a");
}

TEST(Engineering, whatIsNoNumber_isADash) {
    EXPECT_EQ(engineering(std::numeric_limits<double>::quiet_NaN()), "–");
    EXPECT_EQ(engineering(std::numeric_limits<double>::infinity()), "–");
}

TEST(FourDigits, percentages_haveNoPrefix) {
    EXPECT_EQ(fourDigits(92.23456), "92.23");
    EXPECT_EQ(fourDigits(0.001234), "0.0012");
    EXPECT_EQ(fourDigits(123456), "123456");
}

TEST(Engineering, seconds_areWrittenAsPeopleDo) {
    EXPECT_EQ(shownSeconds(0.914), "914.0 ms");
    EXPECT_EQ(shownSeconds(2.5e-6), "2.500 µs");
    EXPECT_EQ(shownSeconds(12.5), "12.50 s");
    EXPECT_EQ(shownSeconds(15'499), "15499 s");
    EXPECT_EQ(shownSeconds(3), "3.000 s");
    EXPECT_EQ(shownSeconds(-0.5), "-500.0 ms");
    EXPECT_EQ(shownSeconds(0), "0");
    EXPECT_EQ(shownSeconds(std::numeric_limits<double>::quiet_NaN()), "–");
}

}  // namespace
}  // namespace holos::report
