// SPDX-License-Identifier: BSD-3-Clause
// What the analysis of a trace costs, against OTF2's own reader decoding the same file with callbacks that do
// nothing. Prints the ratio of the two.
#include <benchmark/benchmark.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/trace/definitions_reader.h"
#include "analyzer/trace/event_file.h"
#include "tests/support/large_trace.h"
#include "tests/support/temporary_directory.h"

namespace {

using namespace holos;

/// Enter and leave are more than 99 of 100 events.
constexpr testing::LargeTraceShape kShape{.processes = 4, .rounds = 1000, .callsPerRound = 500};

const std::filesystem::path& archive() {
    static const testing::TemporaryDirectory directory;
    static const auto path = testing::writeLargeTrace(directory.path(), kShape);
    return path;
}

void expectSuccess(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS) throw std::runtime_error(OTF2_Error_GetDescription(code));
}

OTF2_CallbackCode noteLocation(void* locations, OTF2_LocationRef ref, OTF2_StringRef, OTF2_LocationType,
                               std::uint64_t, OTF2_LocationGroupRef) {
    static_cast<std::vector<OTF2_LocationRef>*>(locations)->push_back(ref);
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onCall(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*, OTF2_AttributeList*,
                         OTF2_RegionRef) {
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onMessage(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*, OTF2_AttributeList*,
                            std::uint32_t, OTF2_CommRef, std::uint32_t, std::uint64_t) {
    return OTF2_CALLBACK_SUCCESS;
}

std::vector<OTF2_LocationRef> readDefinitions(OTF2_Reader* reader) {
    std::vector<OTF2_LocationRef> locations;
    std::uint64_t count = 0;
    auto* definitions = OTF2_Reader_GetGlobalDefReader(reader);
    auto* callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, noteLocation);
    expectSuccess(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &locations));
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    expectSuccess(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count));
    for (const auto location : locations) expectSuccess(OTF2_Reader_SelectLocation(reader, location));
    expectSuccess(OTF2_Reader_OpenDefFiles(reader));
    for (const auto location : locations) {
        auto* local = OTF2_Reader_GetDefReader(reader, location);
        expectSuccess(OTF2_Reader_ReadAllLocalDefinitions(reader, local, &count));
        expectSuccess(OTF2_Reader_CloseDefReader(reader, local));
    }
    expectSuccess(OTF2_Reader_CloseDefFiles(reader));
    return locations;
}

std::uint64_t decodeAll(const std::filesystem::path& path) {
    auto* reader = OTF2_Reader_Open(path.c_str());
    if (reader == nullptr) throw std::runtime_error("cannot open " + path.string());
    expectSuccess(OTF2_Reader_SetSerialCollectiveCallbacks(reader));
    const auto locations = readDefinitions(reader);
    auto* callbacks = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, onCall);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, onCall);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, onMessage);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, onMessage);
    expectSuccess(OTF2_Reader_OpenEvtFiles(reader));
    std::uint64_t events = 0;
    for (const auto location : locations) {
        std::uint64_t count = 0;
        auto* local = OTF2_Reader_GetEvtReader(reader, location);
        expectSuccess(OTF2_Reader_RegisterEvtCallbacks(reader, local, callbacks, nullptr));
        expectSuccess(OTF2_Reader_ReadAllLocalEvents(reader, local, &count));
        expectSuccess(OTF2_Reader_CloseEvtReader(reader, local));
        events += count;
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    expectSuccess(OTF2_Reader_CloseEvtFiles(reader));
    expectSuccess(OTF2_Reader_Close(reader));
    return events;
}

void report(benchmark::State& state, std::uint64_t events) {
    if (events != kShape.events()) state.SkipWithError("not all events were read");
    state.SetItemsProcessed(static_cast<std::int64_t>(events) * state.iterations());
}

void decode(benchmark::State& state) {
    std::uint64_t events = 0;
    for (auto iteration : state) events = decodeAll(archive());
    report(state, events);
}
BENCHMARK(decode)->Unit(benchmark::kMillisecond);

/// Events are decoded by the analysis' own decoder, for nobody.
void decodeOwn(benchmark::State& state) {
    namespace trace = analyzer::trace;
    std::uint64_t events = 0;
    const trace::EventHandlers nobody{.calls =
                                          [](void*, std::uint64_t, std::span<const trace::PlainCall> calls) {
                                              return trace::CallsTaken{calls.size(), OTF2_CALLBACK_SUCCESS};
                                          },
                                      .mpiSend = onMessage,
                                      .mpiRecv = onMessage};
    for (auto iteration : state) {
        events = 0;
        const trace::Definitions definitions = trace::readDefinitions(archive());
        for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
            trace::EventFile file(archive(), definitions, trace::LocationId(i));
            if (file.listen(nobody, nullptr)) file.deliver({});
            events += file.outcome().events;
        }
    }
    report(state, events);
}
BENCHMARK(decodeOwn)->Unit(benchmark::kMillisecond);

