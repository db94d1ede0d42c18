// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/replayed_trace.h"

#include <algorithm>

namespace holos::analyzer::replay {

namespace {

/// The record of that event, in a list in the order of events; null when there is none.
template <class T>
const T* find(const Records<T>& records, std::uint64_t event) {
    const auto found =
        std::lower_bound(records.begin(), records.end(), event,
                         [](const T& record, std::uint64_t wanted) { return record.event < wanted; });
    return found != records.end() && found->event == event ? &*found : nullptr;
}

}  // namespace

const Send* ReplayedTrace::sendOf(trace::LocationId location, const SendCompletion& completion) const {
    const MessageRecords& messages = (*this)[location].messages;
    if (completion.send != kNone) return &messages.sends[completion.send];
    const StrayCompletion* stray = find(messages.stray, completion.event);
    if (stray == nullptr || stray->begin == kNone) return nullptr;
    return &locations[stray->beginLocation].messages.sends[stray->begin];
}

ReplayedTrace::CompletionRef ReplayedTrace::completionOf(trace::LocationId location, const Send& send) const {
    const MessageRecords& messages = (*this)[location].messages;
    if (send.completion != kNone)
        return {static_cast<std::uint32_t>(location.index()), &messages.completions[send.completion]};
    const OpenRequest* open = find(messages.open, send.event);
    if (open == nullptr || open->completion == kNone) return {};
    return {open->completionLocation,
            &locations[open->completionLocation].messages.completions[open->completion]};
}

}  // namespace holos::analyzer::replay
