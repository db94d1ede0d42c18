// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "campaign/plan.h"
#include "campaign/variation.h"
#include "metric-specs/specification.h"

/// How well a campaign knows what it measured.
namespace holos::campaign {

/// Whether the total of one of these events is not known within this part of it. Events that nothing is known
/// of are zero in all runs, and certain.
bool isUncertain(const Measurement& events, const std::vector<Variation>& variations,
                 const specs::Specification& specification, double within);

/// A value that is another one where other events are counted beside it, by more than runs of the same events
/// differ: the measurement itself changes what is measured.
struct SetEffect {
    std::string metric;
    std::string unit;
    Measurement low;  ///< what was counted where it is least
    double lowMean = 0.0;
    Measurement high;  ///< and where it is most
    double highMean = 0.0;
};

/// Of metrics that runs of different events measured, of which one has been repeated: those whose means over
/// the runs of two sets of events are apart by 5 % and by twice what chance explains with 95 % confidence.
/// `measured`: what was counted in each input that the variations are of.
std::vector<SetEffect> setEffects(const std::vector<Variation>& variations,
                                  const std::vector<Measurement>& measured);

}  // namespace holos::campaign
