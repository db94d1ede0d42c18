// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/perf_event_names.h"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tracing/counters/memory_samples.h"
#include "tracing/counters/perf_page.h"
#include "tracing/counters/selection.h"

namespace holos::counters {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A folder as the kernel has it for a processor with a vendor's events, and for a memory controller.
class PerfDevices : public ::testing::Test {
  protected:
    PerfDevices() {
        write("cpu/type", "4");
        write("cpu/format/event", "config:0-7,32-35");
        write("cpu/format/umask", "config:8-15");
        write("cpu/format/inv", "config:23");
        write("cpu/format/ldlat", "config1:0-15");
        write("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3");
        write("uncore_imc_0/type", "12");
        write("uncore_imc_0/cpumask", "0,8");
        write("uncore_imc_0/format/event", "config:0-7");
        write("uncore_imc_0/events/data_reads", "event=0x1");
        write("uncore_imc_0/events/data_reads.scale", "6.103515625e-5");
        write("uncore_imc_0/events/data_reads.unit", "MiB");
        write("power/type", "13");
        write("power/cpumask", "0-1");
        write("power/format/event", "config:0-7");
        write("power/events/energy-pkg", "event=0x02");
        write("power/events/energy-pkg.scale", "2.5e-10");
        write("power/events/energy-pkg.unit", "Joules");
    }

    void write(const std::string& file, const std::string& text) const {
        const std::filesystem::path path = directory_.path() / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    }
    std::optional<PerfEvent> find(const std::string& name) const {
        return findDeviceEvent(name, directory_.path());
    }
    std::string problemOf(const std::string& name) const {
        const auto event = find(name);
        return event ? event->problem : "no device";
    }

    const testing::TemporaryDirectory directory_;
};

TEST_F(PerfDevices, samplesOfMemory_areThoseOfTheProcessor) {
    EXPECT_TRUE(memoryEvents(directory_.path()).empty()) << "a processor that cannot say where it was";
    write("cpu/caps/max_precise", "3");
    auto events = memoryEvents(directory_.path());
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].event.config, 0x1cdU);
    EXPECT_EQ(events[0].event.config1, 30U);
    EXPECT_EQ(events[0].precise, 3U);
    EXPECT_FALSE(events[0].isLeader);
    write("cpu/events/mem-loads-aux", "event=0x03,umask=0x82");
    write("cpu/events/mem-stores", "event=0xcd,umask=0x2");
    events = memoryEvents(directory_.path());
    ASSERT_EQ(events.size(), 3U);
    EXPECT_TRUE(events[0].isLeader);
    EXPECT_EQ(events[2].event.config, 0x2cdU);
}

TEST_F(PerfDevices, samplesOfMemoryBySpe_haveThePeriodsThatItTakes) {
    write("arm_spe_0/type", "14");
    write("arm_spe_0/format/jitter", "config:16");
    write("arm_spe_0/format/load_filter", "config:33");
    write("arm_spe_0/format/store_filter", "config:34");
    write("arm_spe_0/caps/min_interval", "1000");
    const auto events = memoryEvents(directory_.path());
    ASSERT_EQ(events.size(), 1U);
    EXPECT_TRUE(events[0].hasOwnRecords);
    EXPECT_EQ(events[0].event.type, 14U);
    EXPECT_EQ(events[0].event.config, 0x6'0001'0000U);
    EXPECT_EQ(attributesOf(events[0], 5000).sample_period, 4864U) << "19 times 256";
    EXPECT_EQ(attributesOf(events[0], 10).sample_period, 1024U) << "no less than it can do";
}

TEST_F(PerfDevices, samplesOfMemoryByIbs_haveDomainsWhereTheKernelFilters) {
    write("ibs_op/type", "11");
    write("ibs_op/format/cnt_ctl", "config:19");
    auto events = memoryEvents(directory_.path());
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].event.type, 11U);
    EXPECT_EQ(events[0].event.config, 1U << 19U);
    EXPECT_EQ(events[0].precise, 0U);
    EXPECT_FALSE(events[0].hasDomains);
    write("ibs_op/format/swfilt", "config2:0");
    events = memoryEvents(directory_.path());
    EXPECT_EQ(events.at(0).event.config2, 1U);
    EXPECT_TRUE(events[0].hasDomains);
}

TEST_F(PerfDevices, termsOfAName_areInTheBitsOfTheirFormats) {
    const auto event = find("cpu/event=0x13c,umask=0x02,inv/");
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->problem, "");
    EXPECT_EQ(event->type, 4U);
    EXPECT_EQ(event->config, 0x1'0080'023cULL);
    EXPECT_TRUE(event->processors.empty());
    EXPECT_EQ(find("cpu/config=0x5,config1=7,config2=9/")->config2, 9U);
}

