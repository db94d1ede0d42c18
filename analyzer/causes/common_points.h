// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unordered_map>

#include "analyzer/causes/points.h"

namespace holos::analyzer::causes {

/// The processes of each communicator, to ask whether one is in it.
/// Thread safety: safe to read.
class Memberships {
  public:
    explicit Memberships(const trace::Definitions& definitions);
    /// `comm` may be `kNone`: all processes.
    bool contains(std::uint32_t comm, std::uint32_t process) const;

  private:
    std::vector<std::vector<std::uint32_t>> processes_;  ///< by communicator, sorted
    std::vector<char> isOfAll_;                          ///< by communicator: all processes are in it
};

/// While a location's points pass by: the last one that it had in common with a process. Meetings of a whole
/// communicator are noted once and not for every member.
/// Thread safety: one thread for each location.
class CommonPoints {
  public:
    explicit CommonPoints(const Memberships& memberships) : memberships_(memberships) {}

    void noteProcess(std::uint32_t process, std::uint32_t point) { byProcess_[process] = point; }
    void noteEverybody(std::uint32_t comm, std::uint32_t point);
    /// `kNone` when there is none.
    std::uint32_t last(std::uint32_t process) const;

  private:
    struct Group {
        std::uint32_t comm;
        std::uint32_t point;
    };
    const Memberships& memberships_;
    std::unordered_map<std::uint32_t, std::uint32_t> byProcess_;
    std::vector<Group> groups_;
};

/// The last point in common with another thread of the process: a lock that one of the two waited
/// for, the creation of one by the other, its end that the other waited for, or a fork or a barrier of a team
/// that both are in. All calls together pass points of teams no more than once per thread that the location
/// has one of the former in common with. Thread safety: one thread for each location.
class CommonPointsOfThreads {
  public:
    CommonPointsOfThreads(const Points& points, std::uint32_t location)
        : points_(points), list_(points.byLocation[location]) {}

    /// Any of the first three.
    void note(std::uint32_t thread, std::uint32_t point) { byThread_[thread] = point; }
    /// Before point `end`; `kNone` when there is none.
    std::uint32_t last(std::uint32_t thread, std::uint32_t end) const;

  private:
    bool isAtMeeting(std::uint32_t thread, std::uint32_t meeting) const;

    const Points& points_;
    const PointList& list_;
    std::unordered_map<std::uint32_t, std::uint32_t> byThread_;
};

}  // namespace holos::analyzer::causes
