// SPDX-License-Identifier: BSD-3-Clause
// Counters that a program reads itself (`holos/counters.h`), on the kernel's counts and on the made-up PAPI.
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <holos/counters.hpp>
#include <thread>

namespace holos {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr long long kPages = 500;
/// The stack may grow in between, and the C library may load something.
constexpr long long kOthers = 100;

void touchPages() {
    const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* const memory =
        ::mmap(nullptr, kPages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    ::madvise(memory, kPages * size, MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < kPages; ++i) static_cast<volatile char*>(memory)[i * size] = 1;
    ::munmap(memory, kPages * size);
}

void expectAbout(long long faults, long long expected) {
    EXPECT_GE(faults, expected);
    EXPECT_LE(faults, expected + kOthers);
}

TEST(OwnCounters, readings_countFromTheStart) {
    Counters counters("ru_minflt,ru_majflt");
    touchPages();
    expectAbout(counters.read().at(0), kPages);
    touchPages();
    expectAbout(counters.stop().at(0), 2 * kPages);
}

TEST(OwnCounters, accumulated_countOnFromZero) {
    Counters counters("ru_minflt");
    std::vector<long long> sum{1'000'000};
    for (int round = 0; round < 2; ++round) {
        touchPages();
        counters.accumulate(sum);
    }
    expectAbout(sum[0], 1'000'000 + 2 * kPages);
    expectAbout(counters.read().at(0), 0);
    EXPECT_EQ(counters.share(), 1.0);
}

TEST(OwnCounters, writtenValues_areCountedOnFrom) {
    Counters first("ru_minflt,room:::TEMPERATURE");
    touchPages();
    const auto saved = first.stop();
    Counters second("ru_minflt,room:::TEMPERATURE");
    second.write({saved[0], 77});
    touchPages();
    expectAbout(second.read().at(0), 2 * kPages);
    EXPECT_EQ(second.read().at(1), -5) << "a state stays what it is";
    EXPECT_THROW(second.write({1}), std::runtime_error);
}

TEST(OwnCounters, addedAndRemoved_leaveTheOthersTheirValues) {
    Counters counters("ru_minflt,ru_majflt");
    touchPages();
    counters.add("minor-faults,made::CYCLES");
    touchPages();
    ASSERT_EQ(counters.read().size(), 4U);
    expectAbout(counters.read().at(0), 2 * kPages);
    expectAbout(counters.read().at(2), kPages);
    counters.remove("ru_majflt,ru_minflt");
    touchPages();
    ASSERT_EQ(counters.read().size(), 2U);
    expectAbout(counters.read().at(0), 2 * kPages);
}

TEST(OwnCounters, changesThatCannotBe_leaveTheSetAsItWas) {
    Counters counters("ru_minflt");
    touchPages();
    const auto messageOf = [](auto change) -> std::string {
        try {
            change();
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_THAT(messageOf([&] { counters.add("ru_majflt,ru_minfl"); }),
                HasSubstr("ru_minfl: no such counter"));
    EXPECT_THAT(messageOf([&] { counters.add("ru_minflt"); }), HasSubstr("given twice"));
    EXPECT_THAT(messageOf([&] { counters.remove("ru_majflt"); }), HasSubstr("ru_majflt: is not counted"));
    EXPECT_THAT(messageOf([&] { counters.remove("ru_minflt"); }), HasSubstr("no counter would be left"));
    touchPages();
    ASSERT_EQ(counters.read().size(), 1U);
    expectAbout(counters.read().at(0), 2 * kPages);
}

struct Passed {
    int times = 0;
    void* last = nullptr;
};

TEST(OwnCounters, threshold_callsAFunctionOfTheProgram) {
    Passed passed;
    const auto count = [](void* address, void* data) {
        ++static_cast<Passed*>(data)->times;
        static_cast<Passed*>(data)->last = address;
    };
    holos_counters_threshold* const threshold =
        holos_counters_threshold_start("page-faults", 50, count, &passed);
    if (threshold == nullptr) GTEST_SKIP() << holos_counters_error();
    touchPages();
    EXPECT_EQ(holos_counters_threshold_stop(threshold), 0);
    const int times = passed.times;
    EXPECT_GE(times,
              kPages / 50 - 2);  // where the thread moves to another processor, a period is counted anew
    EXPECT_LE(times, (kPages + kOthers) / 50);
    EXPECT_NE(passed.last, nullptr);
    touchPages();
    EXPECT_EQ(passed.times, times) << "it is stopped";
    EXPECT_EQ(holos_counters_threshold_stop(threshold), -1);
}

TEST(OwnCounters, thresholdThatCannotBe_saysWhy) {
    const auto ignore = [](void*, void*) {};
    EXPECT_EQ(holos_counters_threshold_start("ru_minflt", 50, ignore, nullptr), nullptr);
    EXPECT_THAT(holos_counters_error(), HasSubstr("not an event of perf"));
    EXPECT_EQ(holos_counters_threshold_start("page-faults", 0, ignore, nullptr), nullptr);
    EXPECT_THAT(holos_counters_error(), HasSubstr("a threshold above 0"));
    EXPECT_EQ(holos_counters_threshold_start("page-faults", 9, nullptr, nullptr), nullptr);
}

TEST(OwnCounters, countersOfPapi_exactAndInOrder) {
    Counters counters("made::INSTRUCTIONS,room:::TEMPERATURE,made::CYCLES");
    EXPECT_THAT(counters.read(), ElementsAre(200, -5, 100));
    std::vector<long long> sum{0, 7, 0};
    counters.accumulate(sum);
    counters.accumulate(sum);
    EXPECT_THAT(sum, ElementsAre(600, -5, 300)) << "a state takes the place of its value";
}

TEST(OwnCounters, realState_isRounded) {
    EXPECT_THAT(Counters("room:::LOAD").read(), ElementsAre(0));
}

TEST(OwnCounters, whatCannotBeCounted_saysWhyAndLeavesErrno) {
    errno = 42;
    EXPECT_EQ(holos_counters_start("ru_minfl"), nullptr);
    EXPECT_EQ(errno, 42);
    EXPECT_THAT(holos_counters_error(), HasSubstr("did you mean 'ru_minflt'?"));
    EXPECT_EQ(holos_counters_start(nullptr), nullptr);
    EXPECT_THAT(holos_counters_error(), HasSubstr("no counter is named"));
    EXPECT_THROW(Counters("absent:::ANY"), std::runtime_error);
    Counters good("ru_minflt");
    EXPECT_STREQ(holos_counters_error(), "") << "the last call did not fail";
    long long value = 0;
    EXPECT_EQ(holos_counters_read(nullptr, &value), -1);
    EXPECT_EQ(holos_counters_number(nullptr), 0);
}

TEST(OwnCounters, otherThread_isRefused) {
    holos_counters* const counters = holos_counters_start("ru_minflt");
    std::thread([&] {
        long long value = 0;
        EXPECT_EQ(holos_counters_read(counters, &value), -1);
        EXPECT_THAT(holos_counters_error(), HasSubstr("another thread"));
        EXPECT_EQ(holos_counters_stop(counters, &value), -1);
    }).join();
    long long value = 0;
    EXPECT_EQ(holos_counters_stop(counters, &value), 0) << holos_counters_error();
}

TEST(OwnCounters, instructionsPerCycle_sinceThePreviousCall) {
    holos_rate rate{1, 1, 1, 1, 1};
    if (holos_instructions_per_cycle(&rate) != 0) GTEST_SKIP() << holos_counters_error();
    EXPECT_EQ(rate.events, 0) << "the first call starts counting";
    ASSERT_EQ(holos_instructions_per_cycle(&rate), 0);
    EXPECT_GT(rate.events, 0);
    EXPECT_GT(rate.rate, 0);
    // Where this machine has no cycles, those of the made-up PAPI count: two instructions each.
    if (holos_counters* const cycles = holos_counters_start("cycles"))
        holos_counters_stop(cycles, nullptr);
    else
        EXPECT_EQ(rate.rate, 2.0);
    holos_rate_stop();
}

TEST(OwnCounters, floatingPointRate_perSecondOnAProcessor) {
    holos_rate rate{};
    ASSERT_EQ(holos_flop_rate(&rate), 0) << holos_counters_error();
    ASSERT_EQ(holos_flop_rate(&rate), 0);
    EXPECT_EQ(rate.events, 400);  // the reading at the start counts, too
    EXPECT_GT(rate.virtual_time, 0);
    EXPECT_GE(rate.real_time, 0);
    EXPECT_NEAR(rate.rate, 400 / rate.virtual_time, 1e-6 * rate.rate);
    ASSERT_EQ(holos_rate_of("ru_minflt", "ru_majflt", &rate), 0) << "another one starts anew";
    EXPECT_EQ(rate.events, 0);
    holos_rate_stop();
}

TEST(OwnCounters, times_growAndVirtualTimeIsOfTheThread) {
    const long long real = holos_real_time(), ofThread = holos_virtual_time();
    touchPages();
    EXPECT_GT(holos_real_time(), real);
    EXPECT_GT(holos_virtual_time(), ofThread);
    long long ofNewThread = 0;
    std::thread([&] { ofNewThread = holos_virtual_time(); }).join();
    EXPECT_LT(ofNewThread, holos_virtual_time());
}

bool isListed(const holos_component& component, int number, const std::string& name) {
    for (int at = 0; at < component.counters; ++at) {
        holos_counter counter;
        EXPECT_EQ(holos_counters_listed(number, at, &counter), 0) << holos_counters_error();
        if (counter.name == name) return true;
    }
    return false;
}

TEST(CounterInformation, components_listTheirCounters) {
    std::vector<std::string> with;
    for (int at = 0; at < holos_counters_components(); ++at) {
        holos_component component;
        ASSERT_EQ(holos_counters_component(at, &component), 0) << holos_counters_error();
        EXPECT_GE(component.scope, 0);
        EXPECT_LE(component.scope, 2);
        for (const char* const name : {"ru_minflt", "page-faults", "PAPI_TOT_CYC", "room:::TEMPERATURE"})
            if (isListed(component, at, name)) with.push_back(name);
    }
    EXPECT_THAT(with, ::testing::UnorderedElementsAre("ru_minflt", "page-faults", "PAPI_TOT_CYC",
                                                      "room:::TEMPERATURE"))
        << "each is in one component";
    holos_component none;
    EXPECT_EQ(holos_counters_component(holos_counters_components(), &none), -1);
    EXPECT_THAT(holos_counters_error(), HasSubstr("there is no component"));
}

TEST(CounterInformation, counter_isDescribedWhetherItCanBeCountedOrNot) {
    holos_counter counter;
    ASSERT_EQ(holos_counters_describe("room:::TEMPERATURE", &counter), 0) << holos_counters_error();
    EXPECT_STREQ(counter.name, "room:::TEMPERATURE");
    EXPECT_NE(counter.is_state, 0);
    EXPECT_EQ(counter.scope, 2);
    EXPECT_STREQ(counter.unavailable, "");
    ASSERT_EQ(holos_counters_describe("PAPI_L1_DCM", &counter), 0) << holos_counters_error();
    EXPECT_THAT(counter.unavailable, HasSubstr("does not exist"));
    EXPECT_EQ(holos_counters_describe("ru_minflut", &counter), -1);
    EXPECT_THAT(holos_counters_error(), HasSubstr("no counter has this name"));
}

TEST(CounterInformation, query_saysWhetherAndWhyNot) {
    EXPECT_EQ(holos_counters_query("ru_minflt"), 0);
    EXPECT_STREQ(holos_counters_error(), "");
    EXPECT_EQ(holos_counters_query("PAPI_TOT_CYC"), 0) << holos_counters_error();
    EXPECT_EQ(holos_counters_query("PAPI_L1_DCM"), -1);
    EXPECT_THAT(holos_counters_error(), HasSubstr("PAPI_L1_DCM: "));
    EXPECT_EQ(holos_counters_query("ru_minflut"), -1);
    EXPECT_THAT(holos_counters_error(), HasSubstr("ru_minflt")) << "the nearest name";
    EXPECT_EQ(holos_counters_query(nullptr), -1);
}

TEST(CounterInformation, registers_areThereOrItIsSaidWhyNot) {
    const int registers = holos_counters_registers();
    if (registers == -1)
        EXPECT_THAT(holos_counters_error(), HasSubstr("no event of the processor can be counted here: "));
    else
        EXPECT_GE(registers, 2);
}

TEST(CounterInformation, hardware_isThisMachine) {
    holos_hardware hardware;
    ASSERT_EQ(holos_hardware_info(&hardware), 0) << holos_counters_error();
    EXPECT_EQ(hardware.processors, ::sysconf(_SC_NPROCESSORS_ONLN));
    EXPECT_EQ(hardware.page, ::sysconf(_SC_PAGESIZE));
    EXPECT_GT(hardware.memory, hardware.page);
    EXPECT_STRNE(hardware.model, "");
    EXPECT_GE(hardware.sockets, 1);
    EXPECT_GE(hardware.memory_nodes, 1);
}

TEST(CounterInformation, executable_isThisProgramWithItsPlacesInMemory) {
    static int withValue = 1, without;
    holos_executable program;
    ASSERT_EQ(holos_executable_info(&program), 0) << holos_counters_error();
    EXPECT_THAT(program.path, ::testing::EndsWith(std::string("/") + program.name));
    const auto isIn = [](const void* place, const void* begin, const void* end) {
        return place >= begin && place < end;
    };
    EXPECT_TRUE(isIn(reinterpret_cast<const void*>(&touchPages), program.text_begin, program.text_end));
    EXPECT_TRUE(isIn(&withValue, program.data_begin, program.data_end));
    EXPECT_TRUE(isIn(&without, program.bss_begin, program.bss_end));
    EXPECT_EQ(withValue + without, 1);
}

}  // namespace
}  // namespace holos
