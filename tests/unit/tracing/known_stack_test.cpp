// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/known_stack.h"

#include <alloca.h>
#include <execinfo.h>
#include <gmock/gmock.h>

#include <csetjmp>
#include <csignal>
#include <functional>
#include <memory>
#include <random>
#include <thread>

#include "tests/unit/tracing/own_stack.h"
#include "tests/unit/tracing/path_book.h"
#include "tracing/code/loaded/file_table.h"
#include "tracing/recorder/interpose/confinement.h"

/// These tests give no system calls up.
bool holos::tracing::interpose::may(Need) noexcept {
    return true;
}

namespace holos::tracing::stacks {
namespace {

#if defined(__x86_64__) || defined(__aarch64__)

[[maybe_unused]] const bool kTableIsTaken = (code::takeFileTable(), true);

/// What the C library's `backtrace` sees of the calling function's callers, the innermost first.
[[gnu::noinline]] Addresses callers() {
    constexpr int kMost = 8192;
    static void* addresses[kMost];
    const int count = ::backtrace(addresses, kMost);
    Addresses found;
    for (int i = 2; i < count; ++i) found.push_back(reinterpret_cast<std::uint64_t>(addresses[i]));
    return found;
}

/// One stack and what is known of it. Each `event` compares its path with what `backtrace` says.
class KnownStackTest : public ::testing::Test {
  public:
    [[gnu::noinline]] void event() {
        const Place here = placeHere();
        const PathNumber again = known_->pathAgain(here, {});
        const PathNumber number = known_->pathOf(here, {here.sp, end_}, {});
        if (again != kNoPath) {
            EXPECT_EQ(again, number);
            ++knownAgain_;
        }
        Addresses path = addressesOf(number);
        const auto root = static_cast<PathNumber>(path.back());
        path.pop_back();
        Addresses expected = callers();
        EXPECT_EQ(root, expected.size() >= most_ ? kMoreCallers : kNoPath);
        if (expected.size() >= KnownStack::kMostShown) leaveOut(expected, root == kNoPath);
        // In front is the place in this function; where a signal came, the walk's own functions, too.
        ASSERT_GT(path.size(), expected.size());
        path.erase(path.begin(), path.end() - static_cast<std::ptrdiff_t>(expected.size()));
        // Of what a signal interrupted it is the place behind, as if that had called.
        for (std::size_t i = 0; i < path.size(); ++i) ASSERT_LE(path[i] - expected[i], 1) << i;
        ++events_;
    }

    /// The path to a place in the calling function is that of a stack of which nothing was known before.
    [[gnu::noinline]] void ask(const Place& here) {
        const code::Stack stack{here.sp, end_};
        const auto anew = std::make_unique<KnownStack>(most_);
        EXPECT_EQ(known_->pathOf(here, stack, {}), anew->pathOf(here, stack, {}));
        anew->release();
        ++events_;
    }

    /// What of so many callers is shown.
    static void leaveOut(Addresses& callers, bool hasOutermost) {
        Addresses outermost;
        if (hasOutermost) {
            outermost.assign(callers.end() - KnownStack::kOutermost, callers.end());
            outermost.insert(outermost.begin(), kCallsLeftOut);
        }
        callers.resize(KnownStack::kInnermost - 1);
        callers.insert(callers.end(), outermost.begin(), outermost.end());
    }

    void followAtMost(std::size_t most) {
        most_ = most;
        known_ = std::make_unique<KnownStack>(most);
    }

    void TearDown() override { known_->release(); }

