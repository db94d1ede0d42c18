// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/rules.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace holos::algebra {

namespace {

const MetricNames kMessageWaits{"mpi_latesender", "mpi_latesender_polling", "mpi_latereceiver",
                                "mpi_latereceiver_polling"};
const MetricNames kProgressWaits{"mpi_lateprogress"};
const MetricNames kBufferWaits{"mpi_buffer_detach_wait"};
const MetricNames kCollectiveWaits{"mpi_wait_nxn",           "mpi_barrier_wait",   "mpi_latebroadcast",
                                   "mpi_earlyreduce",        "mpi_earlyscan",      "mpi_latemember",
                                   "mpi_collective_polling", "mpi_barrier_polling"};
const MetricNames kUnexplained{"mpi_point2point_unexplained", "mpi_collective_unexplained",
                               "mpi_sync_collective_unexplained"};
const MetricNames kShortageInCalls{"mpi_point2point_processor_waiting", "mpi_collective_processor_waiting",
                                   "mpi_sync_collective_processor_waiting"};
const MetricNames kShortageInWindows{"mpi_rma_sync_active_processor_waiting",
                                     "mpi_rma_sync_passive_processor_waiting",
                                     "mpi_rma_communication_processor_waiting"};
const MetricNames kShortageInFiles{"mpi_mgmt_file_processor_waiting", "mpi_io_individual_processor_waiting",
                                   "mpi_io_collective_processor_waiting"};
const MetricNames kShortageAtFork{"omp_fork_processor_waiting"};
const MetricNames kShortageInThreadCalls{"omp_critical_processor_waiting", "omp_lock_api_processor_waiting",
                                         "omp_ordered_processor_waiting", "omp_taskwait_processor_waiting"};
const MetricNames kShortageInMutexes{"pthread_lock_api_processor_waiting"};
const MetricNames kShortageAtConditions{"pthread_conditional_processor_waiting"};
const MetricNames kShortageAtBarriersOfThreads{"pthread_barrier_processor_waiting"};
const MetricNames kShortageAtSemaphores{"pthread_semaphore_processor_waiting"};
const MetricNames kShortageInJoins{"pthread_management_processor_waiting"};
const MetricNames kShortageAtBarriers{"omp_ebarrier_processor_waiting", "omp_ibarrier_processor_waiting"};
const MetricNames kWindowWaits{"mpi_rma_wait_at_create",
                               "mpi_rma_wait_at_free",
                               "mpi_rma_wait_at_fence",
                               "mpi_rma_sync_late_post",
                               "mpi_rma_comm_late_post",
                               "mpi_rma_early_wait",
                               "mpi_rma_sync_lock_competition",
                               "mpi_rma_comm_lock_competition",
                               "mpi_rma_sync_wait_for_progress",
                               "mpi_rma_comm_wait_for_progress",
                               "mpi_rma_sync_active_wait_for_progress"};
const MetricNames kFileWaits{"mpi_mgmt_file_wait", "mpi_io_collective_wait"};
const MetricNames kCommunicatorWaits{"mpi_mgmt_comm_wait"};
const MetricNames kStartWaits{"mpi_init_wait"};
const MetricNames kEndWaits{"mpi_finalize_wait"};
const MetricNames kBarrierWaits{"omp_ebarrier_wait", "omp_ibarrier_wait"};
const MetricNames kTaskWaitsAtBarriers{"omp_ebarrier_task_wait", "omp_ibarrier_task_wait"};
const MetricNames kTaskWaits{"omp_ebarrier_task_wait", "omp_ibarrier_task_wait", "omp_taskwait_wait"};
const MetricNames kOpenMpLockWaits{"omp_lock_contention_critical", "omp_lock_contention_api",
                                   "omp_lock_contention_polling"};
const MetricNames kMutexesTaken{"pthread_lock_contention_mutex_lock", "pthread_lock_contention_polling",
                                "pthread_lock_contention_rwlock"};
const MetricNames kLocksUntilTimeouts{"pthread_lock_timeout"};
const MetricNames kMutexesTakenAgain{"pthread_lock_contention_conditional"};
const MetricNames kSignalWaits{"pthread_condition_signal_wait"};
const MetricNames kJoinWaits{"pthread_join_wait"};
/// The parts in which more threads could work.
const MetricNames kLostJoinWaits{"pthread_join_wait_uneven", "pthread_join_wait_single"};
const MetricNames kWaitsAtBarriersOfThreads{"pthread_barrier_wait"};
const MetricNames kWaitsForPosts{"pthread_semaphore_wait"};
const MetricNames kWaitsToBeWoken{"futex_wait"};
const MetricNames kTurnWaits{"omp_ordered_wait"};
const MetricNames kSleepsForMessages{"system_waiting_polling", "system_waiting_receiver_polling"};
const MetricNames kSleepsForOperations{"system_waiting_collective_polling"};
const MetricNames kSleepsForLocks{"system_waiting_lock_polling"};

MetricNames all(std::initializer_list<MetricNames> lists) {
    MetricNames names;
    for (const MetricNames& list : lists) names.insert(names.end(), list.begin(), list.end());
    return names;
}

}  // namespace

