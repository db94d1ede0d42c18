// SPDX-License-Identifier: BSD-3-Clause
// `holos export --format chrome` and `perfetto`: a run over time, for viewers.
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <protozero/pbf_reader.hpp>
#include <set>

#include "tests/cli/command_test.h"
#include "tests/support/hollow_trace.h"
#include "tests/support/recording_switch.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

/// Two messages of one channel; the second arrives in a call that began before it was sent. Ticks are
/// microseconds.
class TimelineExport : public CommandTest {
  protected:
    TimelineExport() {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").send(100, 200, {.peer = 1, .bytes = 64, .tag = 7});
        trace.on(0).send(600, 700, {.peer = 1, .bytes = 65, .tag = 7}).leave(1000);
        trace.on(1).enter(0, "main").recv(150, 250, {.peer = 0, .bytes = 64, .tag = 7});
        trace.on(1).recv(300, 720, {.peer = 0, .bytes = 65, .tag = 7}).leave(1000);
        anchor_ = trace.write(file("run"));
    }

    nlohmann::json events(std::vector<std::string> options) const {
        std::vector<std::string> words{"export", file("run"), "--format", "chrome", "-o", file("run.json")};
        words.insert(words.end(), options.begin(), options.end());
        const auto result = holos(words);
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return nlohmann::json::parse(std::ifstream(file("run.json")))["traceEvents"];
    }

    static std::vector<nlohmann::json> ofKind(const nlohmann::json& events, const std::string& kind) {
        std::vector<nlohmann::json> found;
        for (const auto& event : events)
            if (event["ph"] == kind) found.push_back(event);
        return found;
    }

    /// `NAME from to` in milliseconds, as they end.
    static std::vector<std::string> slices(const nlohmann::json& events, int process) {
        std::vector<std::string> made;
        std::vector<std::pair<std::string, double>> open;
        for (const auto& event : events) {
            if (event["pid"] != process) continue;
            if (event["ph"] == "B") open.emplace_back(event["name"], event["ts"]);
            if (event["ph"] != "E") continue;
            made.push_back(open.back().first + ' ' + std::to_string(std::lround(open.back().second / 1000)) +
                           ' ' + std::to_string(std::lround(event["ts"].get<double>() / 1000)));
            open.pop_back();
        }
        EXPECT_THAT(open, IsEmpty());
        return made;
    }

    std::filesystem::path anchor_;
};

TEST_F(TimelineExport, calls_areNestedSlicesOfTheirThread) {
    EXPECT_THAT(slices(events({}), 0), ElementsAre("MPI_Send 100 200", "MPI_Send 600 700", "main 0 1000"));
    EXPECT_THAT(slices(events({}), 1), ElementsAre("MPI_Recv 150 250", "MPI_Recv 300 720", "main 0 1000"));
}

TEST_F(TimelineExport, messages_leadFromTheirSendToTheirReceive) {
    const auto all = events({});
    std::map<std::int64_t, int> sent;
    for (const auto& send : ofKind(all, "s")) sent[send["id"]] = send["args"]["bytes"];
    std::map<double, int> received;
    for (const auto& receive : ofKind(all, "f")) received[receive["ts"]] = sent.at(receive["id"]);
    EXPECT_THAT(received, ElementsAre(std::pair(250e3, 64), std::pair(720e3, 65)));
}

TEST_F(TimelineExport, ofAPart_hasCallsThatAreOpenThereAndTheSameNumbersOfMessages) {
    const auto all = events({});
    const auto part = events({"--from", "0.5", "--to", "0.8"});
    EXPECT_THAT(slices(part, 1), ElementsAre("MPI_Recv 500 720", "main 500 800"));
    ASSERT_EQ(ofKind(part, "f").size(), 1U);
    EXPECT_EQ(ofKind(part, "f").front()["id"], ofKind(all, "f").back()["id"]);
}

TEST_F(TimelineExport, ofSomeProcesses_hasTheseAlone) {
    const auto part = events({"--processes", "1", "--from", "0.5"});
    EXPECT_THAT(slices(part, 0), IsEmpty());
    EXPECT_THAT(slices(part, 1), ElementsAre("MPI_Recv 500 720", "main 500 1000"));
    EXPECT_EQ(events({"--processes", "1,0"}).size(), events({}).size());
    const auto none = holos({"export", file("run"), "--format", "chrome", "--processes", "0,2"});
    EXPECT_EQ(none.exitCode, 1);
    EXPECT_THAT(none.output, HasSubstr("there is no process 2; the run has 2 processes"));
    EXPECT_THAT(holos({"export", file("run"), "--processes", "0"}).output, HasSubstr("holos cut"));
}

