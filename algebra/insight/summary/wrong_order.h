// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "algebra/insight/summary/blame.h"
#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// Messages that are received in another order than they are sent.
///
///     sender    ──b▸──────a▸──
///     receiver  ──[a········▸][b▸]    could have what it does with b behind it
struct WrongOrder {
    Problem problem;
    double waited = 0;  ///< seconds, without what is handed on to others
};

/// Takes what others wait for in wrong order out of the delays: it is nobody's. Nothing where it costs less
/// than `least` seconds.
std::optional<WrongOrder> takeOutWrongOrder(const Measures& measures, double least, Delays& delays);

/// What another order gains, at most, with all that the problem costs: where nobody waits for whoever waited,
/// the run is as long without that, and nobody can do more meanwhile than the work between the receives.
double gainOfOrder(const Measures& measures, const Delays& delays, const Problem& problem, double waited);

}  // namespace holos::algebra
