// SPDX-License-Identifier: BSD-3-Clause
// Files that want to exhaust or to mislead their reader: each is an error that says so, soon.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "algebra/files/experiment_file.h"
#include "algebra/model/check.h"
#include "algebra/model/queries.h"
#include "base/error.h"
#include "tests/unit/algebra/container.h"
#include "tests/unit/algebra/sample_experiment.h"

namespace holos::algebra::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string complaint(const std::string& bytes) {
    const auto file = fileWith(bytes);
    std::string message = "no complaint";
    try {
        const Experiment experiment = readExperiment(file);
        for (const MetricId id : experiment.metrics.ids()) experiment.severities.table(id);
    } catch (const Error& error) {
        message = error.what();
    }
    std::filesystem::remove(file);
    return message;
}

/// The document as `anchor.xml` of a container, and as a CUBE 3 document.
std::vector<std::string> inBothFormats(const std::string& prolog, const std::string& metrics) {
    const auto document = [&](const char* version) {
        return prolog + "<cube version=\"" + version + "\"><metrics>" + metrics + "</metrics></cube>";
    };
    return {tarOf({{"anchor.xml", document("4.4")}}), document("3.0")};
}

std::string cube3With(const std::string& severity) {
    return "<cube version=\"3.0\"><metrics><metric id=\"0\"><uniq_name>t</uniq_name></metric></metrics>"
           "<program><region id=\"0\"><name>main</name></region><cnode id=\"0\" "
           "calleeId=\"0\"></cnode></program>"
           "<system><machine Id=\"0\"><node Id=\"0\"><process Id=\"0\"><rank>0</rank><thread "
           "Id=\"0\"><rank>0</rank>"
           "</thread></process></node></machine></system>" +
           severity + "</cube>";
}

TEST(HostileFile, entitiesThatExpand_areRefused) {
    std::string type = "<!DOCTYPE cube [<!ENTITY a \"aaaaaaaaaa\">";
    for (char name = 'b'; name <= 'z'; ++name) {
        const std::string previous = std::string("&") + static_cast<char>(name - 1) + ';';
        type += std::string("<!ENTITY ") + name + " \"";
        for (int times = 0; times < 10; ++times) type += previous;
        type += "\">";
    }
    for (const std::string& file : inBothFormats("<?xml version=\"1.0\"?>" + type + "]>",
                                                 "<metric id=\"0\"><descr>&z;</descr></metric>"))
        EXPECT_THAT(complaint(file), HasSubstr("document type is not allowed"));
}

TEST(HostileFile, externalEntity_isRefused) {
    for (const std::string& file :
         inBothFormats("<!DOCTYPE cube [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>",
                       "<metric id=\"0\"><descr>&e;</descr></metric>"))
        EXPECT_THAT(complaint(file), HasSubstr("document type is not allowed"));
    for (const std::string& file :
         inBothFormats("<!DOCTYPE cube SYSTEM \"http://example.org/cube.dtd\">", ""))
        EXPECT_THAT(complaint(file), HasSubstr("document type is not allowed"));
}

TEST(HostileFile, deepNesting_isReadOrRefusedAtItsEnd) {
    std::string open, close;
    for (int depth = 0; depth < 100'000; ++depth) {
        open += "<metric id=\"" + std::to_string(depth) + "\"><uniq_name>m</uniq_name>";
        close += "</metric>";
    }
    for (const std::string& file : inBothFormats("", open + close))
        EXPECT_EQ(complaint(file), "no complaint");
    for (const std::string& file : inBothFormats("", open)) EXPECT_NE(complaint(file), "no complaint");
}

TEST(HostileFile, packedDocumentThatGrows_isRefused) {
    const std::string row =
        "<severity><matrix metricId=\"0\"><row cnodeId=\"0\">1" + std::string(70'000'000, ' ') + "</row>";
    EXPECT_THAT(complaint(gzipped(cube3With(row + "</matrix></severity>"))),
                HasSubstr("the text of <row> is too long"));
}

TEST(HostileFile, packedDocumentCutOff_isRefused) {
    const std::string packed = gzipped(cube3With("<severity></severity>"));
    EXPECT_EQ(complaint(packed), "no complaint");
    EXPECT_THAT(complaint(packed.substr(0, packed.size() - 4)), HasSubstr("ends too early"));
    std::string damaged = packed;
    damaged[packed.size() - 6] ^= 1;
    EXPECT_THAT(complaint(damaged), HasSubstr("cannot be unpacked"));
}

