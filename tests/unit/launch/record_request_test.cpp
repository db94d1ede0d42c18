// SPDX-License-Identifier: BSD-3-Clause
// What `holos record` can be asked for, and what the recorder and the recording are told of it.
#include "tracing/recordings/launch/recorder_settings.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <functional>
#include <map>

#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tracing/recordings/format/settings.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::launch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// What is wrong with a request; nothing where it can be meant.
std::string problemOf(const std::function<void(RecordRequest&)>& ask) try {
    RecordRequest request;
    ask(request);
    check(request);
    return "";
} catch (const UsageError& error) {
    return error.what();
}

TEST(RecordRequest, whatIsUsual_canBeMeant) {
    EXPECT_EQ(problemOf([](RecordRequest&) {}), "");
    EXPECT_EQ(problemOf([](RecordRequest& request) {
                  request.ranks = "0,4-7";
                  request.mpi = "p2p,coll";
                  request.buffer = 1;
                  request.whenFull = measurement::WhenFull::KeepNewest;
              }),
              "");
}

TEST(RecordRequest, whatCannotBeMeant_isSaidWithItsOption) {
    EXPECT_THAT(problemOf([](RecordRequest& request) { request.directory = "--"; }), StartsWith("--output"));
    EXPECT_THAT(problemOf([](RecordRequest& request) { request.ranks = "7-4"; }), StartsWith("--ranks"));
    EXPECT_THAT(problemOf([](RecordRequest& request) { request.mpi = "p2p,none"; }), StartsWith("--mpi"));
    EXPECT_THAT(
        problemOf([](RecordRequest& request) { request.whenFull = measurement::WhenFull::KeepNewest; }),
        StartsWith("--when-full"));
}

TEST(RecordRequest, profile_refusesWhatOnlyATraceHas) {
    const std::map<std::string, std::function<void(RecordRequest&)>> asked{
        {"--sample", [](RecordRequest& request) { request.sample = "10ms"; }},
        {"--buffer", [](RecordRequest& request) { request.buffer = 1; }},
        {"--first", [](RecordRequest& request) { request.first = 1e9; }},
        {"--phase", [](RecordRequest& request) { request.phase = "step"; }},
        {"--trace", [](RecordRequest& request) {
             request.trace = true;
             request.tracePhase = "step:1+1";
         }}};
    for (const auto& [option, ask] : asked) {
        EXPECT_EQ(problemOf(ask), "") << option;
        EXPECT_THAT(problemOf([&ask = ask](RecordRequest& request) {
                        ask(request);
                        request.profile = true;
                    }),
                    StartsWith("--profile with " + option));
    }
}

TEST(RecordRequest, samples_areTimesOrPeriods) {
    RecordRequest request;
    EXPECT_FALSE(callStackSamples(request));
    request.sample = "10ms";
    EXPECT_TRUE(callStackSamples(request));
    request.sample = "soon";
    EXPECT_THROW(callStackSamples(request), UsageError);
}

TEST(ChosenCounters, ofThreadsAndOfProcesses_areToldApart) {
    RecordRequest request;
    request.counters = "ru_nvcsw,proc_rss";
    const ChosenCounters chosen = chooseCounters(request);
    EXPECT_THAT(chosen.all, ElementsAre("ru_nvcsw", "proc_rss"));
    EXPECT_THAT(chosen.ofThreads, ElementsAre("ru_nvcsw"));
    EXPECT_THAT(chosen.sampled, ElementsAre("proc_rss"));
    request.profile = true;
    EXPECT_THROW(chooseCounters(request), UsageError);
}

TEST(ChosenCounters, whatCannotBeMeant_isRefused) {
    RecordRequest request;
    EXPECT_THAT(chooseCounters(request).all, IsEmpty());
    request.multiplex = true;
    EXPECT_THROW(chooseCounters(request), UsageError);
    request.multiplex = false;
    request.counters = "ru_nvcsw";
    request.sampleInterval = 1e6;
    EXPECT_THROW(chooseCounters(request), UsageError);
    request.counters = ",";
    EXPECT_THROW(chooseCounters(request), UsageError);
    request.counters = "no-such-counter";
    EXPECT_THROW(chooseCounters(request), Error);
}

/// Each setting other than usual.
RecordRequest unusual() {
    RecordRequest all;
    all.profile = all.trace = all.compensate = all.multiplex = all.keepCommand = true;
    all.tracePhase = "step:1+1";
    all.traceShare = 5;
    all.counters = "a,b";
    all.sampleInterval = all.clockOffsetsEvery = all.writeBack = all.first = 1e6;
    all.set = "S";
    all.specification = "mine";
    all.filter = "f";
    all.sample = "10ms";
    all.callPaths = measurement::CallPathExtent::None;
    all.polls = all.locks = measurement::Thinning::Each;
    all.sleep = measurement::Sleeps::All;
    all.openMpRuntime = measurement::OpenMpRuntime::Llvm;
    all.throttle = 7;
    all.throttleBelow = 0.5;
    all.ranks = "0";
    all.phase = "p";
    all.mpi = "p2p";
    all.annotations = "nvtx";
    all.buffer = 1'000'000;
    all.whenFull = measurement::WhenFull::KeepNewest;
    all.whenDiskLow = measurement::WhenDiskLow::Stop;
    all.diskReserve = 10;
    all.local = "/disk/of/the/node";
    return all;
}

