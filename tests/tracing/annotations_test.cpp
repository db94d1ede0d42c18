// SPDX-License-Identifier: BSD-3-Clause
// What programs say of themselves by interfaces made for other tools.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RecordedAnnotations : public ::testing::Test {
  protected:
    /// The events of each thread, in the order in which they began; durations without their numbers.
    std::vector<std::vector<std::string>> events(const std::string& program,
                                                 const std::vector<std::string>& options = {}) {
        archive_ = record(directory_.path(), HOLOS_PROGRAMS + program, {}, options);
        std::vector<std::vector<std::string>> all;
        for (auto& [location, list] : recordedEvents(archive_)) all.push_back(std::move(list));
        return all;
    }
    std::string definitions() const {
        return runCommand({"otf2-print", "-G", (archive_ / "traces.otf2").string()}).output;
    }
    nlohmann::json measurement() const {
        std::ifstream file(archive_ / "measurement.json");
        return nlohmann::json::parse(file);
    }
    std::vector<std::string> notes() const {
        return measurement().value("notes", std::vector<std::string>{});
    }

  private:
    TemporaryDirectory directory_;
    std::filesystem::path archive_;
};

/// Without those of threads, which the program makes, too.
std::vector<std::string> ofAnnotations(std::vector<std::string> events) {
    std::erase_if(events, [](const std::string& event) {
        return event.starts_with("THREAD_") || event.find("pthread_") != std::string::npos ||
               event.find("inThread") != std::string::npos;
    });
    return events;
}

/// Values that nobody knows before are left out.
std::vector<std::string> withoutValuesOf(const std::string& name, std::vector<std::string> events) {
    for (std::string& event : events)
        if (event.starts_with("METRIC " + name + ' ')) event = "METRIC " + name;
    return events;
}

TEST_F(RecordedAnnotations, nvtx_rangesNestAndValuesLieInThem) {
    const auto all = events("/nvtx");
    ASSERT_EQ(all.size(), 2u);
    EXPECT_THAT(ofAnnotations(all[0]),
                ElementsAre("ENTER outer", "ENTER library: inner", "METRIC library: inner -7",  //
                            "ENTER library: registered", "METRIC library: registered 1.5",      //
                            "LEAVE library: registered", "LEAVE library: inner",                //
                            "ENTER mark", "LEAVE mark", "ENTER weiß", "LEAVE weiß", "LEAVE outer",
                            // What began in a range that has ended goes on as another visit.
                            "ENTER plain", "ENTER library: inner", "LEAVE library: inner", "LEAVE plain",
                            "ENTER library: inner", "LEAVE library: inner"));
    EXPECT_THAT(ofAnnotations(withoutValuesOf("across threads", all[1])),
                ElementsAre("ENTER of the thread", "METRIC across threads", "LEAVE of the thread",
                            "ENTER never ended", "LEAVE never ended"));
    EXPECT_THAT(definitions(), HasSubstr("Name: \"loader\""));
    EXPECT_THAT(measurement()["annotations"], ElementsAre("NVTX"));
    EXPECT_THAT(notes(), Contains(HasSubstr("NVTX: ends of ranges that had not begun, left out: 2")));
    EXPECT_THAT(notes(),
                Contains(HasSubstr(
                    "NVTX: ranges that ended before others that began in them, which were divided: 1")));
}

TEST_F(RecordedAnnotations, itt_tasksFramesCountersAndEvents) {
    const auto all = events("/itt");
    ASSERT_EQ(all.size(), 1u);
    EXPECT_THAT(
        withoutValuesOf("code: task", all[0]),
        ElementsAre("ENTER code", "ENTER code: task", "METRIC code: size -5", "LEAVE code: task",
                    "LEAVE code", "METRIC code: task", "METRIC code: queue 2.5", "METRIC count 3",
                    "METRIC count 6", "ENTER code: task", "LEAVE code: task",
                    // An event that begins again without an end has ended.
                    "ENTER event", "LEAVE event", "ENTER event", "LEAVE event",
                    // Pauses are of the calling thread; what began before one and ended in it, ends with it.
                    "MEASUREMENT_ON_OFF OFF", "MEASUREMENT_ON_OFF ON", "ENTER code: after a pause",
                    "LEAVE code: after a pause", "ENTER code: on this machine", "LEAVE code: on this machine",
                    "MEASUREMENT_ON_OFF OFF", "MEASUREMENT_ON_OFF ON", "ENTER code: into a pause",
                    "MEASUREMENT_ON_OFF OFF", "MEASUREMENT_ON_OFF ON", "LEAVE code: into a pause",
                    "ENTER code: at last", "LEAVE code: at last", "MEASUREMENT_ON_OFF OFF"));
    EXPECT_THAT(definitions(), HasSubstr("Name: \"Master thread\""));  // whatever it is called
    EXPECT_THAT(notes(), Contains(HasSubstr("ITT: ends of ranges that had not begun, left out: 1")));
}

TEST_F(RecordedAnnotations, kokkos_kernelsRegionsCopiesAndMemory) {
    const auto all = events("/kokkos");
    ASSERT_EQ(all.size(), 1u);
    EXPECT_THAT(
        withoutValuesOf("Kokkos section output", all[0]),
        ElementsAre("ENTER step", "METRIC Kokkos memory in Host 80",  //
                    "ENTER Kokkos::parallel_for axpy", "ENTER Kokkos::parallel_reduce sim::Dot",
                    "LEAVE Kokkos::parallel_reduce sim::Dot", "LEAVE Kokkos::parallel_for axpy",
                    "ENTER Kokkos::deep_copy y = x (Host = Device)", "METRIC Kokkos bytes of a deep copy 80",
                    "LEAVE Kokkos::deep_copy y = x (Host = Device)", "METRIC Kokkos memory in Host 0",
                    "LEAVE step", "METRIC Kokkos section output", "ENTER event", "LEAVE event"));
    EXPECT_THAT(notes(), Contains(HasSubstr("Kokkos: ends of ranges that had not begun, left out: 1")));
}