TEST(HostileFile, indicesOutOfRange_areRefused) {
    const auto row = [](const char* metric, const char* path, const char* values) {
        return complaint(cube3With(std::string("<severity><matrix metricId=\"") + metric +
                                   "\"><row cnodeId=\"" + path + "\">" + values +
                                   "</row></matrix></severity>"));
    };
    EXPECT_EQ(row("0", "0", "1"), "no complaint");
    EXPECT_THAT(row("1", "0", "1"), HasSubstr("no metric has the id 1"));
    EXPECT_THAT(row("-1", "0", "1"), HasSubstr("needs a number"));
    EXPECT_THAT(row("0", "99999999999999999999", "1"), HasSubstr("needs a number"));
    EXPECT_THAT(row("0", "2147483647", "1"), HasSubstr("no call path has the id"));
    EXPECT_THAT(row("0", "0", "1 2"), HasSubstr("more than 1 values"));
}

TEST(HostileFile, valuesThatAreNoNumbers_areRefusedOrFound) {
    for (const char* value : {"0x", "1.5.2", "--1", "1;2"})
        EXPECT_THAT(complaint(cube3With(std::string("<severity><matrix metricId=\"0\"><row cnodeId=\"0\">") +
                                        value + "</row></matrix></severity>")),
                    HasSubstr("a number was expected"));
    Experiment experiment = sampleStructure();
    const MetricId id = addSampleMetric(experiment, "time", 1.0);
    experiment.severities.edit(id).editRow(CallPathId(2))[1] = std::numeric_limits<double>::infinity();
    const auto findings = check(experiment);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].text, "metric \"time\": 1 value not finite");
    EXPECT_EQ(findings[0].path, CallPathId(2));
}

TEST(HostileFile, expressionsInACircle_endWithAReason) {
    Experiment experiment = sampleStructure();
    addDerivedMetric(experiment, "a", Storage::PostDerived, "metric::b()");
    addDerivedMetric(experiment, "b", Storage::PreDerivedExclusive, "metric::call::a(0, i)");
    for (const MetricId id : experiment.metrics.ids())
        EXPECT_THAT(whyNotEvaluated(experiment, id).value_or(""), HasSubstr("refers to itself"));
}

TEST(HostileFile, regularExpressionThatNeverEnds_isGivenUp) {
    Experiment experiment = sampleStructure();
    const MetricId id =
        addDerivedMetric(experiment, "a", Storage::PostDerived,
                         "{ ${s} = \"" + std::string(5000, 'a') +
                             "\"; if (${s} =~ /^(a+)+(a+)+(a+)+$b/) { return 1; }; return 0; }");
    EXPECT_THAT(whyNotEvaluated(experiment, id).value_or(""), HasSubstr("takes too long"));
}

/// Each `pK` calls the one before three times, so that the last one asks for 3^30 values.
TEST(HostileFile, callsThatCallEachOther_endWithTheNameOfTheMetric) {
    Experiment experiment = sampleStructure();
    addDerivedMetric(experiment, "p0", Storage::PostDerived, "1");
    for (int at = 1; at <= 30; ++at) {
        const std::string below = "metric::call::p" + std::to_string(at - 1) + "(0, i)";
        addDerivedMetric(experiment, "p" + std::to_string(at), Storage::PostDerived,
                         below + " + " + below + " + " + below);
    }
    const MetricId last(experiment.metrics.size() - 1);
    EXPECT_THAT(whyNotEvaluated(experiment, last).value_or(""),
                AllOf(HasSubstr("the expression of \"p"), HasSubstr("takes too long")));
}

/// The second query costs nothing: a thousand of them would take half an hour.
TEST(HostileFile, expressionThatTakesTooLong_isTriedOnce) {
    Experiment experiment = sampleStructure();
    const MetricId loop =
        addDerivedMetric(experiment, "loop", Storage::PostDerived, "{ while (1) { ${a} = 1; } return 0; }");
    const MetricId user = addDerivedMetric(experiment, "user", Storage::PostDerived, "metric::loop()");
    for (int query = 0; query < 1000; ++query)
        for (const MetricId id : {loop, user})
            ASSERT_EQ(whyNotEvaluated(experiment, id).value_or(""),
                      "the expression of \"loop\" takes too long");
    // Many of them take little longer than one.
    for (int loops = 0; loops < 500; ++loops) {
        const MetricId id = addDerivedMetric(experiment, "loop " + std::to_string(loops),
                                             Storage::PostDerived, "{ while (1) { ${a} = 1; } return 0; }");
        ASSERT_THAT(whyNotEvaluated(experiment, id).value_or(""), HasSubstr("takes too long"));
    }
    const MetricId other = addDerivedMetric(experiment, "other", Storage::PostDerived, "7");
    EXPECT_EQ(aggregate(experiment, {other}), 7.0) << "others are evaluated all the same";
}

}  // namespace
}  // namespace holos::algebra::testing
