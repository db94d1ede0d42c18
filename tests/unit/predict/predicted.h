// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "analyzer/predictor.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {

/// A built trace under other conditions; times are ticks, of which 1000 are a second.
class Predicted {
  public:
    explicit Predicted(const TraceBuilder& trace) : predictor_(trace.write(directory_.path())) {}

    /// How long the run takes under all of these.
    template <class... Conditions>
    Tick with(const Conditions&... conditions) const {
        return ticks(predict({std::string(conditions)...}).seconds());
    }
    bool changes(const std::string& condition) const { return predict({condition}).changesAnything(); }
    Tick recorded() const { return ticks(predictor_.facts().recorded); }
    Tick replayed() const { return ticks(predictor_.facts().replayed); }

    analyzer::Prediction predict(const std::vector<std::string>& conditions) const {
        std::vector<analyzer::predict::Condition> parsed;
        for (const std::string& text : conditions) parsed.push_back(analyzer::predict::parseCondition(text));
        return predictor_.predict(parsed);
    }
    /// The experiment of the run under a condition.
    algebra::Experiment experiment(const std::string& condition) const {
        return predictor_.analyze(predict({condition}), {}).experiment;
    }
    const analyzer::Predictor& predictor() const { return predictor_; }

  private:
    static Tick ticks(double seconds) { return static_cast<Tick>(std::llround(seconds * 1000)); }

    TemporaryDirectory directory_;
    analyzer::Predictor predictor_;
};

}  // namespace holos::testing
