// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::score {

/// What a region is to whoever wants a smaller trace. The names are those of `scorep-score`.
enum class RegionKind : std::uint8_t {
    User,    ///< a function or user region that leads to none of the kinds below
    Common,  ///< one that leads to MPI, OpenMP or threads: without it, their callers are less exact
    Mpi,     ///< but for files
    OpenMp,
    Threads,      ///< functions of POSIX threads
    Files,        ///< of MPI and others
    System,       ///< functions of the C library that put a thread to sleep
    Measurement,  ///< what the recorder or the analysis says of itself
    Starvation,   ///< the time in which threads could run and had no processor
    NotRecorded   ///< a function that is known from stacks of calls only: it has no events of its own
};
inline constexpr std::size_t kRegionKinds = 10;

/// `USR`, `COM`, `MPI`, …
const char* kindName(RegionKind kind);
/// A few words for people.
const char* meaningOf(RegionKind kind);

/// By RegionId.
std::vector<RegionKind> kindsOf(const algebra::Experiment& experiment);

/// Whether a filter leaves all of it out: functions that a compiler instrumented, regions of the user, locks
/// and some constructs of OpenMP, mutexes, and functions of MPI that ask or describe something.
bool canBeFiltered(RegionKind kind, std::string_view name);

/// Whether it is a call that may find nothing, which programs make again and again (`MPI_Test`, `MPI_Iprobe`,
/// `omp_test_lock` and their like).
bool isPoll(std::string_view name);

/// The name that a filter knows it by: of a construct of OpenMP without its place.
std::string_view nameForFilter(RegionKind kind, std::string_view name);

/// Bytes of events: in an OTF2 archive, and in the recorder's buffers until it is made.
struct EventBytes {
    double trace = 0;
    double recording = 0;
};

/// Which events a run has: one call path's, for each location.
///
/// OTF2 writes numbers without leading zeros, and a time only where it differs from that of the event before
/// (OTF2 3, `OTF2_Buffer`). The recorder's records have fixed sizes (`tracing/recordings/format/record.h`).
/// The experiment says how many there are: a visit is an enter and a leave, and messages, collective and
/// one-sided operations and operations on files are counted by metrics. What is not counted there is taken to
/// be once for each visit: a test of a request, an acquisition of a lock, a task that is created. The calls
/// that led into a region are said once for each call path, at least: what comes in an order that nobody
/// foretells takes more, up to `ofCallPath` for each visit.
///
/// Calls that find nothing, one directly after the other, are a first one, one record for the others, and
/// perhaps one that finds something. How many such series there are says a profile, which counts visits that
/// follow one of the same call path (`visits_repeated`); otherwise, there are no more than there are visits
/// of others on the location. With counters, each is recorded for itself.
class EventModel {
  public:
    /// `counters`: values that are read at each enter and leave; `recorded`: the call paths with events.
    EventModel(const algebra::Experiment& experiment, std::size_t counters,
               const std::vector<bool>& recorded);

    /// Indexed by LocationId; nothing where the call path has no visits.
    std::vector<EventBytes> bytesOf(algebra::CallPathId path) const;

    /// What the values of so many counters add to a visit of a region, at most.
    static EventBytes ofCounters(std::size_t counters);
    /// What the call path of a visit adds to a trace where it is not the one that is foretold.
    double ofCallPath() const;

  private:
    struct Counts;
    EventBytes ofMessages(const algebra::Region& region, const Counts& counts) const;
    /// Of the visits of a call path, those that have an enter and a leave.
    double recordedVisits(double visits, double repeated, double others) const;
    EventBytes ofThreads(const algebra::Region& region, const Counts& counts, bool isMaster) const;
    std::vector<double> perLocation(const char* metric, algebra::CallPathId path) const;

    const algebra::Experiment& experiment_;
    double region_;       ///< bytes of a reference to one
    double peer_;         ///< and of a rank
    double callingPath_;  ///< and of a calling context
    EventBytes counters_;
    bool isThinned_;              ///< calls that find nothing become one record
    std::vector<double> visits_;  ///< by location, of all call paths with events
};

}  // namespace holos::score
