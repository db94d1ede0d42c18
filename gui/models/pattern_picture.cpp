// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/pattern_picture.h"

#include <array>

namespace holos::gui {

namespace {

template <std::size_t Count>
using Lanes = std::array<PatternLane, Count>;
template <std::size_t Count>
using Arrows = std::array<PatternArrow, Count>;

constexpr Lanes<2> kLateSender{{{"sender", "Send", "--------====--------"},  //
                                {"receiver", "Recv", "---#######==--------"}}};
constexpr Arrows<1> kLateSenderArrows{{{0, 8, 1, 11}}};

constexpr Lanes<2> kWrongOrder{
    {{"sender", "Send 1, Send 2", "-----====----====---"}, {"receiver", "Recv 2", "--###########==-----"}}};
constexpr Arrows<1> kWrongOrderArrows{{{0, 13, 1, 14}}};

constexpr Lanes<2> kLateReceiver{
    {{"sender", "Send", "---########==-------"}, {"receiver", "Recv", "-----------====-----"}}};
constexpr Arrows<1> kLateReceiverArrows{{{0, 11, 1, 14}}};

constexpr Lanes<3> kAllWait{{{"rank 0", "collective", "----########===-----"},
                             {"rank 1", "collective", "--------####===-----"},
                             {"last rank", "collective", "------------===-----"}}};
constexpr Arrows<2> kAllWaitArrows{{{2, 12, 0, 12}, {2, 12, 1, 12}}};

constexpr Lanes<3> kCompletion{{{"rank 0", "collective", "---=======####------"},
                                {"first to leave", "collective", "-----=====----------"},
                                {"rank 2", "collective", "-------===######----"}}};
constexpr Arrows<2> kCompletionArrows{{{1, 10, 0, 10}, {1, 10, 2, 10}}};

constexpr Lanes<3> kLateRoot{{{"root", "Bcast", "----------====------"},
                              {"rank 1", "Bcast", "---#######=====-----"},
                              {"rank 2", "Bcast", "------####======----"}}};
constexpr Arrows<2> kLateRootArrows{{{0, 10, 1, 12}, {0, 10, 2, 13}}};

constexpr Lanes<3> kEarlyRoot{{{"root", "Reduce", "---########====-----"},
                               {"rank 1", "Reduce", "------===-----------"},
                               {"last sender", "Reduce", "-----------===------"}}};
constexpr Arrows<2> kEarlyRootArrows{{{1, 7, 0, 11}, {2, 11, 0, 13}}};

constexpr Lanes<3> kEarlyScan{{{"rank 0", "Scan", "------===-----------"},
                               {"rank 1", "Scan", "----------===-------"},
                               {"rank 2", "Scan", "---#######====------"}}};
constexpr Arrows<2> kEarlyScanArrows{{{0, 7, 1, 10}, {1, 10, 2, 12}}};

constexpr Lanes<3> kBarrier{{{"thread 0", "barrier", "------######==------"},
                             {"thread 1", "barrier", "---#########==------"},
                             {"last thread", "barrier", "------------==------"}}};

constexpr Lanes<2> kLock{
    {{"owner", "critical", "---==========-------"}, {"other thread", "critical", "------#######=====--"}}};
constexpr Arrows<1> kLockArrows{{{0, 13, 1, 13}}};

constexpr Lanes<2> kLatePost{
    {{"target", "Post", "----------===-------"}, {"origin", "Start, access", "----######=====-----"}}};
constexpr Arrows<1> kLatePostArrows{{{0, 10, 1, 10}}};

constexpr Lanes<2> kEarlyWait{
    {{"origin", "access, Complete", "-----=========------"}, {"target", "Wait", "---##########==-----"}}};
constexpr Arrows<1> kEarlyWaitArrows{{{0, 13, 1, 13}}};

constexpr Lanes<2> kLateComplete{
    {{"origin", "access … Complete", "---====------===----"}, {"target", "Wait", "---====######===----"}}};
constexpr Arrows<1> kLateCompleteArrows{{{0, 13, 1, 13}}};

constexpr Lanes<2> kEarlyFence{
    {{"others", "access", "-----========-------"}, {"target", "Fence", "---##########==-----"}}};
constexpr Arrows<1> kEarlyFenceArrows{{{0, 12, 1, 12}}};

constexpr Lanes<2> kWindowLock{
    {{"owner", "Lock … Unlock", "---==========-------"}, {"origin", "Lock", "------#######====---"}}};
constexpr Arrows<1> kWindowLockArrows{{{0, 13, 1, 13}}};

constexpr Lanes<2> kProgress{
    {{"target", "MPI call", "------------====----"}, {"origin", "access", "----########===-----"}}};
constexpr Arrows<1> kProgressArrows{{{0, 12, 1, 12}}};

constexpr Lanes<3> kIdle{{{"master", "parallel", "-----==========-----"},
                          {"thread 1", "parallel", "#####==========#####"},
                          {"thread 2", "parallel", "#####==========#####"}}};

constexpr Lanes<3> kLimited{{{"master", "parallel", "---==============---"},
                             {"thread 1", "parallel", "   ==============   "},
                             {"not used", "parallel", "   ##############   "}}};

constexpr Lanes<2> kDelay{{{"causes it", "call", "----dddddd===-------"},  //
                           {"waits", "call", "----######===-------"}}};
constexpr Arrows<1> kDelayArrows{{{0, 10, 1, 11}}};

constexpr Lanes<3> kImbalance{{{"rank 0", "barrier", "----########==------"},
                               {"rank 1", "barrier", "------######==------"},
                               {"most to do", "barrier", "-----ddddddd==------"}}};

constexpr std::array kPictures{
    PatternPicture{"mpi_latesender mpi_wait_propagating_ls mpi_wait_terminal_ls mpi_wait_direct_latesender "
                   "mpi_wait_indirect_latesender",
                   kLateSender, kLateSenderArrows},
    PatternPicture{"mpi_latesender_wo mpi_lswo_different mpi_lswo_same", kWrongOrder, kWrongOrderArrows},
    PatternPicture{"mpi_latereceiver mpi_wait_propagating_lr mpi_wait_terminal_lr "
                   "mpi_wait_direct_latereceiver mpi_wait_indirect_latereceiver",
                   kLateReceiver, kLateReceiverArrows},
    PatternPicture{"mpi_wait_nxn mpi_barrier_wait mpi_finalize_wait mpi_rma_wait_at_create "
                   "mpi_rma_wait_at_free mpi_rma_wait_at_fence mpi_mgmt_file_wait mpi_io_collective_wait",
                   kAllWait, kAllWaitArrows},
    PatternPicture{"mpi_nxn_completion mpi_barrier_completion mpi_init_completion", kCompletion,
                   kCompletionArrows},
    PatternPicture{"mpi_latebroadcast", kLateRoot, kLateRootArrows},
    PatternPicture{"mpi_earlyreduce", kEarlyRoot, kEarlyRootArrows},
    PatternPicture{"mpi_earlyscan", kEarlyScan, kEarlyScanArrows},
    PatternPicture{"omp_ebarrier_wait omp_ibarrier_wait", kBarrier, {}},
    PatternPicture{"omp_lock_contention_critical omp_lock_contention_api pthread_lock_contention_mutex_lock "
                   "pthread_lock_contention_conditional pthread_condition_signal_wait delay_omp_lock "
                   "delay_pthread_lock lock_wait_propagating "
                   "lock_wait_terminal lock_wait_direct lock_wait_indirect",
                   kLock, kLockArrows},
    PatternPicture{"mpi_rma_sync_late_post mpi_rma_comm_late_post", kLatePost, kLatePostArrows},
    PatternPicture{"mpi_rma_early_wait", kEarlyWait, kEarlyWaitArrows},
    PatternPicture{"mpi_rma_late_complete", kLateComplete, kLateCompleteArrows},
    PatternPicture{"mpi_rma_early_fence", kEarlyFence, kEarlyFenceArrows},
    PatternPicture{"mpi_rma_sync_lock_competition mpi_rma_comm_lock_competition", kWindowLock,
                   kWindowLockArrows},
    PatternPicture{"mpi_rma_sync_wait_for_progress mpi_rma_comm_wait_for_progress", kProgress,
                   kProgressArrows},
    PatternPicture{"omp_idle_threads delay_ompidle", kIdle, {}},
    PatternPicture{"omp_limited_parallelism", kLimited, {}},
    PatternPicture{"delay_p2p delay_latesender delay_latereceiver delay_n21 delay_12n", kDelay, kDelayArrows},
    PatternPicture{
        "delay_collective delay_barrier delay_n2n delay_scan delay_io delay_finalize delay_ompbarrier "
        "critical_path_imbalance imbalance "
        "imbalance_above imbalance_below",
        kImbalance,
        {}},
};

/// The sum of two metrics, and their parts, have one picture.
std::string_view withoutSuffix(std::string_view name) {
    for (const std::string_view suffix : {std::string_view("_aggregate"), std::string_view("_longterm")})
        if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
    return name;
}

bool isAmong(std::string_view names, std::string_view name) {
    while (!names.empty()) {
        const std::size_t end = names.find(' ');
        if (names.substr(0, end) == name) return true;
        if (end == std::string_view::npos) return false;
        names.remove_prefix(end + 1);
    }
    return false;
}

}  // namespace

std::span<const PatternPicture> patternPictures() {
    return kPictures;
}

const PatternPicture* pictureOf(std::string_view uniqueName) {
    for (const PatternPicture& picture : kPictures)
        if (isAmong(picture.metrics, withoutSuffix(uniqueName))) return &picture;
    return nullptr;
}

}  // namespace holos::gui
