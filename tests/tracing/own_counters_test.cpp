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

}  // namespace
}  // namespace holos
