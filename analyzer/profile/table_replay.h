// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/replay/location_replay.h"
#include "base/run_profile.h"

namespace holos::analyzer::profile {

using replay::NodeId;
using trace::Ticks;

/// How long the visits of a call path were, each from its enter to its leave.
struct VisitTimes {
    Ticks shortest = 0;
    Ticks longest = 0;
    double squares = 0;          ///< their sum, in seconds²
    std::uint64_t visits = 0;    ///< 0: not known
    std::uint64_t repeated = 0;  ///< visits directly behind one of the same call path
};

/// What a location added up, as the replay of its events would have left it: the same call paths, times,
/// visits and counters, and the sums of its messages in the place of records.
struct ReplayedTable {
    replay::LocationCalls calls;
    std::vector<std::vector<ProfiledAmount>> traffic;  ///< by node, then by what is counted; may be shorter
    std::vector<VisitTimes> visits;                    ///< by node; may be shorter
    std::vector<std::pair<NodeId, Ticks>> forks;       ///< until parallel regions were entered
    std::vector<std::pair<NodeId, Ticks>> joins;       ///< since they were left
};

/// Replays the table of one location. Functions between regions get the time that the replay of events gives
/// them, since the table keeps apart what followed what.
class TableReplay {
  public:
    /// Where a location's path called a parallel region by that way.
    using FindOrigin = std::function<std::optional<replay::Origin>(std::uint64_t master, std::uint32_t path,
                                                                   trace::ContextId)>;

    TableReplay(const trace::Definitions& definitions, const std::vector<trace::RegionClass>& classes,
                trace::LocationId self, const LocationProfile& table);

    /// Call paths, parents before their children.
    void place(const FindOrigin& findOrigin);
    /// After `place`: for a team that was forked in that path.
    std::optional<replay::Origin> originOf(std::uint32_t path, trace::ContextId region);
    /// Times and counts. Once, after all locations were placed.
    ReplayedTable finish();

  private:
    /// A team that the location is in.
    struct Share {
        replay::Origin origin;
        NodeId region;  ///< the location's own parallel region
    };
    /// Where a path of the table stands.
    struct Place {
        NodeId node;
        trace::FrameId known = replay::kByName;  ///< the functions around its regions
        trace::ContextId from = trace::kNoContext;
        std::optional<std::size_t> share;
        bool isPresent = true;  ///< else it is left out, and stands for its parent
        NodeId stub;            ///< of a task that is booked twice: where it ran
    };

    Place rootPlace();
    NodeId stayOf(const ProfiledPath& flush, const Place& parent);
    NodeId stayBetween(std::uint32_t from, std::uint32_t to, NodeId caller);
    Place placeShare(const ProfiledPath& path, const Place& parent, const FindOrigin& findOrigin);
    Place placeRegion(const ProfiledPath& path, const Place& parent, ProfiledPath::Kind parentKind);
    Place placeTask(const ProfiledPath& path, const Place& tasks);
    void noteTeam(Place& place, const Place& parent, bool isShare);
    void bookPath(std::size_t i);
    void bookWay(const ProfiledWay& way);
    void bookManagement(NodeId node, Ticks time, std::vector<std::pair<NodeId, Ticks>>& all);
    void bookTask(const ProfiledPath& path, const Place& place);
    bool hasOwnTime(std::size_t path) const;
    void addCounters(NodeId node, const std::vector<std::uint64_t>& values);
    void addVisits(NodeId node, const ProfiledPath& path);
    void addTraffic(NodeId node, const std::vector<ProfiledAmount>& counts);
    trace::ContextId contextOf(std::uint32_t reference) const;

    const trace::Definitions& definitions_;
    const std::vector<trace::RegionClass>& classes_;
    trace::LocationId self_;
    const LocationProfile& table_;
    replay::LocalTree tree_;
    replay::StackPaths paths_;
    replay::SharedFrames frames_;
    replay::TaskPlaces taskPlaces_;
    std::vector<Place> places_;
    std::vector<Share> shares_;
    ReplayedTable result_;
};

}  // namespace holos::analyzer::profile