void analyze(benchmark::State& state) {
    std::uint64_t events = 0;
    for (auto iteration : state)
        events =
            analyzer::analyze(archive(), {.threads = static_cast<unsigned>(state.range(0)), .progress = {}})
                .statistics.events;
    report(state, events);
}
BENCHMARK(analyze)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

/// Two analyses by one thread each at the same time, which share nothing: no threads are faster on this
/// machine.
void twoAtATime(benchmark::State& state) {
    const auto once = [] { analyzer::analyze(archive(), {.threads = 1, .progress = {}}); };
    for (auto iteration : state) {
        std::jthread other(once);
        once();
    }
}
BENCHMARK(twoAtATime)->Unit(benchmark::kMillisecond)->UseRealTime();

/// A trace of its own, which is forgotten afterwards; one thread.
void analyzeShape(benchmark::State& state, const testing::LargeTraceShape& shape) {
    const testing::TemporaryDirectory directory;
    const auto path = testing::writeLargeTrace(directory.path(), shape);
    for (auto iteration : state) {
        const auto result = analyzer::analyze(path);
        if (result.statistics.events != shape.events()) state.SkipWithError("not all events were read");
        state.counters["callPaths"] = static_cast<double>(result.statistics.callPaths);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(shape.events()) * state.iterations());
}

/// Hardly anything but messages: causes of waiting are most of the work.
void messages(benchmark::State& state) {
    analyzeShape(state, {.rounds = static_cast<std::uint64_t>(state.range(0)), .callsPerRound = 3});
}
BENCHMARK(messages)->Arg(20'000)->Arg(40'000)->Arg(80'000)->Iterations(1)->Repetitions(3)->Unit(
    benchmark::kMillisecond);

/// Many call paths, each entered a few times.
void callPaths(benchmark::State& state) {
    const auto count = static_cast<unsigned>(state.range(0));
    analyzeShape(state, {.processes = 2,
                         .rounds = 2,
                         .callsPerRound = count,
                         .regions = 2000,
                         .callPaths = count,
                         .depth = 3});
}
BENCHMARK(callPaths)->Arg(200'000)->Arg(2'000'000)->Iterations(1)->Unit(benchmark::kMillisecond);

/// Many locations with a little work each.
void locations(benchmark::State& state) {
    analyzeShape(state,
                 {.processes = static_cast<unsigned>(state.range(0)), .rounds = 4, .callsPerRound = 20});
}
BENCHMARK(locations)->Arg(4096)->Arg(16'384)->Arg(65'536)->Iterations(1)->Unit(benchmark::kMillisecond);

/// Seconds of an iteration. The processor's are the fairer measure of one thread where other programs run,
/// too.
struct Times {
    double elapsed = std::numeric_limits<double>::max();
    double processor = std::numeric_limits<double>::max();
};

/// Prints as usual and keeps the shortest times of each benchmark.
class ShortestTimes : public benchmark::ConsoleReporter {
  public:
    void ReportRuns(const std::vector<Run>& runs) override {
        ConsoleReporter::ReportRuns(runs);
        for (const auto& run : runs) {
            const bool hasFailed = run.real_accumulated_time <= 0.0;  // in all versions of the library
            if (hasFailed || run.run_type != Run::RT_Iteration) continue;
            auto& known = times[run.run_name.function_name + run.run_name.args];
            const auto iterations = static_cast<double>(run.iterations);
            known.elapsed = std::min(known.elapsed, run.real_accumulated_time / iterations);
            known.processor = std::min(known.processor, run.cpu_accumulated_time / iterations);
        }
    }
    std::map<std::string, Times> times;
};

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    archive();
    ShortestTimes shortest;
    benchmark::RunSpecifiedBenchmarks(&shortest);
    const auto& times = shortest.times;
    if (times.contains("decode") && times.contains("decodeOwn"))
        std::printf("own decoder: %.2f times the processor time of OTF2's reader\n",
                    times.at("decodeOwn").processor / times.at("decode").processor);
    if (times.contains("decode") && times.contains("analyze1"))
        std::printf("analysis, one thread: %.2f times the processor time of decoding\n",
                    times.at("analyze1").processor / times.at("decode").processor);
    if (times.contains("analyze1") && times.contains("analyze2"))
        std::printf("two threads: %.2f times as fast as one; processor time of the first one: %.2f\n",
                    times.at("analyze1").elapsed / times.at("analyze2").elapsed,
                    times.at("analyze2").processor / times.at("analyze1").processor);
    if (times.contains("analyze1") && times.contains("twoAtATime"))
        std::printf(
            "two analyses at a time, which share nothing: %.2f times as fast as one after the other\n",
            2 * times.at("analyze1").elapsed / times.at("twoAtATime").elapsed);
    for (const auto& [small, large] :
         {std::pair("messages20000", "messages40000"), std::pair("messages40000", "messages80000")})
        if (times.contains(small) && times.contains(large))
            std::printf("%s: %.2f times the processor time of half of it\n", large,
                        times.at(large).processor / times.at(small).processor);
    return 0;
}
