// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/predict/conditions.h"

namespace holos::analyzer {

/// What the recording tells of its network.
struct NetworkFacts {
    double latency = 0;    ///< seconds
    double bandwidth = 0;  ///< bytes per second; infinite where the trace does not show a limit
    /// Bytes of the largest message that was sent before its receive was posted, and of the smallest larger
    /// one that waited for it: the library's limit lies between them. Nothing where no message was like that.
    std::optional<std::uint64_t> eager;
    std::optional<std::uint64_t> rendezvous;
    std::uint64_t messages = 0;  ///< that were measured; of none, latency and bandwidth are not known
    std::uint64_t starved = 0;   ///< that were not, as a thread had no processor meanwhile
    /// Threads had no processors for much of their time, and nobody knows when: perhaps while messages were
    /// measured.
    bool isUncertain = false;
    std::uint64_t sizes = 0;  ///< how many different ones, by powers of two
};

/// How far the model can be trusted.
struct ModelFacts {
    double recorded = 0;  ///< seconds from the first event to the last one
    double replayed = 0;  ///< the same, replayed without changes
    std::uint64_t marks = 0;
    std::uint64_t dependencies = 0;
    std::uint64_t contradicted = 0;  ///< dependencies that the recorded times exclude
    std::uint64_t unmatched = 0;     ///< ends of messages without the other one
    /// How often calls such as `MPI_Test` found nothing, and something else was done before the next ones.
    std::uint64_t inVain = 0;
    std::uint64_t circular = 0;  ///< marks that waited for each other
    /// Which part of the time of threads that call MPI passes in its calls after all that they wait for has
    /// come.
    double ownInMpi = 0;
    double lackingInMpi = 0;  ///< likewise, in which these threads had no processor: a part of `ownInMpi`
    double withoutProcessors = 0;  ///< part of the time of all threads, in calls and elsewhere
    NetworkFacts network;
};

/// A run under other conditions.
class Prediction {
  public:
    struct State;
    explicit Prediction(std::shared_ptr<const State> state) : state_(std::move(state)) {}

    double seconds() const;
    /// Something happens at another time than recorded.
    bool changesAnything() const;
    const State& state() const { return *state_; }

  private:
    std::shared_ptr<const State> state_;
};

/// Reads a trace once, and then says what the run would take if things were different: work takes as long as
/// recorded, and all waiting follows from what it waits for.
/// Thread safety: safe to read.
class Predictor {
  public:
    /// Only threads and progress of the options count. Throws as `analyze` does.
    explicit Predictor(const std::filesystem::path& archiveOrDirectory, const AnalysisOptions& options = {});
    ~Predictor();
    Predictor(const Predictor&) = delete;
    Predictor& operator=(const Predictor&) = delete;

    /// Times, counts and wait states of the recorded run, without causes.
    const algebra::Experiment& recorded() const;
    /// What was repaired or left out in the recording.
    const std::vector<Diagnosis>& diagnoses() const;
    const ModelFacts& facts() const;

    /// Throws `holos::Error` for what the run does not have. The work is done by one thread.
    Prediction predict(std::span<const predict::Condition> conditions) const;

    /// The analysis of the predicted run: reads the trace again. Without counters that a location of its own
    /// read from time to time, for a process or a node: nobody knows what they would have counted.
    AnalysisResult analyze(const Prediction& prediction, AnalysisOptions options) const;

    /// Writes the trace of the predicted run, an archive with the recorded events at their new times, into an
    /// empty folder: reads the trace again. Only threads and progress of the options count. Returns how many
    /// events were left out, because this version of OTF2 does not know their kind. Throws `holos::Error`.
    std::uint64_t writeTrace(const Prediction& prediction, const std::filesystem::path& folder,
                             const AnalysisOptions& options) const;

  private:
    struct Run;
    std::unique_ptr<const Run> run_;
};

/// A prediction in seconds, and between which values a run lies that is as predicted.
struct PredictedTime {
    double seconds = 0;
    double withoutOwn = 0;  ///< the same without the own time of MPI's calls
    double least = 0;
    double most = 0;
};

/// What a replay cannot know about is the own time of MPI's calls: under the conditions it may be gone, as it
/// was waiting, too, or be as much again. Computation varies from run to run, and more where threads had no
/// processor; if work is balanced, some may be late all the same for that reason. By what a replay without
/// changes misses, this one may be off, too. Where nothing takes longer under the conditions, the recorded
/// run is the most.
PredictedTime predictedTime(const Predictor& predictor, std::span<const predict::Condition> conditions);

/// From run to run, on a machine that nobody else uses (docs/prediction.md).
inline constexpr double kUsualVariation = 0.02;

}  // namespace holos::analyzer
