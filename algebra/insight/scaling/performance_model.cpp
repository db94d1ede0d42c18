// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/scaling/performance_model.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

namespace holos::algebra::scaling {
namespace {

/// An exponent, and how odd it is with 0, 1 and 2 logarithms.
struct Exponent {
    int numerator;
    int denominator;
    int oddness[3];
};

constexpr int kNever = -1;
constexpr int kUsual = 1, kUnusual = 2, kOdd = 3;

/// The exponents that Extra-P looks for by default, and three with which a value shrinks.
constexpr Exponent kExponents[] = {
    {-1, 1, {kUsual, kUnusual, kNever}}, {-2, 3, {kUnusual, kNever, kNever}},
    {-1, 2, {kUnusual, kOdd, kNever}},   {0, 1, {kNever, kUsual, kUnusual}},
    {1, 4, {kOdd, kOdd, kNever}},        {1, 3, {kUnusual, kOdd, kNever}},
    {1, 2, {kUsual, kOdd, kNever}},      {2, 3, {kUnusual, kOdd, kNever}},
    {3, 4, {kOdd, kOdd, kNever}},        {1, 1, {kUsual, kUsual, kOdd}},
    {5, 4, {kOdd, kNever, kNever}},      {4, 3, {kOdd, kOdd, kNever}},
    {3, 2, {kUnusual, kOdd, kOdd}},      {5, 3, {kOdd, kNever, kNever}},
    {7, 4, {kOdd, kNever, kNever}},      {2, 1, {kUsual, kUnusual, kOdd}},
    {9, 4, {kOdd, kNever, kNever}},      {7, 3, {kOdd, kNever, kNever}},
    {5, 2, {kOdd, kOdd, kNever}},        {8, 3, {kOdd, kNever, kNever}},
    {11, 4, {kOdd, kNever, kNever}},     {3, 1, {kUsual, kUnusual, kNever}},
};

}  // namespace

double Growth::at(double x) const {
    const auto straight = [this](double size) {
        double value = numerator == 0 ? 1 : std::pow(size, exponent());
        for (int i = 0; i < logarithms; ++i) value *= std::log2(size);
        return value;
    };
    switch (bend) {
        case Bend::Step:
            return x > place ? 1 : 0;
        case Bend::After:
            return x > place ? straight(x) - straight(place) : 0;
        case Bend::Until:
            return straight(std::min(x, place));
        case Bend::Saturating:
            return x / (x + place);
        case Bend::Decaying:
            return 1 - std::exp(-x / place);
        case Bend::None:
            break;
    }
    return straight(x);
}

double Growth::limit() const {
    if (isConstant() || bend == Bend::Step || bend == Bend::Saturating || bend == Bend::Decaying) return 1;
    return bend == Bend::Until ? at(place) : 0;
}

const std::vector<Growth>& allGrowths() {
    static const std::vector<Growth> all = [] {
        std::vector<Growth> made;
        for (const Exponent& each : kExponents)
            for (int logarithms = 0; logarithms < 3; ++logarithms)
                if (each.oddness[logarithms] != kNever)
                    made.push_back({each.numerator, each.denominator, logarithms, each.oddness[logarithms]});
        return made;
    }();
    return all;
}

std::string threeDigits(double value) {
    std::array<char, 32> text;
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 3);
    return {text.data(), end.ptr};
}

namespace {

std::string textOfBent(const Growth& growth, const std::string& parameter) {
    const std::string place = threeDigits(growth.place);
    Growth straight = growth;
    straight.bend = Bend::None;
    if (growth.bend == Bend::Step) return '(' + parameter + " > " + place + ')';
    if (growth.bend == Bend::Saturating) return parameter + " / (" + parameter + " + " + place + ')';
    if (growth.bend == Bend::Decaying) return "(1 - exp(-" + parameter + " / " + place + "))";
    if (growth.bend == Bend::Until) return growthText(straight, "min(" + parameter + ", " + place + ')');
    return "max(0, " + growthText(straight, parameter) + " - " + threeDigits(straight.at(growth.place)) + ')';
}

}  // namespace

std::string growthText(const Growth& growth, const std::string& parameter) {
    if (growth.bend != Bend::None) return textOfBent(growth, parameter);
    std::string text;
    if (growth.numerator != 0) {
        text = parameter;
        if (growth.denominator != 1)
            text += "^(" + std::to_string(growth.numerator) + '/' + std::to_string(growth.denominator) + ')';
        else if (growth.numerator != 1)
            text += '^' + std::to_string(growth.numerator);
    }
    if (growth.logarithms == 0) return text;
    if (!text.empty()) text += " * ";
    text += "log2(" + parameter + ')';
    return growth.logarithms == 1 ? text : text + '^' + std::to_string(growth.logarithms);
}

namespace {

const Growth kLogarithm{0, 1, 1, 1}, kLinear{1, 1, 0, 1}, kRoot{1, 2, 0, 1}, kSquare{2, 1, 0, 1},
    kInverse{-1, 1, 0, 1};

Growth bent(Growth growth, Bend bend, double place) {
    growth.bend = bend;
    growth.place = place;
    return growth;
}

/// Between neighbours, this many of each pair, at equal ratios; the first one is the smaller neighbour.
std::vector<double> placesBetween(const std::set<double>& sizes, int ofEach) {
    std::vector<double> places;
    for (auto size = sizes.begin(); std::next(size) != sizes.end(); ++size)
        for (int i = 0; i < ofEach; ++i)
            places.push_back(*size * std::pow(*std::next(size) / *size, static_cast<double>(i) / ofEach));
    return places;
}

/// A term with a bend alone, and beside each of these.
void add(std::vector<BentLaw>& laws, const Growth& term, std::initializer_list<Growth> beside) {
    laws.push_back({term});
    for (const Growth& other : beside) laws.push_back({other, term});
}

}  // namespace

std::vector<BentLaw> bentLaws(const std::set<double>& sizes) {
    constexpr std::size_t kMany = 10;  // of sizes: then they are places enough
    std::vector<BentLaw> laws;
    for (auto size = sizes.begin(); std::next(size) != sizes.end(); ++size)
        add(laws, bent({}, Bend::Step, std::sqrt(*size * *std::next(size))), {kLogarithm, kLinear, kInverse});
    for (const double place : placesBetween(sizes, sizes.size() < kMany ? 4 : 1)) {
        if (place <= *sizes.begin()) continue;
        for (const Growth& growth : {kLogarithm, kLinear, kSquare})
            add(laws, bent(growth, Bend::After, place), {kLinear, kInverse});
        for (const Growth& growth : {kLogarithm, kLinear, kRoot, kInverse})
            add(laws, bent(growth, Bend::Until, place), {kLinear});
    }
    constexpr double kBeside = 4;
    for (double place = *sizes.begin() / kBeside; place < kBeside * *sizes.rbegin(); place *= std::sqrt(2.0))
        for (const Bend bend : {Bend::Saturating, Bend::Decaying})
            add(laws, bent({}, bend, place), {kLinear});
    return laws;
}

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
                text += " * " + growthText(products[i][parameter], parameters[parameter]);
    }
    return text;
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
