// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/scaling/performance_model.h"

#include <algorithm>
#include <cmath>

namespace holos::algebra::scaling {

double valueOf(const Product& product, const Point& at) {
    double value = 1;
    for (std::size_t i = 0; i < product.size(); ++i) value *= product[i].at(at[i]);
    return value;
}

double PerformanceModel::at(const Point& point) const {
    double value = constant;
    for (std::size_t i = 0; i < products.size(); ++i) value += factors[i] * valueOf(products[i], point);
    return value;
}

std::string PerformanceModel::text(const std::vector<std::string>& parameters) const {
    std::string text = constant == 0 && !products.empty() ? "" : threeDigits(constant);
    for (std::size_t i = 0; i < products.size(); ++i) {
        const bool isNegative = factors[i] < 0;
        if (text.empty())
            text = isNegative ? "-" : "";
        else
            text += isNegative ? " - " : " + ";
        text += threeDigits(std::abs(factors[i]));
        for (std::size_t parameter = 0; parameter < parameters.size(); ++parameter)
            if (!products[i][parameter].isConstant())
                text += " * " + textOf(products[i][parameter], parameters[parameter]);
    }
    return text;
}

const Product* PerformanceModel::leading() const {
    const auto order = [](const Product& product) {
        std::pair<double, int> sum{0, 0};
        for (const Growth& growth : product) {
            if (growth.isBounded() && !growth.vanishes()) continue;
            sum.first += growth.exponent();
            sum.second += growth.logarithms;
        }
        return sum;
    };
    const auto most = std::ranges::max_element(
        products, [&](const Product& a, const Product& b) { return order(a) < order(b); });
    return most == products.end() ? nullptr : &*most;
}

double Candidate::marginAt(const Point& point, double deviations) const {
    std::vector<double> columns{1.0};
    for (const Product& product : model.products) columns.push_back(valueOf(product, point));
    return deviations * fit.deviationAt(columns);
}

Prediction ModelChoice::at(const Point& point) const {
    Prediction prediction{model().at(point), model().at(point), model().at(point)};
    for (const Candidate& candidate : candidates_) {
        if (point.front() < candidate.from) continue;
        const double value = candidate.model.at(point);
        const double margin = candidate.marginAt(point, quality_.confidence);
        prediction.low = std::min(prediction.low, value - margin);
        prediction.high = std::max(prediction.high, value + margin);
    }
    if (!quality_.mayBeNegative) prediction.low = std::max(prediction.low, 0.0);
    return prediction;
}

std::string ModelChoice::law(const std::vector<std::string>& parameters) const {
    const std::string text = model().text(parameters);
    return quality_.fits ? text : "no law fits; the nearest: " + text;
}

}  // namespace holos::algebra::scaling