TEST_F(PerfDevices, namedEvent_hasItsTermsAndThoseThatFollow) {
    const auto event = find("cpu/mem-loads,ldlat=30/u");
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->config, 0x1cdU);
    EXPECT_EQ(event->config1, 30U);
    EXPECT_EQ(event->domains, unsigned{kUser});
}

TEST_F(PerfDevices, deviceOfTheNode_hasProcessorsAndItsScale) {
    const auto reads = find("uncore_imc_0/data_reads/");
    ASSERT_TRUE(reads.has_value());
    EXPECT_THAT(reads->processors, ElementsAre(0, 8));
    EXPECT_EQ(reads->unit, "bytes");
    EXPECT_EQ(reads->factor, 64);
    const auto energy = find("power/energy-pkg/");
    EXPECT_THAT(energy->processors, ElementsAre(0, 1));
    EXPECT_EQ(energy->unit, "nJ");
    EXPECT_EQ(energy->factor, 0.25);
}

TEST_F(PerfDevices, whatADeviceLacks_isTold) {
    EXPECT_THAT(problemOf("cpu/no-such/"), HasSubstr("neither an event nor a format 'no-such'"));
    EXPECT_THAT(problemOf("cpu/umask=0x100/"), HasSubstr("does not fit into config:8-15"));
    EXPECT_THAT(problemOf("cpu/umask=lots/"), HasSubstr("no whole number"));
    EXPECT_THAT(problemOf("cpu/mem-loads/x"), HasSubstr("names no domains"));
    EXPECT_EQ(problemOf("gpu/cycles/"), "no device");
    EXPECT_EQ(problemOf("cycles"), "no device");
    EXPECT_EQ(problemOf("../cpu/mem-loads/"), "no device");
    EXPECT_THAT(problemOf("cpu/../type/"), HasSubstr("neither"));
}

TEST_F(PerfDevices, damagedFiles_areProblems) {
    write("cpu/format/broken", "config:9-3");
    write("cpu/format/far", "config:60-70");
    write("cpu/format/none", "nothing");
    write("cpu/events/loop", "loop");
    for (const char* name : {"cpu/broken=1/", "cpu/far=1/", "cpu/none=1/", "cpu/loop/"})
        EXPECT_NE(problemOf(name), "") << name;
    write("cpu/type", "many");
    EXPECT_EQ(problemOf("cpu/mem-loads/"), "no device");
}

TEST_F(PerfDevices, list_hasTheNamedEvents) {
    std::vector<std::string> names;
    for (const PerfEvent& event : listDeviceEvents(directory_.path())) names.push_back(event.name);
    EXPECT_THAT(names, ElementsAre("cpu/mem-loads/", "power/energy-pkg/", "uncore_imc_0/data_reads/"));
    EXPECT_TRUE(listDeviceEvents(directory_.path() / "none").empty());
}

TEST_F(PerfDevices, tracepoint_isFoundByItsFolder) {
    write("sched/sched_switch/id", "316");
    const auto event = findTracepoint("sched:sched_switch", directory_.path());
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->config, 316U);
    EXPECT_TRUE(event->kernelOnly);
    for (const char* name : {"sched:none", "sched", ":x", "sched:", "..:sched", "sched:../sched_switch"})
        EXPECT_FALSE(findTracepoint(name, directory_.path()).has_value()) << name;
}

TEST(PerfDomains, behindAName_areItsDomains) {
    EXPECT_EQ(findPerfEvent("page-faults:u")->domains, unsigned{kUser});
    EXPECT_EQ(findPerfEvent("page-faults:uk")->domains, kUser | kKernel);
    EXPECT_EQ(findPerfEvent("r00c0:h")->domains, unsigned{kHypervisor});
    EXPECT_EQ(findPerfEvent("page-faults")->domains, 0U);
    EXPECT_FALSE(findPerfEvent("page-faults:").has_value());
    EXPECT_FALSE(findPerfEvent("page-faults:x").has_value());
    EXPECT_NE(findPerfEvent("context-switches:u")->problem, "");
    EXPECT_EQ(findPerfEvent("context-switches:k")->problem, "");
}

/// Pages that the program itself writes to first are faults of the program; those that the kernel writes to
/// for it are the kernel's.
TEST(PerfDomains, faultsOfProgramAndKernel_areApart) {
    for (const char* name : {"page-faults:u", "page-faults:k"})
        if (const auto counter = perfEvents().find(name); !counter->unavailable.empty())
            GTEST_SKIP() << counter->unavailable;
    const auto reader = Selection({"page-faults:u", "page-faults:k", "page-faults"}).open();
    std::uint64_t before[3] = {}, after[3] = {};
    constexpr std::size_t kPages = 300, kPage = 4096;
    void* const pages =  // new ones: the heap may have some that were used before
        ::mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    ASSERT_TRUE(reader->read(before));
    for (std::size_t i = 0; i < kPages; ++i) static_cast<volatile char*>(pages)[i * kPage] = 1;
    ASSERT_TRUE(reader->read(after));
    ::munmap(pages, kPages * kPage);
    EXPECT_GE(after[0] - before[0], 1U);
    EXPECT_LE(after[1] - before[1], after[2] - before[2]);
    EXPECT_EQ(after[0] - before[0] + (after[1] - before[1]), after[2] - before[2]);
}

