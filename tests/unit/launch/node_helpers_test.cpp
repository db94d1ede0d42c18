// SPDX-License-Identifier: BSD-3-Clause
// Commands of several hosts that make a trace together, as far as they know of each other.
#include "tracing/recordings/launch/node_helpers.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "tests/support/temporary_directory.h"

namespace holos::launch {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class NodesOfAJob : public ::testing::Test {
  protected:
    NodesOfAJob() {
        fs::create_directories(recording());
        for (const char* host : {"node1", "node2", "node3"}) noteHost(recording(), host);
    }
    fs::path recording() const { return archive::recordingOf(directory_.path()); }
    std::unique_ptr<NodeHelper> offer(const std::string& host) const {
        return NodeHelper::offer(directory_.path(), host);
    }

    testing::TemporaryDirectory directory_;
};

TEST_F(NodesOfAJob, eachHost_hasOneHelper) {
    const auto first = offer("node1");
    EXPECT_TRUE(first);
    EXPECT_FALSE(offer("node1"));
    EXPECT_TRUE(offer("node2"));
}

TEST_F(NodesOfAJob, onlyOne_needsNoHelp) {
    fs::remove(recording() / "hosts" / "node2");
    fs::remove(recording() / "hosts" / "node3");
    EXPECT_FALSE(offer("node1"));
}

TEST_F(NodesOfAJob, whoseOfferWasTakenBack_areNotAsked) {
    offer("node2").reset();
    EXPECT_EQ(NodeHelpers(directory_.path(), "node1").count(), 0U);
    EXPECT_TRUE(offer("node2"));
}

TEST_F(NodesOfAJob, processes_areThoseOfTheHelperOfTheirHost) {
    const auto own = offer("node1");
    const auto second = offer("node2");
    const NodeHelpers helpers(directory_.path(), "node1");
    EXPECT_EQ(helpers.count(), 1U);
    EXPECT_EQ(helpers.chosenFor("node2"), 0U);
    // Who makes the trace.
    EXPECT_EQ(helpers.chosenFor("node1"), 1U);
    EXPECT_EQ(helpers.chosenFor("node3"), 1U);
}

TEST_F(NodesOfAJob, helperThatIsSilent_isNotWaitedFor) {
    const auto second = offer("node2");  // which does nothing
    NodeHelpers helpers(directory_.path(), "node1", {.ofSilence = 20ms});
    helpers.send(0, "order");
    EXPECT_FALSE(helpers.receive(0));
    EXPECT_FALSE(helpers.receive(0));
}

TEST_F(NodesOfAJob, helperThatNobodyAsks_goesOn) {
    offer("node2")->serve({.forOrders = 20ms});
    EXPECT_EQ(NodeHelpers(directory_.path(), "node1").count(), 0U);
}

/// Orders that make no sense are answered, too.
TEST_F(NodesOfAJob, helper_answersUntilItIsToldToEnd) {
    const auto second = offer("node2");
    std::jthread serving([&] { second->serve(); });
    NodeHelpers helpers(directory_.path(), "node1");
    for (int i = 0; i < 3; ++i) {
        helpers.send(0, "order");
        EXPECT_TRUE(helpers.receive(0));
    }
}

}  // namespace
}  // namespace holos::launch
