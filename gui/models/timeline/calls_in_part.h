// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <vector>

#include "analyzer/trace/excerpt.h"
#include "gui/models/timeline/timeline.h"

namespace holos::gui {

/// Whether an experiment is of some threads or call paths only.
bool isOfPart(const algebra::Experiment& experiment);

/// Which calls of a trace belong to call paths that an experiment has values of: where views show only some
/// call paths, the others are drawn pale. A call belongs to a call path when it and the calls around it are
/// the path, apart from functions that no event tells of, but stacks and samples.
///
/// Thread safety: one thread.
class CallsInPart {
  public:
    /// Every call belongs to it.
    CallsInPart() = default;
    /// The experiment must outlive this.
    CallsInPart(const algebra::Experiment& part, DefinitionsPtr definitions);

    bool isEverything() const { return tree_ == nullptr; }
    /// False where no call of the region belongs to it, whoever calls.
    bool mayHave(trace::RegionId region) const { return isEverything() || mayHave_[region.index()]; }
    /// By position of the span.
    std::vector<bool> of(const std::vector<trace::Span>& spans) const;

  private:
    using State = std::size_t;
    struct Paths {
        std::vector<algebra::CallPathId> paths;  ///< that end in the call
        bool counts = false;                     ///< one of them has values of its own
    };
    State inside(State state, trace::RegionId region) const;
    void addFrom(algebra::CallPathId path, const std::string& name, Paths& found) const;

    const algebra::Experiment* tree_ = nullptr;
    DefinitionsPtr definitions_;
    std::vector<bool> counts_;          ///< by call path
    std::vector<bool> mayHave_;         ///< by region of the trace
    std::vector<bool> isWithoutEvent_;  ///< by region of the experiment: it may be on a path and in no event
    mutable std::vector<Paths> states_;
    mutable std::map<std::pair<State, trace::RegionId>, State> known_;
};

}  // namespace holos::gui
