// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/structure.h"
#include "report/serve/event_table.h"
#include "report/serve/server.h"
#include "report/serve/shown_experiment.h"
#include "report/serve/timeline.h"
#include "report/serve/views.h"

namespace holos::serve {

/// A call path in a flame graph whose roots are at the top. Places are parts of the whole width.
struct FlameBox {
    algebra::CallPathId path;
    std::size_t row = 0;
    double start = 0.0;
    double width = 0.0;
    double value = 0.0;  ///< what the width stands for
};

struct Flame {
    std::vector<FlameBox> boxes;  ///< callers before those they call
    double whole = 0.0;           ///< what the whole width stands for
    std::size_t narrow = 0;  ///< boxes that are less than a pixel wide; they and all below them are left out
};

/// The call tree, or what is below `top` with those that lead to it, on so many pixels. `own`: what each call
/// path has without what is below it. Values are magnitudes: in a difference what cancels out has its width,
/// too; what is undefined has none.
Flame flameOf(const algebra::CallTree& tree, const std::vector<double>& own,
              std::optional<algebra::CallPathId> top, std::size_t pixels);

/// Says of an experiment what it is about, as an object of JSON or null.
using Summarize = std::function<nlohmann::ordered_json(const algebra::Experiment&)>;

/// Answers the questions of the client's panes in JSON, `docs/remote.md` lists them. What a query names
/// wrongly has the status 400, with the reason; what is still being made has 202, and is to be asked for
/// again. Where an experiment is asked for, it may be made of several (`viewFrom`), and be a part of a run
/// (`partFrom`). Thread safety: safe.
class Api {
  public:
    Api(const std::vector<Subject>& subjects, Summarize summarize);
    Answer answer(const Query& query);
    /// More of an experiment is known, whose program runs, as `Subject` says it.
    void renew(std::size_t number, const Subject& subject);

  private:
    class Parameters;
    using Json = nlohmann::ordered_json;

    Json experiments(const Parameters& asked);
    Json rows(const Parameters& asked);
    Json place(const Parameters& asked);
    Json metric(const Parameters& asked);
    Json search(const Parameters& asked);
    Json flame(const Parameters& asked);
    Json summary(const Parameters& asked);
    Json timeline(const Parameters& asked);
    Json tables(const Parameters& asked);
    Json table(const Parameters& asked);

    std::shared_ptr<ShownExperiment> shown(const Parameters& asked);

    /// What is read of the trace beside an experiment, and what is said of it.
    struct Beside {
        std::shared_ptr<Timeline> timeline;
        std::shared_ptr<EventTables> tables;
        std::string live;
    };
    static Beside besideOf(const Subject& subject);
    Beside beside(std::size_t number);

    Summarize summarize_;
    std::vector<std::string> names_;
    Views views_;

    std::mutex mutex_;  ///< of `beside_`
    std::vector<Beside> beside_;

    std::mutex summariesMutex_;  ///< of `summaries_`, held also while a summary is made
    std::map<std::weak_ptr<ShownExperiment>, Json, std::owner_less<>> summaries_;
};

}  // namespace holos::serve