const std::vector<ProblemRule>& problemRules() {
    static const std::vector<ProblemRule> rules{
        // Mistakes in how a program is started or recorded.
        {"binding", "Threads share processors, because they are bound to them",
         "let each thread have a processor of its own: `mpirun --bind-to none` or `--map-by "
         "slot:PE=THREADS`, "
         "and OMP_PLACES=cores"},
        {"oversubscription", "There are more threads than processors",
         "start fewer processes or threads, so that each has a processor"},
        {"processor-limit", "The limit of a container or job stopped the threads",
         "give the container or job a processor for each thread, or start fewer threads"},
        {"lost-processors", "Other programs used the processors",
         "find out who else used this machine, or whether a container or job may use its processors only in part, and "
         "repeat the run on an idle one"},
        {"recording", "Recording took long",
         "record less: `holos score` proposes a filter, `--call-paths sites` costs less than `full`"},
        // What costs time in the program.
        {"polling", "The program asks again and again whether messages have come",
         "wait in one call, such as MPI_Waitany, or do useful work between two questions"},
        {"imbalance", "Work is distributed unevenly, and some wait for others",
         "give those who are late less to do there, or others more"},
        {"growing-imbalance", "Work becomes more and more uneven while the program runs",
         "distribute the work anew from time to time"},
        {"late-start", "Some processes come to their first recorded event later than others, and these wait",
         "see what they do before it: at the start of main, or while the system launches the program and loads its "
         "libraries; and what else runs there then"},
        {"large-task", "Threads wait for tasks that others run",
         "divide the largest tasks into smaller ones, or create them first; if tasks depend on each other, let "
         "more of them be ready at a time"},
        {"window-lock", "Processes wait for each other at the lock of an RMA window",
         "hold the lock for a shorter time, or, where accesses do not conflict, let several processes share it "
         "(MPI_LOCK_SHARED)"},
        {"wake", "Threads wait until another one posts a semaphore or wakes them",
         "do less before it, or hand on what the others need earlier, in parts"},
        {"signal", "Threads wait at condition variables until another one signals",
         "do less before it, or hand on what the others need earlier, in parts; or let fewer threads "
         "wait"},
        {"join",
         "Threads that are started together end at different times, and the one that joins them waits",
         "divide the work evenly among them"},
        {"in-turn", "Some work one after the other, and each waits for the one before",
         "let them work at the same time: hand on what the next one needs earlier, in parts, or change the "
         "order"},
        {"slow-node", "One node is slower than the others",
         "look for what else runs there, for its clock frequency and its memory; or give it less to do"},
        {"uneven-nodes", "One node has more processes than the others, and is slower",
         "give each node the same number, as `mpirun --map-by ppr:N:node` does: they share its memory, its "
         "caches and its clock"},
        {"serial", "One works alone, and the others have nothing to do",
         "share this work out, or do it while the others do something else"},
        {"lock", "Threads wait for each other at a lock",
         "hold it for a shorter time; use an atomic operation or a reduction; or a lock for each part of the "
         "data"},
        {"ordered", "Threads wait for their turn in an ordered construct",
         "do less in it, and the rest before it or after it; or keep the results, and do what needs the "
         "order after the loop"},
        {"wrong-order", "Messages are received in another order than they are sent",
         "receive in the order of the sends, or with MPI_Irecv and MPI_Waitany in any order"},
        {"late-communication", "Processes communicate one after the other, and others wait",
         "start communication earlier and without blocking, and do work until it is done"},
        {"late-progress", "Communication waits until another process calls MPI again",
         "call MPI_Test more often in that work, or let the MPI library move messages by itself, where it "
         "can; or receive messages before the work"},
        {"small-messages", "Many small messages: what each call costs matters, not its size",
         "send fewer and larger ones"},
        {"communication", "Messages themselves take long",
         "send less, or do work while messages are on their way",
         "Messages take long, their waiting included"},
        {"collectives", "Collective operations themselves take long",
         "call them less often, for several values at once, or with fewer processes",
         "Collective operations take long, their waiting included"},
        {"unexplained", "Calls of MPI take much longer than usual, and nothing that was recorded explains it",
         "see whether processes have to wait for processors, whether a partner computes outside of MPI while "
         "a "
         "message needs it, and who else uses the network"},
        {"files", "Files take long", "read and write in few large pieces, and with several processes"},
        {"sleep", "All processes sleep", kSleepRemedy},
        {"sleep-of-one", "One thread sleeps, and others wait until it ends", kSleepRemedy},
        {"sleep-beside-work", "Some sleep while another one works",
         "see whether what is slept for there comes from that one: then hand it on earlier, in parts, or share "
         "its work out"},
        {"startup", "Starting and ending MPI takes long",
         "start MPI once for more work; also look at how the system launches programs"},
        {"managing-threads", "Starting, ending and synchronizing OpenMP's threads takes long",
         "see whether each thread has a processor, and what else runs there; or use fewer threads"},
        {"short-threads", "Threads are so short that starting and ending them matters",
         "give each thread more to do; or keep a few threads, and give them work again and again"},
        {"small-tasks", "Tasks are so small that creating them takes longer than what they do",
         "give each task more to do (taskloop with a grainsize), and do small parts without a task (if, final)"},
        {"many-barriers",
         "Threads meet at barriers so often that this takes longer than their work in between",
         "let them meet less often: leave out barriers that nothing needs (nowait), and do more between two of "
         "them"},
        {"small-regions", "Parallel regions are so short that starting and ending them matters",
         "put more work into each, or use fewer threads; where each thread has a processor, let them wait "
         "actively (OMP_WAIT_POLICY=active)",
         "Managing OpenMP's threads takes long, waiting at barriers included"}};
    return rules;
}