    std::size_t most_ = KnownStack::kMost;
    std::unique_ptr<KnownStack> known_ = std::make_unique<KnownStack>();
    std::uint64_t end_ = ownStack().high;
    std::mt19937 random_{42};
    int events_ = 0;
    int knownAgain_ = 0;  ///< of these, whose path was that of the last one
};

/// Functions that call each other by chance, of all forms that compilers give frames.
[[gnu::noinline]] void callByChance(KnownStackTest& test, int depth);

[[gnu::noinline]] void plain(KnownStackTest& test, int depth) {
    volatile char room[40];
    room[0] = static_cast<char>(depth);
    callByChance(test, depth);
    test.event();
    room[1] = room[0];
}
[[gnu::noinline]] void withLargeFrame(KnownStackTest& test, int depth) {
    volatile char room[5000];
    room[depth] = 1;
    callByChance(test, depth);
    room[0] = room[1];
}
[[gnu::noinline]] void withVariableFrame(KnownStackTest& test, int depth) {
    volatile char* room = static_cast<char*>(::alloca(1 + test.random_() % 3 * 32));
    room[0] = 1;
    callByChance(test, depth);
    test.event();
    room[0] = 2;
}
[[gnu::noinline]] void withRealignedFrame(KnownStackTest& test, int depth) {
    alignas(64) volatile char room[64];
    room[depth % 64] = 1;
    callByChance(test, depth);
    test.event();
    room[0] = room[1];
}
[[gnu::noinline]] void withBoth(KnownStackTest& test, int depth) {
    alignas(64) volatile char room[64];
    volatile char* more = static_cast<char*>(::alloca(1 + test.random_() % 3 * 64));
    room[depth % 64] = 1;
    more[0] = 1;
    callByChance(test, depth);
    room[0] = room[1];
}
[[gnu::noinline]] void byTailCall(KnownStackTest& test, int depth) {
    callByChance(test, depth);
}
[[gnu::noinline]] void fromSeveralPlacesInTurn(KnownStackTest& test, int depth) {
    const auto askFromThree = [&]() __attribute__((always_inline)) {
        test.ask(placeHere());
        test.ask(placeHere());
        test.ask(placeHere());
    };
    for (int i = 0; i < 3; ++i) askFromThree();
    callByChance(test, depth);
    for (int i = 0; i < 3; ++i) {  // more than are known
        askFromThree();
        askFromThree();
        askFromThree();
        askFromThree();
    }
}
[[gnu::noinline]] void inALoop(KnownStackTest& test, int depth) {
    for (int i = 0; i < 3; ++i) test.event();
    callByChance(test, depth);
    test.event();
}

void callByChance(KnownStackTest& test, int depth) {
    using Function = void (*)(KnownStackTest&, int);
    constexpr Function kAll[] = {plain,    withLargeFrame, withVariableFrame,       withRealignedFrame,
                                 withBoth, byTailCall,     fromSeveralPlacesInTurn, inALoop};
    if (depth == 0) return test.event();
    for (unsigned calls = 1 + test.random_() % 2; calls > 0; --calls)
        kAll[test.random_() % std::size(kAll)](test, depth - 1);
    volatile int last = depth;
    static_cast<void>(last);
}

TEST_F(KnownStackTest, callsByChance_arePathsAsBacktraceSeesThem) {
    for (int run = 0; run < 20; ++run) callByChance(*this, 8);
    EXPECT_GT(events_, 1000);
    EXPECT_GT(knownAgain_, 100);
}

[[gnu::noinline]] void inTurn(KnownStackTest& test) {
    for (int i = 0; i < 3; ++i) {
        test.ask(placeHere());
        test.ask(placeHere());
    }
}
[[gnu::noinline]] void inTurnOnce(KnownStackTest& test) {
    inTurn(test);
    volatile int last = 0;
    static_cast<void>(last);
}
[[gnu::noinline]] void inTurnTwice(KnownStackTest& test) {
    inTurn(test);
    inTurn(test);
    volatile int last = 0;
    static_cast<void>(last);
}
[[gnu::noinline]] void inTurnSixTimes(KnownStackTest& test) {
    inTurnOnce(test);
    inTurnOnce(test);
    inTurnTwice(test);
    inTurnTwice(test);
    volatile int last = 0;
    static_cast<void>(last);
}

/// Where they are on the stack, and what called them, is the same for several paths.
TEST_F(KnownStackTest, severalPlacesOfAFunctionInTurn_havePathsOfTheirOwn) {
    for (int i = 0; i < 3; ++i)
        for (const auto function : {inTurn, inTurnTwice, inTurnSixTimes, inTurn}) function(*this);
    EXPECT_EQ(events_, 3 * (1 + 2 + 6 + 1) * 6);
}

/// Calls a function with so many functions in between.
template <int kBetween>
[[gnu::noinline]] void through(KnownStackTest& test, void (*function)(KnownStackTest&)) {
    if constexpr (kBetween == 0)
        function(test);
    else
        through<kBetween - 1>(test, function);
    volatile int last = 0;
    static_cast<void>(last);
}

template <int kBetween>
void fromTwoPlaces(KnownStackTest& test) {
    for (int i = 0; i < 3; ++i)
        for (const auto function : {inTurn, inTurnTwice, inTurnSixTimes}) {
            through<kBetween>(test, function);
            through<kBetween>(test, inTurn);
        }
}

TEST_F(KnownStackTest, functionFarOutsideThatCallsFromAnotherPlace_isNoticed) {
    fromTwoPlaces<2>(*this);
    fromTwoPlaces<6>(*this);
    EXPECT_EQ(events_, 2 * 3 * (1 + 2 + 6 + 3) * 6);
}

TEST_F(KnownStackTest, sameCallAgain_hasTheSamePath) {
    const Place here = placeHere();
    EXPECT_EQ(known_->pathAgain(here, {}), kNoPath);
    const PathNumber path = known_->pathOf(here, {here.sp, end_}, {});
    EXPECT_EQ(known_->pathAgain(here, {}), path);
    EXPECT_EQ(known_->pathAgain({here.pc + 1, here.sp, here.fp}, {}), kNoPath);
    EXPECT_EQ(known_->pathAgain(here, {.function = StackBound(here.sp)}), kNoPath);
}

TEST_F(KnownStackTest, sameCallWhileFilesAreUnloaded_isLookedForAnew) {
    const Place here = placeHere();
    known_->pathOf(here, {here.sp, end_}, {});
    unloadings.begin();
    EXPECT_EQ(known_->pathAgain(here, {}), kNoPath);
    known_->pathOf(here, {here.sp, end_}, {});
    EXPECT_EQ(known_->pathAgain(here, {}), kNoPath);
    unloadings.end();
    known_->pathOf(here, {here.sp, end_}, {});
    EXPECT_NE(known_->pathAgain(here, {}), kNoPath);
}

[[gnu::noinline]] void recurse(KnownStackTest& test, int depth) {
    if (depth > 0) recurse(test, depth - 1);
    if (depth % 50 == 0) test.event();
    volatile int last = depth;
    static_cast<void>(last);
}

TEST_F(KnownStackTest, moreCallsThanAreShown_areTheOutermostAndTheInnermost) {
    recurse(*this, 600);
    recurse(*this, 10);
    EXPECT_EQ(events_, 14);
}

[[gnu::noinline]] void recurseWithEventsOnBothWays(KnownStackTest& test, int depth) {
    if (depth % 97 == 0) test.event();
    if (depth > 0) recurseWithEventsOnBothWays(test, depth - 1);
    if (depth % 89 == 0) test.event();
}

/// Each path is the same whether the stack grows or shrinks, and however deep it was before.
TEST_F(KnownStackTest, moreCallsThanThereWasRoomFor_areTheOutermostAndTheInnermost) {
    recurseWithEventsOnBothWays(*this, 6000);
    recurseWithEventsOnBothWays(*this, 10);
    recurse(*this, 7000);
    EXPECT_EQ(events_, 62 + 68 + 2 + 141);
}

TEST_F(KnownStackTest, moreCallsThanAreFollowed_areTheInnermost) {
    followAtMost(2048);
    recurseWithEventsOnBothWays(*this, 6000);
    recurseWithEventsOnBothWays(*this, 10);
    EXPECT_EQ(events_, 62 + 68 + 2);
}

TEST_F(KnownStackTest, callsLeftByAJump_areForgotten) {
    std::jmp_buf back;
    static int left;
    for (left = 0; left < 3; ++left) {
        if (setjmp(back) == 0) {
            callByChance(*this, 3);
            std::longjmp(back, 1);
        }
        event();
    }
}

TEST_F(KnownStackTest, callsLeftByAnException_areForgotten) {
    for (int i = 0; i < 3; ++i) {
        try {
            callByChance(*this, 3);
            throw i;
        } catch (int) {
            event();
        }
    }
}

KnownStackTest* interrupted = nullptr;

TEST_F(KnownStackTest, handlerOfASignal_standsBelowWhatItInterrupted) {
#if defined(__aarch64__)
    GTEST_SKIP() << "the kernel's code behind handlers has no unwind tables on aarch64";
#endif
    interrupted = this;
    const auto before = std::signal(SIGURG, [](int) { interrupted->event(); });
    event();
    std::raise(SIGURG);
    event();
    std::signal(SIGURG, before);
    EXPECT_EQ(events_, 3);
}

TEST_F(KnownStackTest, codeOfNoFile_hasUnknownCallers) {
    const std::uint64_t stack[4] = {};
    const auto begin = reinterpret_cast<std::uint64_t>(&stack[0]);
    const PathNumber path = known_->pathOf({0x1000, begin, begin}, {begin, begin + sizeof stack}, {});
    EXPECT_THAT(addressesOf(path), ::testing::ElementsAre(0x1000, kUnknownCallers));
}

TEST_F(KnownStackTest, codeOfNoFileWhereTheStackBegins_hasNoCallers) {
    const std::uint64_t stack[4] = {};
    const auto end = reinterpret_cast<std::uint64_t>(&stack[0]) + sizeof stack;
    const PathNumber path = known_->pathOf({0x1000, end, end}, {end, end}, {});
    EXPECT_THAT(addressesOf(path), ::testing::ElementsAre(0x1000, kNoPath));
}

TEST_F(KnownStackTest, stackThatEndsEarly_hasUnknownCallers) {
    const Place here = placeHere();
    const Addresses path = addressesOf(known_->pathOf(here, {here.sp, here.sp + 8}, {}));
    EXPECT_THAT(path, ::testing::ElementsAre(here.pc, kUnknownCallers));
}

TEST_F(KnownStackTest, siteOfACall_isItsFunctionAlone) {
    const Place here = placeHere();
    const Addresses path = addressesOf(known_->siteOf(here, {here.sp, end_}, kNoPath));
    EXPECT_THAT(path, ::testing::ElementsAre(here.pc, kNoPath));
}

TEST_F(KnownStackTest, outermostFunctionThatIsWanted_isTheLast) {
    const Place here = placeHere();
    const Addresses path =
        addressesOf(known_->pathOf(here, {here.sp, end_}, {.function = StackBound(here.sp)}));
    EXPECT_THAT(path, ::testing::ElementsAre(here.pc, kNoPath));
}

/// As the recorder's function that calls a task's: its frame has `end`.
[[gnu::noinline]] void callTask(std::uint64_t& end, const std::function<void()>& task) {
    task();
    end = 0;
}

TEST_F(KnownStackTest, functionsOfATask_goOnFromItsCreation) {
    constexpr std::uint64_t kCreator = 0x5678;
    const PathNumber creation = pathBelow(kNoPath, kCreator);
    event();
    const std::size_t whole = callers().size();
    std::uint64_t end = 0;
    callTask(end, [&] {
        const Place here = placeHere();
        const WantedPart task{.task = StackBound(&end), .creation = creation};
        const PathNumber number = known_->pathOf(here, {here.sp, end_}, task);
        const Addresses path = addressesOf(number);
        ASSERT_GE(path.size(), 3);
        EXPECT_EQ(path[0], here.pc);
        EXPECT_EQ(path[path.size() - 2], kCreator);
        EXPECT_EQ(path.back(), kNoPath);
        EXPECT_LT(path.size(), whole);
        event();  // without the task
        EXPECT_EQ(known_->pathOf(here, {here.sp, end_}, task), number);
    });
    event();
}

#endif

}  // namespace
}  // namespace holos::tracing::stacks
