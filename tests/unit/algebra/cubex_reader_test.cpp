// SPDX-License-Identifier: BSD-3-Clause
// Containers as other programs write them, and damaged ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "algebra/files/anchor.h"
#include "algebra/files/cubex.h"
#include "algebra/files/packed/compression.h"
#include "algebra/model/queries.h"
#include "base/error.h"
#include "tests/unit/algebra/container.h"

namespace holos::algebra::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const std::string kExclusive = R"(type="EXCLUSIVE")";
const std::string kInclusive = R"(type="INCLUSIVE")";

Experiment read(const Members& members, Padding padding = Padding::Standard) {
    return readCubex(fileWith(tarOf(members, padding)));
}

std::vector<double> row(const Experiment& experiment, std::size_t path) {
    const auto values = experiment.severities.table(MetricId(0)).row(CallPathId(path));
    return {values.begin(), values.end()};
}

/// The message of the error that reading gives, the values included.
std::string complaint(const std::string& bytes) {
    try {
        const Experiment experiment = readCubex(fileWith(bytes));
        for (const MetricId id : experiment.metrics.ids()) experiment.severities.table(id);
    } catch (const Error& error) {
        return error.what();
    }
    return "no complaint";
}

std::string complaintAbout(const std::string& anchor) {
    return complaint(tarOf({{"anchor.xml", anchor}}));
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.find(what), what.size(), by);
}

TEST(CubexReader, sparseExclusive_putsRowsInDepthFirstOrder) {
    const Experiment experiment = read({{"anchor.xml", anchorWith(kExclusive, "DOUBLE")},
                                        {"7.index", sparseIndex({2, 3})},
                                        {"7.data", doubles({1, 2, 3, 4})}});
    EXPECT_THAT(row(experiment, 2), ElementsAre(1, 2));
    EXPECT_THAT(row(experiment, 3), ElementsAre(3, 4));
    EXPECT_THAT(row(experiment, 0), ElementsAre());
}

TEST(CubexReader, denseInclusive_putsRowsInWideOrderAndSubtracts) {
    // Wide order of 0(1(2),3), 4(5): 0, 1, 3, 2, 4, 5. Inclusive values 100, 50, 20, 30, 9, 4 at location 0.
    const Experiment experiment = read({{"anchor.xml", anchorWith(kInclusive, "DOUBLE")},
                                        {"7.index", denseIndex()},
                                        {"7.data", doubles({100, 0, 50, 0, 20, 0, 30, 0, 9, 0, 4, 0})}});
    EXPECT_THAT(row(experiment, 0), ElementsAre(30, 0));  // 100 - 50 - 20
    EXPECT_THAT(row(experiment, 1), ElementsAre(20, 0));  // 50 - 30
    EXPECT_THAT(row(experiment, 2), ElementsAre(30, 0));
    EXPECT_THAT(row(experiment, 3), ElementsAre(20, 0));
    EXPECT_THAT(row(experiment, 4), ElementsAre(5, 0));
    EXPECT_THAT(row(experiment, 5), ElementsAre(4, 0));
}

/// The mark and these values as whole numbers at location 0.
template <class Number = std::uint64_t>
std::string wholeNumbers(const std::vector<Number>& values) {
    std::string data = "CUBEX.DATA";
    for (const Number value : values)
        for (const Number one : {value, Number{0}})
            data.append(reinterpret_cast<const char*>(&one), sizeof one);
    return data;
}

/// As counters are stored that count down: -1 is 2^64 - 1.
TEST(CubexReader, wrappedInclusiveNumbers_addUpExactly) {
    const std::uint64_t minusOne = ~std::uint64_t{0};
    const Experiment experiment = read({{"anchor.xml", anchorWith(kInclusive, "UINT64")},
                                        {"7.index", denseIndex()},
                                        {"7.data", wholeNumbers({1000, minusOne, minusOne - 4, 0, 0, 0})}});
    EXPECT_THAT(row(experiment, 0), ElementsAre(1006, 0));  // 1000 + 1 + 5
    EXPECT_THAT(row(experiment, 1), ElementsAre(-1, 0));
    EXPECT_THAT(row(experiment, 3), ElementsAre(-5, 0));
}