bool isYield(std::string_view function) {
    return function == "sched_yield" || function == "thrd_yield";
}

bool waitsForChildren(std::string_view function) {
    constexpr auto kCalls =
        std::to_array<std::string_view>({"wait", "wait3", "wait4", "waitpid", "waitid", "system", "pclose"});
    return std::ranges::count(kCalls, function) > 0;
}

const ProblemRule& problemRule(std::string_view kind) {
    const auto& rules = problemRules();
    const auto found = std::ranges::find(rules, kind, &ProblemRule::kind);
    if (found == rules.end()) throw std::out_of_range(std::string(kind));
    return *found;
}

const std::vector<LossRule>& lossRules() {
    static const std::vector<LossRule> rules{
        {"waiting for messages", all({kMessageWaits, kProgressWaits, kBufferWaits, kSleepsForMessages}), {}},
        {"waiting in collective operations",
         all({kCollectiveWaits, kCommunicatorWaits, kSleepsForOperations}),
         {}},
        {"waiting in one-sided communication", kWindowWaits, {}},
        {"waiting for the last process at the start", kStartWaits, {}},
        {"waiting for the last process at the end", kEndWaits, {}},
        {"waiting at OpenMP barriers", kBarrierWaits, {}},
        {"waiting for tasks", kTaskWaits, {}},
        {"waiting for locks",
         all({kOpenMpLockWaits, kMutexesTaken, kLocksUntilTimeouts, kSleepsForLocks}),
         {}},
        {"waiting for the turn in ordered constructs", {"omp_ordered"}, {"omp_ordered_processor_waiting"}},
        {"waiting at barriers of threads", kWaitsAtBarriersOfThreads, {}},
        {"waiting at condition variables", all({kSignalWaits, kMutexesTakenAgain}), {}, nullptr, false, true},
        {"waiting for threads that post or wake", all({kWaitsForPosts, kWaitsToBeWoken}), {}},
        {"idle threads while others work", {"omp_idle_threads"}, {}},
        {"waiting in MPI that nothing explains", unexplainedWaits(), {}},
        {"waiting for processors", shortageTimes(), {}},
        {"communication itself",
         {"mpi_communication", "mpi_synchronization"},
         all({kMessageWaits, kProgressWaits, kCollectiveWaits, kUnexplained, kShortageInCalls,
              kShortageInWindows,
              MetricNames(kWindowWaits.begin() + 2, kWindowWaits.end())}),  // all but those at windows' ends
         "communication and waiting in it"},
        {"waiting for others in file operations", kFileWaits, {}},
        {"files", {"file_io", "mpi_io", "mpi_mgmt_file"}, all({kFileWaits, kShortageInFiles})},
        {"starting and ending MPI", {"mpi_init_exit"}, all({kStartWaits, kEndWaits})},
        {"making communicators and starting processes",
         {"mpi_mgmt_comm"},
         all({kCommunicatorWaits, {"mpi_mgmt_comm_unexplained", "mpi_mgmt_comm_processor_waiting"}}),
         "making communicators and waiting for that"},
        {"managing OpenMP's threads", managementOfTeams(), waitsInManagementOfTeams(),
         "managing OpenMP's threads and waiting at barriers"},
        {"sleeping",
         {"system_waiting", "pthread_conditional", "pthread_semaphore"},
         all({kSignalWaits, kMutexesTakenAgain, kShortageAtConditions, kWaitsForPosts, kShortageAtSemaphores,
              kWaitsToBeWoken, kSleepsForMessages, kSleepsForOperations, kSleepsForLocks})},
        {"waiting for the end of threads", kLostJoinWaits, {}, nullptr, false, false, true},
        {"locks of threads themselves",
         {"pthread_lock_api"},
         all({kMutexesTaken, kShortageInMutexes, kLocksUntilTimeouts}),
         "locks of threads and waiting for them",
         true},
        {"barriers of threads themselves",
         {"pthread_barrier"},
         all({kWaitsAtBarriersOfThreads, kShortageAtBarriersOfThreads}),
         "barriers of threads and waiting at them",
         true},
        {"starting and ending threads",
         {"pthread_management"},
         all({kJoinWaits, kShortageInJoins}),
         "starting threads and waiting for their end",
         true},
        {"recording", {"overhead"}, {}}};
    return rules;
}

