// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "tracing/counters/interrupts.h"
#include "tracing/counters/perf_event_names.h"
#include "tracing/counters/selection.h"

namespace holos::counters {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string errorOf(const std::vector<std::string>& names) {
    try {
        Selection(names).open();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// Writes to so many pages that are not yet mapped.
void touchPages(std::size_t pages) {
    const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* memory = ::mmap(nullptr, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    ::madvise(memory, pages * size, MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < pages; ++i) static_cast<volatile char*>(memory)[i * size] = 1;
    ::munmap(memory, pages * size);
}

TEST(Counters, unknownName_saysWhatIsLikeItAndWhereToLook) {
    EXPECT_THAT(errorOf({"ru_minfl"}), HasSubstr("did you mean 'ru_minflt'?"));
    EXPECT_THAT(errorOf({"no-such"}), HasSubstr("holos counters list"));
}

TEST(Counters, nameGivenTwice_isAnError) {
    EXPECT_THAT(errorOf({"ru_minflt", "ru_minflt"}), HasSubstr("twice"));
}

TEST(Counters, tooMany_isAnError) {
    EXPECT_THAT(errorOf(std::vector<std::string>(kMostCounters + 1, "ru_minflt")), HasSubstr("at most"));
}

TEST(Counters, names_areSeparatedByCommas) {
    EXPECT_THAT(splitNames("a,b,,c"), ElementsAre("a", "b", "c"));
    EXPECT_TRUE(splitNames("").empty());
    EXPECT_THAT(splitNames("a,cpu/event=1,umask=2/u,b"), ElementsAre("a", "cpu/event=1,umask=2/u", "b"));
}

std::string interruptsOf(const std::string& text) {
    const auto found = parseInterrupts(text);
    return found ? found->text() : "none";
}

TEST(Interrupts, timesAndPeriods_areReadWithTheirUnits) {
    EXPECT_EQ(interruptsOf("10ms"), "10000000ns");
    EXPECT_EQ(interruptsOf("2s"), "2000000000ns");
    EXPECT_EQ(interruptsOf("cycles:1000000"), "cycles:1000000");
    EXPECT_EQ(interruptsOf("cycles:2M"), "cycles:2000000");
    EXPECT_EQ(interruptsOf("task-clock:1ms"), "task-clock:1000000");
    EXPECT_TRUE(parseInterrupts("task-clock:1ms")->isTime());
    EXPECT_TRUE(parseInterrupts("1ms")->isTime());
    EXPECT_EQ(parseInterrupts("PAPI_TOT_INS:100k")->text(), "instructions:100000");
    for (const char* preset : {"PAPI_TOT_CYC", "PAPI_REF_CYC", "PAPI_BR_INS", "PAPI_BR_MSP"})
        EXPECT_TRUE(findPerfEvent(parseInterrupts(std::string(preset) + ":9")->event)) << preset;
    EXPECT_FALSE(parseInterrupts("cycles:7")->isTime());
}

TEST(Interrupts, otherTexts_areNone) {
    for (const char* text : {"", "10", "ms", "0ms", "-1ms", "1.5ms", "cycles", "cycles:", "cycles:0", ":5",
                             "cycles:1ms", "cycles:99999999999999999999", "page-faults:20000000000G"})
        EXPECT_EQ(interruptsOf(text), "none") << text;
}

TEST(Interrupts, unknownOrTooManyInterrupts_areRefusedWithTheReason) {
    const auto refusal = [](const char* text) {
        try {
            checkInterrupts(*parseInterrupts(text));
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refusal("page-fault:5"), HasSubstr("did you mean 'page-faults'?"));
    EXPECT_THAT(refusal("ru_minflt:5"), HasSubstr("not an event of perf"));
    EXPECT_THAT(refusal("1us"), HasSubstr("100us"));
    EXPECT_THAT(refusal("page-faults@cpu0:100"), HasSubstr("interrupts no thread"));
    EXPECT_EQ(refusal("10ms"), "");
}

TEST(Counters, minorFaultsOfResourceUsage_areThePagesTouched) {
    const auto reader = Selection({"ru_minflt"}).open();
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    ASSERT_TRUE(reader->read(&before));
    touchPages(1'000);
    ASSERT_TRUE(reader->read(&after));
    EXPECT_GE(after - before, 1'000u);
    EXPECT_LE(after - before, 1'050u);
}

TEST(Counters, severalSources_keepTheOrderAsked) {
    const auto counter = perfEvents().find("page-faults");
    if (!counter->unavailable.empty()) GTEST_SKIP() << counter->unavailable;
    const Selection selection({"page-faults", "ru_maxrss", "task-clock", "ru_minflt"});
    const auto reader = selection.open();
    std::uint64_t before[4] = {};
    std::uint64_t after[4] = {};
    ASSERT_TRUE(reader->read(before));
    touchPages(500);
    ASSERT_TRUE(reader->read(after));
    EXPECT_GE(after[0] - before[0], 500u);
    EXPECT_GE(after[1], before[1]);
    EXPECT_GT(after[2], before[2]);
    EXPECT_GE(after[3] - before[3], 500u);
    EXPECT_EQ(selection.counters()[1].mode, Mode::Absolute);
    EXPECT_EQ(selection.counters()[2].unit, "ns");
}

TEST(Counters, rawEvent_isFoundByItsCode_andOnlyIfHexadecimal) {
    EXPECT_NE(perfEvents().find("r00c0"), nullptr);
    EXPECT_EQ(perfEvents().find("r00xy"), nullptr);
    EXPECT_EQ(perfEvents().find("r"), nullptr);
}

TEST(Counters, everyListedCounterThatIsAvailable_canBeRead) {
    for (const auto* source : {&resourceUsage(), &perfEvents()})
        for (const auto& counter : source->list()) {
            if (!counter.unavailable.empty()) continue;
            std::uint64_t value = 0;
            EXPECT_TRUE(Selection({counter.name}).open()->read(&value)) << counter.name;
        }
}

}  // namespace
}  // namespace holos::counters