/// Of 32 bits only what is more than the whole has counted down: -5 is 2^32 - 5, and 3,000,000,000 is itself.
TEST(CubexReader, wrappedInclusiveNumbersOf32Bits_addUp_andLargeOnesStay) {
    const std::uint32_t minusFive = ~std::uint32_t{0} - 4;
    const std::uint32_t large = 3'000'000'000;
    Experiment experiment =
        read({{"anchor.xml", anchorWith(kInclusive, "UINT32")},
              {"7.index", denseIndex()},
              {"7.data", wholeNumbers<std::uint32_t>({1000, minusFive, 7, minusFive - 1, large, large})}});
    const auto expectValues = [large](const Experiment& read) {
        EXPECT_THAT(row(read, 0), ElementsAre(998, 0));  // 1000 + 5 - 7
        EXPECT_THAT(row(read, 1), ElementsAre(1, 0));    // -5 + 6
        EXPECT_THAT(row(read, 2), ElementsAre(-6, 0));
        EXPECT_THAT(row(read, 3), ElementsAre(7, 0));
        EXPECT_THAT(row(read, 5), ElementsAre(large, 0));
    };
    expectValues(experiment);
    experiment.severities.set(MetricId(0), experiment.severities.table(MetricId(0)));  // no longer the file's
    const auto file = fileWith("");
    writeCubex(experiment, file);
    expectValues(readCubex(file));
}

/// As doubles, both would be 2^60.
TEST(CubexReader, largeInclusiveNumbers_areSubtractedExactly) {
    const std::uint64_t large = std::uint64_t{1} << 60U;
    const Experiment experiment = read({{"anchor.xml", anchorWith(kInclusive, "UINT64")},
                                        {"7.index", denseIndex()},
                                        {"7.data", wholeNumbers({large + 7, large, 0, 0, 0, 0})}});
    EXPECT_THAT(row(experiment, 0), ElementsAre(7, 0));
}

TEST(CubexReader, wrappedNumbers_areWrittenAsTheyWere) {
    const std::uint64_t minusOne = ~std::uint64_t{0};
    Experiment experiment = read({{"anchor.xml", anchorWith(kExclusive, "UINT64")},
                                  {"7.index", denseIndex()},
                                  {"7.data", wholeNumbers({5, minusOne, 0, 0, 0, 0})}});
    experiment.severities.set(MetricId(0), experiment.severities.table(MetricId(0)));  // no longer the file's
    const auto file = fileWith("");
    writeCubex(experiment, file);
    EXPECT_THAT(row(readCubex(file), 1), ElementsAre(-1, 0));
}

TEST(CubexReader, otherByteOrder_isSwapped) {
    const Experiment experiment = read({{"anchor.xml", anchorWith(kExclusive, "DOUBLE")},
                                        {"7.index", sparseIndex({1}, true)},
                                        {"7.data", doubles({1.5, -2}, true)}});
    EXPECT_THAT(row(experiment, 1), ElementsAre(1.5, -2));
}

TEST(CubexReader, compressedRows_areUnpacked) {
    const std::string first = deflate(doubles({1, 2}).substr(10)),
                      second = deflate(doubles({3, 4}).substr(10));
    const std::uint64_t table[] = {2, 0, 0, first.size(), 16, first.size(), second.size()};
    const std::string data =
        "ZCUBEX.DATA" + std::string(reinterpret_cast<const char*>(table), sizeof table) + first + second;
    const Experiment experiment = read({{"anchor.xml", anchorWith(kExclusive, "DOUBLE")},
                                        {"7.index", sparseIndex({0, 5})},
                                        {"7.data", data}});
    EXPECT_THAT(row(experiment, 0), ElementsAre(1, 2));
    EXPECT_THAT(row(experiment, 5), ElementsAre(3, 4));
}

