// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/critical_path.h"

#include <algorithm>
#include <numeric>

namespace holos::analyzer::causes {

namespace {

using Times = std::vector<double>;

/// What a location's waiting is worth, for each tick by which the critical path exceeds it in a call path.
struct Shares {
    double imbalance = 0;
    double inter = 0;  ///< only in call paths that the location is never in
};

/// Sums over locations are added up in their order, call path by call path, whoever does it.
class Impact {
  public:
    Impact(const PathProfile& critical, const PathProfile& active, const std::vector<char>& isThread,
           Rules rules)
        : critical_(critical),
          active_(active),
          isThread_(isThread),
          rules_(rules),
          paths_(active[0].size()),
          global_(paths_, 0),
          imbalance_(paths_, 0),
          inter_(paths_, 0),
          shares_(active.size()) {}

    void book(workers::Workers& workers, std::vector<LocationCauses>& causes) {
        forPaths(workers, [&](std::size_t begin, std::size_t end) {
            for (const auto& local : critical_)
                for (std::size_t path = begin; path < std::min(end, local.size()); ++path)
                    global_[path] += static_cast<double>(local[path]);
        });
        length_ = std::accumulate(global_.begin(), global_.end(), 0.0);
        workers.forEach(active_.size(), [&](std::size_t i) {
            if (isThread_[i] != 0) compare(i, causes[i]);
        });
        forPaths(workers, [&](std::size_t begin, std::size_t end) { addUp(begin, end); });
        workers.forEach(active_.size(), [&](std::size_t i) { distribute(i, causes[i]); });
    }

  private:
    template <class Work>
    void forPaths(workers::Workers& workers, Work&& work) const {
        constexpr std::size_t kPortion = 1024;
        workers.forEach((paths_ + kPortion - 1) / kPortion, [&](std::size_t portion) {
            work(portion * kPortion, std::min(paths_, (portion + 1) * kPortion));
        });
    }

    double active(std::size_t location, std::size_t path) const {
        return static_cast<double>(active_[location][path]);
    }
    double excess(std::size_t location, std::size_t path) const {
        return std::max(global_[path] - active(location, path), 0.0);
    }
    double headroom(std::size_t location, std::size_t path) const {
        return active_[location][path] > 0 ? 0.0 : global_[path];
    }

    /// What one location does, beside the critical path.
    void compare(std::size_t location, LocationCauses& causes) {
        double spent = 0;
        double covered = 0;
        double excesses = 0;
        double headrooms = 0;
        for (std::uint32_t path = 0; path < paths_; ++path) {
            const double own = active(location, path);
            if (global_[path] > 0) causes.add(Cause::ActivityImpact, path, std::min(global_[path], own));
            if (own > global_[path]) causes.add(Cause::NonCriticalActivities, path, own - global_[path]);
            spent += own;
            if (own > 0) covered += std::max(own, global_[path]);
            excesses += excess(location, path);
            headrooms += headroom(location, path);
        }
        shares_[location] = {share(length_ - spent, excesses), share(length_ - covered, headrooms)};
    }

    /// Shares a location's waiting out among the call paths on the critical path, by what they exceed the
    /// location's own time by.
    double share(double waiting, double sum) const {
        // Scalasca divides by zero, and one such location leaves no costs at all.
        return sum <= 0 && !rules_.asScalasca ? 0 : waiting / sum;
    }

    void addUp(std::size_t begin, std::size_t end) {
        for (std::size_t i = 0; i < active_.size(); ++i) {
            if (isThread_[i] == 0) continue;
            for (std::size_t path = begin; path < end; ++path) {
                imbalance_[path] += excess(i, path) * shares_[i].imbalance;
                inter_[path] += headroom(i, path) * shares_[i].inter;
            }
        }
    }

    /// The costs go to those who were on the critical path.
    void distribute(std::size_t location, LocationCauses& causes) const {
        for (std::uint32_t path = 0; path < critical_[location].size(); ++path) {
            const auto own = static_cast<double>(critical_[location][path]);
            causes.add(Cause::CriticalPath, path, own);
            if (own <= 0 || global_[path] <= 0) continue;
            const double impact = std::max(0.0, own / global_[path] * imbalance_[path]);
            const double inter = std::max(0.0, own / global_[path] * inter_[path]);
            causes.add(Cause::ImbalanceImpact, path, impact);
            // The two are shared out separately, so that the part can come out larger than the whole.
            causes.add(Cause::InterPartitionImbalance, path,
                       rules_.asScalasca ? inter : std::min(inter, impact));
        }
    }

    const PathProfile& critical_;
    const PathProfile& active_;
    const std::vector<char>& isThread_;
    Rules rules_;
    std::size_t paths_;
    Times global_;  ///< the critical path by call path
    Times imbalance_;
    Times inter_;
    std::vector<Shares> shares_;  ///< by location
    double length_ = 0;
};

}  // namespace

void bookImpact(const PathProfile& critical, const PathProfile& active, const std::vector<char>& isThread,
                Rules rules, workers::Workers& workers, std::vector<LocationCauses>& causes) {
    if (!active.empty()) Impact(critical, active, isThread, rules).book(workers, causes);
}

}  // namespace holos::analyzer::causes
