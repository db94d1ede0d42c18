// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "algebra/insight/scaling/least_squares.h"

namespace holos::algebra::scaling {

/// Where a value stops following a growth, or begins to.
enum class Bend {
    None,
    Step,        ///< 0 up to a place, and 1 beyond it
    After,       ///< 0 up to a place, and from there on as much as the growth adds
    Until,       ///< the growth up to a place, and what it reached there beyond it
    Saturating,  ///< x / (x + place): half of it is reached at this place
    Decaying,    ///< 1 - exp(-x / place): what is missing shrinks by a factor of e with each such step
};

/// How a value changes with a parameter x: x^(numerator/denominator) · log2(x)^logarithms. These are the
/// factors of the performance model normal form (A. Calotoiu, T. Hoefler, M. Poke, F. Wolf: Using Automated
/// Performance Modeling to Find Scalability Bugs in Complex Codes, SC13, section 3.1). x is at least 1.
struct Growth {
    int numerator = 0;
    int denominator = 1;
    int logarithms = 0;
    /// How unlikely this growth is before anything was measured: 1 for the laws of ordinary algorithms, more
    /// for unusual exponents, 0 for no growth.
    int oddness = 0;
    Bend bend = Bend::None;
    double place = 0;  ///< of the bend

    double exponent() const { return static_cast<double>(numerator) / denominator; }
    double at(double x) const;
    bool isConstant() const { return numerator == 0 && logarithms == 0 && bend == Bend::None; }
    /// Does not exceed a limit however large x is.
    bool isBounded() const {
        return isConstant() || vanishes() || bend == Bend::Step || bend == Bend::Until ||
               bend == Bend::Saturating || bend == Bend::Decaying;
    }
    /// What a bounded one comes near to.
    double limit() const;
    /// Nearer to 0 the larger x is.
    bool vanishes() const { return numerator < 0; }
    friend bool operator==(const Growth& a, const Growth& b) {
        return a.numerator * b.denominator == b.numerator * a.denominator && a.logarithms == b.logarithms &&
               a.bend == b.bend && a.place == b.place;
    }
};

/// All that are looked for, apart from the constant and those with a bend.
const std::vector<Growth>& allGrowths();

/// `p^(3/2) * log2(p)`, `(p > 20)`, `min(p, 20)`; empty for the constant.
std::string growthText(const Growth& growth, const std::string& parameter);

/// As laws are written.
std::string threeDigits(double value);

/// The terms of a law beside its constant: one with a bend, and at most one without.
using BentLaw = std::vector<Growth>;

/// Laws of one parameter that change at some size: a step, where another algorithm begins; a kink, where a
/// resource is exhausted; the end of a growth. Places are between the sizes that were measured; those of
/// saturation also around them. Pure.
std::vector<BentLaw> bentLaws(const std::set<double>& sizes);

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
