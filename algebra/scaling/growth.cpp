// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/scaling/growth.h"

#include <cmath>

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
    return std::pow(x, exponent()) * std::pow(std::log2(x), logarithms);
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

std::string textOf(const Growth& growth, const std::string& parameter) {
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

}  // namespace holos::algebra::scaling