TEST(CubexReader, compressedRowThatGrows_isRefused) {
    const std::string bomb = deflate(std::string(10'000'000, '\1'));
    const std::uint64_t table[] = {1, 0, 0, bomb.size()};
    const std::string data =
        "ZCUBEX.DATA" + std::string(reinterpret_cast<const char*>(table), sizeof table) + bomb;
    EXPECT_THAT(complaint(tarOf({{"anchor.xml", anchorWith(kExclusive, "DOUBLE")},
                                 {"7.index", sparseIndex({0})},
                                 {"7.data", data}})),
                HasSubstr("row 0 of the metric \"m\" cannot be unpacked (byte"));
}

TEST(CubexReader, rowsBehindTheEnd_areMissing) {
    const Experiment experiment = read({{"anchor.xml", anchorWith(kExclusive, "DOUBLE")},
                                        {"7.index", sparseIndex({0, 1})},
                                        {"7.data", doubles({1, 2, 3})}});
    EXPECT_THAT(row(experiment, 0), ElementsAre(1, 2));
    EXPECT_THAT(row(experiment, 1), ElementsAre());
}

TEST(CubexReader, absentMembers_areZero) {
    const Experiment experiment = read({{"anchor.xml", anchorWith(kExclusive, "DOUBLE")}});
    EXPECT_EQ(experiment.severities.table(MetricId(0)).at(CallPathId(0), LocationId(1)), 0.0);
}

TEST(CubexReader, metricDefinedByAnExpression_isThereAndHidden) {
    const std::string definition =
        "<cubepl>{ cube::metric::prederived::n(e) &lt;&lt; 2 &gt;&gt;; return metric::n(); "
        "}</cubepl></metric>";
    const Experiment experiment = read(
        {{"anchor.xml", replaced(anchorWith(R"(type="POSTDERIVED")", "DOUBLE"), "</metric>", definition)}});
    ASSERT_EQ(experiment.metrics.size(), 2U);
    EXPECT_EQ(experiment.metrics[MetricId(1)].uniqueName, "n");
    EXPECT_TRUE(experiment.metrics[MetricId(1)].ghost);
    EXPECT_EQ(aggregate(experiment, {MetricId(0)}), 2.0 * 6 * 2);
}

TEST(CubexReader, valuesOfNoMetric_areNamed) {
    const auto file = fileWith(tarOf({{"anchor.xml", anchorWith(kExclusive, "DOUBLE")},
                                      {"7.index", sparseIndex({0})},
                                      {"7.data", doubles({1, 2})},
                                      {"8.data", doubles({1, 2})},
                                      {"ghost_7.index", sparseIndex({0})}}));
    EXPECT_THAT(containerProblems(file), ElementsAre("the member \"8.data\" belongs to no metric",
                                                     "the member \"ghost_7.index\" belongs to no metric"));
}

TEST(CubexReader, valuesThatAreTooFewOrTooMany_areNamed) {
    const auto problems = [](const std::string& index, const std::string& data) {
        return containerProblems(fileWith(
            tarOf({{"anchor.xml", anchorWith(kExclusive, "DOUBLE")}, {"7.index", index}, {"7.data", data}})));
    };
    const std::vector<double> all(12, 1.0);  // six call paths, two locations
    EXPECT_THAT(problems(denseIndex(), doubles(all)), ElementsAre());
    EXPECT_THAT(
        problems(denseIndex(), doubles({1})),
        ElementsAre("metric \"m\": its values take 8 bytes instead of 96, for 6 rows of 2 locations"));
    EXPECT_THAT(problems(denseIndex(), doubles(std::vector<double>(14, 1.0))), SizeIs(1));
    EXPECT_THAT(problems(denseIndex() + std::string(4, '\0'), doubles(all)),
                ElementsAre("metric \"m\": its index has 22 bytes instead of 18"));
    EXPECT_THAT(problems(sparseIndex({2, 3}), doubles({1, 2, 3, 4})), ElementsAre());
    EXPECT_THAT(problems(sparseIndex({2, 3}), doubles({1, 2, 3})), SizeIs(1));
    EXPECT_THAT(problems(sparseIndex({}).substr(0, 18), "CUBEX.DATA"), ElementsAre());
}