const std::vector<WaitRule>& waitRules() {
    using Among = WaitRule::Among;
    static const std::vector<WaitRule> rules{
        {"for messages",
         Among::Processes,
         all({kMessageWaits, kBufferWaits, kSleepsForMessages}),
         {"delay_latesender_aggregate", "delay_latereceiver_aggregate"},
         {"delay_latesender_longterm", "delay_latereceiver_longterm"}},
        {"in collective operations",
         Among::Processes,
         all({kCollectiveWaits, kCommunicatorWaits, kSleepsForOperations}),
         {"delay_barrier_aggregate", "delay_n2n_aggregate", "delay_12n_aggregate", "delay_n21_aggregate",
          "delay_scan_aggregate", "delay_comm_aggregate"},
         {"delay_barrier_longterm", "delay_n2n_longterm", "delay_12n_longterm", "delay_n21_longterm",
          "delay_scan_longterm", "delay_comm_longterm"}},
        {"in one-sided communication", Among::Processes, kWindowWaits, {"delay_rma"}, {}},
        {"for files", Among::Processes, kFileWaits, {"delay_io_aggregate"}, {"delay_io_longterm"}},
        {"at the start of MPI",
         Among::Processes,
         kStartWaits,
         {"delay_init_aggregate"},
         {"delay_init_longterm"}},
        {"at the end of the program",
         Among::Processes,
         kEndWaits,
         {"delay_finalize_aggregate"},
         {"delay_finalize_longterm"}},
        {"at OpenMP barriers",
         Among::Threads,
         kBarrierWaits,
         {"delay_ompbarrier_aggregate"},
         {"delay_ompbarrier_longterm"}},
        {"at barriers of threads",
         Among::Threads,
         kWaitsAtBarriersOfThreads,
         {"delay_pthread_barrier_aggregate"},
         {"delay_pthread_barrier_longterm"}},
        {"for threads that post or wake",
         Among::Threads,
         all({kWaitsForPosts, kWaitsToBeWoken}),
         {"delay_pthread_semaphore_aggregate", "delay_futex_aggregate"},
         {"delay_pthread_semaphore_longterm", "delay_futex_longterm"},
         "wake"},
        {"at condition variables",
         Among::Threads,
         all({kSignalWaits, kMutexesTakenAgain}),
         {"delay_pthread_condition_aggregate"},
         {"delay_pthread_condition_longterm"},
         "signal",
         kShortageAtConditions},
        {"for the end of threads",
         Among::Threads,
         kJoinWaits,
         {"delay_pthread_join_aggregate"},
         {"delay_pthread_join_longterm"},
         "join"},
        {"for the turn in ordered constructs",
         Among::Threads,
         kTurnWaits,
         {"delay_omp_ordered_aggregate"},
         {"delay_omp_ordered_longterm"},
         "ordered"},
        {"for tasks",
         Among::Threads,
         kTaskWaits,
         {"delay_omp_task_aggregate"},
         {"delay_omp_task_longterm"},
         "large-task"},
        {"for the progress of communication",
         Among::Processes,
         kProgressWaits,
         {"delay_lateprogress_aggregate"},
         {"delay_lateprogress_longterm"},
         "late-progress"}};
    return rules;
}

