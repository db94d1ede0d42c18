// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/insight/scaling/growth.h"
#include "algebra/insight/scaling/least_squares.h"

namespace holos::algebra::scaling {

/// The values of the parameters of a run, such as its number of processes and the size of its problem; each
/// is at least 1.
using Point = std::vector<double>;

/// A product of one growth for each parameter.
using Product = std::vector<Growth>;

double valueOf(const Product& product, const Point& at);

/// A constant and multiples of products: `0.5 + 0.02 * p * log2(p)`.
struct PerformanceModel {
    double constant = 0;
    std::vector<double> factors;    ///< by product
    std::vector<Product> products;  ///< without the constant one

    double at(const Point& point) const;
    /// With three digits of each factor.
    std::string text(const std::vector<std::string>& parameters) const;
    /// The product that outgrows the others when all parameters grow together; null for a constant.
    const Product* leading() const;
};

/// What a value will be, and between which bounds it is with 95 % confidence, noise and the choice of the
/// model included.
struct Prediction {
    double value = 0;
    double low = 0;
    double high = 0;
};

/// A model with what is needed to say how far it can be trusted.
struct Candidate {
    PerformanceModel model;
    Fit fit;           ///< in standard deviations of the points
    double score = 0;  ///< the smaller, the likelier the model
    double from = 0;   ///< of the first parameter: what is smaller is not described

    /// Half the width of the interval around the value, at this confidence in standard deviations.
    double marginAt(const Point& point, double deviations) const;
};

/// How well measurements are explained.
struct Quality {
    /// By how much, in percent, a measurement differs on average from what the others let expect.
    double crossError = 0;
    /// Adjusted R²: which part of the differences between measurements the model explains. Nothing for a
    /// constant, which explains none, and where there are too few measurements to tell.
    std::optional<double> explained;
    /// Repetitions differ by so little that chance does not explain what the law leaves unexplained.
    bool fits = true;
    double confidence = 0;      ///< how many standard deviations 95 % of values lie within
    bool mayBeNegative = true;  ///< some value was
};

/// The likeliest model, and others that explain the measurements about as well.
class ModelChoice {
  public:
    /// `candidates`: at least one, the likeliest first.
    ModelChoice(std::vector<Candidate> candidates, const Quality& quality)
        : candidates_(std::move(candidates)), quality_(quality) {}

    const PerformanceModel& model() const { return candidates_.front().model; }
    Prediction at(const Point& point) const;
    const Quality& quality() const { return quality_; }
    /// The model's text; where it does not fit, that it is only the nearest.
    std::string law(const std::vector<std::string>& parameters) const;

  private:
    std::vector<Candidate> candidates_;
    Quality quality_;
};

}  // namespace holos::algebra::scaling
