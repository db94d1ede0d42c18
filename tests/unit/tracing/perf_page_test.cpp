// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/perf_page.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <functional>

#include "tracing/counters/selection.h"

namespace holos::counters {
namespace {

/// A processor whose registers show what the test says.
struct MadeUpProcessor {
    std::function<std::uint64_t(std::uint32_t)> onCounter = [](std::uint32_t) { return 0; };
    std::uint64_t clockShows = 0;

    std::uint64_t counter(std::uint32_t number) const { return onCounter(number); }
    std::uint64_t clock() const { return clockShows; }
};

/// The page of an event in register 3, which was at 1000 when the register was set to 0.
perf_event_mmap_page somePage() {
    perf_event_mmap_page page{};
    page.lock = 6;
    page.index = 4;
    page.offset = 1000;
    page.pmc_width = 48;
    page.cap_user_rdpmc = 1;
    return page;
}

MadeUpProcessor showing(std::uint64_t value) {
    return {[value](std::uint32_t) { return value; }, 0};
}

TEST(PerfPage, register_isAddedToTheOffset) {
    const auto page = somePage();
    PageReading reading;
    std::uint32_t asked = 0;
    const MadeUpProcessor processor{[&asked](std::uint32_t number) {
                                        asked = number;
                                        return 23;
                                    },
                                    0};
    ASSERT_TRUE(readPage(page, processor, WithTimes::No, reading));
    EXPECT_EQ(reading.value, 1023u);
    EXPECT_EQ(asked, 3u) << "the page's index less one";
}

/// The kernel sets a register to -period, and counts up from there: all ones are -1.
TEST(PerfPage, registersOfAllWidths_areExtendedByTheirSign) {
    auto page = somePage();
    PageReading reading;
    for (unsigned width = 1; width <= 64; ++width) {
        page.pmc_width = static_cast<std::uint16_t>(width);
        const std::uint64_t ones = ~std::uint64_t{0} >> (64 - width);
        ASSERT_TRUE(readPage(page, showing(ones), WithTimes::No, reading));
        EXPECT_EQ(reading.value, 999u) << width;
        ASSERT_TRUE(readPage(page, showing(ones >> 1), WithTimes::No, reading));
        EXPECT_EQ(reading.value, 1000 + (ones >> 1)) << width << ": the largest positive number";
    }
    page.pmc_width = 32;
    ASSERT_TRUE(readPage(page, showing(0xABCD'0000'0005), WithTimes::No, reading));
    EXPECT_EQ(reading.value, 1005u) << "what is above the width means nothing";
}

/// With a period of 2^47 the register began at -2^47, for which the offset makes up.
TEST(PerfPage, negativeOffsetAndRegister_giveTheCount) {
    auto page = somePage();
    PageReading reading;
    page.offset = std::int64_t{1} << 47;
    ASSERT_TRUE(readPage(page, showing((std::uint64_t{1} << 47) + 7), WithTimes::No, reading));
    EXPECT_EQ(reading.value, 7u);
    page.offset = -500;
    ASSERT_TRUE(readPage(page, showing(700), WithTimes::No, reading));
    EXPECT_EQ(reading.value, 200u);
}

TEST(PerfPage, eventWithoutRegister_orRegistersThatMayNotBeRead_needTheKernel) {
    auto page = somePage();
    PageReading reading;
    page.index = 0;
    EXPECT_FALSE(readPage(page, showing(1), WithTimes::No, reading));
    page = somePage();
    page.cap_user_rdpmc = 0;
    EXPECT_FALSE(readPage(page, showing(1), WithTimes::No, reading));
}

TEST(PerfPage, pageWrittenWhileItIsRead_isReadAgain) {
    auto page = somePage();
    PageReading reading;
    int readings = 0;
    const MadeUpProcessor processor{[&](std::uint32_t) {
                                        if (++readings == 1) {  // the thread was away; its register is new
                                            page.lock += 2;
                                            page.offset = 2000;
                                        }
                                        return 5;
                                    },
                                    0};
    ASSERT_TRUE(readPage(page, processor, WithTimes::No, reading));
    EXPECT_EQ(reading.value, 2005u);
    EXPECT_EQ(readings, 2);
}

TEST(PerfPage, registerLostWhileItIsRead_needsTheKernel) {
    auto page = somePage();
    PageReading reading;
    const auto change = [&page](auto how) {
        return MadeUpProcessor{[&page, how](std::uint32_t) {
                                   page.lock += 2;
                                   how(page);
                                   return 5;
                               },
                               0};
    };
    const auto unscheduled = change([](auto& changed) { changed.index = 0; });
    EXPECT_FALSE(readPage(page, unscheduled, WithTimes::No, reading));
    page = somePage();
    const auto forbidden = change([](auto& changed) { changed.cap_user_rdpmc = 0; });
    EXPECT_FALSE(readPage(page, forbidden, WithTimes::No, reading));
    page = somePage();
    const auto restless = change([](auto&) {});
    EXPECT_FALSE(readPage(page, restless, WithTimes::No, reading)) << "ends, whatever the page does";
}

/// 2 ns a tick: 300 ticks are 600 ns, and the page's times were right 100 ns after the clock began.
TEST(PerfPage, times_goOnWithTheClock) {
    auto page = somePage();
    page.cap_user_time = 1;
    page.time_enabled = 5000;
    page.time_running = 4000;
    page.time_mult = 8;
    page.time_shift = 2;
    page.time_offset = static_cast<std::uint64_t>(-100);
    MadeUpProcessor processor = showing(1);
    processor.clockShows = 300;
    PageReading reading;
    ASSERT_TRUE(readPage(page, processor, WithTimes::Yes, reading));
    EXPECT_EQ(reading.enabled, 5500u);
    EXPECT_EQ(reading.running, 4500u);
    processor.clockShows = 301;
    page.time_mult = 7;  // 1.75 ns a tick: 526.75
    ASSERT_TRUE(readPage(page, processor, WithTimes::Yes, reading));
    EXPECT_EQ(reading.enabled, 5426u);
    page.cap_user_time = 0;
    EXPECT_FALSE(readPage(page, processor, WithTimes::Yes, reading));
    EXPECT_TRUE(readPage(page, processor, WithTimes::No, reading));
}

TEST(PerfPage, timesOfLargeClock_doNotOverflow) {
    auto page = somePage();
    page.cap_user_time = 1;
    page.time_mult = 0x8000'0000;  // half a nanosecond a tick
    page.time_shift = 32;
    MadeUpProcessor processor = showing(1);
    processor.clockShows = std::uint64_t{1} << 62;
    PageReading reading;
    ASSERT_TRUE(readPage(page, processor, WithTimes::Yes, reading));
    EXPECT_EQ(reading.enabled, std::uint64_t{1} << 61);
}

/// A clock of 16 bits that wrapped around since the kernel looked.
TEST(PerfPage, shortClock_isExtended) {
    auto page = somePage();
    page.cap_user_time = 1;
    page.cap_user_time_short = 1;
    page.time_mult = 1;
    page.time_cycles = 0x1'FFF0;
    page.time_mask = 0xFFFF;
    page.time_offset = static_cast<std::uint64_t>(-0x1'FFF0);
    MadeUpProcessor processor = showing(1);
    processor.clockShows = 0x0010;
    PageReading reading;
    ASSERT_TRUE(readPage(page, processor, WithTimes::Yes, reading));
    EXPECT_EQ(reading.enabled, 0x20u);
}

TEST(PerfPage, eventOfTheKernel_hasNoRegister) {
    const auto event = findPerfEvent("page-faults");
    const int file = openPerfEvent(*event);
    if (file < 0) GTEST_SKIP() << reasonNotToOpen(-file, *event);
    {
        const PerfPage page(file);
        ::ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
        PageReading reading;
        EXPECT_FALSE(page.read(WithTimes::No, reading));
    }
    ::close(file);
    EXPECT_EQ(perfEvents().find("page-faults")->reading, Reading::SystemCall);
}

TEST(PerfPage, eventsThatNeedTheKernel_areReadByIt) {
    const auto event = perfEvents().find("task-clock");
    if (!event->unavailable.empty()) GTEST_SKIP() << event->unavailable;
    for (const bool inTurns : {false, true}) {
        const auto reader = Selection({"ru_minflt", "task-clock"}, inTurns).open();
        std::uint64_t values[2] = {};
        EXPECT_EQ(reader->userSpaceShare(1), std::nullopt) << "nothing was read";
        ASSERT_TRUE(reader->read(values));
        EXPECT_EQ(reader->userSpaceShare(1), 0.0);
        EXPECT_EQ(reader->userSpaceShare(0), std::nullopt) << "not an event of perf";
    }
}

TEST(PerfPage, fileWithoutPage_needsTheKernel) {
    PageReading reading;
    EXPECT_FALSE(PerfPage(-1).read(WithTimes::No, reading));
}

}  // namespace
}  // namespace holos::counters
