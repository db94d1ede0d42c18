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
    double waited = 0;    ///< of the problem's cost, in these receives
    double handedOn = 0;  ///< of the problem's cost, for those who waited there
};

/// The problem, if it costs at least so much; what it costs is taken out of the delays then. Messages of one
/// sender are in wrong order wherever the one that is sent first is received later. Of different senders
/// whoever is late is waited for in any order: another one helps only as far as the receiver has work for
/// the messages that are there, or their senders wait until they are received. A server, a lock or a
/// collective operation of a library, which have no such work, receive in the order that they need.
std::optional<WrongOrder> takeOutWrongOrder(const Measures& measures, double least, Delays& delays);

/// Whether others may be late by so much more because of it: each second that is waited there makes all
/// others wait for one second at most.
bool mayExplain(const Measures& measures, const WrongOrder& wrong, double seconds);

/// How much shorter the run is at most without it: where nobody waits for whoever waited there, it is as
/// long.
double gainOfOrder(const Measures& measures, const Delays& delays, const WrongOrder& wrong);

}  // namespace holos::algebra
