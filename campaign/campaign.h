// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/execution.h"
#include "campaign/plan.h"
#include "campaign/state.h"
#include "metric-specs/specification.h"

namespace holos::campaign {

/// What a campaign is asked to do.
struct Setup {
    std::filesystem::path folder = {};
    std::string specification = "auto";  ///< a name or a file; `auto`: that of this processor
    Request request = {};
    std::vector<std::string> command = {};  ///< empty only for a campaign that is there already
    bool replaces = false;                  ///< the campaign that the folder has, instead of going on with it
    bool changesNothing = false;            ///< only a plan is wanted
    bool isElsewhere = false;               ///< the runs are made by a batch system, maybe on other machines
    bool onlyCollects = false;              ///< what those left; specification, request and command are known
    bool keepsTraces = true;
    std::function<void(const std::string&)> tell = {};  ///< takes sentences for the user
};

/// A campaign in its folder: planned, continued and brought to its result. One owner, one thread. What
/// happens is kept in the folder at each step, so that an interruption loses at most the run that is under
/// way.
class Campaign {
  public:
    /// Finds what the folder has of it, and plans. Throws Error where the folder has another campaign, the
    /// command cannot be recorded, or nothing can be measured.
    explicit Campaign(Setup setup);

    const std::filesystem::path& folder() const { return folder_; }
    const State& state() const { return state_; }
    const Plan& plan() const { return plan_; }
    const specs::Specification& specification() const { return specification_; }

    /// What is still to be done; where totals are to be known within a part of them, one run at a time when
    /// each measurement was made as often as asked. Measurements that failed in this session wait for the
    /// next one.
    std::vector<Run> remaining() const;
    /// Runs of this session and before that need no repetition now.
    std::size_t done() const { return state_.finished.size() + failedNow_.size(); }
    /// Runs that the result lacks.
    std::size_t missing() const;
    bool hasFailedNow() const { return !failedNow_.empty(); }

    /// Makes the folder a campaign's. Throws Error where another one works there now or left results, or runs
    /// of this one wait in a batch system.
    void prepareRuns();

    /// Makes one run.
    Outcome execute(const Run& run);

    /// Makes the scripts of a batch system, which are made of this template.
    void prepareScripts(const std::string& text);
    /// Writes the script of a run, which waits to be collected from then on.
    void writeScript(const Run& run);
    /// The outcome of a script's run; nothing while that has not ended.
    std::optional<Outcome> collect(const Run& run) const;

    /// Puts the outcome of a run, which was not interrupted, into the state, and plans again when the machine
    /// refused events. Throws Error when nothing is left to be measured.
    void keep(const Run& run, const Outcome& outcome);

  private:
    bool hasFailedNow(const Measurement& events) const;
    std::optional<Run> repetition(const std::vector<Measurement>& measurements) const;
    void findState();
    void prepareFolder();
    void replaceEarlier();
    void begin(const Run& run);
    void chooseSpecification();
    specs::Specification specificationHere();
    WhyNotCounted whyNotCounted() const;
    void makePlan();

    Setup setup_;
    std::filesystem::path folder_;
    std::optional<CampaignLock> lock_;  ///< as soon as there is the folder
    bool isNew_ = true;
    State state_;
    specs::Specification specification_;
    Plan plan_;
    std::vector<Measurement> failedNow_;
};

}  // namespace holos::campaign