TEST_F(RecordedAnnotations, caliper_regionsOfCAndCpp_andItsLibraryIsCalled) {
    const auto all = events("/caliper");  // the program fails where a call does not arrive
    ASSERT_EQ(all.size(), 1u);
    EXPECT_THAT(all[0],
                ElementsAre("ENTER compute", "ENTER cells", "ENTER iteration of cells",
                            "PARAMETER_INT64 iteration 4", "LEAVE iteration of cells", "LEAVE cells",
                            "LEAVE compute", "ENTER setup", "ENTER mesh", "METRIC particles 2.5",
                            "LEAVE mesh", "LEAVE setup", "ENTER steps", "ENTER iteration of steps",
                            "PARAMETER_INT64 iteration 9", "LEAVE iteration of steps", "LEAVE steps",
                            // Objects of cali::Annotation.
                            "ENTER step", "PARAMETER_INT64 step 7", "ENTER kind: fast", "LEAVE kind: fast",
                            "LEAVE step", "ENTER kind", "LEAVE kind", "METRIC rate 2.5"));
}

constexpr auto* kPartOfTheProgram = "(libcaliper.a): link with its shared library, libcaliper.so";

TEST_F(RecordedAnnotations, caliper_thatIsPartOfTheProgram_isSaidNotToBeHeard) {
    events("/caliper_static");
    EXPECT_THAT(notes(), Contains(HasSubstr(kPartOfTheProgram)));
}

TEST_F(RecordedAnnotations, caliper_thatIsNotWanted_isNotSaidToBePartOfTheProgram) {
    events("/caliper_static", {"--annotations", "nvtx"});
    EXPECT_THAT(notes(), Not(Contains(HasSubstr(kPartOfTheProgram))));
}

TEST_F(RecordedAnnotations, caliper_besideTheProgram_isNotSaidToBePartOfIt) {
    events("/caliper");
    EXPECT_THAT(notes(), Not(Contains(HasSubstr(kPartOfTheProgram))));
}

TEST_F(RecordedAnnotations, likwid_markersThatCross_areDivided) {
    const auto all = events("/likwid");
    ASSERT_EQ(all.size(), 1u);
    EXPECT_THAT(all[0],
                ElementsAre("ENTER one", "ENTER two", "LEAVE two", "LEAVE one", "ENTER two", "LEAVE two"));
    EXPECT_THAT(notes(), Contains(HasSubstr("LIKWID: ends of ranges that had not begun, left out: 1")));
}

TEST_F(RecordedAnnotations, scorep_macrosWithoutScoreP) {
    const auto all = events("/scorep_user");
    ASSERT_EQ(all.size(), 1u);
    EXPECT_THAT(all[0], ElementsAre("ENTER iteration", "PARAMETER_INT64 number 0", "ENTER scope",
                                    "METRIC queue -3", "LEAVE scope", "LEAVE iteration",  //
                                    "ENTER iteration", "PARAMETER_INT64 number 1", "ENTER scope",
                                    "METRIC queue -3", "LEAVE scope", "LEAVE iteration",  //
                                    "ENTER known", "ENTER by name", "LEAVE by name", "MEASUREMENT_ON_OFF OFF",
                                    "MEASUREMENT_ON_OFF ON", "LEAVE known"));
    EXPECT_THAT(notes(), Contains(HasSubstr("Score-P: ends of ranges that had not begun, left out: 1")));
}

TEST_F(RecordedAnnotations, scorep_macrosOfFortran) {
    if (!std::filesystem::exists(HOLOS_PROGRAMS "/scorep_user_fortran")) GTEST_SKIP() << "no gfortran";
    const auto all = events("/scorep_user_fortran");
    ASSERT_EQ(all.size(), 1u);
    EXPECT_THAT(with(all[0], {"part", "queue"}), ElementsAre("ENTER part", "METRIC queue 5", "LEAVE part"));
}

TEST_F(RecordedAnnotations, unwanted_areNotHeard) {
    for (const char* program : {"/nvtx", "/itt", "/kokkos", "/caliper", "/likwid", "/scorep_user"}) {
        for (const auto& one : events(program, {"--annotations", "none", "--force"}))
            EXPECT_THAT(ofAnnotations(one), IsEmpty()) << program;
        EXPECT_FALSE(measurement().contains("annotations"));
    }
}

TEST_F(RecordedAnnotations, toolOfTheUser_stays_andItIsSaid) {
    ::setenv("KOKKOS_TOOLS_LIBS", HOLOS_PROGRAMS "/libkokkos_tool.so", 1);
    const auto all = events("/kokkos");
    ::unsetenv("KOKKOS_TOOLS_LIBS");
    for (const auto& one : all) EXPECT_THAT(one, IsEmpty());
    EXPECT_THAT(notes(), Contains(HasSubstr("the tool that KOKKOS_TOOLS_LIBS names hears it "
                                            "(libkokkos_tool.so)")));
}

TEST_F(RecordedAnnotations, phaseThatIsWanted_mayBeOneOfThese) {
    const auto all = events("/caliper", {"--phase", "setup"});
    ASSERT_EQ(all.size(), 1u);
    EXPECT_THAT(with(all[0], {"ENTER"}), ElementsAre("ENTER setup", "ENTER mesh"));
}

}  // namespace
}  // namespace holos::testing
