// SPDX-License-Identifier: BSD-3-Clause
// Many calls at once have to do what each of them does alone.
#include "analyzer/replay/plain_calls.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "analyzer/replay/location_replay.h"

namespace holos::analyzer::replay {
namespace {

using Call = PlainCalls::Call;

constexpr std::uint32_t kFirstRegion = 10;
constexpr std::uint32_t kRegions = 6;
constexpr std::uint32_t kSend = kFirstRegion + kRegions - 2;
constexpr std::uint32_t kSpecial = kFirstRegion + kRegions - 1;

/// A process with one thread, and regions of which one is special.
class PlainCallsTest : public ::testing::Test {
  protected:
    PlainCallsTest() {
        definitions_.regions.resize(kFirstRegion + kRegions);
        definitions_.processes.resize(1);
        definitions_.processes[0].threads = {trace::LocationId(0)};
        definitions_.locations.resize(1);
        definitions_.locations[0].process = trace::ProcessId(0);
        classes_.resize(definitions_.regions.size());
        classes_[kSpecial].special = trace::Special::MayWait;
        classes_[kSend].call = trace::CallKind::Send;
    }

    /// What is told to a location: calls, and now and then a message in between.
    struct Event {
        Call call;
        bool isMessage = false;
    };

    /// A random walk up and down; one of `odd` leaves is that of another region, and as many times run back.
    std::vector<Event> walk(unsigned seed, std::size_t length, unsigned odd) {
        std::mt19937 random(seed);
        std::vector<Event> events{{{1, RegionId(kFirstRegion), true}}};
        std::vector<std::uint32_t> open{kFirstRegion};
        Ticks time = 1;
        while (events.size() < length) {
            time += static_cast<Ticks>(random() % 5);
            if (random() % odd == 0) time -= 7;
            if (random() % 16 == 0) {
                events.push_back({{time, RegionId(kSend), true}});
                events.push_back({{time + 1, RegionId(kSend), true}, true});
                events.push_back({{time + 2, RegionId(kSend), false}});
            } else if (open.size() < 2 || (open.size() < 9 && random() % 2 == 0)) {
                open.push_back(kFirstRegion + static_cast<std::uint32_t>(random() % kRegions));
                events.push_back({{time, RegionId(open.back()), true}});
            } else {
                const bool isOther = random() % odd == 0;
                const std::uint32_t left = isOther ? kFirstRegion : open.back();
                events.push_back({{time, RegionId(left), false}});
                if (isOther)
                    open.resize(1);  // it may leave others with it
                else
                    open.pop_back();
            }
        }
        return events;
    }

    /// `most`: how many calls come at once; 0: each alone.
    ReplayedLocation replayed(const std::vector<Event>& events, std::size_t most, bool withProfiles = true) {
        TeamBoard board(definitions_, {trace::LocationId(0)});
        const Context context{definitions_, classes_, board, withProfiles};
        LocationReplay replay(context, trace::LocationId(0));
        for (std::size_t i = 0; i < events.size();) {
            const Call& call = events[i].call;
            if (events[i].isMessage) {
                replay.messages().send(i + 1, call.time, {0, 0, 0, 8});
                ++i;
                continue;
            }
            std::size_t calls = 0;
            while (calls < most && i + calls < events.size() && !events[i + calls].isMessage) ++calls;
            const std::size_t taken =
                most == 0 ? 0 : replay.calls().pass(calls, [&](std::size_t j) { return events[i + j].call; });
            taken_ += taken;
            i += taken;
            if (taken != 0) continue;
            if (call.isEnter)
                replay.calls().enter(i + 1, call.time, call.region);
            else
                replay.calls().leave(i + 1, call.time, call.region);
            ++i;
        }
        return replay.finish(events.size());
    }

