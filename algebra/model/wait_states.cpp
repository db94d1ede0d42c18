// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/wait_states.h"

#include <algorithm>
#include <array>

namespace holos::algebra {
namespace {

constexpr std::array kWaitStates{
    WaitState{"mpi_latesender", "a receiver waits for its sender"},
    WaitState{"mpi_latesender_wo", "a receiver waits although other messages have arrived"},
    WaitState{"mpi_lswo_different", "messages of different senders are received in the wrong order"},
    WaitState{"mpi_lswo_same", "messages of one sender are received in the wrong order"},
    WaitState{"mpi_latereceiver", "a sender waits for its receiver"},
    WaitState{"mpi_barrier_wait", "processes wait in front of a barrier for the last one"},
    WaitState{"mpi_barrier_completion", "processes leave a barrier late"},
    WaitState{"mpi_wait_nxn", "processes wait for the last one of an all-to-all operation"},
    WaitState{"mpi_nxn_completion", "processes leave an all-to-all operation late"},
    WaitState{"mpi_latebroadcast", "processes wait for the root that sends"},
    WaitState{"mpi_earlyreduce", "the root that receives waits for the others"},
    WaitState{"mpi_earlyscan", "a process waits for those before it"},
    WaitState{"mpi_init_completion", "processes leave MPI's initialisation late"},
    WaitState{"mpi_finalize_wait", "processes wait for the last one to finalize MPI"},
    WaitState{"mpi_mgmt_file_wait",
              "processes wait for the last one to open, close, synchronize or change a file"},
    WaitState{"mpi_io_collective_wait", "processes wait for the last one to read or write a file together"},
    WaitState{"mpi_rma_wait_at_create", "processes wait for the last one to create a window"},
    WaitState{"mpi_rma_wait_at_free", "processes wait for the last one to free a window"},
    WaitState{"mpi_rma_wait_at_fence", "processes wait for the last one at a fence"},
    WaitState{"mpi_rma_early_fence", "a process waits at a fence for pending operations"},
    WaitState{"mpi_rma_sync_late_post", "an access epoch waits for the exposure epoch"},
    WaitState{"mpi_rma_comm_late_post", "a one-sided operation waits for the exposure epoch"},
    WaitState{"mpi_rma_early_wait", "an exposure epoch waits for the access epochs to complete"},
    WaitState{"mpi_rma_late_complete", "an access epoch completes later than its last operation"},
    WaitState{"mpi_rma_sync_lock_competition", "processes compete for the lock of a window"},
    WaitState{"mpi_rma_comm_lock_competition", "one-sided operations compete for the lock of a window"},
    WaitState{"mpi_rma_sync_wait_for_progress", "an epoch waits for the target to call MPI"},
    WaitState{"mpi_rma_comm_wait_for_progress", "a one-sided operation waits for the target to call MPI"},
    WaitState{"omp_ebarrier_wait", "threads wait at a barrier for the last one"},
    WaitState{"omp_ibarrier_wait", "threads wait at the end of a construct for the last one"},
    WaitState{"omp_lock_contention_critical", "threads wait for a critical section that another one is in"},
    WaitState{"omp_lock_contention_api", "threads wait for a lock that another one holds"},
    WaitState{"pthread_lock_contention_mutex_lock", "threads wait for a mutex that another one holds"},
    WaitState{"pthread_lock_contention_conditional", "threads that wait at a condition find its mutex taken"},
    WaitState{"pthread_condition_signal_wait", "threads wait until another one signals a condition"},
};

}  // namespace

std::span<const WaitState> waitStates() {
    return kWaitStates;
}

const WaitState* findWaitState(std::string_view uniqueName) {
    const auto* const found =
        std::find_if(kWaitStates.begin(), kWaitStates.end(),
                     [&](const WaitState& known) { return known.uniqueName == uniqueName; });
    return found == kWaitStates.end() ? nullptr : found;
}

std::vector<MetricId> outermostWaitStates(const Experiment& experiment) {
    std::vector<MetricId> found;
    std::vector<bool> waiting(experiment.metrics.size(), false);  // a wait state, or part of one
    for (const MetricId id : experiment.metrics.ids()) {
        const auto parent = experiment.metrics.parent(id);
        const bool inside = parent && waiting[parent->index()];
        const bool own = findWaitState(experiment.metrics[id].uniqueName) != nullptr;
        waiting[id.index()] = inside || own;
        if (own && !inside) found.push_back(id);
    }
    return found;
}

}  // namespace holos::algebra
