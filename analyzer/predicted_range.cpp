// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predicted_range.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "algebra/summary/starvation.h"

namespace holos::analyzer {

namespace {

/// Who lacks a processor is late by chance, and the next time it is somebody else: a mean hides it.
bool takesMeans(const predict::Condition& condition) {
    using Kind = predict::Condition::Kind;
    return condition.kind == Kind::Balance || condition.kind == Kind::ThreadsBalanced;
}

double deviationOf(const ModelFacts& facts) {
    return facts.recorded > 0 ? std::abs(facts.replayed / facts.recorded - 1) : 0;
}

}  // namespace

PredictedTime predictedTime(const Predictor& predictor, std::span<const predict::Condition> conditions) {
    std::vector<predict::Condition> withoutNetwork(conditions.begin(), conditions.end());
    withoutNetwork.push_back(predict::parseCondition("network=ideal"));
    PredictedTime time{predictor.predict(conditions).seconds(), predictor.predict(withoutNetwork).seconds()};
    const double own = std::max(0.0, time.seconds - time.withoutOwn);
    const algebra::Measures measures(predictor.recorded());
    const double lost = algebra::starvationOf(measures).seconds;
    const double part = measures.time() > 0 ? lost / measures.time() : 0;
    const double varies = kUsualVariation + deviationOf(predictor.facts()) + part;
    time.least = std::max(0.0, time.seconds - own - varies * time.seconds);
    time.most = time.seconds + own + varies * time.seconds;
    if (std::ranges::any_of(conditions, takesMeans))
        time.most += std::clamp(predictor.facts().replayed - time.seconds, 0.0, lost);
    return time;
}

}  // namespace holos::analyzer
