// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/scaling/bends.h"

#include <cmath>
#include <iterator>

namespace holos::algebra::scaling {

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

}  // namespace holos::algebra::scaling
