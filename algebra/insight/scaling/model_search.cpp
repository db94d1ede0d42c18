// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/scaling/model_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "algebra/insight/scaling/noise.h"
#include "algebra/insight/scaling/performance_model.h"

namespace holos::algebra::scaling {

namespace {

/// Below this part of a value no noise is believed in: clocks, and what repetitions cannot show.
constexpr double kLeastNoise = 0.002;

/// By how much a model of this oddness must explain more, in squares of standard deviations.
constexpr double kPenalty[] = {0, 5, 8, 11};
constexpr double kPenaltyOfBend = 12;
constexpr double kPenaltyOfAnotherTerm = 6;

/// Of models whose scores differ by less none is known to be wrong.
constexpr double kAsGood = 10;

/// A constant below this part of the largest value is a rounding error.
constexpr double kNothing = 1e-12;

/// What a model must explain beyond a constant to count beside one: two standard deviations.
constexpr double kSignificant = 4;

double penaltyOf(const std::vector<Product>& products) {
    double penalty = products.empty() ? 0 : kPenaltyOfAnotherTerm * static_cast<double>(products.size() - 1);
    for (const Product& product : products)
        for (const Growth& growth : product)
            penalty += growth.bend == Bend::None ? kPenalty[growth.oddness] : kPenaltyOfBend;
    return penalty;
}

/// Looks for the model of some points, whose noise is known or found.
class Search {
  public:
    explicit Search(const Points& points) : points_(points) {
        for (const double value : points.values) {
            mayBeNegative_ = mayBeNegative_ || value < 0;
            largest_ = std::max(largest_, std::abs(value));
        }
    }

    void consider(std::vector<Product> products) {
        Columns columns(products.size() + 1, std::vector<double>(points_.at.size(), 1.0));
        for (std::size_t product = 0; product < products.size(); ++product)
            for (std::size_t point = 0; point < points_.at.size(); ++point)
                columns[product + 1][point] = valueOf(products[product], points_.at[point]);
        auto fit = fitColumns(columns, points_.values, points_.deviations);
        if (!fit) return;
        Candidate candidate;
        const double constant = fit->coefficients.front();
        candidate.model.constant = std::abs(constant) < kNothing * largest_ ? 0 : constant;
        candidate.model.factors.assign(fit->coefficients.begin() + 1, fit->coefficients.end());
        candidate.model.products = std::move(products);
        candidate.fit = std::move(*fit);
        if (isPossible(candidate.model)) candidates_.push_back(std::move(candidate));
    }

    bool mayBeNegative() const { return mayBeNegative_; }

    /// The noise of the repetitions; without them, what the best models leave unexplained.
    double noise() const {
        double noise = points_.noise;
        if (points_.freedom == 0) {
            std::optional<double> least;
            for (const Candidate& candidate : candidates_) {
                const std::size_t columns = candidate.fit.coefficients.size();
                if (columns > 2 || points_.values.size() <= columns) continue;
                const double left = std::sqrt(candidate.fit.sumOfSquares() /
                                              static_cast<double>(points_.values.size() - columns));
                least = std::min(least.value_or(left), left);
            }
            noise = least.value_or(0);
        }
        return std::max(noise, kLeastNoise);
    }

    /// All that were considered, the likeliest first, in units of the noise.
    std::vector<Candidate> take(double noise) {
        for (Candidate& candidate : candidates_) {
            for (double& residual : candidate.fit.residuals) residual /= noise;
            for (double& residual : candidate.fit.crossResiduals) residual /= noise;
            for (auto& column : candidate.fit.triangle)
                for (double& part : column) part /= noise;
            candidate.score = candidate.fit.sumOfSquares() + penaltyOf(candidate.model.products);
        }
        std::ranges::stable_sort(candidates_, {}, &Candidate::score);
        return std::move(candidates_);
    }

  private:
    /// Times and counts do not become negative when a parameter grows.
    bool isPossible(const PerformanceModel& model) const {
        if (mayBeNegative_) return true;
        bool grows = false, isBent = false;
        double limit = model.constant;
        for (std::size_t i = 0; i < model.products.size(); ++i) {
            const Product& product = model.products[i];
            const bool endsToGrow = product.front().bend != Bend::None && product.front().isBounded();
            if (endsToGrow) limit += model.factors[i] * product.front().limit();
            isBent = isBent || endsToGrow;
            if (endsToGrow || std::ranges::any_of(product, &Growth::vanishes)) continue;
            if (model.factors[i] < 0) return false;
            grows = true;
        }
        constexpr double kRounding = 1e-9;
        return (grows && !isBent) || limit >= -kRounding * largest_;
    }

