// SPDX-License-Identifier: BSD-3-Clause
// Collective operations whose data goes by way of other members.
#include <gtest/gtest.h>

#include "tests/unit/predict/predicted.h"

namespace holos::testing {
namespace {

/// Eight ranks, four operations with root 0 from the times 0, 100, 200 and 300 on. Each rank works for 10
/// before; one works for 50, which is called `late` before the last operation. `ends`: when they leave,
/// counted from there. Behind the last operation one rank works for 10 more.
class EightRanks {
  public:
    EightRanks(OTF2_CollectiveOp operation, unsigned late, unsigned last, std::vector<Tick> ends) : trace(8) {
        const Share share{.sent = 8, .received = 8, .root = 0};
        for (unsigned rank = 0; rank < 8; ++rank) {
            trace.on(rank).enter(0, "main");
            for (const Tick from : {0U, 100U, 200U, 300U}) {
                const Tick begin = from + (rank == late ? 50 : 10);
                trace.on(rank).call(from, begin, rank == late && from == 300 ? "late" : "work");
                trace.on(rank).collective(begin, from + ends[rank], operation, share);
                if (from < 300) trace.on(rank).call(from + ends[rank], from + 100, "other");
            }
            const Tick end = 300 + ends[rank];
            if (rank == last) trace.on(rank).call(end, end + 10, "after");
            trace.on(rank).leave(rank == last ? end + 10 : end);
        }
    }
    TraceBuilder trace;
};

/// Rank 4 passes on to 5 and 6, and 6 to 7.
TEST(Tree, ofABroadcast_bringsDataByWayOfOthers) {
    const Predicted run(EightRanks(OTF2_COLLECTIVE_OP_BCAST, 4, 7, {11, 12, 12, 12, 51, 52, 52, 53}).trace);
    EXPECT_EQ(run.recorded(), 363);
    EXPECT_EQ(run.replayed(), 363);
    EXPECT_EQ(run.with("speedup late=5"), 323);    // rank 4 comes at 310; 7 leaves 3 later and works for 10
    EXPECT_EQ(run.with("speedup late=0.5"), 413);  // at 400
}

/// Rank 7 is late: 6, and then 4, pass on what it has, and the others leave before.
TEST(Tree, ofAReduction_keepsThoseOnTheWayToTheRoot) {
    const Predicted run(EightRanks(OTF2_COLLECTIVE_OP_REDUCE, 7, 4, {54, 11, 11, 11, 53, 11, 52, 51}).trace);
    EXPECT_EQ(run.replayed(), 363);
    EXPECT_EQ(run.with("speedup late=5"), 323);
    EXPECT_EQ(run.with("speedup late=0.5"), 413);
}

/// Open MPI's broadcasts: rank 1 passes on to 3 and 5, and 3 to 7.
TEST(Tree, ofTheOtherOrder_isFoundToo) {
    const Predicted run(EightRanks(OTF2_COLLECTIVE_OP_BCAST, 1, 7, {11, 51, 12, 52, 12, 52, 12, 53}).trace);
    EXPECT_EQ(run.replayed(), 363);
    EXPECT_EQ(run.with("speedup late=5"), 323);
}

/// Who leaves before the one between it and the root has come shows that there is no tree.
TEST(Tree, thatMembersContradict_isNone) {
    const Predicted run(EightRanks(OTF2_COLLECTIVE_OP_BCAST, 4, 7, {11, 12, 12, 12, 51, 12, 12, 12}).trace);
    EXPECT_EQ(run.replayed(), 351);
    EXPECT_EQ(run.with("speedup late=0.5"), 401);  // rank 4 itself: nobody waits for it
}

}  // namespace
}  // namespace holos::testing
