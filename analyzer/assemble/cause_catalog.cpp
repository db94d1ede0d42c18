// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/cause_catalog.h"

#include <deque>
#include <string>

#include "analyzer/assemble/catalog_builder.h"
#include "analyzer/patterns/list.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::assemble {

namespace {

using causes::Cause;
using namespace patterns;

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
     FromChildren{}, &kImbalance},
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
     FromDifference{"mpi_latesender", "mpi_wait_propagating_ls", "mpi_latesender_polling"},
     &kLateSenderPicture},
    {"mpi_wait_terminal", "mpi_wait_terminal_lr", "Late Receiver",
     "Late Receiver waits that nobody else suffers from.",
     FromDifference{"mpi_latereceiver", "mpi_wait_propagating_lr", "mpi_buffer_detach_wait"},
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
     FromDifference{"mpi_latesender", "mpi_wait_indirect_latesender", "mpi_latesender_polling"},
     &kLateSenderPicture},
    {"mpi_wait_direct", "mpi_wait_direct_latereceiver", "Late Receiver",
     "Late Receiver waits that a delay causes.",
     FromDifference{"mpi_latereceiver", "mpi_wait_indirect_latereceiver", "mpi_buffer_detach_wait"},
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
     FromPathImbalance{}, &kImbalance},
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
