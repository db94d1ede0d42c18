// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <tuple>
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
    /// By position of the span. What a thread does that another one started is in the call where that one
    /// was then; of several with the same construct it may be any.
    std::vector<bool> of(const std::vector<trace::Span>& spans, bool isFirstThread = true) const;
    bool isFirstThread(trace::LocationId location) const {
        return isEverything() || (*definitions_)[location].rank == 0;
    }

    /// Where a call stack stands, from the outside of all calls on.
    using State = std::size_t;
    static constexpr State kOutside = 0;
    /// What comes next on a stack.
    enum class Stacked {
        Function,  ///< that no event tells of; the experiment may not tell it apart
        Call,      ///< by an event, and the functions around it are known
        LoneCall,  ///< by an event, and any functions may be around it
    };
    State within(State around, trace::RegionId region, Stacked as) const;
    /// Time that passes there belongs to the part. Outside of all calls it is the program's itself.
    bool counts(State state) const { return isEverything() || states_[state].counts; }

  private:
    struct Paths {
        std::vector<algebra::CallPathId> paths;  ///< that end in the call
        bool counts = false;                     ///< one of them has values of its own
    };
    /// What may be between two calls of a stack.
    enum class Between { Nothing, Functions, Anything };
    State inside(State state, trace::RegionId region, Between between) const;
    void addFrom(algebra::CallPathId path, const std::string& name, Between between, Paths& found) const;
    bool isPassed(algebra::CallPathId path, Between between) const;

    const algebra::Experiment* tree_ = nullptr;
    DefinitionsPtr definitions_;
    std::vector<bool> counts_;          ///< by call path
    std::vector<bool> mayHave_;         ///< by region of the trace
    std::vector<bool> isWithoutEvent_;  ///< by region of the experiment: it may be on a path and in no event
    mutable std::vector<Paths> states_;
    mutable std::map<std::tuple<State, trace::RegionId, Between>, State> known_;
};

}  // namespace holos::gui
