// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/sampled_calls.h"

#include <gmock/gmock.h>

namespace holos::analyzer::replay {
namespace {

using ::testing::ElementsAre;
using trace::ContextId;
using trace::Paradigm;
using trace::Role;

/// `main` calls `solve` at main.c:10, which is at solve.c:20, or calls `exp`, of which no line is known.
class SampledCallsTest : public ::testing::Test {
  protected:
    SampledCallsTest() {
        definitions_.callingContexts = {
            {main_, region("main.c:10", Paradigm::Other), {}},
            {solve_, region("solve.c:20", Paradigm::Other), ContextId(0)},
            {region("exp", Paradigm::Other), {}, ContextId(1)},
        };
        classes_.resize(definitions_.regions.size());
    }

    RegionId region(const std::string& name, Paradigm paradigm, const std::string& file = "code.c") {
        trace::Region made;
        made.name = name;
        made.paradigm = paradigm;
        made.file = file;
        definitions_.regions.push_back(made);
        return RegionId(definitions_.regions.size() - 1);
    }

    /// Entered by an event.
    NodeId entered(NodeId parent, RegionId region) { return tree_.child(parent, region, classes_); }

    std::vector<std::string> pathOf(NodeId node) const {
        std::vector<std::string> names;
        for (; node != kProgram && node != kOutside; node = tree_[node].parent)
            names.insert(names.begin(), definitions_[tree_[node].region].name);
        return names;
    }

    trace::Definitions definitions_;
    RegionId main_ = region("main", Paradigm::Other);
    RegionId solve_ = region("solve", Paradigm::Other);
    RegionId send_ = region("MPI_Send", Paradigm::Mpi);
    RegionId compiled_ = region("main", Paradigm::Compiler);
    RegionId foreign_ = region("main", Paradigm::Compiler, "other.c");
    std::vector<trace::RegionClass> classes_;
    LocalTree tree_;
    SampledCalls calls_{definitions_, classes_, tree_};
};

TEST_F(SampledCallsTest, functionsAndLines_standBelowTheCallPathInTurn) {
    EXPECT_THAT(pathOf(calls_.at(kProgram, ContextId(2))),
                ElementsAre("main", "main.c:10", "solve", "solve.c:20", "exp"));
    const NodeId send = entered(kProgram, send_);
    EXPECT_THAT(pathOf(calls_.at(send, ContextId(0))), ElementsAre("MPI_Send", "main", "main.c:10"));
}

TEST_F(SampledCallsTest, samePlace_isOneCallPath) {
    const NodeId first = calls_.at(kProgram, ContextId(1));
    const std::size_t size = tree_.size();
    EXPECT_EQ(calls_.at(kProgram, ContextId(1)), first);
    EXPECT_EQ(tree_[calls_.at(kProgram, ContextId(2))].parent, first);
    EXPECT_EQ(tree_.size(), size + 1);
}

TEST_F(SampledCallsTest, functionThatWasEntered_isNotRepeated) {
    const NodeId main = entered(kProgram, compiled_);
    EXPECT_THAT(pathOf(calls_.at(main, ContextId(1))),
                ElementsAre("main", "main.c:10", "solve", "solve.c:20"));
    EXPECT_THAT(pathOf(calls_.at(entered(main, send_), ContextId(0))),
                ElementsAre("main", "MPI_Send", "main.c:10"));
}

TEST_F(SampledCallsTest, functionOfTheSameNameElsewhere_isAnother) {
    const NodeId other = entered(kProgram, foreign_);
    EXPECT_THAT(pathOf(calls_.at(other, ContextId(0))), ElementsAre("main", "main", "main.c:10"));
}

TEST_F(SampledCallsTest, callPaths_haveNeitherTimeNorVisits) {
    const NodeId found = calls_.at(kProgram, ContextId(1));
    for (NodeId node = found; node != kProgram; node = tree_[node].parent) {
        EXPECT_EQ(tree_[node].visits, 0);
        EXPECT_EQ(tree_[node].exclusive, 0);
    }
}

}  // namespace
}  // namespace holos::analyzer::replay
