// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/insight/scaling/growing_paths.h"

namespace holos::plot {

struct PlacedValue {
    double x = 0;
    double y = 0;
};

/// How something grows: what was measured, and the law that goes on behind it.
struct Curve {
    std::string name;
    std::vector<PlacedValue> measured;
    std::vector<PlacedValue> law;     ///< by x, ascending
    PlacedValue low = {}, high = {};  ///< the bounds of the law's last value
};

/// Curves on two logarithmic axes; what is not above zero has no place there.
struct Curves {
    std::string title;
    std::string across;  ///< what x is, such as `processes`
    std::string up;      ///< what y is, with its unit
    std::vector<Curve> curves;
};

/// The ends of an axis for these values, at powers of ten (up) or at the values themselves (across).
/// `isEmpty` where no value is above zero.
struct LogarithmicAxis {
    double low = 1;
    double high = 10;
    bool isEmpty = true;

    void extend(double value);
    void roundToPowers();
    /// 0 at the low end, 1 at the high one.
    double placeOf(double value) const;
    /// Between the ends; what is not above zero never is.
    bool holds(double value) const;
    /// The powers of ten from the low end, which is one, to the high one.
    std::vector<double> powers() const;
};
LogarithmicAxis acrossOf(const Curves& curves);
LogarithmicAxis upOf(const Curves& curves);
/// Where the axis across has marks: the measured sizes and the predicted one.
std::vector<double> marksAcross(const Curves& curves);

/// A picture of characters: capital letters are what was measured, small ones the law.
std::string curvesText(const Curves& curves);
/// A picture that needs no other file: dots are what was measured, lines the law, bars its bounds.
std::string svgOf(const Curves& curves);

/// How a metric grows with the first parameter of the study, from its smallest value to `at`. Other
/// parameters have the values of the largest runs, and beyond them those of `at`.
Curve curveOf(const algebra::scaling::Study& study, const algebra::scaling::Growing& growing,
              const algebra::scaling::Point& at, std::string name);

/// `time (s)`, of a metric that the runs have.
std::string withUnit(const algebra::scaling::Study& study, const std::string& metric);

}  // namespace holos::plot
