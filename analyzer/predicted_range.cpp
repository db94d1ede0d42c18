// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predicted_range.h"

#include <algorithm>
#include <cmath>

namespace holos::analyzer {

PredictedRange predictedRange(double seconds, double withoutOwn, double deviation) {
    const double own = std::max(0.0, seconds - withoutOwn);
    const double varies = (kUsualVariation + std::abs(deviation)) * seconds;
    return {std::max(0.0, seconds - own - varies), seconds + own + varies};
}

}  // namespace holos::analyzer
