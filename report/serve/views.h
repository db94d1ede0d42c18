// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "report/serve/shown_experiment.h"
#include "report/serve/workshop.h"

namespace holos::serve {

/// The part of a run that all panes show, as links of `holos view` name it, a word after the other with
/// commas: `range=0.5:1.25`, `only-system=`, `only-call=` with keys of rows, `only-region=`, `only-kind=`.
/// What it does not name is not restricted; what it names holds at once.
struct Part {
    struct Range {
        double from = 0.0;  ///< seconds since the run's start
        double to = 0.0;
    };
    std::optional<Range> range;
    std::vector<std::string> places;     ///< keys of threads, processes or machines, together
    std::vector<std::string> callPaths;  ///< keys of call paths with what they call, together
    std::vector<std::string> regions;    ///< names
    std::vector<std::string> kinds;      ///< as `belongingOf` says

    bool isOfTrees() const {
        return !places.empty() || !callPaths.empty() || !regions.empty() || !kinds.empty();
    }
};

/// Throws `holos::Error` that names the word which says nothing.
Part partFrom(std::string_view words);

/// What `partFrom` reads.
std::string partWords(const Part& part);

/// In plain words: `0.5 s to 1.25 s, node 1 / MPI Rank 1, in main / solve`.
std::string partText(const Part& part);

/// What the part names apart from the range. Throws `holos::Error` where the experiment does not have that.
ExperimentPtr partOf(const ShownExperiment& whole, const Part& part);

/// One of the experiments that are served.
struct Subject {
    std::string name;
    ExperimentPtr experiment;
    std::filesystem::path trace;  ///< the anchor file of the trace it was made of; empty: none lies beside it
    std::string live = {};        ///< what is said of it while its program runs; empty: it is all
};

/// What one experiment is made of several.
enum class Combined : std::uint8_t { One, Difference, Mean, Merged };

/// What is looked at.
struct View {
    Combined how = Combined::One;
    std::vector<std::size_t> of = {0};  ///< numbers of experiments
    Part part;
};

/// `0`, `0-1` (the first minus the second), `mean:0,1,2` or `merge:0,1`. Throws `holos::Error` for all else,
/// and for experiments that there are not.
View viewFrom(const std::string& experiments, const std::string& part, std::size_t subjects);

/// Experiments as they are looked at: those that are served, and what is made of them, of which a few are
/// kept. Thread safety: safe.
class Views {
  public:
    explicit Views(const std::vector<Subject>& subjects);

    std::size_t size() const { return subjects_.size(); }
    std::shared_ptr<ShownExperiment> whole(std::size_t subject) const;
    /// What has to be made is waited for until then; afterwards `NotYet` is thrown. Throws `holos::Error`
    /// where it cannot be made.
    std::shared_ptr<ShownExperiment> shown(const View& view, Moment until);
    /// Another experiment stands for this one from now on, and for all that is made of it.
    void renew(std::size_t subject, const ExperimentPtr& experiment, const std::filesystem::path& trace);

  private:
    using Shown = std::shared_ptr<ShownExperiment>;
    using Progress = Workshop<ShownExperiment>::Progress;

    Shown made(const View& view, const std::vector<Shown>& of, const std::filesystem::path& trace,
               const Progress& tell);
    Shown rangeOf(const std::filesystem::path& trace, const Part::Range& range, const Progress& tell);

    struct One {
        Shown shown;
        std::filesystem::path trace;
        std::size_t version = 0;
    };
    struct OfRange {
        std::filesystem::path trace;
        Part::Range range;
        Shown shown;
    };
    mutable std::mutex mutex_;  ///< of `subjects_`
    std::vector<One> subjects_;
    std::deque<OfRange> ranges_;  ///< the newest first; of the workshop's thread
    Workshop<ShownExperiment> workshop_;
};

/// What a run has recorded so far, or all of it (`Subject::live` tells). `check` throws when nobody wants it
/// any more. Throws `holos::Error`.
Subject recordedSoFar(const std::filesystem::path& folder, const std::function<void()>& check);

/// Analyzes recordings of programs that run again and again, in a thread of its own, for as long as somebody
/// looks. Between two analyses it rests nine times as long as one takes, and some seconds at least.
class LiveRuns {
  public:
    struct Run {
        std::size_t number = 0;  ///< of the experiment
        std::filesystem::path folder;
    };
    struct Uses {
        std::function<bool()> isLookedAt;
        std::function<void(std::size_t number, const Subject& subject)> renew;
        std::chrono::nanoseconds leastRest = std::chrono::seconds(2);
    };
    LiveRuns(std::vector<Run> runs, Uses uses);
    ~LiveRuns();
    LiveRuns(const LiveRuns&) = delete;
    LiveRuns& operator=(const LiveRuns&) = delete;

  private:
    void work();
    /// False when it has ended.
    bool renewed(const Run& run);
    bool rest(std::chrono::nanoseconds time);

    std::vector<Run> runs_;
    Uses uses_;
    std::mutex mutex_;  ///< of `isOver_`
    std::condition_variable isOverNow_;
    bool isOver_ = false;
    std::thread thread_;
};

}  // namespace holos::serve
