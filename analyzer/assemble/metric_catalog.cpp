// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/metric_catalog.h"

#include <algorithm>
#include <deque>
#include <span>
#include <string>

#include "analyzer/patterns/list.h"
#include "analyzer/patterns/metric.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::assemble {
namespace {

using namespace patterns;
using trace::TimeClass;

/// Parts of time, in Scalasca's order.
constexpr Metric kTimes[] = {
    {nullptr, "time", "Time",
     "Time of all threads together, with that of threads that are reserved but idle.", FromTime{}},
    {"time", "execution", "Execution",
     "Time of executing the program, without idle threads and measurement overhead.", FromExecution{}},
    {"execution", "comp", "Computation",
     "Execution time outside of MPI, of OpenMP's and Pthread's management and synchronization, and of "
     "waiting in the system.",
     FromComputation{}},
    {"comp", "file_io", "File I/O",
     "Time in functions that open, read, write and close files, other than MPI's.",
     FromClass{TimeClass::FileIo}, nullptr, Needs::Files},
    {"execution", "mpi", "MPI", "Time in MPI calls.", FromClass{TimeClass::Mpi}, nullptr, Needs::Mpi},
    {"mpi", "mpi_management", "Management", "Time in MPI calls that manage MPI's objects.", FromChildren{}},
    {"mpi_management", "mpi_init_exit", "Init/Finalize",
     "Time in the initialization and finalization of MPI.", FromClass{TimeClass::MpiInitExit}},
    {"mpi_management", "mpi_mgmt_comm", "Communicator",
     "Time in MPI calls that manage communicators, and in waiting for others where MPI_Comm_idup is "
     "completed.",
     FromClass{TimeClass::MpiCommunicators, Nonblocking::Communicators}},
    {"mpi_management", "mpi_mgmt_file", "File", "Time in MPI calls that manage files.",
     FromClass{TimeClass::MpiFiles}},
    {"mpi_management", "mpi_mgmt_win", "Window",
     "Time in MPI calls that manage windows of one-sided communication.", FromClass{TimeClass::MpiWindows}},
    {"mpi", "mpi_synchronization", "Synchronization", "Time in MPI calls that synchronize.", FromChildren{}},
    {"mpi_synchronization", "mpi_sync_collective", "Collective",
     "Time in MPI barriers, and in waiting for nonblocking ones to complete.",
     FromClass{TimeClass::MpiSyncCollective, Nonblocking::Barrier}},
    {"mpi_synchronization", "mpi_rma_synchronization", "One-sided",
     "Time in the synchronization of one-sided communication.", FromChildren{}},
    {"mpi_rma_synchronization", "mpi_rma_sync_active", "Active Target",
     "Time in active-target synchronization.", FromClass{TimeClass::MpiRmaActive}},
    {"mpi_rma_synchronization", "mpi_rma_sync_passive", "Passive Target",
     "Time in passive-target synchronization.", FromClass{TimeClass::MpiRmaPassive}},
    {"mpi", "mpi_communication", "Communication", "Time in MPI calls that communicate.", FromChildren{}},
    {"mpi_communication", "mpi_point2point", "Point-to-point", "Time in point-to-point communication.",
     FromPointToPoint{}},
    {"mpi_communication", "mpi_collective", "Collective",
     "Time in collective communication, and in waiting for others in nonblocking collective operations.",
     FromClass{TimeClass::MpiCollective, Nonblocking::Collective}},
    {"mpi_communication", "mpi_rma_communication", "One-sided",
     "Time in one-sided communication, and in waiting for others where its requests are completed.",
     FromClass{TimeClass::MpiRma, Nonblocking::OneSided}},
    {"mpi", "mpi_io", "File I/O", "Time in MPI calls that read or write files.", FromChildren{}},
    {"mpi_io", "mpi_io_individual", "Individual", "Time in individual file operations.",
     FromClass{TimeClass::MpiIoIndividual}},
    {"mpi_io", "mpi_io_collective", "Collective",
     "Time in collective file operations, and in waiting for others in nonblocking ones.",
     FromClass{TimeClass::MpiIoCollective, Nonblocking::File}},
    {"execution", "omp_time", "OpenMP", "Time in OpenMP's management and synchronization.", FromChildren{},
     nullptr, Needs::OpenMp},
    {"omp_time", "omp_synchronization", "Synchronization", "Time in OpenMP's synchronization.",
     FromChildren{}},
    {"omp_synchronization", "omp_barrier", "Barrier", "Time in OpenMP barriers.", FromChildren{}},
    {"omp_barrier", "omp_ebarrier", "Explicit", "Time in explicit OpenMP barriers.",
     FromClass{TimeClass::OmpExplicitBarrier}},
    {"omp_barrier", "omp_ibarrier", "Implicit", "Time in the implicit barriers of OpenMP constructs.",
     FromClass{TimeClass::OmpImplicitBarrier}},
    {"omp_synchronization", "omp_critical", "Critical",
     "Time to enter and leave OpenMP critical sections, and in atomics.", FromClass{TimeClass::OmpCritical}},
    {"omp_synchronization", "omp_lock_api", "Lock API", "Time in OpenMP's lock functions.",
     FromClass{TimeClass::OmpLockApi}},
    {.parent = "omp_synchronization",
     .uniqueName = "omp_ordered",
     .displayName = "Ordered",
     .description = "Time to enter and leave OpenMP ordered sections.",
     .source = FromClass{TimeClass::OmpOrdered},
     .activity = Activity::None},
    {"omp_synchronization", "omp_taskwait", "Task Wait",
     "Time in OpenMP taskwait, without that of tasks executed meanwhile.", FromClass{TimeClass::OmpTaskwait}},
    {"omp_time", "omp_flush", "Flush", "Time in OpenMP flush.", FromClass{TimeClass::OmpFlush}},
    {"execution", "pthread_time", "POSIX threads",
     "Time in the management and synchronization of POSIX threads.", FromChildren{}, nullptr, Needs::Pthread},
    {"pthread_time", "pthread_management", "Management", "Time in creating, joining and cancelling threads.",
     FromClass{TimeClass::PthreadManagement}},
    {"pthread_time", "pthread_synchronization", "Synchronization",
     "Time in the synchronization of POSIX threads.", FromChildren{}},
    {"pthread_synchronization", "pthread_lock_api", "Mutex",
     "Time in functions of mutexes, spin locks and read-write locks.", FromClass{TimeClass::PthreadMutex}},
    {"pthread_synchronization", "pthread_conditional", "Condition",
     "Time in functions of condition variables.", FromClass{TimeClass::PthreadCondition}},
    {"pthread_synchronization", "pthread_barrier", "Barrier", "Time in barriers of POSIX threads.",
     FromClass{TimeClass::PthreadBarrier}, nullptr, Needs::PthreadBarriers},
    {"pthread_synchronization", "pthread_semaphore", "Semaphore",
     "Time in functions of semaphores that wait for another thread, or end the waiting of one.",
     FromClass{TimeClass::PthreadSemaphore}, nullptr, Needs::PthreadSemaphores},
    {"execution", "system_waiting", "System Waiting",
     "Time in functions of the operating system's library in which threads sleep until there are data or "
     "events, another process or thread goes on, or time has passed, or in which they let others have their "
     "processor. They need none meanwhile.",
     FromClass{TimeClass::SystemWaiting}, nullptr, Needs::SystemWaiting},
    {"execution", "processor_waiting", "Waiting for Processors",
     "Time between calls in which threads could run and had no processor: other threads and programs had it. "
     "It is no part of computation.",
     FromClass{TimeClass::WithoutProcessor}, nullptr, Needs::Shortage},
    {"time", "overhead", "Overhead", "Time of the measurement itself, such as writing its buffers.",
     FromClass{TimeClass::Overhead}},
    {nullptr, "unrecorded", "Unrecorded time",
     "Time in which nothing was recorded: recording was switched off, had stopped, or was overwritten. It is "
     "part of no other metric.",
     FromClass{TimeClass::Unrecorded}, nullptr, Needs::Unrecorded},
    {"unrecorded", "no_more_events", "After the last event",
     "Time between the last event of a process that did not end normally, such as one that was killed, and "
     "its end, which others saw. Nobody knows what it did then, but that it entered and left nothing that is "
     "recorded.",
     FromClass{TimeClass::NoMoreEvents}, nullptr, Needs::NoMoreEvents}};

/// Counts and sizes, in Scalasca's order.
constexpr Metric kCounts[] = {
    {nullptr, "visits", "Visits", "Number of times that a call path was entered.", FromVisits{}, nullptr,
     Needs::Nothing, "occ"},
    {nullptr, "syncs", "Synchronizations", "Number of MPI operations that move no bytes.", FromChildren{},
     nullptr, Needs::Mpi, "occ"},
    {"syncs", "syncs_p2p", "Point-to-point", "Number of messages without bytes, sent and received.",
     FromChildren{}},
    {"syncs", "syncs_rma", "One-sided", "Number of synchronizations of one-sided communication.",
     FromChildren{}},
    {"syncs_rma", "syncs_rma_active", "Active Target", "Number of active-target synchronizations.",
     FromVisitsOf{TimeClass::MpiRmaActive}},
    {"syncs_rma", "syncs_rma_passive", "Passive Target", "Number of passive-target synchronizations.",
     FromVisitsOf{TimeClass::MpiRmaPassive}},
    {nullptr, "comms", "Communications", "Number of MPI operations that move bytes.", FromChildren{}, nullptr,
     Needs::Mpi, "occ"},
    {"comms", "comms_p2p", "Point-to-point", "Number of messages with bytes, sent and received.",
     FromChildren{}},
    {"comms", "comms_coll", "Collective", "Number of collective operations that move bytes.", FromChildren{}},
    {"comms", "comms_rma", "One-sided", "Number of one-sided operations.", FromChildren{}},
    {"comms_rma", "comms_rma_puts", "Puts", "Number of one-sided put operations.",
     FromVisitsOf{TimeClass::MpiRmaPut}},
    {"comms_rma", "comms_rma_gets", "Gets", "Number of one-sided get operations.",
     FromVisitsOf{TimeClass::MpiRmaGet}},
    {"comms_rma", "comms_rma_atomics", "Atomics", "Number of one-sided atomic operations.",
     FromVisitsOf{TimeClass::MpiRmaAtomic}},
    {nullptr, "message_sizes", "Messages by size",
     "Number of messages with bytes, sent and received, by size.", FromChildren{}, nullptr, Needs::Mpi,
     "occ"},
    {"message_sizes", "message_sizes_sent", "Sends", "Number of messages sent that carry bytes, by size.",
     FromChildren{}},
    {"message_sizes", "message_sizes_rcvd", "Receives",
     "Number of messages received that carry bytes, by size.", FromChildren{}},
    {nullptr, "mpi_file_ops", "MPI file operations", "Number of MPI file operations.", FromChildren{},
     nullptr, Needs::Mpi, "occ"},
    {"mpi_file_ops", "mpi_file_iops", "Individual", "Number of individual file operations.",
     FromVisitsOf{TimeClass::MpiFileOp}},
    {"mpi_file_iops", "mpi_file_irops", "Reads", "Number of individual reads.",
     FromVisitsOf{TimeClass::MpiFileRead}},
    {"mpi_file_iops", "mpi_file_iwops", "Writes", "Number of individual writes.",
     FromVisitsOf{TimeClass::MpiFileWrite}},
    {"mpi_file_ops", "mpi_file_cops", "Collective", "Number of collective file operations.",
     FromVisitsOf{TimeClass::MpiFileCollOp}},
    {"mpi_file_cops", "mpi_file_crops", "Reads", "Number of collective reads.",
     FromVisitsOf{TimeClass::MpiFileCollRead}},
    {"mpi_file_cops", "mpi_file_cwops", "Writes", "Number of collective writes.",
     FromVisitsOf{TimeClass::MpiFileCollWrite}},
    {nullptr, "bytes", "Bytes transferred", "Bytes moved by MPI.", FromChildren{}, nullptr, Needs::Mpi,
     "bytes"},
    {"bytes", "bytes_p2p", "Point-to-point", "Bytes moved by messages.", FromChildren{}},
    {"bytes", "bytes_coll", "Collective", "Bytes moved by collective operations.", FromChildren{}},
    {"bytes", "bytes_rma", "One-sided", "Bytes moved by one-sided operations.", FromChildren{}},
    {nullptr, "mpi_io_bytes", "MPI file I/O", "Bytes that MPI read from files and wrote to files.",
     FromChildren{}, nullptr, Needs::MpiFiles, "bytes"},
    {nullptr, "file_io_bytes", "File I/O",
     "Bytes that functions other than MPI's read from files and wrote to files.", FromChildren{}, nullptr,
     Needs::Files, "bytes"}};

/// The metrics that no pattern measures: those that group others, and those that follow from the classes of
/// regions. Parents stand before their children, siblings in Scalasca's order.
std::span<const Metric> timeGroups() {
    return kTimes;
}

std::span<const Metric> countGroups() {
    return kCounts;
}

}  // namespace

