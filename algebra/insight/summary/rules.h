// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

/// The rules of summaries: what is looked for, when it is worth saying, and in which words. docs/summary.md
/// lists them for users.
namespace holos::algebra {

/// Unique names of metrics, of which an experiment may lack some.
using MetricNames = std::vector<const char*>;

// Thresholds are percentages of the time of all threads, unless told otherwise.

/// What costs less is not said.
inline constexpr double kWorthSaying = 3.0;
/// What communication itself has to cost to be said, some of which every parallel program needs.
inline constexpr double kMuchCommunication = 5.0;
/// Losses that the sentence on the run names.
inline constexpr double kWorthNaming = 1.0;
/// A run that loses less, and has no problem, is healthy.
inline constexpr double kHealthy = 5.0;
/// Of the time that its largest problem costs: what costs less is not said beside it.
inline constexpr double kBesideTheLargest = 0.1;
inline constexpr std::size_t kMostProblems = 5;
inline constexpr std::size_t kMostLosses = 4;
/// Start-up of MPI. A run that mostly starts says little about the program.
inline constexpr double kLongStart = 10.0;
inline constexpr double kMostlyStart = 33.0;
/// Bytes: messages that are smaller on average cost by their number.
inline constexpr double kSmallMessage = 4096;
/// Seconds: what a small message costs at most by itself, at both ends, also where the network is slow.
inline constexpr double kCostOfMessage = 50e-6;
/// Seconds: regions that are longer on average are not short, whatever starting and ending them costs.
inline constexpr double kShortRegion = 1e-3;
/// A finding of counters has to concern so much of the time.
inline constexpr double kWorthFinding = 10.0;

/// What helps those who sleep.
inline constexpr const char* kSleepRemedy =
    "see what the program sleeps for there (data, another process, a pause that it makes itself), and make "
    "that come earlier, or sleep less often";

inline constexpr const char* kChildrenRemedy =
    "see what these processes take long for, and whether several of them can run at a time; a child is recorded "
    "where it runs a program (exec)";

inline constexpr const char* kYieldRemedy =
    "see what the program waits for there (another thread or process), and make that come earlier";

/// Of functions that let others have the processor of a thread, which waits for something.
bool isYield(std::string_view function);
/// Of functions that return when a process has ended that the program started.
bool waitsForChildren(std::string_view function);

/// How a problem is called, and what helps.
struct ProblemRule {
    const char* kind;
    const char* what;
    const char* remedy;
    const char* withWaits = nullptr;  ///< what to say instead of `what` where waits are not known
};
const std::vector<ProblemRule>& problemRules();
const ProblemRule& problemRule(std::string_view kind);

/// A part of the time that is no computation: metrics without others that they contain.
struct LossRule {
    const char* name;
    MetricNames plus;
    MetricNames minus;
    const char* withWaits = nullptr;  ///< its name where waits are not known
    bool needsItsWaits = false;       ///< they may be unknown where those of other calls are known
    bool mayCoordinate = false;       ///< who starts threads is not missed while all of these work
    bool isOfJoins = false;           ///< with what is waited in joins while another thread works alone
};
const std::vector<LossRule>& lossRules();

/// A way to wait, and the metrics of what causes it.
struct WaitRule {
    enum class Among : unsigned char { Processes, Threads };
    const char* name;
    Among among;
    MetricNames waits;
    MetricNames delays;
    MetricNames handedOn;           ///< the part of the delays that comes through waits of others
    const char* problem = nullptr;  ///< how it is called that others cause such waits, where not as for all
    MetricNames apart = {};         ///< time that others are blamed for, too, and that is booked as no wait
};
const std::vector<WaitRule>& waitRules();
/// What causes waits of all these ways, and threads that are idle because of that.
const MetricNames& delaysOfAllWaits();
/// Times in which threads may wait for others, whether it is known how long or not.
const MetricNames& whereOthersAreWaitedFor();
/// Of the ways in which threads of a process wait for each other.
const MetricNames& whereThreadsMeet();
/// In calls that send or receive messages.
const MetricNames& waitsForMessages();
/// Of calls that take longer than usual.
const MetricNames& unexplainedWaits();
/// Until another process releases the lock of a window.
const MetricNames& waitsForWindowLocks();
/// In which the threads of a team are started, ended and synchronized, and what of that is waiting.
const MetricNames& managementOfTeams();
const MetricNames& waitsInManagementOfTeams();
/// In which threads sleep, until they are woken or for a given time.
const MetricNames& sleepTimes();
/// Parts of sleep in which threads wait for others, such as between two tests for a lock: these are told with
/// what they wait for.
const MetricNames& sleepsForOthers();
/// The part that is for locks, beside the tests themselves.
const MetricNames& sleepsForLocks();
/// In which threads could run and had no processor, as far as it is known when.
const MetricNames& shortageTimes();
/// The part of that in messages and collective operations of MPI.
const MetricNames& shortageInCalls();
/// Waits in the calls that start and end MPI.
const MetricNames& waitsAtStartAndEnd();
const WaitRule& lockWaits();
const WaitRule& idleThreads();

}  // namespace holos::algebra