    static auto partsOf(const LocalTree::Node& node) {
        return std::tuple(node.exclusive, node.visits, node.region, node.parent, node.slice);
    }
    static std::vector<std::pair<std::uint32_t, Ticks>> timesOf(const PackedSlices& profile) {
        std::vector<std::pair<std::uint32_t, Ticks>> times;
        for (std::uint32_t slice = 0; slice < profile.size(); ++slice) {
            times.emplace_back(~slice, 0);
            profile.visit(slice, slice + 1,
                          [&](std::uint32_t path, Ticks ticks) { times.emplace_back(path, ticks); });
        }
        return times;
    }
    static void expectEqual(const ReplayedLocation& many, const ReplayedLocation& one) {
        ASSERT_EQ(many.calls.tree.size(), one.calls.tree.size());
        for (std::size_t i = 0; i < one.calls.tree.size(); ++i)
            EXPECT_EQ(partsOf(many.calls.tree[NodeId(i)]), partsOf(one.calls.tree[NodeId(i)])) << i;
        EXPECT_EQ(timesOf(many.trace.profile), timesOf(one.trace.profile));
        EXPECT_EQ(many.trace.begin, one.trace.begin);
        EXPECT_EQ(many.trace.end, one.trace.end);
        ASSERT_EQ(many.trace.messages.calls.size(), one.trace.messages.calls.size());
        for (std::size_t i = 0; i < one.trace.messages.calls.size(); ++i) {
            EXPECT_EQ(many.trace.messages.calls[i].enter, one.trace.messages.calls[i].enter);
            EXPECT_EQ(many.trace.messages.calls[i].leave, one.trace.messages.calls[i].leave);
        }
        ASSERT_EQ(many.diagnoses.size(), one.diagnoses.size());
        for (std::size_t i = 0; i < one.diagnoses.size(); ++i)
            EXPECT_EQ(many.diagnoses[i].message, one.diagnoses[i].message);
    }

    trace::Definitions definitions_;
    std::vector<trace::RegionClass> classes_;
    std::size_t taken_ = 0;
};

TEST_F(PlainCallsTest, manyAtOnce_doWhatEachDoesAlone) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        const auto events = walk(seed, 2000, 1'000'000);
        const ReplayedLocation one = replayed(events, 0);
        for (const std::size_t most : {std::size_t{2}, std::size_t{17}, std::size_t{256}, std::size_t{3000}})
            expectEqual(replayed(events, most), one);
    }
    EXPECT_GT(taken_, 40U * 4 * 100);  // else nothing was compared
}

TEST_F(PlainCallsTest, withoutProfiles_theSame) {
    const auto events = walk(1, 2000, 1'000'000);
    expectEqual(replayed(events, 256, false), replayed(events, 0, false));
}

/// Leaves of others, and times that run backwards.
TEST_F(PlainCallsTest, damage_isFoundAsByEachAlone) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        const auto events = walk(seed, 500, 20);
        expectEqual(replayed(events, 256), replayed(events, 0));
    }
}

/// What was open before is left, down to the outermost and beyond.
TEST_F(PlainCallsTest, moreLeavesThanEnters_doWhatEachDoesAlone) {
    std::vector<Event> events;
    Ticks time = 0;
    for (int round = 0; round < 3; ++round) {
        for (std::uint32_t i = 0; i < 4; ++i) events.push_back({{++time, RegionId(kFirstRegion + i), true}});
        events.push_back({{++time, RegionId(kFirstRegion), true}, true});
        for (std::uint32_t i = 4; i-- > 0;) events.push_back({{++time, RegionId(kFirstRegion + i), false}});
        events.push_back({{++time, RegionId(kFirstRegion), false}});
    }
    expectEqual(replayed(events, 256), replayed(events, 0));
}

/// There is no room for more at once.
TEST_F(PlainCallsTest, deepRecursion_doesWhatEachDoesAlone) {
    std::vector<Event> events;
    Ticks time = 0;
    for (const bool isEnter : {true, false, true, false})
        for (int i = 0; i < 1000; ++i) events.push_back({{++time, RegionId(kFirstRegion), isEnter}});
    const std::size_t before = taken_;
    expectEqual(replayed(events, events.size()), replayed(events, 0));
    EXPECT_GT(taken_ - before, 2000U);
}

}  // namespace
}  // namespace holos::analyzer::replay