TEST(RecordSettings, writtenAndRead_areTheSame) {
    const measurement::RecordSettings usual, all = unusual();
    EXPECT_EQ(measurement::settingsFrom(measurement::settingsJson(usual)), usual);
    EXPECT_EQ(measurement::settingsFrom(measurement::settingsJson(all)), all);
    measurement::forEachRecordSetting([&](const std::string& name, auto member) {
        EXPECT_TRUE(all.*member != usual.*member) << name << " is not among those of this test";
    });
}

TEST(RecordSettings, choices_areWords_andWhatIsNotGivenIsNull) {
    const auto all = measurement::settingsJson(unusual());
    EXPECT_EQ(all["call-paths"], "none");
    EXPECT_EQ(all["when-disk-low"], "stop");
    EXPECT_TRUE(measurement::settingsJson({})["buffer"].is_null());
}

TEST(RecordSettings, valueOfAnotherKind_isRefused) {
    for (const char* text : {R"({"polls": "some"})", R"({"throttle": -1})", R"({"ranks": 7})", R"([])",
                             R"({"buffer": 1e300})", R"({"throttle": 99999999999})"})
        EXPECT_THROW(measurement::settingsFrom(nlohmann::json::parse(text)), Error) << text;
}

class RecorderSettings : public ::testing::Test {
  protected:
    std::map<std::string, std::string> environment(const std::string& preload = "recorder.so") const {
        const ChosenCounters counters{{"a", "b", "c"}, {"a", "b"}, {"c"}};
        const auto all = environmentFor(folder_.path(), "link", "the run", preload, counters, request_);
        return {all.begin(), all.end()};
    }
    RecordRequest request_;
    testing::TemporaryDirectory folder_;
};

TEST_F(RecorderSettings, request_isWhatTheRecorderReads) {
    request_.ranks = "0-3";
    request_.buffer = 2'000'000;
    request_.diskReserve = 5;
    request_.polls = measurement::Thinning::Each;
    request_.callPaths = measurement::CallPathExtent::Site;
    std::string text = environment().at(tracing::core::kSettingsVariable);
    const tracing::core::Settings settings = tracing::core::decode(text.data());
    EXPECT_EQ(settings.counters, "a,b");
    EXPECT_EQ(settings.sampledCounters, "c");
    EXPECT_EQ(settings.ranks, "0-3");
    EXPECT_EQ(settings.buffer, 2'000'000U);
    EXPECT_EQ(settings.diskReserve, 5U);
    EXPECT_TRUE(settings.writesEvents);
    EXPECT_FALSE(settings.addsUp);
    EXPECT_EQ(settings.polls, measurement::Thinning::Each);
    EXPECT_EQ(settings.locks, measurement::Thinning::Thin);
    EXPECT_EQ(settings.callPaths, tracing::core::CallPathExtent::Site);
}

TEST_F(RecorderSettings, librariesOfOthers_stayWhereTheRuntimeIsReplaced) {
    const auto own = environment();
    EXPECT_EQ(own.at("LD_PRELOAD"), "recorder.so");
    EXPECT_EQ(own.at("HOLOS_RUN"), "the run");
    EXPECT_FALSE(own.contains("LD_LIBRARY_PATH"));
    request_.openMpRuntime = measurement::OpenMpRuntime::Llvm;
    EXPECT_THAT(environment().at("LD_LIBRARY_PATH"), StartsWith(folder_.path().string()));
}

TEST_F(RecorderSettings, interfacesForOtherTools_haveOurs_unlessTheUserHasOne) {
    const std::string preload = "/h/libholos-exceptions.so:/h/libholos-tracing.so:/others.so";
    const char* const tool = "/h/libholos-annotations.so";
    EXPECT_EQ(environment(preload).at("NVTX_INJECTION64_PATH"), tool);
    EXPECT_EQ(environment(preload).at("KOKKOS_TOOLS_LIBS"), tool);
    request_.annotations = "itt,kokkos";
    EXPECT_FALSE(environment(preload).contains("NVTX_INJECTION64_PATH"));
    // Kokkos ends a program that has two different ones.
    for (const char* variable : {"KOKKOS_TOOLS_LIBS", "KOKKOS_PROFILE_LIBRARY"}) {
        ::setenv(variable, "/tool.so", 1);
        EXPECT_FALSE(environment(preload).contains("KOKKOS_TOOLS_LIBS")) << variable;
        ::unsetenv(variable);
    }
    EXPECT_EQ(environment(preload).at("INTEL_LIBITTNOTIFY64"), tool);
    request_.annotations = "all the others";
    EXPECT_THROW(check(request_), UsageError);
}

TEST_F(RecorderSettings, profileOfAPhase_makesATraceOfItsInstances) {
    request_.profile = true;
    request_.tracePhase = "step:10+2";
    const measurement::Command command = commandOf(request_, {{"a"}, {"a"}, {}}, {}, "the run");
    EXPECT_TRUE(command.settings->profile);
    EXPECT_TRUE(command.settings->makesTrace());
    EXPECT_EQ(command.settings->tracedPhaseName(), "step");
    EXPECT_EQ(command.traced.first, 10U);
}

}  // namespace
}  // namespace holos::launch