TEST(CubexReader, oneMemberWithoutTheOther_isNamed) {
    const std::string anchor = anchorWith(kExclusive, "DOUBLE");
    EXPECT_THAT(complaint(tarOf({{"anchor.xml", anchor}, {"7.index", sparseIndex({0})}})),
                HasSubstr("the metric \"m\" has the member \"7.index\" but no \"7.data\""));
    EXPECT_THAT(complaint(tarOf({{"anchor.xml", anchor}, {"7.data", doubles({1, 2})}})),
                HasSubstr("the metric \"m\" has the member \"7.data\" but no \"7.index\""));
}

TEST(CubexReader, missingEndMark_isAnErrorWhateverThePadding) {
    for (const std::size_t size : {5U, 512U})
        for (const Padding padding : {Padding::Standard, Padding::Cube}) {
            const std::string good =
                tarOf({{"anchor.xml", anchorWith(kExclusive, "DOUBLE")}, {"notes", std::string(size, 'x')}},
                      padding);
            EXPECT_EQ(complaint(good), "no complaint");
            EXPECT_THAT(complaint(good.substr(0, good.size() - 1024)),
                        HasSubstr("mark at its end is missing"))
                << size;
        }
}

TEST(CubexReader, bothPaddings_findEveryMember) {
    const Members members{{"full", std::string(512, 'x')},
                          {"fuller", std::string(1024, 'y')},
                          {"anchor.xml", anchorWith(kExclusive, "DOUBLE")}};
    for (const Padding padding : {Padding::Standard, Padding::Cube})
        EXPECT_EQ(read(members, padding).files.size(), 2U);
}

TEST(CubexReader, ghostMetric_hasPrefixedMembers) {
    const Experiment experiment =
        read({{"anchor.xml", anchorWith(R"(type="EXCLUSIVE" viztype="GHOST")", "UINT8")},
              {"ghost_7.index", sparseIndex({4})},
              {"ghost_7.data", std::string("CUBEX.DATA") + '\5' + '\xff'}});
    EXPECT_TRUE(experiment.metrics[MetricId(0)].ghost);
    EXPECT_THAT(row(experiment, 4), ElementsAre(5, 255));
}

TEST(CubexReader, locations_areOrderedByColumn) {
    std::string anchor = anchorWith(kExclusive, "DOUBLE");
    anchor =
        replaced(anchor, R"(<location Id="0">)", R"(<location Id="2">)");  // columns 2 (a) and 1 (b) of three
    const Experiment experiment =
        read({{"anchor.xml", anchor}, {"7.index", sparseIndex({0})}, {"7.data", doubles({10, 11, 12})}});
    EXPECT_EQ(experiment.system.locations[0].name, "b");
    EXPECT_THAT(row(experiment, 0), ElementsAre(11, 12));
}

TEST(CubexReader, compoundValues_areKeptAsTheyAre) {
    const std::string data = "CUBEX.DATA" + std::string(72, 'a');
    const Experiment experiment = read({{"anchor.xml", anchorWith(kExclusive, "TAU_ATOMIC")},
                                        {"7.index", sparseIndex({0})},
                                        {"7.data", data}});
    const auto file = fileWith("");
    writeCubex(experiment, file);
    const Experiment again = readCubex(file);
    EXPECT_EQ(again.metrics[MetricId(0)].typeName, "TAU_ATOMIC");
    EXPECT_EQ(again.compoundValues.at(MetricId(0))->data, data);
}

TEST(CubexReader, brokenXmlOfCubesWriters_isRepaired) {
    std::string anchor = anchorWith(R"(type="POSTDERIVED")", "DOUBLE");
    anchor = replaced(anchor, "</disp_name>", " & more \xE4</disp_name>");
    anchor = replaced(
        anchor, "</metric>",
        "<cubepl rowwise=false>1 &lt; 2</cubepl><cubeplaggr cubeplaggrtype=plus>arg1</cubeplaggr></metric>");
    const Experiment experiment = read({{"anchor.xml", anchor}});
    const Metric& metric = experiment.metrics[MetricId(0)];
    EXPECT_EQ(metric.displayName, "M & more \xC3\xA4");
    EXPECT_EQ(metric.expression, "1 < 2");
    EXPECT_FALSE(metric.rowWise);
    ASSERT_EQ(metric.aggregations.size(), 1U);
    EXPECT_EQ(metric.aggregations[0].first, "plus");
}

