// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/quantity.h"

#include <gtest/gtest.h>

#include <limits>

using namespace holos::gui;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string number(const QuantityFormat& format, double value) {
    return format.number(value).toStdString();
}

}  // namespace

TEST(QuantityFormat, seconds_share_one_prefix_and_one_number_of_decimals) {
    const auto format = QuantityFormat::absolute("sec", 1.205, false);
    EXPECT_EQ(format.unit(), "s");
    EXPECT_EQ(number(format, 1.205), "1.2050");
    EXPECT_EQ(number(format, 0.0125), "0.0125");
    EXPECT_EQ(number(format, 0.0), "0");
}

TEST(QuantityFormat, small_seconds_get_a_prefix) {
    const auto format = QuantityFormat::absolute("sec", 0.0002684, false);
    EXPECT_EQ(format.unit(), QString::fromUtf8("µs"));
    EXPECT_EQ(number(format, 0.0002684), "268.40");
    EXPECT_EQ(number(format, 0.00017), "170.00");
}

TEST(QuantityFormat, what_happens_per_second_has_the_prefix_of_what_is_counted) {
    EXPECT_EQ(quantity(1.2e9, "bytes/s", 3), "1.2 GB/s");
    EXPECT_EQ(quantity(213e3, "occ/s", 3), QString("213 k") + kThinSpace + "occ/s");
    EXPECT_EQ(quantity(1.01e9, "ns/s", 3), "1.01 s/s");
    EXPECT_EQ(quantity(0.25, "s/s", 3), "0.25 s/s");
    EXPECT_EQ(quantity(5e6, "/s", 2), QString("5 M") + kThinSpace + "/s");
}

TEST(QuantityFormat, nanoseconds_of_counters_are_written_in_seconds) {
    const auto format = QuantityFormat::absolute("ns", 2.5e9, true);
    EXPECT_EQ(format.unit(), "s");
    EXPECT_EQ(number(format, 2.5e9), "2.5000");
    const auto small = QuantityFormat::absolute("us", 40, true);
    EXPECT_EQ(small.unit(), QString::fromUtf8("µs"));
    EXPECT_EQ(number(small, 40), "40.000");
}

TEST(QuantityFormat, long_times_stay_in_seconds) {
    const auto format = QuantityFormat::absolute("sec", 123456.0, false);
    EXPECT_EQ(format.unit(), "s");
    EXPECT_EQ(format.number(123456.0), u"123\u2009456"_qs);
}

TEST(QuantityFormat, value_below_the_last_decimal_is_not_written_as_zero) {
    const auto format = QuantityFormat::absolute("sec", 1.205, false);
    EXPECT_EQ(number(format, 1e-6), "< 0.0001");
    EXPECT_EQ(format.number(-1e-6), u"> \u22120.0001"_qs);
}

TEST(QuantityFormat, negative_value_has_a_minus_sign) {
    EXPECT_EQ(QuantityFormat::absolute("sec", 4.0, false).number(-1.5), u"\u22121.5000"_qs);
}

TEST(QuantityFormat, counts_are_whole_numbers_in_groups) {
    const auto format = QuantityFormat::absolute("occ", 172252.0, true);
    EXPECT_EQ(format.unit(), "occ");
    EXPECT_EQ(format.number(172252.0), u"172\u2009252"_qs);
}

