// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/recorded_events.h"

namespace holos::analyzer::replay {

void ThreadEvents::create(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number) {
    calls_.advance(event, time);
    start(event, contingent, number, false);
}

void ThreadEvents::begin(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number) {
    calls_.advance(event, time);
    calls_.beginThread();
    start(event, contingent, number, true);
}

void ThreadEvents::start(std::uint64_t event, std::uint32_t contingent, std::uint64_t number, bool begins) {
    if (!isKnown(contingent)) return;
    const NodeId at = calls_.current();
    calls_.teams().start({contingent, begins, number, at, calls_.beginSlice(at, 0), event, calls_.now()});
}

void ThreadEvents::end(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number) {
    time = calls_.advance(event, time);
    const NodeId at = calls_.current();
    if (isKnown(contingent))
        calls_.teams().end({contingent, false, number, at, calls_.beginSlice(at, 0), event, time, time});
    calls_.endThread();
}

/// The event says that the call around it has waited long enough.
void ThreadEvents::wait(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number) {
    time = calls_.advance(event, time);
    const Frame* const call = calls_.innermost();
    if (!isKnown(contingent) || call == nullptr) return;
    if (calls_.tree()[call->node].special != trace::Special::ThreadJoin) return;
    const std::uint32_t slice = calls_.beginSlice(call->node, time - call->enter);
    calls_.teams().end({contingent, true, number, call->node, slice, event, call->enter, time});
}

void ThreadEvents::lock(std::uint64_t event, Ticks time, std::uint32_t lock, std::uint32_t order,
                        bool acquired) {
    time = calls_.advance(event, time);
    const Frame* const call = calls_.innermost();
    if (order == 0 || call == nullptr) return;
    const Ticks begin = acquired ? call->enter : time;
    const std::uint32_t slice = calls_.isAlone() ? 0 : calls_.beginSlice(call->node, time - begin);
    if (acquired) calls_.special().acquired(calls_.teams().locks(), *call);
    calls_.teams().lock(
        {lock, order, acquired, calls_.classOf(call->node).call, call->node, slice, event, begin, time});
}

}  // namespace holos::analyzer::replay