    const Points& points_;
    bool mayBeNegative_ = false;
    double largest_ = 0;
    std::vector<Candidate> candidates_;
};

std::set<double> valuesOf(const std::vector<Measurement>& measurements, std::size_t parameter) {
    std::set<double> values;
    for (const Measurement& each : measurements) values.insert(each.at[parameter]);
    return values;
}

void check(const std::vector<Measurement>& measurements) {
    if (measurements.empty()) throw Error("a model needs measurements");
    const std::size_t parameters = measurements.front().at.size();
    if (parameters < 1 || parameters > kMostParameters)
        throw Error("models have one to three parameters, not " + std::to_string(parameters));
    for (std::size_t parameter = 0; parameter < parameters; ++parameter) {
        const std::set<double> values = valuesOf(measurements, parameter);
        if (values.size() < kFewestSizes)
            throw TooFewSizes("a model needs runs with at least " + std::to_string(kFewestSizes) +
                              " different values of each parameter, not " + std::to_string(values.size()));
        if (!(*values.begin() >= 1)) throw Error("parameters must be at least 1");
    }
}

void considerOneParameter(Search& search) {
    search.consider({});
    for (const Growth& growth : allGrowths()) search.consider({{growth}});
    for (const Growth& vanishing : allGrowths())
        for (const Growth& growing : allGrowths())
            if (vanishing.vanishes() && !growing.vanishes() && vanishing.oddness == 1 && growing.oddness == 1)
                search.consider({{vanishing}, {growing}});
}

/// Laws that change at some size: a step, a kink, an end of growth. Each has a place to be chosen, too, so
/// that there must be one size more than factors and place.
void considerBends(Search& search, const std::set<double>& sizes) {
    for (const BentLaw& law : bentLaws(sizes))
        if (sizes.size() > law.size() + 2) {
            std::vector<Product> products;
            for (const Growth& growth : law) products.push_back({growth});
            search.consider(std::move(products));
        }
}

/// By position in `allGrowths`: how well each explains a line of points. Where one would have to shrink, as
/// it may by noise alone, nothing grows at best.
std::vector<double> scoresOf(const Points& line) {
    const std::vector<Growth>& growths = allGrowths();
    Search search(line);
    search.consider({});
    for (const Growth& growth : growths) search.consider({{growth}});
    double ofConstant = 0;
    std::vector<std::optional<double>> found(growths.size());
    for (const Candidate& candidate : search.take(search.noise())) {
        if (candidate.model.products.empty()) {
            ofConstant = candidate.score;
            continue;
        }
        const auto at = std::ranges::find(growths, candidate.model.products.front().front());
        found[static_cast<std::size_t>(at - growths.begin())] = candidate.score;
    }
    std::vector<double> scores;
    for (std::size_t i = 0; i < growths.size(); ++i)
        scores.push_back(found[i].value_or(ofConstant + penaltyOf({{growths[i]}})));
    return scores;
}

/// The growths that explain best how values change with one parameter while the others stay the same; all
/// such lines of points together.
std::vector<Growth> bestGrowths(const std::vector<Measurement>& measurements, std::size_t parameter) {
    const std::size_t kept = measurements.front().at.size() > 2 ? 3 : 4;
    std::map<Point, std::vector<Measurement>> lines;
    for (const Measurement& each : measurements) {
        Point others = each.at;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(parameter));
        lines[others].push_back({{each.at[parameter]}, each.values});
    }
    std::vector<std::pair<double, Growth>> sums;  // of scores
    for (const Growth& growth : allGrowths()) sums.emplace_back(0.0, growth);
    bool isAny = false;
    for (const auto& [fixed, line] : lines) {
        if (line.size() < kFewestSizes) continue;
        isAny = true;
        const std::vector<double> scores = scoresOf(pointsOf(line));
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i].first += scores[i];
    }
    if (!isAny)
        throw TooFewSizes("with several parameters, at least " + std::to_string(kFewestSizes) +
                          " runs must differ in one of them only");
    std::ranges::stable_sort(sums, [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Growth> best;
    for (std::size_t i = 0; i < kept; ++i) best.push_back(sums[i].second);
    return best;
}

/// Which parameters have a growth in a product: a bit for each. A law is a sum of such products.
using Shape = std::vector<unsigned>;

/// Sums and products of what grows with one, two and three parameters. With three, those that Extra-P looks
/// for.
const std::vector<Shape>& shapes(std::size_t parameters) {
    constexpr unsigned x = 1, y = 2, z = 4;
    static const std::vector<Shape> kAll[] = {{{x}},
                                              {{x | y}, {x, y}, {x, x | y}, {y, x | y}, {x, y, x | y}},
                                              {{x | y | z},
                                               {x, y, z},
                                               {x | y | z, x},
                                               {x | y | z, y},
                                               {x | y | z, z},
                                               {x | y | z, x | y},
                                               {x | y | z, y | z},
                                               {x | y | z, x | z},
                                               {x | y | z, x | y, z},
                                               {x | y | z, y | z, x},
                                               {x | y | z, x | z, y},
                                               {x | y | z, x, y},
                                               {x | y | z, x, z},
                                               {x | y | z, y, z},
                                               {x | y, z},
                                               {x | y, z, y},
                                               {x | y, z, x},
                                               {x | z, y},
                                               {x | z, y, x},
                                               {x | z, y, z},
                                               {y | z, x},
                                               {y | z, x, y},
                                               {y | z, x, z}}};
    return kAll[parameters - 1];
}

/// Of growths with some of the parameters: `which` are their positions.
std::vector<Product> productsOf(const Shape& shape, const std::vector<std::size_t>& which,
                                const Product& growths) {
    std::vector<Product> products;
    for (const unsigned bits : shape) {
        Product& product = products.emplace_back(growths.size(), Growth());
        for (std::size_t i = 0; i < which.size(); ++i)
            if ((bits >> i & 1U) != 0) product[which[i]] = growths[which[i]];
    }
    return products;
}

/// With growths of exactly these parameters, from `next` on.
void considerGrowths(Search& search, const std::vector<std::vector<Growth>>& best,
                     const std::vector<std::size_t>& which, std::size_t next, Product& growths) {
    if (next == which.size()) {
        for (const Shape& shape : shapes(which.size())) search.consider(productsOf(shape, which, growths));
        return;
    }
    for (const Growth& growth : best[which[next]]) {
        growths[which[next]] = growth;
        considerGrowths(search, best, which, next + 1, growths);
    }
}

void considerSeveralParameters(Search& search, const std::vector<Measurement>& measurements) {
    const std::size_t parameters = measurements.front().at.size();
    std::vector<std::vector<Growth>> best;
    for (std::size_t i = 0; i < parameters; ++i) best.push_back(bestGrowths(measurements, i));
    search.consider({});
    for (unsigned used = 1; used < 1U << parameters; ++used) {
        std::vector<std::size_t> which;
        for (std::size_t i = 0; i < parameters; ++i)
            if ((used >> i & 1U) != 0) which.push_back(i);
        Product growths(parameters);
        considerGrowths(search, best, which, 0, growths);
    }
}

/// In percent, the symmetric mean of relative errors (SMAPE).
double crossErrorOf(const Candidate& candidate, const Points& points, double noise) {
    double sum = 0;
    for (std::size_t i = 0; i < points.values.size(); ++i) {
        const double error = candidate.fit.crossResiduals[i] * noise * points.deviations[i];
        const double expected = points.values[i] - error;
        const double size = std::abs(points.values[i]) + std::abs(expected);
        if (size > 0) sum += 2 * std::abs(error) / size;
    }
    return 100 * sum / static_cast<double>(points.values.size());
}

/// Adjusted R².
std::optional<double> explainedBy(const Candidate& best, const Candidate* constant) {
    const auto points = static_cast<double>(best.fit.residuals.size());
    const auto columns = static_cast<double>(best.fit.coefficients.size());
    if (columns == 1 || constant == nullptr || points <= columns) return std::nullopt;
    const double unexplained = best.fit.sumOfSquares() / (points - columns);
    const double all = constant->fit.sumOfSquares() / (points - 1);
    if (!(all > 0)) return std::nullopt;
    return std::max(0.0, 1 - unexplained / all);
}

/// Leaves the best, and those that explain the measurements about as well; all scores are in squares of
/// `deviation`.
void leaveTheLikely(std::vector<Candidate>& candidates, const Candidate* constant, double deviation) {
    const double limit = candidates.front().score + kAsGood * deviation * deviation;
    const double ofConstant = constant != nullptr ? constant->fit.sumOfSquares() : 0;
    std::vector<Candidate> likely;
    for (Candidate& each : candidates) {
        const bool isSignificant = constant == nullptr || each.model.products.empty() ||
                                   ofConstant - each.fit.sumOfSquares() >= kSignificant;
        if (likely.empty() || (each.score <= limit && isSignificant)) likely.push_back(std::move(each));
    }
    candidates = std::move(likely);
}

/// From how many differences the noise is known.
std::size_t freedomOf(const Points& points, const Candidate& best) {
    if (points.freedom > 0) return points.freedom;
    return points.values.size() - std::min(points.values.size() - 1, best.fit.coefficients.size());
}

bool hasBend(const PerformanceModel& model) {
    return std::ranges::any_of(model.products,
                               [](const Product& product) { return product.front().bend != Bend::None; });
}

/// A line through the last points, which are as many as it has columns.
std::optional<Candidate> throughLast(const Points& points, std::size_t columns, double noise) {
    const std::size_t first = points.values.size() - columns;
    const auto last = [first](const std::vector<double>& values) {
        return std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(first), values.end());
    };
    Columns values(1, std::vector<double>(columns, 1.0));
    const Growth linear{1, 1, 0, 1};
    if (columns == 2) values.push_back({points.at[first].front(), points.at[first + 1].front()});
    auto fit = fitColumns(values, last(points.values), last(points.deviations));
    if (!fit) return std::nullopt;
    Candidate line;
    line.model.constant = fit->coefficients.front();
    if (columns == 2) {
        line.model.factors = {fit->coefficients.back()};
        line.model.products = {{linear}};
    }
    for (auto& column : fit->triangle)
        for (double& part : column) part /= noise;
    line.fit = std::move(*fit);
    line.from = points.at.back().front();
    return line;
}

/// What has changed once may change again: beyond the largest size a value may stay as it is, or go on as it
/// changed last.
void addContinuations(std::vector<Candidate>& candidates, const Points& points, double noise) {
    for (const std::size_t columns : {1U, 2U})
        if (auto line = throughLast(points, columns, noise)) candidates.push_back(std::move(*line));
}

/// The mean square of what a model leaves unexplained, in units of the noise, where that is more than noise;
/// 1 otherwise.
double lackOfFit(const Candidate& best, const Points& points) {
    std::size_t columns = best.fit.coefficients.size();
    for (const Product& product : best.model.products)
        for (const Growth& growth : product) columns += growth.bend != Bend::None;
    if (points.values.size() <= columns) return 1;
    const std::size_t freedom = points.values.size() - columns;
    const double meanSquare = best.fit.sumOfSquares() / static_cast<double>(freedom);
    return isBeyondNoise(meanSquare, freedom, points.freedom) ? meanSquare : 1;
}

}  // namespace