TEST(CubexReader, terabyteOfValues_costsNothingUntilItIsRead) {
    // A file with a hole: the index promises rows that nobody could hold in memory.
    constexpr std::uint64_t kValues = std::uint64_t{1} << 40;
    std::string bytes = tarOf({{"anchor.xml", anchorWith(kExclusive, "DOUBLE")},
                               {"7.index", sparseIndex({0, 5})},
                               {"7.data", doubles({1, 2, 3, 4})}});
    const std::size_t header = bytes.rfind("7.data");
    bytes.replace(header + 124, 12, std::string("\x80\0\0\0\0\0\x01\0\0\0\0\0", 12));  // 2^40 bytes
    const auto large = fileWith(bytes);
    std::error_code failure;
    std::filesystem::resize_file(large, header + 512 + kValues + 1024, failure);
    if (failure) GTEST_SKIP() << "no files of this size here: " << failure.message();
    const Experiment experiment = readCubex(large);
    EXPECT_THAT(row(experiment, 0), ElementsAre(1, 2));
    EXPECT_THAT(row(experiment, 5), ElementsAre(3, 4));
    std::filesystem::remove(large);
}

TEST(CubexReader, fileThatWasShortenedMeanwhile_isRefused) {
    const auto file = fileWith(tarOf({{"anchor.xml", anchorWith(kExclusive, "DOUBLE")},
                                      {"7.index", sparseIndex({0, 5})},
                                      {"7.data", doubles({1, 2, 3, 4})}}));
    const Experiment experiment = readCubex(file);
    std::filesystem::resize_file(file, 2048);
    EXPECT_THROW(experiment.severities.table(MetricId(0)), Error);
}