TEST(QuantityFormat, unit_that_has_a_prefix_gets_no_second_one) {
    const auto memory = QuantityFormat::absolute("kB", 16'004, true);
    EXPECT_EQ(memory.unit(), "MB");
    EXPECT_EQ(number(memory, 16'004), "16.004");
    const auto time = QuantityFormat::absolute("msec", 2'500, true);
    EXPECT_EQ(time.unit(), "s");
}

TEST(QuantityFormat, large_counts_and_bytes_get_a_prefix) {
    EXPECT_EQ(QuantityFormat::absolute("occ", 15377e9, true).unit(), u"T\u2009occ"_qs);
    const auto bytes = QuantityFormat::absolute("bytes", 2.5e9, true);
    EXPECT_EQ(bytes.unit(), "GB");
    EXPECT_EQ(number(bytes, 2.5e9), "2.5000");
}

TEST(QuantityFormat, undefined_is_a_dash) {
    EXPECT_EQ(QuantityFormat::absolute("sec", 1.0, false).number(kNaN), QString(kUndefined));
    EXPECT_EQ(QuantityFormat::absolute("sec", kNaN, false).number(kNaN), QString(kUndefined));
    EXPECT_EQ(exactQuantity(kNaN, "sec"), QString(kUndefined));
    EXPECT_EQ(percentage(kNaN), QString(kUndefined));
}

TEST(QuantityFormat, percent_has_two_decimals) {
    EXPECT_EQ(number(QuantityFormat::percent(), 0.125), "12.50");
    EXPECT_EQ(number(QuantityFormat::percent(), 0.00001), "< 0.01");
    EXPECT_EQ(percentage(0.7), "70.00 %");
}

TEST(QuantityFormat, ratio_has_four_digits) {
    const auto format = QuantityFormat::ratio("");
    EXPECT_EQ(number(format, 1.0), "1.000");
    EXPECT_EQ(number(format, 28.5714), "28.57");
    EXPECT_EQ(number(format, 16096.67), "16097");
    EXPECT_EQ(number(format, 2.5e-7), "2.500e-07");
}

TEST(QuantityFormat, chosen_digits_are_those_of_the_largest_value) {
    const auto three = QuantityFormat::absolute("sec", 20.0, false, 3);
    EXPECT_EQ(number(three, 20.0), "20.0");
    EXPECT_EQ(number(three, 2.5), "2.5");
    EXPECT_EQ(number(QuantityFormat::absolute("sec", 20.0, false, 9), 2.5), "2.5000000");
    EXPECT_EQ(number(QuantityFormat::absolute("sec", 123.0, false, 2), 123.0), "123");
    EXPECT_EQ(number(QuantityFormat::percent(3), 0.126), "13");
    EXPECT_EQ(number(QuantityFormat::percent(6), 0.125), "12.500");
    EXPECT_EQ(number(QuantityFormat::ratio("", 7), 1.0 / 3), "0.333333");
    EXPECT_EQ(percentage(0.7, 4), "70.0 %");
}

TEST(QuantityFormat, whole_numbers_with_more_digits_than_chosen_get_a_prefix) {
    EXPECT_EQ(number(QuantityFormat::absolute("occ", 99999.0, true, 5), 99999.0),
              u"99\u2009999"_qs.toStdString());
    const auto three = QuantityFormat::absolute("occ", 172252.0, true, 3);
    EXPECT_EQ(three.text(172252.0), u"172 k\u2009occ"_qs);
    EXPECT_EQ(QuantityFormat::absolute("occ", 15377000000.0, true, 12).text(15377000000.0),
              u"15\u2009377\u2009000\u2009000 occ"_qs);
}

TEST(Counted, one_thing_is_no_plural) {
    EXPECT_EQ(counted(1, "process", "processes"), "1 process");
    EXPECT_EQ(counted(0, "process", "processes"), "0 processes");
    EXPECT_EQ(counted(65536, "thread", "threads"), u"65\u2009536 threads"_qs);
}

TEST(ExactQuantity, keeps_the_digits_and_the_unit_of_the_experiment) {
    EXPECT_EQ(exactQuantity(0.000268401, "sec"), "0.000268401 sec");
    EXPECT_EQ(exactQuantity(1234567.0, "occ"), u"1\u2009234\u2009567 occ"_qs);
    EXPECT_EQ(exactQuantity(6400002.234, "sec", 4), u"6\u2009400\u2009002 sec"_qs);
    EXPECT_EQ(exactQuantity(-0.5, ""), u"\u22120.5"_qs);
}
