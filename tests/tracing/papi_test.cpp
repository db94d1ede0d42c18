// SPDX-License-Identifier: BSD-3-Clause
// PAPI as a source of counters, with the library that `programs/made_up_papi.cpp` makes up.
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <thread>

#include "tracing/counters/selection.h"

namespace holos::counters {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> namesOf(const Source& source) {
    std::vector<std::string> names;
    for (const auto& counter : source.list()) names.push_back(counter.name);
    return names;
}

Counter listed(const Source& source, const std::string& name) {
    for (auto& counter : source.list())
        if (counter.name == name) return counter;
    ADD_FAILURE() << name << " is not listed";
    return {};
}

std::string errorOf(const std::vector<std::string>& names) {
    try {
        Selection(names).open();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// What this and the next reading say.
using Two = std::vector<std::uint64_t>;
Two twoReadings(Reader& reader) {
    Two values(2);
    EXPECT_TRUE(reader.read(&values[0]));
    EXPECT_TRUE(reader.read(&values[1]));
    return values;
}
Two twoReadings(const std::string& name) {
    return twoReadings(*Selection({name}).open());
}

TEST(Papi, presetsAndNatives_listedWithWhatTheyAreMadeOf) {
    EXPECT_THAT(namesOf(papi()),
                ElementsAre("PAPI_L1_DCM", "PAPI_TOT_CYC", "PAPI_TOT_INS", "PAPI_LD_INS", "PAPI_FP_OPS",
                            "made::CYCLES", "made::INSTRUCTIONS", "made::LOADS", "made::LOADS:HIT",
                            "made::LOADS:MISS", "made::WORK"));
    EXPECT_EQ(listed(papi(), "PAPI_TOT_CYC").description, "Total cycles (made::CYCLES)");
    EXPECT_EQ(listed(papi(), "PAPI_LD_INS").description,
              "Load instructions (DERIVED_ADD of made::LOADS:HIT, made::LOADS:MISS)");
    EXPECT_EQ(listed(papi(), "made::LOADS:HIT").description, "Loads, masks: that hit");
}

TEST(Papi, presetThatTheProcessorLacks_listedWithPapisReason) {
    EXPECT_EQ(listed(papi(), "PAPI_L1_DCM").unavailable, "PAPI: Event does not exist");
    EXPECT_THAT(errorOf({"PAPI_L1_DCM"}), HasSubstr("Event does not exist"));
}

TEST(Papi, components_eachBelowWhatItCountsFor) {
    const auto ofThreads = papi().components(), ofProcess = papiOfProcess().components(),
               ofNode = papiOfNode().components();
    ASSERT_EQ(ofThreads.size(), 1U);
    EXPECT_EQ(ofThreads[0].name, "perf_event");
    ASSERT_EQ(ofProcess.size(), 1U);
    EXPECT_EQ(ofProcess[0].name, "handles");
    EXPECT_EQ(ofProcess[0].unavailable, "") << "it looks for its device when it is enumerated";
    ASSERT_EQ(ofNode.size(), 2U);
    EXPECT_EQ(ofNode[0].description, "Sensors of the room");
    EXPECT_EQ(ofNode[1].unavailable, "The driver 'absent' is not loaded.");
}

TEST(Papi, eventOfADisabledComponent_refusedWithItsReason) {
    EXPECT_THAT(errorOf({"absent:::ANY"}),
                HasSubstr("PAPI's component absent is disabled: The driver 'absent' is not loaded."));
    EXPECT_THAT(errorOf({"room:::NONE"}), HasSubstr("no such counter"));
}

TEST(Papi, unitsAndScopes_sayWhatIsAState) {
    EXPECT_EQ(listed(papiOfNode(), "room:::TEMPERATURE").mode, Mode::Absolute) << "by its unit";
    EXPECT_EQ(listed(papiOfNode(), "room:::LOAD").mode, Mode::Absolute) << "by its time scope";
    EXPECT_EQ(listed(papiOfNode(), "room:::ENERGY").mode, Mode::Accumulated);
    EXPECT_EQ(listed(papiOfNode(), "room:::ENERGY").unit, "nJ");
    EXPECT_EQ(listed(papiOfNode(), "room:::LOAD").values, Values::Real);
    EXPECT_EQ(listed(papiOfNode(), "room:::BALANCE").values, Values::Signed);
    EXPECT_EQ(listed(papi(), "PAPI_TOT_INS").values, Values::Unsigned);
}

TEST(Papi, counters_areReadByTheirScope) {
    const Selection selection({"PAPI_TOT_INS", "handles:::OPEN", "room:::ENERGY", "room:::LOAD"});
    EXPECT_THAT(selection.namesOf(Scope::Thread), ElementsAre("PAPI_TOT_INS"));
    EXPECT_THAT(selection.namesOf(Scope::Process), ElementsAre("handles:::OPEN"));
    EXPECT_THAT(selection.namesOf(Scope::Node), ElementsAre("room:::ENERGY", "room:::LOAD"));
}

TEST(Papi, valuesOfASet_inTheOrderOfTheirNames) {
    const auto reader = Selection({"made::INSTRUCTIONS", "room:::ENERGY", "made::CYCLES"}).open();
    std::uint64_t values[3]{};
    ASSERT_TRUE(reader->read(values));
    EXPECT_THAT(values, ElementsAre(200, 1000, 100));
    ASSERT_TRUE(reader->read(values));
    EXPECT_THAT(values, ElementsAre(400, 2000, 200));
}

TEST(Papi, signedAndRealValues_keepTheirBits) {
    EXPECT_EQ(static_cast<std::int64_t>(twoReadings("room:::TEMPERATURE")[1]), -5);
    EXPECT_EQ(static_cast<std::int64_t>(twoReadings("room:::BALANCE")[1]), -6);
    EXPECT_EQ(std::bit_cast<double>(twoReadings("room:::LOAD")[1]), 0.25);
    EXPECT_EQ(std::bit_cast<double>(twoReadings("made::WORK")[1]), 1.0) << "of a thread, and growing";
}

TEST(Papi, amountsSinceTheLastReading_areAddedUp) {
    EXPECT_THAT(twoReadings("room:::VISITORS"), ElementsAre(7, 14));
}

TEST(Papi, moreThanTheRegisters_refusedWithTheNameAndWhatHelps) {
    EXPECT_EQ(errorOf({"made::CYCLES", "PAPI_LD_INS"}), "") << "a derived one takes two registers";
    const std::string error = errorOf({"made::CYCLES", "made::INSTRUCTIONS", "PAPI_LD_INS"});
    for (const char* part : {"PAPI_LD_INS: PAPI cannot count it together with the others", "hardware",
                             "holos spec plan", "holos campaign"})
        EXPECT_THAT(error, HasSubstr(part));
}

TEST(Papi, moreThanTheRegistersInTurns_areCounted) {
    const std::vector<std::string> names{"made::CYCLES", "made::INSTRUCTIONS", "PAPI_LD_INS",
                                         "room:::ENERGY"};
    const auto reader = Selection(names, true).open();
    std::uint64_t values[4]{};
    ASSERT_TRUE(reader->read(values));
    EXPECT_THAT(values, ElementsAre(100, 200, 50, 1000));
}

TEST(Papi, secondSetOfAComponentInAThread_refused) {
    const auto first = Selection({"made::CYCLES"}).open();
    EXPECT_THAT(errorOf({"made::INSTRUCTIONS"}), HasSubstr("currently counting"));
    std::string inAnotherThread = "not tried";
    std::thread([&] { inAnotherThread = errorOf({"made::INSTRUCTIONS"}); }).join();
    EXPECT_EQ(inAnotherThread, "");
}

TEST(Papi, misspeltName_hasTheNearestOne) {
    EXPECT_THAT(errorOf({"made::CYCLE"}), HasSubstr("did you mean 'made::CYCLES'?"));
}

}  // namespace
}  // namespace holos::counters
