// SPDX-License-Identifier: BSD-3-Clause
#include "base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace holos {
namespace {

using ::testing::HasSubstr;

std::string nested(std::size_t levels, const std::string& open, const std::string& close) {
    std::string text;
    for (std::size_t i = 0; i < levels; ++i) text += open;
    text += "1";
    for (std::size_t i = 0; i < levels; ++i) text += close;
    return text;
}

std::string problemOf(const std::string& text, const JsonLimits& limits = {}) {
    try {
        parseJson(text, "x.json", limits);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(Json, deepNesting_isRefused) {
    for (const std::size_t levels : {101, 300'000}) {
        EXPECT_THAT(problemOf(nested(levels, "{\"a\":", "}")),
                    HasSubstr("x.json: is nested deeper than 100"));
        EXPECT_THAT(problemOf(nested(levels, "[", "]")), HasSubstr("is nested deeper than 100"));
    }
    EXPECT_EQ(problemOf(nested(100, "[", "]")), "");
}

TEST(Json, manyValues_areRefused) {
    const JsonLimits limits{.values = 4};
    EXPECT_EQ(problemOf("[1,2,3]", limits), "");
    EXPECT_THAT(problemOf("[1,2,3,4]", limits), HasSubstr("has more than 4 values"));
    EXPECT_THAT(problemOf("[[],[],[],[]]", limits), HasSubstr("has more than 4 values"));
}

TEST(Json, longText_isRefused) {
    EXPECT_THAT(problemOf("[1, 2]", {.bytes = 5}), HasSubstr("has more than 5 bytes"));
}

TEST(Json, textThatIsNoJson_saysWhere) {
    EXPECT_THAT(problemOf("{\"a\": }"), HasSubstr("x.json: is no JSON from byte 7 on"));
    EXPECT_THAT(problemOf(""), HasSubstr("is no JSON"));
    EXPECT_THAT(problemOf("[1] x"), HasSubstr("is no JSON"));
}

TEST(Json, fileAndOrder_areRead) {
    const testing::TemporaryDirectory directory;
    std::ofstream(directory.path() / "a.json") << R"({"b": 1, "a": [2]})";
    EXPECT_EQ(readJson<nlohmann::ordered_json>(directory.path() / "a.json").dump(), R"({"b":1,"a":[2]})");
    EXPECT_THROW(readJson(directory.path() / "none.json"), Error);
    EXPECT_THROW(readJson("/dev/zero"), Error);
}

TEST(Json, bytesThatAreNoUtf8_areReplacedInText) {
    EXPECT_EQ(jsonText(nlohmann::json("a\xff")), "\"a\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace holos
