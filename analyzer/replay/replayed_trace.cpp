// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/replayed_trace.h"

#include <algorithm>

namespace holos::analyzer::replay {

namespace {

/// The record of that event, in a list in the order of events; null when there is none.
template <class T>
const T* find(const Records<T>& records, std::uint64_t event) {
    const auto found = std::ranges::lower_bound(records, event, {}, &T::event);
    return found != records.end() && found->event == event ? &*found : nullptr;
}

}  // namespace

RecordRef ReplayedTrace::sendOf(trace::LocationId location, const SendCompletion& completion) const {
    if (completion.send != kNone) return {static_cast<std::uint32_t>(location.index()), completion.send};
    const StrayCompletion* stray = find((*this)[location].messages.stray, completion.event);
    if (stray == nullptr || stray->begin == kNone) return {};
    return {stray->beginLocation, stray->begin};
}

RecordRef ReplayedTrace::completionOf(trace::LocationId location, const Send& send) const {
    if (send.completion != kNone) return {static_cast<std::uint32_t>(location.index()), send.completion};
    const OpenRequest* open = find((*this)[location].messages.open, send.event);
    if (open == nullptr || open->completion == kNone) return {};
    return {open->completionLocation, open->completion};
}

}  // namespace holos::analyzer::replay
