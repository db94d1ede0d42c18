// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "algebra/model/experiment.h"
#include "analyzer/replay/replayed_trace.h"
#include "analyzer/trace/definitions.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::paths {

/// Call paths as the analysis needs them: a region, where it is called, and a parent, which stands before its
/// children.
/// Thread safety: safe to read.
class PathTree {
  public:
    struct Path {
        algebra::RegionId region;
        std::optional<algebra::CallPathId> parent;
        trace::SiteId site;
    };

    algebra::CallPathId add(algebra::RegionId region, std::optional<algebra::CallPathId> parent,
                            trace::SiteId site = trace::kNoSite) {
        paths_.push_back({region, parent, site});
        return algebra::CallPathId(paths_.size() - 1);
    }
    std::size_t size() const { return paths_.size(); }
    const Path& operator[](algebra::CallPathId path) const { return paths_[path.index()]; }
    std::optional<algebra::CallPathId> parent(algebra::CallPathId path) const { return (*this)[path].parent; }
    algebra::Ids<algebra::CallPathId> ids() const { return algebra::Ids<algebra::CallPathId>(size()); }

  private:
    std::vector<Path> paths_;
};

/// As an experiment has it.
inline algebra::CallPath callPathOf(const PathTree::Path& path, const trace::Definitions& definitions) {
    algebra::CallPath call;
    call.region = path.region;
    const trace::CallSite& site = definitions[path.site];
    call.module = site.file;
    if (site.line != 0) call.line = site.line;
    return call;
}

/// Call paths while they are put together, numbered in the order in which they come. Regions are numbers of
/// the caller's choice. Number 0 is no call path; roots stand below it.
///
/// `child` predicts that after a child comes the one that came after it last time, and only searches when
/// that is wrong: most locations do the same.
class GrowingPaths {
  public:
    static constexpr std::uint32_t kNowhere = 0;
    struct Path {
        std::uint32_t region = ~std::uint32_t{0};
        trace::SiteId site;
        std::uint32_t parent = kNowhere;
        std::uint32_t latest = kNowhere;    ///< the child that was asked for last
        std::uint32_t follower = kNowhere;  ///< the sibling that was asked for after this one last time
    };

    GrowingPaths() : paths_(1) {}

    /// One more than the number of call paths.
    std::uint32_t end() const { return static_cast<std::uint32_t>(paths_.size()); }
    const Path& operator[](std::uint32_t path) const { return paths_[path]; }
    /// Made when it is new.
    std::uint32_t child(std::uint32_t parent, std::uint32_t region, trace::SiteId site = trace::kNoSite) {
        const std::uint32_t latest = paths_[parent].latest;
        std::uint32_t found = paths_[latest].follower;
        if (found == kNowhere || paths_[found].parent != parent || paths_[found].region != region ||
            paths_[found].site != site) {
            found = search({parent, region, site});
            if (latest != kNowhere) paths_[latest].follower = found;
        }
        return paths_[parent].latest = found;
    }
    /// The deepest call path that both are, or are below.
    std::uint32_t common(std::uint32_t a, std::uint32_t b) const {
        while (a != b)  // parents have smaller numbers
            if (a < b)
                b = paths_[b].parent;
            else
                a = paths_[a].parent;
        return a;
    }

  private:
    struct Key {
        std::uint32_t parent;
        std::uint32_t region;
        trace::SiteId site;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            return trace::tripleHash(key.parent, key.region, key.site.index());
        }
    };

    std::uint32_t search(const Key& key) {
        const auto [known, isNew] = known_.try_emplace(key, end());
        if (isNew) {
            Path path;
            path.region = key.region;
            path.site = key.site;
            path.parent = key.parent;
            paths_.push_back(path);
        }
        return known->second;
    }

    std::vector<Path> paths_;
    std::unordered_map<Key, std::uint32_t, KeyHash> known_;
};

/// One call tree out of the locations' own.
struct MergedTree {
    PathTree tree;
    std::vector<algebra::Region> regions;     ///< those that the tree names
    std::vector<trace::RegionClass> classes;  ///< by region of the experiment
    /// By location and local node; nothing for nodes without a place (time outside of the program).
    std::vector<std::vector<std::optional<algebra::CallPathId>>> pathOf;
};

/// Call paths are equal when their chains of regions and call sites are. They stand in the order of their
/// first encounter: process by process, thread by thread. A worker's paths stand below the call path that
/// forked its team; explicit tasks below what created them, or below TASKS where that is not known; functions
/// of created threads below THREADS. These two are below the program.
MergedTree mergeCallTrees(const replay::ReplayedCalls& calls, workers::Workers& workers);

}  // namespace holos::analyzer::paths