TEST_F(TimelineExport, processesAndThreads_haveTheirNames) {
    std::vector<std::string> names;
    for (const auto& one : ofKind(events({}), "M"))
        if (one["name"] == "process_name") names.push_back(one["args"]["name"]);
    EXPECT_THAT(names, ElementsAre("MPI Rank 0", "MPI Rank 1"));
}

/// Perfetto takes threads of one number for one thread, and that with the number of a process for its first
/// one.
TEST_F(TimelineExport, threads_haveNumbersOfTheirOwn) {
    TraceBuilder trace(2, 2);
    for (const int rank : {0, 1})
        for (const int thread : {0, 1}) trace.on(rank, thread).enter(0, "work").leave(1000);
    std::filesystem::remove_all(file("run"));
    trace.write(file("run"));
    std::set<int> numbers;
    for (const auto& begin : ofKind(events({}), "B")) {
        EXPECT_GE(begin["tid"], 2);
        EXPECT_TRUE(numbers.insert(begin["tid"].get<int>()).second);
    }
    EXPECT_THAT(numbers, SizeIs(4));
}

// Takes minutes where work for each location grows with their number.
/// Viewers draw a value until the next one. The counter is read twice, within a small part of the run.
TEST_F(TimelineExport, areaBelowACounter_isWhatWasCounted) {
    TraceBuilder trace(1);
    const auto counters = trace.counters({{"misses"}, {"depth", "#", OTF2_METRIC_ABSOLUTE_POINT}});
    trace.on(0).enter(0, "main").counters(300'100, counters, {7, 40}).counters(300'300, counters, {107, 60});
    trace.on(0).leave(1'000'000);
    std::filesystem::remove_all(file("run"));
    trace.write(file("run"));
    std::map<std::string, double> areas;
    std::map<std::string, std::pair<double, double>> last;  // time in seconds, value
    for (const auto& event : ofKind(events({}), "C")) {
        const std::string name = event["name"];
        const double time = event["ts"].get<double>() / 1e6;
        if (last.contains(name)) areas[name] += last[name].second * (time - last[name].first);
        last[name] = {time, event["args"].front().get<double>()};
    }
    ASSERT_THAT(last, SizeIs(2));
    EXPECT_NEAR(areas["misses per second (Master thread)"], 100.0, 1e-6);
    EXPECT_EQ(last["misses per second (Master thread)"].second, 0.0);
    EXPECT_EQ(last["depth (Master thread)"].second, 60.0);
}

