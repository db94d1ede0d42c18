// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/serve/server.h"
#include "report/serve/shown_experiment.h"
#include "report/serve/timeline.h"

namespace holos::serve {

/// One of the experiments that are served.
struct Subject {
    std::string name;
    ExperimentPtr experiment;
    std::filesystem::path trace;  ///< the anchor file of the trace it was made of; empty: none lies beside it
};

/// Says of an experiment what it is about, as an object of JSON or null.
using Summarize = std::function<nlohmann::ordered_json(const algebra::Experiment&)>;

/// Answers the questions of the client's panes in JSON, `docs/remote.md` lists them. What a query names
/// wrongly has the status 400, with the reason. Where an experiment is asked for, `0-1` is the difference of
/// the first and the second. Thread safety: safe.
class Api {
  public:
    Api(std::vector<Subject> subjects, Summarize summarize);
    Answer answer(const Query& query);

  private:
    class Parameters;
    using Json = nlohmann::ordered_json;

    Json experiments() const;
    Json rows(const Parameters& asked);
    Json metric(const Parameters& asked);
    Json search(const Parameters& asked);
    Json flame(const Parameters& asked);
    Json summary(const Parameters& asked);
    Json timeline(const Parameters& asked);

    std::shared_ptr<ShownExperiment> shown(const Parameters& asked);
    std::shared_ptr<ShownExperiment> difference(std::size_t one, std::size_t other);

    Summarize summarize_;
    std::vector<Subject> subjects_;
    std::vector<std::shared_ptr<ShownExperiment>> shown_;
    std::vector<std::unique_ptr<Timeline>> timelines_;  ///< by experiment; null: no trace

    std::mutex mutex_;  ///< of the difference, of which there is one at a time
    std::pair<std::size_t, std::size_t> differenceOf_{};
    std::shared_ptr<ShownExperiment> difference_;

    std::mutex summariesMutex_;              ///< of what follows, also while a summary is made
    std::map<std::string, Json> summaries_;  ///< by what the experiment is asked for as
};

}  // namespace holos::serve