TEST(CubexReader, foreignFiles_areNamed) {
    EXPECT_THAT(complaint(""), HasSubstr("a .cubex container (tar archive) was expected"));
    EXPECT_THAT(complaint("<?xml version=\"1.0\"?><cube version=\"3.0\"/>"), HasSubstr("tar archive"));
    EXPECT_THAT(complaint(std::string(10'000, 'x')), HasSubstr("tar archive"));
    EXPECT_THAT(complaint(tarOf({{"other", "text"}})), HasSubstr("no \"anchor.xml\""));
    EXPECT_THROW(readCubex("/no/such/file.cubex"), Error);
    EXPECT_THROW(readCubex(::testing::TempDir()), Error);
}

TEST(CubexReader, wrongAnchors_areNamedWithTheirLine) {
    const std::string good = anchorWith(kExclusive, "DOUBLE");
    const auto with = [&](const std::string& what, const std::string& by) {
        return complaintAbout(replaced(good, what, by));
    };
    EXPECT_THAT(complaintAbout("<cube version=\"3.0\"></cube>"), HasSubstr("anchor.xml:1: version 4"));
    EXPECT_THAT(complaintAbout("<html></html>"), HasSubstr("<cube>"));
    EXPECT_THAT(complaintAbout("<cube version=\"4.4\">"), HasSubstr("anchor.xml:1"));
    EXPECT_THAT(complaintAbout("<!DOCTYPE a [<!ENTITY b \"c\">]><cube version=\"4.4\">&b;</cube>"),
                HasSubstr("document type"));
    EXPECT_THAT(with("metric id=\"7\"", "metric id=\"x\""),
                HasSubstr("anchor.xml:4: <metric> needs a number"));
    EXPECT_THAT(with("<region id=\"5\"", "<region id=\"4\""),
                HasSubstr("anchor.xml:14: the region id 4 is there twice"));
    EXPECT_THAT(with("calleeId=\"5\"", "calleeId=\"6\""), HasSubstr("no region has the id 6"));
    EXPECT_THAT(with("<cnode id=\"5\"", "<cnode id=\"0\""), HasSubstr("call path id 0 is there twice"));
    EXPECT_THAT(with("location Id=\"1\"", "location Id=\"0\""), HasSubstr("location id 0 is there twice"));
    EXPECT_THAT(with("location Id=\"1\"", "location Id=\"1000000000\""), HasSubstr("location id"));
    EXPECT_THAT(with("<rank>0", "<rank>first"), HasSubstr("whole number"));
    EXPECT_THAT(with("<type>thread", "<type>fibre"), HasSubstr("unknown type of a location"));
    EXPECT_THAT(with("</system>",
                     "<cart name=\"\" ndims=\"1\"><dim size=\"2\" periodic=\"false\"/><coord "
                     "locId=\"0\">2</coord></cart></system>"),
                HasSubstr("do not fit"));
    EXPECT_THAT(with("</system>", "<cart name=\"\" ndims=\"0\"><coord locId=\"5\"></coord></cart></system>"),
                HasSubstr("no location 5"));
}

TEST(CubexReader, damagedValues_areNamedWithTheirByte) {
    const std::string anchor = anchorWith(kExclusive, "DOUBLE");
    const auto with = [&](const std::string& index, const std::string& data) {
        return complaint(tarOf({{"anchor.xml", anchor}, {"7.index", index}, {"7.data", data}}));
    };
    const std::string data = doubles({1, 2, 3, 4});
    EXPECT_THAT(with("INDEX", data), HasSubstr("\"CUBEX.INDEX\" was expected (byte"));
    EXPECT_THAT(with("CUBEX.INDEX", data), HasSubstr("ends too early"));
    EXPECT_THAT(with(sparseIndex({1, 0}), data), HasSubstr("row 0 is out of order"));
    EXPECT_THAT(with(sparseIndex({1, 1}), data), HasSubstr("row 1 is out of order"));
    EXPECT_THAT(with(sparseIndex({6}), data), HasSubstr("row 6"));
    EXPECT_THAT(with(sparseIndex({0, 1, 2}).substr(0, 26), data), HasSubstr("before its 3 rows"));
    EXPECT_THAT(with(sparseIndex({0}), "CUBEX"), HasSubstr("\"CUBEX.DATA\" was expected"));
    EXPECT_THAT(with(sparseIndex({0}), "ZCUBEX.DATA"), HasSubstr("compressed rows"));
    EXPECT_THAT(with(sparseIndex({0}), "ZCUBEX.DATA" + std::string(8, '\xff')),
                HasSubstr("impossible number"));
}

TEST(CubexReader, unacceptableMembers_areRefused) {
    const std::string anchor = anchorWith(kExclusive, "DOUBLE");
    EXPECT_THAT(complaint(tarOf({{"anchor.xml", anchor}, {"anchor.xml", anchor}})), HasSubstr("there twice"));
    EXPECT_THAT(complaint(tarOf({{"anchor.xml", anchor}, {"a/../../b", ""}})),
                HasSubstr("unacceptable member name"));
    EXPECT_THAT(complaint(tarOf({{"anchor.xml", anchor}, {"/etc/passwd", ""}})),
                HasSubstr("unacceptable member name"));
    const std::string good = tarOf({{"anchor.xml", anchor}});
    EXPECT_THAT(complaint(good.substr(0, 1024)), HasSubstr("truncated container"));
    EXPECT_THAT(complaint(std::string(good).replace(124, 11, "77777777777")),
                HasSubstr("truncated container"));
    EXPECT_THAT(complaint(std::string(good).replace(124, 11, "9999xxxx999")), HasSubstr("octal digits"));
}

TEST(CubexReader, compressedAnchor_isUnpackedWithinBounds) {
    const std::string packed = gzipped(anchorWith(kExclusive, "DOUBLE"));
    EXPECT_EQ(read({{"anchor.xml", packed}}).callTree.size(), 6U);
    EXPECT_THAT(complaintAbout(packed.substr(0, packed.size() / 2)), HasSubstr("cannot be unpacked"));
}

}  // namespace
}  // namespace holos::algebra::testing
