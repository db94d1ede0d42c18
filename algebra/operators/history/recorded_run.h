// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "metric-specs/processor.h"

namespace holos::algebra {

/// Keeps in the attributes of an experiment on which processor it was recorded: `holos::processor::vendor`
/// and so on. Of experiments that are combined, the first one's stays.
void setProcessor(Experiment& experiment, const specs::Processor& processor);

/// The processor that was kept; nothing known in experiments of other tools.
specs::Processor processorOf(const Experiment& experiment);

/// What a recording says of the run that an experiment is of, kept in its attributes.

/// How the processes ended, in a sentence.
inline constexpr const char* kEndsAttribute = "holos::ends";
/// Which programs of the recording are not in the experiment, in a sentence; not there where all are.
inline constexpr const char* kLeftOutAttribute = "holos::programs left out";
/// How many processes are known to have ended otherwise than with exit code 0; not there where none did.
inline constexpr const char* kFailedAttribute = "holos::failed processes";
/// Of a location: its file of events is missing or damaged, so that not all is known of what it did.
inline constexpr const char* kDamagedAttribute = "holos::damaged";
/// Begins the name of the attribute of each law that does not hold of the recording.
inline constexpr const char* kBrokenLawAttribute = "holos::broken law: ";

/// Begins the name of the attribute of each note on what the program did and nobody recorded, such as all of
/// MPI.
inline constexpr const char* kNotRecordedAttribute = "holos::not recorded: ";

/// Of these notes the one on forked processes.
inline constexpr const char* kForked = "forked processes";

/// What is not known of the run, in a sentence, as the file that says it is damaged; not there where it is
/// not.
inline constexpr const char* kUnreadFactsAttribute = "holos::facts that cannot be read";

/// Of an experiment of a part of a run only: its ends in seconds since the run began, `0.25 1.5`.
inline constexpr const char* kRangeAttribute = "holos.range";
/// Of an experiment of some threads or call paths only: which, in words.
inline constexpr const char* kPartAttribute = "holos.part";
/// A sentence about what could not be checked of the recording, as the run goes on.
inline constexpr const char* kNotCheckedAttribute = "holos::not checked";

/// How long the run took: from its first event to its last one, in seconds. Not of a part of a run.
inline constexpr const char* kSecondsOfRunAttribute = "holos::seconds of run";

/// For how long the first thread of its only process was the only one, of threads that come and go, in
/// seconds. Not of a part of a run.
inline constexpr const char* kSecondsWithOneThreadAttribute = "holos::seconds with one thread";

/// Of an experiment whose threads, or processes, were added up: which, in a word. Nobody knows who of them
/// did what.
inline constexpr const char* kCollapsedAttribute = "holos::collapsed";

/// Nobody knows all that it did: it can neither be compared with others nor be part of an average.
bool isDamaged(const Location& location);

/// Empty where nothing is known.
std::string endsOf(const Experiment& experiment);

/// What should hold of every complete recording and does not of this one, each as `processes: 4 processes
/// started, 3 recorded, 1 not: …`. What is said of such a run is to be taken with these in mind.
std::vector<std::string> brokenLawsOf(const Experiment& experiment);

/// What the program did and nobody recorded, as `MPI is not recorded: …`.
std::vector<std::string> notRecordedOf(const Experiment& experiment);

/// Whether Holos recorded the run, or one of those that this is made of: for traces and profiles of others it
/// is no advice to record in another way.
bool isOwnRecording(const Experiment& experiment);

/// Whether an analysis of Holos is in its history.
bool isOwnAnalysis(const Experiment& experiment);

/// Whether its values are differences or deviations of runs, and not those of a run: also where other
/// operators were applied to such ones.
bool isOfNoRun(const Experiment& experiment);

/// Not an experiment without times, or of differences or deviations.
bool isOfRun(const Experiment& experiment);

/// Whether the program forked processes that nobody recorded: who sleeps may wait for these.
bool hasUnrecordedChildren(const Experiment& experiment);

/// How long the run took, where that is known.
std::optional<double> secondsOfRun(const Experiment& experiment);
/// For how long only its first thread was there, where that is known.
std::optional<double> secondsWithOneThread(const Experiment& experiment);

/// `0.25 s to 1.5 s, MPI Rank 1`; nothing for an experiment of a whole run.
std::optional<std::string> partOfRun(const Experiment& experiment);

/// Sentences that stand first wherever the run is shown: which laws are broken, of which processes events are
/// missing, what of the recording cannot be read, that it is a part only, which programs are not in it, how
/// it ended, and what could not be checked.
std::vector<std::string> firstToKnow(const Experiment& experiment);

}  // namespace holos::algebra
