// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/collate/cause_catalog.h"

#include <vector>

namespace holos::analyzer::collate {

namespace {

using causes::Cause;
using causes::Kind;

constexpr const char* kShortTerm =
    "Waiting time that this call path caused directly, because it took longer than on those who waited.";
constexpr const char* kLongTerm =
    "Waiting time that this call path caused indirectly: those who waited for it made others wait in turn.";

/// The two metrics of one kind of waiting below their sum.
struct DelayNames {
    const char* parent;
    const char* sum;
    const char* shortTerm;
    const char* longTerm;
    const char* title;
    const char* what;
    Kind kind;
    Needs needs;
};

constexpr DelayNames kDelays[] = {
    {"delay_p2p", "delay_latesender_aggregate", "delay_latesender", "delay_latesender_longterm",
     "Late Sender", "Delays that make receivers wait for a late sender.", Kind::LateSender, Needs::Mpi},
    {"delay_p2p", "delay_latereceiver_aggregate", "delay_latereceiver", "delay_latereceiver_longterm",
     "Late Receiver", "Delays that make senders wait for a late receiver.", Kind::LateReceiver, Needs::Mpi},
    {"delay_collective", "delay_barrier_aggregate", "delay_barrier", "delay_barrier_longterm",
     "Wait at Barrier", "Delays that make others wait in a barrier.", Kind::Barrier, Needs::Mpi},
    {"delay_collective", "delay_n21_aggregate", "delay_n21", "delay_n21_longterm", "Early Reduce",
     "Delays that make the root of a reduction or gather wait.", Kind::NToOne, Needs::Mpi},
    {"delay_collective", "delay_12n_aggregate", "delay_12n", "delay_12n_longterm", "Late Broadcast",
     "Delays of a root that make the receivers of a broadcast or scatter wait.", Kind::OneToN, Needs::Mpi},
    {"delay_collective", "delay_n2n_aggregate", "delay_n2n", "delay_n2n_longterm", "Wait at N x N",
     "Delays that make others wait in an all-to-all operation.", Kind::NToN, Needs::Mpi},
    {"delay_collective", "delay_scan_aggregate", "delay_scan", "delay_scan_longterm", "Early Scan",
     "Delays that make ranks of a prefix reduction wait for one below their own.", Kind::Scan, Needs::Mpi},
    {"delay_rma", "delay_rma_window_aggregate", "delay_rma_window", "delay_rma_window_longterm",
     "Wait at Window", "Delays that make others wait where a window is created, fenced or freed.",
     Kind::RmaWindow, Needs::MpiWindows},
    {"delay_rma", "delay_rma_active_aggregate", "delay_rma_active", "delay_rma_active_longterm",
     "Active Target", "Delays before a post or a completion that the other side waits for.", Kind::RmaActive,
     Needs::MpiWindows},
    {"delay_rma", "delay_rma_passive_aggregate", "delay_rma_passive", "delay_rma_passive_longterm",
     "Passive Target", "Delays of those who hold a lock, or of targets that others need to call MPI.",
     Kind::RmaPassive, Needs::MpiWindows},
    {"delay_mpi", "delay_io_aggregate", "delay_io", "delay_io_longterm", "Collective I/O",
     "Delays that make others wait in collective operations on files.", Kind::FileIo, Needs::MpiFiles},
    {"delay_mpi", "delay_finalize_aggregate", "delay_finalize", "delay_finalize_longterm", "Wait at Finalize",
     "Delays that make others wait in MPI_Finalize, for the last process to come.", Kind::Finalize,
     Needs::Mpi},
    {"delay_omp", "delay_ompbarrier_aggregate", "delay_ompbarrier", "delay_ompbarrier_longterm",
     "Wait at Barrier", "Delays that make threads wait in a barrier.", Kind::OmpBarrier, Needs::OpenMp},
    {"delay_omp", "delay_omp_lock_aggregate", "delay_omp_lock", "delay_omp_lock_longterm", "Lock Contention",
     "Delays of threads that have a lock, or are in a critical section, that others wait for.", Kind::OmpLock,
     Needs::OpenMpLocks},
    {"delay_omp", "delay_ompidle_aggregate", "delay_ompidle", "delay_ompidle_longterm",
     "Idleness delay costs", "Work of the master outside of parallel regions, which leaves its threads idle.",
     Kind::OmpIdle, Needs::OpenMp},
    {"delay_pthread", "delay_pthread_lock_aggregate", "delay_pthread_lock", "delay_pthread_lock_longterm",
     "Lock Contention", "Delays of threads that have a mutex that others wait for.", Kind::PthreadLock,
     Needs::PthreadLocks},
};

void addDelays(const char* parent, std::vector<CauseEntry>& entries) {
    for (const DelayNames& names : kDelays) {
        if (std::string_view(names.parent) != parent) continue;
        entries.push_back({parent, {names.sum, names.title, "sec", names.what}, FromChildren{}, names.needs});
        entries.push_back({names.sum,
                           {names.shortTerm, "Short-term", "sec", kShortTerm},
                           FromCause{causes::shortTerm(names.kind)},
                           names.needs});
        entries.push_back({names.sum,
                           {names.longTerm, "Long-term", "sec", kLongTerm},
                           FromCause{causes::longTerm(names.kind)},
                           names.needs});
    }
}

std::vector<CauseEntry> delayTree() {
    std::vector<CauseEntry> entries;
    entries.push_back(
        {nullptr,
         {"delay", "Delay costs", "sec",
          "Root causes of waiting: the waiting time of others that a call path and location is to "
          "blame for. Shift work away from where it is large."},
         FromChildren{},
         Needs::Nothing});
    entries.push_back({"delay",
                       {"delay_mpi", "MPI", "sec", "Delays that make others wait in MPI."},
                       FromChildren{},
                       Needs::Mpi});
    entries.push_back({"delay_mpi",
                       {"delay_p2p", "Point-to-point", "sec", "Delays that make others wait for messages."},
                       FromChildren{},
                       Needs::Mpi});
    addDelays("delay_p2p", entries);
    entries.push_back(
        {"delay_mpi",
         {"delay_collective", "Collective", "sec", "Delays that make others wait in collective operations."},
         FromChildren{},
         Needs::Mpi});
    addDelays("delay_collective", entries);
    entries.push_back(
        {"delay_mpi",
         {"delay_rma", "One-sided", "sec", "Delays that make others wait in one-sided communication."},
         FromChildren{},
         Needs::MpiWindows});
    addDelays("delay_rma", entries);
    addDelays("delay_mpi", entries);
    entries.push_back({"delay",
                       {"delay_omp", "OpenMP", "sec", "Delays that make threads wait or leave them idle."},
                       FromChildren{},
                       Needs::OpenMp});
    addDelays("delay_omp", entries);
    entries.push_back({"delay",
                       {"delay_pthread", "Pthread", "sec", "Delays that make POSIX threads wait."},
                       FromChildren{},
                       Needs::PthreadLocks});
    addDelays("delay_pthread", entries);
    return entries;
}

std::vector<CauseEntry> waitTree() {
    return {
        {nullptr,
         {"waitstates_propagating_vs_terminal", "MPI point-to-point wait states (propagating vs. terminal)",
          "sec",
          "Waits for messages, and of one-sided communication between two processes, by whether they make "
          "others wait in turn."},
         FromChildren{},
         Needs::Mpi},
        {"waitstates_propagating_vs_terminal",
         {"mpi_wait_propagating", "Propagating wait states", "sec", "Waits that make others wait in turn."},
         FromChildren{},
         Needs::Mpi},
        {"mpi_wait_propagating",
         {"mpi_wait_propagating_ls", "Late Sender", "sec",
          "Late Sender waits that make others wait in turn."},
         FromCause{Cause::PropagatingLateSender},
         Needs::Mpi},
        {"mpi_wait_propagating",
         {"mpi_wait_propagating_lr", "Late Receiver", "sec",
          "Late Receiver waits that make others wait in turn."},
         FromCause{Cause::PropagatingLateReceiver},
         Needs::Mpi},
        {"mpi_wait_propagating",
         {"mpi_wait_propagating_rma", "One-sided", "sec",
          "Waits of one-sided communication that make others wait in turn."},
         FromCause{Cause::PropagatingOneSided},
         Needs::MpiWindows},
        {"waitstates_propagating_vs_terminal",
         {"mpi_wait_terminal", "Terminal wait states", "sec", "Waits that nobody else suffers from."},
         FromChildren{},
         Needs::Mpi},
        {"mpi_wait_terminal",
         {"mpi_wait_terminal_ls", "Late Sender", "sec", "Late Sender waits that nobody else suffers from."},
         FromDifference{"mpi_latesender", "mpi_wait_propagating_ls"},
         Needs::Mpi},
        {"mpi_wait_terminal",
         {"mpi_wait_terminal_lr", "Late Receiver", "sec",
          "Late Receiver waits that nobody else suffers from."},
         FromDifference{"mpi_latereceiver", "mpi_wait_propagating_lr"},
         Needs::Mpi},
        {"mpi_wait_terminal",
         {"mpi_wait_terminal_rma", "One-sided", "sec",
          "Waits of one-sided communication that nobody else suffers from."},
         FromCause{Cause::TerminalOneSided},
         Needs::MpiWindows},
        {nullptr,
         {"waitstates_direct_vs_indirect", "MPI point-to-point wait states (direct vs. indirect)", "sec",
          "Waits for messages, and of one-sided communication between two processes, by whether a delay or "
          "another wait causes them."},
         FromChildren{},
         Needs::Mpi},
        {"waitstates_direct_vs_indirect",
         {"mpi_wait_direct", "Direct wait states", "sec", "Waits that a delay causes."},
         FromChildren{},
         Needs::Mpi},
        {"waitstates_direct_vs_indirect",
         {"mpi_wait_indirect", "Indirect wait states", "sec", "Waits that another wait causes."},
         FromChildren{},
         Needs::Mpi},
        {"mpi_wait_indirect",
         {"mpi_wait_indirect_latesender", "Late Sender", "sec",
          "Late Sender waits that another wait causes."},
         FromCause{Cause::IndirectLateSender},
         Needs::Mpi},
        {"mpi_wait_indirect",
         {"mpi_wait_indirect_latereceiver", "Late Receiver", "sec",
          "Late Receiver waits that another wait causes."},
         FromCause{Cause::IndirectLateReceiver},
         Needs::Mpi},
        {"mpi_wait_indirect",
         {"mpi_wait_indirect_rma", "One-sided", "sec",
          "Waits of one-sided communication that another wait causes."},
         FromCause{Cause::IndirectOneSided},
         Needs::MpiWindows},
        {"mpi_wait_direct",
         {"mpi_wait_direct_latesender", "Late Sender", "sec", "Late Sender waits that a delay causes."},
         FromDifference{"mpi_latesender", "mpi_wait_indirect_latesender"},
         Needs::Mpi},
        {"mpi_wait_direct",
         {"mpi_wait_direct_latereceiver", "Late Receiver", "sec", "Late Receiver waits that a delay causes."},
         FromDifference{"mpi_latereceiver", "mpi_wait_indirect_latereceiver"},
         Needs::Mpi},
        {"mpi_wait_direct",
         {"mpi_wait_direct_rma", "One-sided", "sec", "Waits of one-sided communication that a delay causes."},
         FromCause{Cause::DirectOneSided},
         Needs::MpiWindows},
    };
}

std::vector<CauseEntry> lockTree() {
    return {
        {nullptr,
         {"lock_waitstates_propagating_vs_terminal", "Lock wait states (propagating vs. terminal)", "sec",
          "Waits of threads for locks, critical sections and mutexes, by whether they make others wait in "
          "turn."},
         FromChildren{},
         Needs::Locks},
        {"lock_waitstates_propagating_vs_terminal",
         {"lock_wait_propagating", "Propagating wait states", "sec", "Waits that make others wait in turn."},
         FromCause{Cause::PropagatingLock},
         Needs::Locks},
        {"lock_waitstates_propagating_vs_terminal",
         {"lock_wait_terminal", "Terminal wait states", "sec", "Waits that nobody else suffers from."},
         FromCause{Cause::TerminalLock},
         Needs::Locks},
        {nullptr,
         {"lock_waitstates_direct_vs_indirect", "Lock wait states (direct vs. indirect)", "sec",
          "Waits of threads for locks, critical sections and mutexes, by whether a delay or another wait "
          "causes them."},
         FromChildren{},
         Needs::Locks},
        {"lock_waitstates_direct_vs_indirect",
         {"lock_wait_direct", "Direct wait states", "sec", "Waits that a delay causes."},
         FromCause{Cause::DirectLock},
         Needs::Locks},
        {"lock_waitstates_direct_vs_indirect",
         {"lock_wait_indirect", "Indirect wait states", "sec", "Waits that another wait causes."},
         FromCause{Cause::IndirectLock},
         Needs::Locks},
    };
}

std::vector<CauseEntry> pathTree() {
    return {
        {nullptr,
         {"critical_path", "Critical path", "sec",
          "Time on the chain of activities that determines how long the run takes. Only what is on it can "
          "make the run shorter."},
         FromCause{Cause::CriticalPath},
         Needs::Nothing},
        {"critical_path",
         {"critical_path_imbalance", "Imbalance", "sec",
          "Time that a call path takes on the critical path beyond its average over all threads."},
         FromPathImbalance{},
         Needs::Nothing},
        {nullptr,
         {"performance_impact", "Performance impact", "sec",
          "Time of all locations that activities cost: their own, and what others wait because of them."},
         FromChildren{},
         Needs::Nothing},
        {"performance_impact",
         {"performance_impact_criticalpath", "Critical-path activities", "sec",
          "Time of all locations that activities on the critical path cost."},
         FromChildren{},
         Needs::Nothing},
        {"performance_impact_criticalpath",
         {"critical_path_activities", "Activity impact", "sec",
          "Time in activities that are on the critical path somewhere."},
         FromCause{Cause::ActivityImpact},
         Needs::Nothing},
        {"performance_impact_criticalpath",
         {"critical_imbalance_impact", "Imbalance impact", "sec",
          "Waiting time that imbalanced activities on the critical path cost."},
         FromCause{Cause::ImbalanceImpact},
         Needs::Nothing},
        {"critical_imbalance_impact",
         {"inter_partition_imbalance", "Inter-partition imbalance", "sec",
          "The part that locations wait which have no such activity at all."},
         FromCause{Cause::InterPartitionImbalance},
         Needs::Nothing},
        {"critical_imbalance_impact",
         {"intra_partition_imbalance", "Intra-partition imbalance", "sec",
          "The part that locations wait which have the same activity, but less of it."},
         FromDifference{"critical_imbalance_impact", "inter_partition_imbalance"},
         Needs::Nothing},
        {"performance_impact",
         {"non_critical_path_activities", "Non-critical-path activities", "sec",
          "Time in activities beyond what is on the critical path. To shorten them does not shorten the "
          "run."},
         FromCause{Cause::NonCriticalActivities},
         Needs::Nothing},
    };
}

}  // namespace

std::span<const CauseEntry> causeCatalog() {
    static const std::vector<CauseEntry> kCatalog = [] {
        std::vector<CauseEntry> all = delayTree();
        for (const auto& tree : {waitTree(), lockTree(), pathTree()})
            all.insert(all.end(), tree.begin(), tree.end());
        return all;
    }();
    return kCatalog;
}

}  // namespace holos::analyzer::collate
