// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/model/metric_guide.h"
#include "algebra/model/queries.h"

namespace holos::algebra {

/// A process with the threads that count: the first, and those that do not only sleep.
struct CountedProcess {
    ProcessId process;
    std::vector<LocationId> threads;
};

/// In the order of the system tree. A thread beside the first of its process that sleeps for more than 95 %
/// of its time (in the system, until a condition is signalled, or in a way that was not seen) is no
/// processor's, unless others wait for it. Threads of a pool are judged together: they
/// spend nearly all of their time in one call path, in which they do different things. Sleep at a futex until
/// another thread wakes it is no such sleep: it waits for what that one does. Processes without threads are
/// left out.
std::vector<CountedProcess> countedProcesses(const Experiment& experiment);

/// How well processors are used, as the POP centre of excellence defines it: each number is the product of
/// those below it, and 1 is perfect. `parallel` is that of `mpi`, `openMp` and `processors` (not POP's), as
/// far as each process has as many threads, and none sleeps. For call paths, all times are those within them.
/// Threads beside the first of their process that sleep for more than 95 % of their time (in the system,
/// until a condition is signalled, or in a way that was not seen) do not count: they need no processor.
/// Threads that are in no team of OpenMP count for the part of the run in which they are there. NaN: cannot
/// be told.
struct Efficiencies {
    /// Seconds that the slowest thread takes.
    double runtime = 0;
    /// Computation of all threads, divided by the runtime and the number of threads (how many are there at a
    /// time, on average).
    double parallel = 0;
    /// How much of the time in which threads could compute they had a processor for it. Nothing where none
    /// ever lacked one.
    std::optional<double> processors;

    /// Between processes. Of a process counts what its first thread does outside of MPI; in call paths where
    /// that never comes, the thread that spends most time there.
    struct Mpi {
        double parallel = 0;       ///< average time outside of MPI, divided by the runtime
        double loadBalance = 0;    ///< the average divided by the maximum
        double communication = 0;  ///< the maximum divided by the runtime
        /// The maximum divided by the runtime that there would be if data came at once.
        double serialisation = 0;
        double transfer = 0;  ///< that runtime divided by the real one
        /// Seconds in which those threads could run within MPI's calls and had no processor, as far as it is
        /// known: they count as communication, and as far as nobody waited for data, as transfer.
        double withoutProcessor = 0;
        bool isByReplay = false;      ///< that runtime comes from a replay; else it is an estimate
        bool isWithoutWaits = false;  ///< a profile knows no wait states: neither of the last two can be told
    };
    std::optional<Mpi> mpi;  ///< nothing without MPI

    /// Within processes. What a process's threads could compute is what that thread has outside of MPI, times
    /// their number. Where other threads than those of OpenMP's teams compute, serial and parallel regions
    /// cannot be told apart.
    struct OpenMp {
        /// Computation, with waiting for processors in it, divided by the time that threads could compute.
        double parallel = 0;
        double serialRegions = 0;    ///< how much of that time is left by code that only one thread executes
        double parallelRegions = 0;  ///< that computation divided by what is left
    };
    std::optional<OpenMp> openMp;  ///< nothing where no process has several threads
};

/// Of the chosen call paths, or of the whole program when there are none. The runtime "if data came
/// at once" is that of the replay on an ideal network, where the experiment has it (`kIdealNetworkTime`);
/// else the time in MPI that is no wait state is left out; `guide` says what is. Needs an experiment of a
/// trace; throws `holos::Error` that names the metric that is missing. Values are NaN where nothing was
/// executed, or where they would not be between 0 and 1, as where other threads compute while the first is in
/// MPI; those of `Mpi` that need waits are NaN for profiles. Pure; thread safety: safe.
Efficiencies efficiencies(const Experiment& experiment, const MetricGuide& guide,
                          const std::vector<CallPathChoice>& callPaths = {});

}  // namespace holos::algebra
