// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/call_stack.h"

#include <gmock/gmock.h>

namespace holos::analyzer::replay {
namespace {

using ::testing::ElementsAre;
using trace::ContextId;
using trace::kNoFrame;
using trace::Paradigm;
using trace::SiteId;

/// `main` calls `solve` at main.c:10, which calls `exp` at solve.c:20; of that no line is known.
class StackPathsTest : public ::testing::Test {
  protected:
    StackPathsTest() {
        auto& frames = definitions_.frames;
        const FrameId inMain = frames.add(kNoFrame, main_, trace::kNoSite);
        const FrameId inSolve = frames.add(inMain, solve_, SiteId(1));
        const FrameId inExp = frames.add(inSolve, exp_, SiteId(2));
        definitions_.callSites = {{}, {"main.c", 10}, {"solve.c", 20}};
        definitions_.callingContexts = {
            {main_, region("main.c:10", Paradigm::Other), SiteId(1), {}, inMain, 0, {}},
            {solve_, region("solve.c:20", Paradigm::Other), SiteId(2), ContextId(0), inSolve, 1, {}},
            {exp_, {}, trace::kNoSite, ContextId(1), inExp, 2, {}},
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
    NodeId entered(NodeId parent, RegionId region, SiteId site = trace::kNoSite) {
        return tree_.child(parent, region, classes_, site);
    }
    FrameId frame(std::size_t context) const { return definitions_[ContextId(context)].frame; }

    std::vector<std::string> pathOf(NodeId node) const {
        std::vector<std::string> names;
        for (; node != kProgram && node != kOutside; node = tree_[node].parent)
            names.insert(names.begin(), definitions_[tree_[node].region].name);
        return names;
    }

    trace::Definitions definitions_;
    RegionId main_ = region("main", Paradigm::Other);
    RegionId solve_ = region("solve", Paradigm::Other);
    RegionId exp_ = region("exp", Paradigm::Other);
    RegionId send_ = region("MPI_Send", Paradigm::Mpi);
    RegionId phase_ = region("phase", Paradigm::User);
    RegionId compiled_ = region("main", Paradigm::Compiler);
    RegionId foreign_ = region("main", Paradigm::Compiler, "other.c");
    std::vector<trace::RegionClass> classes_;
    LocalTree tree_;
    StackPaths paths_{definitions_, classes_, tree_};
};

TEST_F(StackPathsTest, functions_standBelowTheCallPathWithTheirCallSites) {
    const NodeId found = paths_.of(kProgram, kByName, frame(2));
    EXPECT_THAT(pathOf(found), ElementsAre("main", "solve", "exp"));
    EXPECT_EQ(tree_[found].site, SiteId(2));
    EXPECT_EQ(tree_[tree_[found].parent].site, SiteId(1));
}

TEST_F(StackPathsTest, sameFunctions_areOneCallPath) {
    const NodeId first = paths_.of(kProgram, kByName, frame(1));
    const std::size_t size = tree_.size();
    EXPECT_EQ(paths_.of(kProgram, kByName, frame(1)), first);
    EXPECT_EQ(tree_[paths_.of(kProgram, kNoFrame, frame(2))].parent, first);
    EXPECT_EQ(tree_.size(), size + 1);
}

TEST_F(StackPathsTest, whatIsKnown_isNotRepeated) {
    const NodeId phase = entered(paths_.of(kProgram, kByName, frame(0)), phase_);
    EXPECT_THAT(pathOf(paths_.of(phase, frame(0), frame(2))), ElementsAre("main", "phase", "solve", "exp"));
    EXPECT_EQ(paths_.of(phase, frame(2), frame(1)), phase);
}

TEST_F(StackPathsTest, unknownCallers_areNotTakenForTheSame) {
    const RegionId unknown = region("UNKNOWN CALLERS", Paradigm::Measurement);
    definitions_.regions[unknown.index()].role = trace::Role::Artificial;
    classes_.resize(definitions_.regions.size());
    const FrameId outermost = definitions_.frames.add(kNoFrame, unknown, trace::kNoSite);
    const FrameId inSolve = definitions_.frames.add(outermost, solve_, trace::kNoSite);
    const FrameId inExp = definitions_.frames.add(outermost, exp_, trace::kNoSite);
    const FrameId below = definitions_.frames.add(inSolve, exp_, SiteId(2));
    const NodeId phase = entered(paths_.of(kProgram, kByName, inSolve), phase_);
    EXPECT_THAT(pathOf(paths_.of(phase, inSolve, inExp)),
                ElementsAre("UNKNOWN CALLERS", "solve", "phase", "UNKNOWN CALLERS", "exp"));
    EXPECT_THAT(pathOf(paths_.of(phase, inSolve, below)),
                ElementsAre("UNKNOWN CALLERS", "solve", "phase", "exp"));
}

TEST_F(StackPathsTest, functionThatWasEntered_isNotRepeated) {
    const NodeId main = entered(kProgram, compiled_);
    EXPECT_THAT(pathOf(paths_.of(main, kByName, frame(1))), ElementsAre("main", "solve"));
    EXPECT_EQ(paths_.of(main, kByName, frame(0)), main);
}

TEST_F(StackPathsTest, functionOfTheSameNameElsewhere_isAnother) {
    const NodeId other = entered(kProgram, foreign_);
    EXPECT_THAT(pathOf(paths_.of(other, kByName, frame(0))), ElementsAre("main", "main"));
}

TEST_F(StackPathsTest, samples_endWithTheirLine) {
    EXPECT_THAT(pathOf(paths_.ofSample(kProgram, kByName, ContextId(1))),
                ElementsAre("main", "solve", "solve.c:20"));
    EXPECT_THAT(pathOf(paths_.ofSample(kProgram, kByName, ContextId(2))),
                ElementsAre("main", "solve", "exp"));
}

TEST_F(StackPathsTest, sampleWhereTheRegionWasEntered_isTheRegions) {
    const NodeId phase = entered(paths_.of(kProgram, kByName, frame(0)), phase_, SiteId(1));
    EXPECT_EQ(paths_.ofSample(phase, frame(0), ContextId(0)), phase);
    const NodeId later = entered(paths_.of(kProgram, kByName, frame(0)), phase_, SiteId(2));
    EXPECT_THAT(pathOf(paths_.ofSample(later, frame(0), ContextId(0))),
                ElementsAre("main", "phase", "main.c:10"));
}

TEST_F(StackPathsTest, sampleWithinMpi_isItsCalls) {
    const NodeId send = entered(paths_.of(kProgram, kByName, frame(0)), send_, SiteId(2));
    EXPECT_EQ(paths_.ofSample(send, frame(0), ContextId(0)), send);
}

TEST_F(StackPathsTest, callPaths_haveNeitherTimeNorVisits) {
    const NodeId found = paths_.ofSample(kProgram, kByName, ContextId(1));
    for (NodeId node = found; node != kProgram; node = tree_[node].parent) {
        EXPECT_EQ(tree_[node].visits, 0);
        EXPECT_EQ(tree_[node].exclusive, 0);
    }
}

}  // namespace
}  // namespace holos::analyzer::replay