TEST_F(TimelineExport, ofManyLocations_isWritten) {
    writeHollowTrace(file("many"), 200'000);
    const auto result = holos({"export", file("many"), "--format", "perfetto", "-o", file("many.trace")});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_GT(std::filesystem::file_size(file("many.trace")), 200'000U);
}

TEST_F(TimelineExport, whatIsForTables_isRefused) {
    EXPECT_EQ(holos({"export", file("run"), "--format", "chrome", "--metric", "time"}).exitCode, 2);
    EXPECT_EQ(holos({"export", file("run"), "--format", "chrome", "--from", "2", "--to", "1"}).exitCode, 2);
    const auto behind = holos({"export", file("run"), "--format", "chrome", "--from", "1e300"});
    EXPECT_EQ(behind.exitCode, 2);
    EXPECT_THAT(behind.output, HasSubstr("is no part of the run"));
    EXPECT_THAT(holos({"export", file("run"), "--from", "1"}).output,
                HasSubstr("--from: is for --format chrome and perfetto"));
    EXPECT_THAT(holos({"export", file("run"), file("other"), "--format", "chrome"}).output,
                HasSubstr("has place for one"));
    EXPECT_THAT(holos({"export", file("nothing"), "--format", "chrome"}).output, HasSubstr("nothing"));
}

/// What is in a packet of Perfetto, by the numbers of its schema.
struct PerfettoEvent {
    std::uint64_t time = 0;  ///< nanoseconds
    std::uint64_t type = 0;  ///< 1: a slice begins, 2: ends, 3: instant, 4: counter
    std::uint64_t track = 0;
    std::string name;
    std::uint64_t flow = 0;
    std::uint64_t lastFlow = 0;
    std::map<std::string, std::uint64_t> numbers;  ///< annotations
};

struct PerfettoTrack {
    std::string process, thread;
    std::uint64_t parent = 0;
};

class PerfettoExport : public TimelineExport {
  protected:
    void read(std::vector<std::string> options = {}) {
        std::vector<std::string> words{"export", file("run"), "--format", "perfetto", "-o", file("run.pb")};
        words.insert(words.end(), options.begin(), options.end());
        const auto result = holos(words);
        EXPECT_EQ(result.exitCode, 0) << result.output;
        const std::string bytes = contentOf(file("run.pb"));
        protozero::pbf_reader trace(bytes);
        while (trace.next(1)) readPacket(trace.get_message());
        std::ranges::stable_sort(events_, {}, &PerfettoEvent::time);
    }

    /// `NAME from to` in milliseconds, as they end.
    std::vector<std::string> slicesOf(const std::string& process) const {
        std::vector<std::string> made;
        std::vector<std::pair<std::string, std::uint64_t>> open;
        for (const PerfettoEvent& event : events_) {
            if (tracks_.at(tracks_.at(event.track).parent).process != process) continue;
            if (event.type == 1) open.emplace_back(event.name, event.time);
            if (event.type != 2) continue;
            made.push_back(open.back().first + ' ' + std::to_string(open.back().second / 1'000'000) + ' ' +
                           std::to_string(event.time / 1'000'000));
            open.pop_back();
        }
        EXPECT_THAT(open, IsEmpty());
        return made;
    }

    /// The call that is open in its thread where a message is sent or received.
    std::vector<std::string> callsOfMessages() const {
        std::map<std::uint64_t, std::vector<std::string>> open;
        std::vector<std::string> calls;
        for (const PerfettoEvent& event : events_) {
            std::vector<std::string>& within = open[event.track];
            if (event.type == 1) within.push_back(event.name);
            if (event.type == 2) within.pop_back();
            if (event.type == 3) calls.push_back(within.back());
        }
        return calls;
    }

    std::vector<PerfettoEvent> events_;
    std::map<std::uint64_t, PerfettoTrack> tracks_;

  private:
    void readPacket(protozero::pbf_reader packet) {
        PerfettoEvent event;
        bool isEvent = false;
        while (packet.next()) switch (packet.tag()) {
                case 8:
                    event.time = packet.get_uint64();
                    break;
                case 11:
                    isEvent = true;
                    readEvent(packet.get_message(), event);
                    break;
                case 12:
                    readNames(packet.get_message());
                    break;
                case 60:
                    readTrack(packet.get_message());
                    break;
                default:
                    packet.skip();
            }
        if (isEvent) events_.push_back(event);
    }

    void readEvent(protozero::pbf_reader field, PerfettoEvent& event) {
        while (field.next()) switch (field.tag()) {
                case 4:
                    readAnnotation(field.get_message(), event);
                    break;
                case 9:
                    event.type = field.get_uint64();
                    break;
                case 10:
                    event.name = names_.at(field.get_uint64());
                    break;
                case 11:
                    event.track = field.get_uint64();
                    break;
                case 23:
                    event.name = field.get_string();
                    break;
                case 47:
                    event.flow = field.get_fixed64();
                    break;
                case 48:
                    event.lastFlow = field.get_fixed64();
                    break;
                default:
                    field.skip();
            }
    }

    static void readAnnotation(protozero::pbf_reader field, PerfettoEvent& event) {
        std::uint64_t value = 0;
        while (field.next())
            if (field.tag() == 3)
                value = field.get_uint64();
            else if (field.tag() == 10)
                event.numbers[field.get_string()] = value;
            else
                field.skip();
    }

    void readNames(protozero::pbf_reader data) {
        while (data.next()) {
            const bool isEvent = data.tag() == 2;
            protozero::pbf_reader name = data.get_message();
            std::uint64_t number = 0;
            while (name.next())
                if (name.tag() == 1)
                    number = name.get_uint64();
                else if (isEvent)
                    names_[number] = name.get_string();
                else
                    name.skip();
        }
    }

    void readTrack(protozero::pbf_reader field) {
        PerfettoTrack track;
        std::uint64_t number = 0;
        const auto textOf = [](protozero::pbf_reader of, protozero::pbf_tag_type tag) {
            return of.next(tag) ? of.get_string() : std::string();
        };
        while (field.next()) switch (field.tag()) {
                case 1:
                    number = field.get_uint64();
                    break;
                case 3:
                    track.process = textOf(field.get_message(), 6);
                    break;
                case 4:
                    track.thread = textOf(field.get_message(), 5);
                    break;
                case 5:
                    track.parent = field.get_uint64();
                    break;
                default:
                    field.skip();
            }
        EXPECT_TRUE(tracks_.emplace(number, track).second) << "two tracks have number " << number;
    }

    std::map<std::uint64_t, std::string> names_;
};

TEST_F(PerfettoExport, calls_areNestedSlicesOfTheirThread) {
    read();
    EXPECT_THAT(slicesOf("MPI Rank 0"), ElementsAre("MPI_Send 100 200", "MPI_Send 600 700", "main 0 1000"));
    EXPECT_THAT(slicesOf("MPI Rank 1"), ElementsAre("MPI_Recv 150 250", "MPI_Recv 300 720", "main 0 1000"));
}

TEST_F(PerfettoExport, messages_areFlowsFromTheirSendToTheirReceive) {
    read();
    std::map<std::uint64_t, const PerfettoEvent*> sent;
    std::map<std::uint64_t, std::uint64_t> bytesByArrival;
    for (const PerfettoEvent& event : events_) {
        if (event.flow != 0) sent[event.flow] = &event;
        if (event.lastFlow == 0) continue;
        ASSERT_TRUE(sent.contains(event.lastFlow));
        EXPECT_EQ(sent[event.lastFlow]->name, "send");
        bytesByArrival[event.time / 1'000'000] = event.numbers.at("bytes");
        EXPECT_EQ(sent[event.lastFlow]->numbers, event.numbers);
    }
    EXPECT_THAT(bytesByArrival, ElementsAre(std::pair(250, 64), std::pair(720, 65)));
}

TEST_F(PerfettoExport, ofAPart_hasCallsThatAreOpenThere) {
    read({"--from", "0.5", "--to", "0.8"});
    EXPECT_THAT(slicesOf("MPI Rank 1"), ElementsAre("MPI_Recv 500 720", "main 500 800"));
    EXPECT_EQ(std::ranges::count_if(events_, [](const auto& event) { return event.lastFlow != 0; }), 1);
}

/// Two threads of a process send in turn in one channel; they are read one after the other.
TEST_F(PerfettoExport, messagesOfSeveralThreads_areNumberedInTheOrderOfTime) {
    TraceBuilder trace(2, 2);
    trace.on(0, 0).enter(0, "main").send(100, 110, {.peer = 1, .bytes = 1, .tag = 7});
    trace.on(0, 1).enter(0, "work").send(200, 210, {.peer = 1, .bytes = 2, .tag = 7}).leave(1000);
    trace.on(0, 0).send(300, 310, {.peer = 1, .bytes = 3, .tag = 7}).leave(1000);
    trace.on(1, 0).enter(0, "main");
    for (const std::uint64_t message : {1, 2, 3})
        trace.on(1, 0).recv(message * 100 + 20, message * 100 + 30, {.peer = 0, .bytes = message, .tag = 7});
    trace.on(1, 0).leave(1000);
    std::filesystem::remove_all(file("run"));
    trace.write(file("run"));
    read();
    std::map<std::uint64_t, std::uint64_t> sent;
    for (const PerfettoEvent& event : events_)
        if (event.flow != 0) sent[event.flow] = event.numbers.at("bytes");
    EXPECT_EQ(sent.size(), 3U);
    for (const PerfettoEvent& event : events_)
        if (event.lastFlow != 0) {
            EXPECT_EQ(sent.at(event.lastFlow), event.numbers.at("bytes"));
        }
    // A receive is at the end of its call: what is written after that is no part of the call.
    EXPECT_THAT(callsOfMessages(),
                UnorderedElementsAre("MPI_Send", "MPI_Send", "MPI_Send", "MPI_Recv", "MPI_Recv", "MPI_Recv"));
}

TEST_F(PerfettoExport, timeThatWasNotRecorded_isARegionOfItsOwn) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").enter(100, "work").record(switched(trace, 200, OTF2_MEASUREMENT_OFF));
    trace.on(0).record(switched(trace, 500, OTF2_MEASUREMENT_ON)).leave(600);
    trace.on(0).record(switched(trace, 700, OTF2_MEASUREMENT_OFF)).leave(1000);
    std::filesystem::remove_all(file("run"));
    trace.write(file("run"));
    read();
    EXPECT_THAT(slicesOf("MPI Rank 0"), ElementsAre("MEASUREMENT OFF 200 500", "work 100 600",
                                                    "MEASUREMENT OFF 700 1000", "main 0 1000"));
}

}  // namespace
}  // namespace holos::testing