Present::Present(const std::vector<trace::RegionClass>& classes) {
    const auto anyOf = [&](std::initializer_list<TimeClass> wanted) {
        return std::ranges::any_of(classes, [&](const trace::RegionClass& known) {
            return std::ranges::any_of(wanted, [&](TimeClass one) { return known.has(one); });
        });
    };
    const auto anySpecial = [&](trace::Special wanted) {
        return std::ranges::any_of(classes,
                                   [&](const trace::RegionClass& known) { return known.special == wanted; });
    };
    const auto anyCall = [&](trace::CallKind wanted) {
        return std::ranges::any_of(classes,
                                   [&](const trace::RegionClass& known) { return known.call == wanted; });
    };
#define HOLOS_NEEDS(name, ...) has_[static_cast<std::size_t>(Needs::name)] = __VA_ARGS__;
#include "analyzer/patterns/needs.def"
#undef HOLOS_NEEDS
}

const Catalog& metricCatalog() {
    static const Catalog kCatalog = [] {
        CatalogBuilder<Metric> builder;
        for (const auto& groups : {timeGroups(), countGroups()})
            for (const Metric& group : groups) builder.append(group);
        for (const patterns::Pattern* pattern : patterns::allPatterns())
            for (const Metric* metric : pattern->metrics) builder.insert(*metric);
        return builder.take();
    }();
    return kCatalog;
}

