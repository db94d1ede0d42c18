// SPDX-License-Identifier: BSD-3-Clause
#include "validation/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/insight/scaling/least_squares.h"
#include "algebra/model/statistics.h"
#include "base/error.h"

namespace holos::validation {
namespace {

// Parts of what was predicted, but for kScatter, which is in standard deviations of one run.
constexpr double kExact = 0.01;   // counts that are nearer are right
constexpr double kFits = 0.03;    // a model whose counts are nearer explains the error
constexpr double kScatter = 2.0;  // what a run may be off by chance
constexpr double kRandom = 0.05;  // a larger deviation of the largest case is an error of its own kind

/// The smallest scale on which a case is judged: an event more or less is much where one was predicted.
double scaleOf(const Case& one) {
    return std::max(one.predicted, 1.0);
}

bool agrees(const Case& one, double expected, double accuracy) {
    return std::abs(one.mean - expected) <= std::max(accuracy * scaleOf(one), kScatter * one.deviation);
}

bool agree(const std::vector<Case>& cases, const Diagnosis& model, double accuracy) {
    return std::ranges::all_of(cases, [&](const Case& one) {
        return agrees(one, model.factor * one.predicted + model.bias, accuracy);
    });
}

/// Least squares of residuals that are relative to what was predicted: the factors of these columns, of which
/// each has a number for a case. Nothing where they cannot be told.
std::optional<std::vector<double>> fitted(const std::vector<Case>& cases,
                                          const algebra::scaling::Columns& columns,
                                          const std::vector<double>& values) {
    std::vector<double> scales;
    for (const Case& one : cases) scales.push_back(scaleOf(one));
    const auto fit = algebra::scaling::fitColumns(columns, values, scales);
    return fit ? std::optional(fit->coefficients) : std::nullopt;
}

/// The models of `diagnose` behind the first, from the simplest one on.
std::vector<Diagnosis> modelsOf(const std::vector<Case>& cases) {
    const std::vector<double> ones(cases.size(), 1.0);
    std::vector<double> predicted, reported, differences;
    for (const Case& one : cases) {
        predicted.push_back(one.predicted);
        reported.push_back(one.mean);
        differences.push_back(one.mean - one.predicted);
    }
    std::vector<Diagnosis> models;
    if (const auto bias = fitted(cases, {ones}, differences))
        models.push_back({ErrorClass::Bias, 1.0, bias->front()});
    if (const auto factor = fitted(cases, {predicted}, reported))
        models.push_back({ErrorClass::Multiplicative, factor->front(), 0.0});
    if (cases.size() <= 2) return models;
    if (const auto line = fitted(cases, {ones, predicted}, reported))
        models.push_back({ErrorClass::Multiplicative, line->back(), line->front()});
    return models;
}

const Case& largest(const std::vector<Case>& cases) {
    return *std::ranges::max_element(cases, {}, &Case::predicted);
}

Diagnosis diagnoseAll(const std::vector<Case>& cases) {
    if (largest(cases).deviation > kRandom * scaleOf(largest(cases))) return {ErrorClass::Random, 1.0, 0.0};
    if (agree(cases, {}, kExact)) return {ErrorClass::None, 1.0, 0.0};
    for (const Diagnosis& model : modelsOf(cases))
        if (agree(cases, model, kFits)) return model;
    return {ErrorClass::Unknown, 1.0, 0.0};
}

bool isTrusted(const Case& one, double accuracy) {
    return std::abs(relativeDifference(one)) <= accuracy && one.deviation <= accuracy * one.predicted;
}

}  // namespace

Case caseOf(double predicted, const std::vector<double>& counts) {
    Case one{predicted, counts.size(), 0.0, 0.0};
    if (counts.empty()) return one;
    const algebra::Moments moments =
        algebra::momentsOf(counts.size(), [&](std::size_t i) { return counts[i]; });
    one.mean = moments.mean;
    one.deviation = moments.deviation;
    return one;
}

double relativeDifference(const Case& one) {
    if (one.mean == one.predicted) return 0.0;
    return one.predicted == 0.0 ? std::numeric_limits<double>::infinity()
                                : (one.mean - one.predicted) / one.predicted;
}

Diagnosis diagnose(const std::vector<Case>& cases) {
    if (cases.empty()) throw Error("no cases: nothing can be said of the error");
    const Diagnosis all = diagnoseAll(cases);
    if (all.error != ErrorClass::Unknown) return all;
    constexpr std::size_t kFewest = 4;
    std::vector<Case> ascending = cases;
    std::ranges::sort(ascending, {}, &Case::predicted);
    std::optional<Diagnosis> longest;
    while (ascending.size() > kFewest) {
        ascending.pop_back();
        Diagnosis beginning = diagnoseAll(ascending);
        if (beginning.error == ErrorClass::Unknown || beginning.error == ErrorClass::Random) continue;
        beginning.upTo = ascending.back().mean;
        const bool isExact = beginning.error == ErrorClass::None && 2 * ascending.size() >= cases.size();
        if (isExact || !longest) longest = beginning;
        if (isExact) break;
    }
    return longest.value_or(all);
}

std::optional<double> trustedFrom(const std::vector<Case>& cases, double accuracy) {
    std::vector<Case> descending = cases;
    std::ranges::sort(descending, std::ranges::greater(), &Case::predicted);
    std::optional<double> from;
    for (const Case& one : descending) {
        if (!isTrusted(one, accuracy)) break;
        from = one.predicted;
    }
    return from;
}

std::optional<TrustedRange> trustedRange(const std::vector<Case>& cases, double accuracy) {
    if (const auto from = trustedFrom(cases, accuracy)) return TrustedRange{*from};
    constexpr std::size_t kFewest = 3;
    std::vector<Case> ascending = cases;
    std::ranges::sort(ascending, {}, &Case::predicted);
    std::optional<TrustedRange> best;
    std::size_t most = kFewest - 1, begin = 0;
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        if (!isTrusted(ascending[i], accuracy)) begin = i + 1;
        if (i + 1 - begin <= most || i + 1 < begin) continue;
        most = i + 1 - begin;
        best = TrustedRange{ascending[begin].predicted, ascending[i].predicted};
    }
    return best;
}

namespace {

std::string textOfClass(const Diagnosis& diagnosis) {
    switch (diagnosis.error) {
        case ErrorClass::None:
            return "none";
        case ErrorClass::Bias:
            return fmt::format("bias {:+.3g}", diagnosis.bias);
        case ErrorClass::Multiplicative:
            return fmt::format("multiplicative × {:.3f}", diagnosis.factor) +
                   (diagnosis.bias == 0.0 ? "" : fmt::format(", bias {:+.3g}", diagnosis.bias));
        case ErrorClass::Random:
            return "random";
        case ErrorClass::Unknown:
            break;
    }
    return "unknown";
}

}  // namespace

std::string diagnosisText(const Diagnosis& diagnosis) {
    return textOfClass(diagnosis) + (diagnosis.upTo ? fmt::format(" up to {:.0f}", *diagnosis.upTo) : "");
}

}  // namespace holos::validation
