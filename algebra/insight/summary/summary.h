// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/model/queries.h"

namespace holos::algebra {

/// A value that a statement rests on, and what to select to see it.
struct Evidence {
    std::string says;  ///< what the value is, in a few words
    MetricId metric;
    std::optional<CallPathId> path;  ///< with what it calls; nothing: the whole program
    ChosenLocations locations = kAll;
    double value = 0.0;
};

/// Something that costs time. All texts are sentences or parts of them without a full stop, and may be empty.
struct Problem {
    std::string kind;        ///< one of `problemRules`
    bool isMistake = false;  ///< in how the program was started or recorded: nothing in it has to change
    double cost = 0.0;       ///< seconds of all threads together
    double percent = 0.0;    ///< of the time of all threads
    /// What it may cost at most, where that is not known: a mistake comes first unless another problem costs
    /// more than that.
    double mayCost = std::numeric_limits<double>::infinity();
    std::string pattern;  ///< among those to blame: `one`, `few`, `node`, `gradient`, …; empty where none was
                          ///< looked for
    bool isSleep = false;       ///< those who are late sleep, for the most part
    bool isOneAtATime = false;  ///< of threads that others join: no two of them are there at once
    /// Seconds that each of those who are late would take in the call path at most, if the others took over
    /// their part of its work, or nobody slept there for longer than it is waited for. Only where a replay
    /// can tell what that brings.
    std::optional<double> limit = {};
    std::string what;
    std::string where;
    std::string who;
    std::string why;
    std::string remedy;
    std::string chance;  ///< why it may not be so in other runs of the program
    /// Seconds by which the run is shorter without it, beyond what those before it bring. By a replay where
    /// there is a condition, which is the one of `holos predict --if`; else an estimate.
    std::optional<double> gain;
    std::string replayedWith = {};
    std::optional<CallPathId> path;
    std::vector<LocationId> locations;
    std::vector<Evidence> evidence;
};

/// What could not be judged, or only with reservations, and how more can be known.
struct Doubt {
    std::string text;
    std::string command;  ///< that tells more
};

/// A part of the time that is not computation.
struct Loss {
    std::string name;
    double percent = 0.0;  ///< of the time of all threads
};

/// A run in plain words.
struct Summary {
    std::vector<std::string> first;  ///< what must be known before: what is not complete, how the run ended
    std::string run;                 ///< one or two sentences on the whole run
    bool isHealthy = false;
    double seconds = 0.0;            ///< how long the run took
    double percentLost = 0.0;        ///< of the time of all threads
    std::vector<Loss> losses;        ///< those worth saying, the largest first
    std::vector<Problem> problems;   ///< mistakes that may cost most, then what costs most; few
    std::vector<std::string> notes;  ///< what counters say
    std::vector<Doubt> doubts;
    bool isWhole = true;  ///< nothing is left out because results contradict each other
};

/// What is worth saying about a run, by the rules in `rules.h`. Nothing for experiments that are not of a
/// run: without times, differences of others, or only some of its threads or call paths. Pure; thread safety:
/// safe.
std::optional<Summary> summarize(const Experiment& experiment);

/// Of the machine and of how the program was started on it: however much it costs, the program's own faults
/// stay when it is mended.
bool isOfMachine(const Problem& problem);

/// What a problem costs, in percent of the time of all threads, or of the run where a replay without it is
/// shorter by more: others may end earlier, too. Never less than its gain.
double costPercent(const Summary& summary, const Problem& problem);
/// What a problem costs, in words: `9.7 % of the time of all threads`, `37 % of the run, 9.7 % of the time of
/// all threads`.
std::string costText(const Summary& summary, const Problem& problem);

/// Seconds by which the run is said to be shorter without the problem, beyond what those before it bring; 0:
/// not known. An estimate is what sharing work out brings, or doing without sleep: no more of the run than
/// the problem costs of the time of all threads, but for sleep.
double gainSeconds(const Summary& summary, const Problem& problem);
/// The gain of a problem in words: `at most 1.2 s of 8.4 s (14 %), by a replay with …`, or `perhaps …` for an
/// estimate. Empty where there is none.
std::string gainText(const Summary& summary, const Problem& problem);

}  // namespace holos::algebra
