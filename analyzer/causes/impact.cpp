// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/impact.h"

#include <algorithm>
#include <numeric>

namespace holos::analyzer::causes {

namespace {

using Times = std::vector<double>;

Times asReal(const std::vector<Ticks>& ticks) {
    return {ticks.begin(), ticks.end()};
}

class Impact {
  public:
    Impact(const PathProfile& critical, const std::vector<char>& isThread, std::size_t paths, Rules rules)
        : critical_(critical),
          isThread_(isThread),
          rules_(rules),
          global_(paths, 0),
          imbalance_(paths, 0),
          inter_(paths, 0) {
        for (const auto& local : critical)
            for (std::size_t path = 0; path < paths; ++path)
                global_[path] += static_cast<double>(local[path]);
        length_ = std::accumulate(global_.begin(), global_.end(), 0.0);
    }

    /// What one location does, beside the critical path.
    void compare(const Times& active, LocationCauses& causes) {
        Times excess(global_.size());
        Times headroom(global_.size());
        double spent = 0;
        double covered = 0;
        for (std::uint32_t path = 0; path < global_.size(); ++path) {
            if (global_[path] > 0)
                causes.add(Cause::ActivityImpact, path, std::min(global_[path], active[path]));
            if (active[path] > global_[path])
                causes.add(Cause::NonCriticalActivities, path, active[path] - global_[path]);
            excess[path] = std::max(global_[path] - active[path], 0.0);
            spent += active[path];
            headroom[path] = active[path] > 0 ? 0.0 : global_[path];
            if (active[path] > 0) covered += std::max(active[path], global_[path]);
        }
        share(excess, length_ - spent, imbalance_);
        share(headroom, length_ - covered, inter_);
    }

    /// After all locations: the costs go to those who were on the critical path.
    void distribute(std::size_t location, LocationCauses& causes) const {
        for (std::uint32_t path = 0; path < global_.size(); ++path) {
            const auto own = static_cast<double>(critical_[location][path]);
            if (own <= 0 || global_[path] <= 0) continue;
            causes.add(Cause::ImbalanceImpact, path, std::max(0.0, own / global_[path] * imbalance_[path]));
            causes.add(Cause::InterPartitionImbalance, path,
                       std::max(0.0, own / global_[path] * inter_[path]));
        }
    }

    bool isThread(std::size_t location) const { return isThread_[location] != 0; }

  private:
    /// Shares a location's waiting out among the call paths on the critical path, by what they exceed the
    /// location's own time by; `excess` and `waiting` are by call path and of the location.
    void share(const Times& excess, double waiting, Times& costs) const {
        const double sum = std::accumulate(excess.begin(), excess.end(), 0.0);
        // Scalasca divides by zero, and one such location leaves no costs at all.
        if (sum <= 0 && !rules_.asScalasca) return;
        for (std::size_t path = 0; path < excess.size(); ++path)
            costs[path] += excess[path] * (waiting / sum);
    }

    const PathProfile& critical_;
    const std::vector<char>& isThread_;
    Rules rules_;
    Times global_;  ///< the critical path by call path
    Times imbalance_;
    Times inter_;
    double length_ = 0;
};

}  // namespace

void bookImpact(const PathProfile& critical, const PathProfile& active, const std::vector<char>& isThread,
                Rules rules, std::vector<LocationCauses>& causes) {
    if (critical.empty()) return;
    Impact impact(critical, isThread, critical[0].size(), rules);
    for (std::size_t i = 0; i < active.size(); ++i)
        if (impact.isThread(i)) impact.compare(asReal(active[i]), causes[i]);
    for (std::size_t i = 0; i < active.size(); ++i) {
        impact.distribute(i, causes[i]);
        for (std::uint32_t path = 0; path < critical[i].size(); ++path)
            causes[i].add(Cause::CriticalPath, path, static_cast<double>(critical[i][path]));
    }
}

}  // namespace holos::analyzer::causes