namespace {

using causes::Cause;

/// All but delay costs, in Scalasca's order.
constexpr CauseEntry kGroups[] = {
    {nullptr, "delay", "Delay costs",
     "Root causes of waiting: the waiting time of others that a call path and location is to blame for. "
     "Shift work away from where it is large.",
     FromChildren{}},
    {"delay", "delay_mpi", "MPI", "Delays that make others wait in MPI.", FromChildren{}, nullptr,
     Needs::Mpi},
    {"delay_mpi", "delay_p2p", "Point-to-point", "Delays that make others wait for messages.", FromChildren{},
     &kDelay},
    {"delay_mpi", "delay_collective", "Collective", "Delays that make others wait in collective operations.",
     FromChildren{}, &patterns::kImbalance},
    {"delay_mpi", "delay_rma", "One-sided", "Delays that make others wait in one-sided communication.",
     FromChildren{}, nullptr, Needs::MpiWindows},
    {"delay", "delay_omp", "OpenMP", "Delays that make threads wait or leave them idle.", FromChildren{},
     nullptr, Needs::OpenMp},
    {"delay", "delay_pthread", "Pthread", "Delays that make POSIX threads wait.", FromChildren{}, nullptr,
     Needs::PthreadWaits},
    {nullptr, "waitstates_propagating_vs_terminal",
     "MPI point-to-point wait states (propagating vs. terminal)",
     "Waits for messages, and of one-sided communication between two processes, by whether they make others "
     "wait in turn.",
     FromChildren{}, nullptr, Needs::Mpi},
    {"waitstates_propagating_vs_terminal", "mpi_wait_propagating", "Propagating wait states",
     "Waits that make others wait in turn.", FromChildren{}},
    {"mpi_wait_propagating", "mpi_wait_propagating_ls", "Late Sender",
     "Late Sender waits that make others wait in turn.", FromCause{Cause::PropagatingLateSender},
     &kLateSenderPicture},
    {"mpi_wait_propagating", "mpi_wait_propagating_lr", "Late Receiver",
     "Late Receiver waits that make others wait in turn.", FromCause{Cause::PropagatingLateReceiver},
     &kLateReceiverPicture},
    {"mpi_wait_propagating", "mpi_wait_propagating_rma", "One-sided",
     "Waits of one-sided communication that make others wait in turn.", FromCause{Cause::PropagatingOneSided},
     nullptr, Needs::MpiWindows},
    {"waitstates_propagating_vs_terminal", "mpi_wait_terminal", "Terminal wait states",
     "Waits that nobody else suffers from.", FromChildren{}},
    {"mpi_wait_terminal", "mpi_wait_terminal_ls", "Late Sender",
     "Late Sender waits that nobody else suffers from.",
     FromDifference{
         "mpi_latesender", "mpi_wait_propagating_ls", {"mpi_latesender_polling", "system_waiting_polling"}},
     &kLateSenderPicture},
    {"mpi_wait_terminal", "mpi_wait_terminal_lr", "Late Receiver",
     "Late Receiver waits that nobody else suffers from.",
     FromDifference{
         "mpi_latereceiver",
         "mpi_wait_propagating_lr",
         {"mpi_buffer_detach_wait", "mpi_latereceiver_polling", "system_waiting_receiver_polling"}},
     &kLateReceiverPicture},
    {"mpi_wait_terminal", "mpi_wait_terminal_rma", "One-sided",
     "Waits of one-sided communication that nobody else suffers from.", FromCause{Cause::TerminalOneSided},
     nullptr, Needs::MpiWindows},
    {nullptr, "waitstates_direct_vs_indirect", "MPI point-to-point wait states (direct vs. indirect)",
     "Waits for messages, and of one-sided communication between two processes, by whether a delay or "
     "another wait causes them.",
     FromChildren{}, nullptr, Needs::Mpi},
    {"waitstates_direct_vs_indirect", "mpi_wait_direct", "Direct wait states", "Waits that a delay causes.",
     FromChildren{}},
    {"waitstates_direct_vs_indirect", "mpi_wait_indirect", "Indirect wait states",
     "Waits that another wait causes.", FromChildren{}},
    {"mpi_wait_indirect", "mpi_wait_indirect_latesender", "Late Sender",
     "Late Sender waits that another wait causes.", FromCause{Cause::IndirectLateSender},
     &kLateSenderPicture},
    {"mpi_wait_indirect", "mpi_wait_indirect_latereceiver", "Late Receiver",
     "Late Receiver waits that another wait causes.", FromCause{Cause::IndirectLateReceiver},
     &kLateReceiverPicture},
    {"mpi_wait_indirect", "mpi_wait_indirect_rma", "One-sided",
     "Waits of one-sided communication that another wait causes.", FromCause{Cause::IndirectOneSided},
     nullptr, Needs::MpiWindows},
    {"mpi_wait_direct", "mpi_wait_direct_latesender", "Late Sender", "Late Sender waits that a delay causes.",
     FromDifference{"mpi_latesender",
                    "mpi_wait_indirect_latesender",
                    {"mpi_latesender_polling", "system_waiting_polling"}},
     &kLateSenderPicture},
    {"mpi_wait_direct", "mpi_wait_direct_latereceiver", "Late Receiver",
     "Late Receiver waits that a delay causes.",
     FromDifference{
         "mpi_latereceiver",
         "mpi_wait_indirect_latereceiver",
         {"mpi_buffer_detach_wait", "mpi_latereceiver_polling", "system_waiting_receiver_polling"}},
     &kLateReceiverPicture},
    {"mpi_wait_direct", "mpi_wait_direct_rma", "One-sided",
     "Waits of one-sided communication that a delay causes.", FromCause{Cause::DirectOneSided}, nullptr,
     Needs::MpiWindows},
    {nullptr, "lock_waitstates_propagating_vs_terminal", "Lock wait states (propagating vs. terminal)",
     "Waits of threads for locks, critical sections and mutexes, by whether they make others wait in turn.",
     FromChildren{}, nullptr, Needs::Locks},
    {"lock_waitstates_propagating_vs_terminal", "lock_wait_propagating", "Propagating wait states",
     "Waits that make others wait in turn.", FromCause{Cause::PropagatingLock}, &kLockPicture},
    {"lock_waitstates_propagating_vs_terminal", "lock_wait_terminal", "Terminal wait states",
     "Waits that nobody else suffers from.", FromCause{Cause::TerminalLock}, &kLockPicture},
    {nullptr, "lock_waitstates_direct_vs_indirect", "Lock wait states (direct vs. indirect)",
     "Waits of threads for locks, critical sections and mutexes, by whether a delay or another wait causes "
     "them.",
     FromChildren{}, nullptr, Needs::Locks},
    {"lock_waitstates_direct_vs_indirect", "lock_wait_direct", "Direct wait states",
     "Waits that a delay causes.", FromCause{Cause::DirectLock}, &kLockPicture},
    {"lock_waitstates_direct_vs_indirect", "lock_wait_indirect", "Indirect wait states",
     "Waits that another wait causes.", FromCause{Cause::IndirectLock}, &kLockPicture},
    {nullptr, "critical_path", "Critical path",
     "Time on the chain of activities that determines how long the run takes. Only what is on it can make "
     "the run shorter.",
     FromCause{Cause::CriticalPath}},
    {"critical_path", "critical_path_imbalance", "Imbalance",
     "Time that a call path takes on the critical path beyond its average over all threads.",
     FromPathImbalance{}, &patterns::kImbalance},
    {nullptr, "performance_impact", "Performance impact",
     "Time of all locations that activities cost: their own, and what others wait because of them.",
     FromChildren{}},
    {"performance_impact", "performance_impact_criticalpath", "Critical-path activities",
     "Time of all locations that activities on the critical path cost.", FromChildren{}},
    {"performance_impact_criticalpath", "critical_path_activities", "Activity impact",
     "Time in activities that are on the critical path somewhere.", FromCause{Cause::ActivityImpact}},
    {"performance_impact_criticalpath", "critical_imbalance_impact", "Imbalance impact",
     "Waiting time that imbalanced activities on the critical path cost.", FromCause{Cause::ImbalanceImpact}},
    {"critical_imbalance_impact", "inter_partition_imbalance", "Inter-partition imbalance",
     "The part that locations wait which have no such activity at all.",
     FromCause{Cause::InterPartitionImbalance}},
    {"critical_imbalance_impact", "intra_partition_imbalance", "Intra-partition imbalance",
     "The part that locations wait which have the same activity, but less of it.",
     FromDifference{"critical_imbalance_impact", "inter_partition_imbalance"}},
    {"performance_impact", "non_critical_path_activities", "Non-critical-path activities",
     "Time in activities beyond what is on the critical path. Shortening them does not shorten the run.",
     FromCause{Cause::NonCriticalActivities}}};

/// The three metrics of a delay.
struct DelayEntries {
    explicit DelayEntries(const Delay& delay)
        : sumName(std::string(delay.uniqueName) + "_aggregate"),
          longTermName(std::string(delay.uniqueName) + "_longterm"),
          sum{.parent = delay.parent,
              .uniqueName = sumName.c_str(),
              .displayName = delay.displayName,
              .description = delay.description,
              .source = FromChildren{},
              .picture = delay.picture,
              .needs = delay.needs,
              .before = delay.before},
          shortTerm{sumName.c_str(),
                    delay.uniqueName,
                    "Short-term",
                    "Waiting time that this call path caused directly, because it took longer than on the "
                    "locations that waited.",
                    FromCause{causes::shortTerm(delay.kind)},
                    delay.picture},
          longTerm{sumName.c_str(),
                   longTermName.c_str(),
                   "Long-term",
                   "Waiting time that this call path caused indirectly: those who waited for it made others "
                   "wait in turn.",
                   FromCause{causes::longTerm(delay.kind)},
                   delay.picture} {}

    const std::string sumName, longTermName;
    CauseEntry sum, shortTerm, longTerm;
};

}  // namespace

const CauseCatalog& causeCatalog() {
    static const std::deque<DelayEntries> kDelays = [] {
        std::deque<DelayEntries> all;
        for (const Pattern* pattern : allPatterns())
            for (const Delay& delay : pattern->delays) all.emplace_back(delay);
        return all;
    }();
    static const CauseCatalog kCatalog = [] {
        CatalogBuilder<CauseEntry> builder;
        for (const CauseEntry& group : kGroups) builder.append(group);
        for (const DelayEntries& delay : kDelays)
            for (const CauseEntry* entry : {&delay.sum, &delay.shortTerm, &delay.longTerm})
                builder.insert(*entry);
        return builder.take();
    }();
    return kCatalog;
}

}  // namespace holos::analyzer::assemble