const MetricNames& delaysOfAllWaits() {
    static const MetricNames names = [] {
        MetricNames delays = idleThreads().handedOn;
        for (const WaitRule& rule : waitRules())
            delays.insert(delays.end(), rule.delays.begin(), rule.delays.end());
        return delays;
    }();
    return names;
}

const MetricNames& whereOthersAreWaitedFor() {
    static const MetricNames names{"mpi",      "mpi_communication", "mpi_point2point", "mpi_collective",
                                   "omp_time", "omp_barrier"};
    return names;
}

const MetricNames& whereThreadsMeet() {
    static const MetricNames names{"omp_time", "omp_idle_threads", "pthread_time"};
    return names;
}

const MetricNames& waitsForMessages() {
    static const MetricNames names = all({kMessageWaits, kProgressWaits, kBufferWaits});
    return names;
}

const MetricNames& unexplainedWaits() {
    static const MetricNames names =
        all({kUnexplained, {"mpi_mgmt_comm_unexplained", "mpi_rma_sync_active_unexplained"}});
    return names;
}

const MetricNames& waitsForWindowLocks() {
    static const MetricNames names{"mpi_rma_sync_lock_competition", "mpi_rma_comm_lock_competition"};
    return names;
}

const MetricNames& managementOfTeams() {
    static const MetricNames names{"omp_management", "omp_barrier"};
    return names;
}

const MetricNames& waitsInManagementOfTeams() {
    static const MetricNames names =
        all({kBarrierWaits, kTaskWaitsAtBarriers, kShortageAtBarriers, kShortageAtFork});
    return names;
}

const MetricNames& sleepTimes() {
    static const MetricNames names{"system_waiting", "pthread_condition_timeout",
                                   "pthread_semaphore_timeout"};
    return names;
}

const MetricNames& sleepsForOthers() {
    static const MetricNames names =
        all({kWaitsToBeWoken, kSleepsForMessages, kSleepsForOperations, kSleepsForLocks});
    return names;
}

const MetricNames& sleepsForLocks() {
    return kSleepsForLocks;
}

const MetricNames& shortageTimes() {
    static const MetricNames names =
        all({{"processor_waiting"},
             kShortageInCalls,
             {"mpi_mgmt_comm_processor_waiting", "mpi_mgmt_win_processor_waiting"},
             kShortageInWindows,
             kShortageInFiles,
             kShortageAtFork,
             kShortageInThreadCalls,
             kShortageInMutexes,
             kShortageAtConditions,
             kShortageAtBarriersOfThreads,
             kShortageAtSemaphores,
             kShortageInJoins,
             kShortageAtBarriers});
    return names;
}

const MetricNames& shortageInCalls() {
    return kShortageInCalls;
}

const MetricNames& waitsAtStartAndEnd() {
    static const MetricNames names = all({kStartWaits, kEndWaits});
    return names;
}

const WaitRule& lockWaits() {
    static const WaitRule rule{"for locks",
                               WaitRule::Among::Threads,
                               all({kOpenMpLockWaits, kMutexesTaken, kLocksUntilTimeouts, kSleepsForLocks}),
                               {"delay_omp_lock_aggregate", "delay_pthread_lock_aggregate"},
                               {}};
    return rule;
}

const WaitRule& idleThreads() {
    static const WaitRule rule{"without work",
                               WaitRule::Among::Threads,
                               {"omp_idle_threads"},
                               {"delay_ompidle_aggregate"},
                               {"delay_ompidle_longterm"}};
    return rule;
}

}  // namespace holos::algebra