ModelChoice findModel(const std::vector<Measurement>& measurements) {
    check(measurements);
    const Points points = pointsOf(measurements);
    Search search(points);
    if (measurements.front().at.size() == 1)
        considerOneParameter(search);
    else
        considerSeveralParameters(search, measurements);
    const double noise = search.noise();
    if (measurements.front().at.size() == 1) considerBends(search, valuesOf(measurements, 0));
    std::vector<Candidate> candidates = search.take(noise);
    const auto found =
        std::ranges::find_if(candidates, [](const Candidate& each) { return each.model.products.empty(); });
    const std::optional<Candidate> constant =
        found == candidates.end() ? std::nullopt : std::optional(*found);
    const double lack = lackOfFit(candidates.front(), points);
    leaveTheLikely(candidates, constant ? &*constant : nullptr, std::sqrt(lack));
    if (measurements.front().at.size() == 1 && (lack > 1 || hasBend(candidates.front().model)))
        addContinuations(candidates, points, noise);
    const Candidate& best = candidates.front();
    const Quality quality{
        crossErrorOf(best, points, noise), explainedBy(best, constant ? &*constant : nullptr), lack == 1,
        deviationsOf95Percent(freedomOf(points, best)) * std::sqrt(lack), search.mayBeNegative()};
    return {std::move(candidates), quality};
}

}  // namespace holos::algebra::scaling