/// The time stamp counter is a device that leaves nobody out; virtual machines have it, too.
TEST(PerfDevicesOfThisMachine, timeStampCounter_grows) {
    const auto counter = perfEvents().find("msr/tsc/");
    if (!counter || !counter->unavailable.empty()) GTEST_SKIP() << "no msr/tsc/ here";
    const auto reader = Selection({"msr/tsc/"}).open();
    std::uint64_t before = 0, after = 0;
    ASSERT_TRUE(reader->read(&before));
    ASSERT_TRUE(reader->read(&after));
    EXPECT_GT(after, before);
}

TEST(ControlGroups, folder_isThatOfTheVersion) {
    const testing::TemporaryDirectory root;
    std::filesystem::create_directories(root.path() / "perf_event" / "jobs" / "7");
    std::filesystem::create_directories(root.path() / "jobs" / "8");
    EXPECT_EQ(controlGroupFolder(root.path(), "/jobs/7"), root.path() / "perf_event" / "jobs" / "7");
    EXPECT_EQ(controlGroupFolder(root.path(), "/jobs/8"), "");
    std::ofstream(root.path() / "cgroup.controllers") << "cpu\n";
    EXPECT_EQ(controlGroupFolder(root.path(), "/jobs/8"), root.path() / "jobs" / "8");
    EXPECT_EQ(controlGroupFolder(root.path(), "/jobs/7"), "");
}

TEST(ControlGroups, events_areOfTheNodeAndToldWhereTheyAreNone) {
    const auto event = findPerfEvent("page-faults@/no such group");
    ASSERT_TRUE(event);
    EXPECT_FALSE(event->processors.empty());
    EXPECT_THAT(event->problem, HasSubstr("no control group /no such group"));
    EXPECT_FALSE(findPerfEvent("no-event@/jobs"));
    EXPECT_FALSE(findPerfEvent("page-faults@jobs"));
}

TEST(ProcessorEvents, ofSomeProcessors_areOfTheNodeAndToldWhereTheyAreNone) {
    const auto event = findPerfEvent("page-faults@cpu0");
    ASSERT_TRUE(event);
    EXPECT_EQ(event->name, "page-faults@cpu0");
    EXPECT_EQ(event->processors, std::vector<int>{0});
    EXPECT_EQ(event->problem, "");
    const auto missing = findPerfEvent("page-faults@cpu0,1000");
    ASSERT_TRUE(missing);
    EXPECT_THAT(missing->problem, HasSubstr("no processor 1000"));
    for (const char* name : {"page-faults@cpu", "page-faults@cpux", "no-event@cpu0"})
        EXPECT_FALSE(findPerfEvent(name)) << name;
}

TEST(Breakpoints, names_areThoseOfPerf) {
    const auto event = findPerfEvent("mem:0x1000/8:w:u");
    ASSERT_TRUE(event);
    EXPECT_EQ(event->config1, 0x1000U);
    EXPECT_EQ(event->config2, 8U);
    EXPECT_EQ(event->breakpoint, 2U);
    EXPECT_EQ(event->domains, kUser);
    EXPECT_EQ(findPerfEvent("mem:4096")->breakpoint, 3U) << "loads and stores";
    EXPECT_EQ(findPerfEvent("mem:4096")->config2, 4U);
    EXPECT_EQ(findPerfEvent("mem:4096:x")->config2, sizeof(long));
    for (const char* wrong :
         {"mem:", "mem:x", "mem:0x10/y", "mem:0x10/3", "mem:0x10/16", "mem:0x10:z", "mem:0x10:w:z"})
        EXPECT_NE(findPerfEvent(wrong)->problem, "") << wrong;
}

TEST(Breakpoints, writesToAVariable_areCounted) {
    static volatile long variable = 0;
    char name[64];
    std::snprintf(name, sizeof name, "mem:%p/%zu:w:u", const_cast<long*>(&variable), sizeof variable);
    const auto found = perfEvents().find(name);
    ASSERT_NE(found, nullptr);
    if (!found->unavailable.empty()) {
        EXPECT_THROW(Selection({name}).open(), Error) << "no zeros where nothing is counted";
        return;
    }
    const auto reader = Selection({name}).open();
    std::uint64_t before = 0, after = 0;
    ASSERT_TRUE(reader->read(&before));
    for (int i = 0; i < 7; ++i) variable = variable + 1;
    ASSERT_TRUE(reader->read(&after));
    EXPECT_EQ(after - before, 7U);
}

}  // namespace
}  // namespace holos::counters
