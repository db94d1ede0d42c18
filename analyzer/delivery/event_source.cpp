// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/delivery/event_source.h"

#include "analyzer/delivery/call_callbacks.h"
#include "analyzer/delivery/message_callbacks.h"

namespace holos::analyzer::delivery {

namespace {

using Dispatch = EventDispatch<replay::LocationReplay>;

/// Up to the last of what can be passed over; false where the file ends before.
bool deliverAround(const std::vector<trace::QuietCalls>& passed, trace::EventFile& file, Dispatch& dispatch,
                   replay::LocationReplay& target, const trace::EventProgress& progress) {
    std::uint64_t at = 0;
    const auto goOn = [&] {
        if (at <= file.outcome().events) return true;
        const bool isThere = file.passUpTo(at, progress);
        dispatch.registerAt(file.reader(), file.events());
        return isThere;
    };
    for (const trace::QuietCalls& calls : passed) {
        if (calls.first != at && !(goOn() && file.deliverUpTo(calls.first, progress))) return false;
        if (target.calls().passOver(calls)) at = calls.end;
    }
    return goOn();
}

}  // namespace

trace::ReadOutcome readEvents(const std::filesystem::path& anchor, const trace::Definitions& definitions,
                              trace::LocationId location, replay::LocationReplay& target,
                              const trace::EventProgress& progress,
                              const std::vector<trace::QuietCalls>& passed) {
    trace::EventFile file(anchor, definitions, location);
    if (file.events() == nullptr) return file.outcome();
    Dispatch dispatch(definitions, target);
    dispatch.registerAt(file.reader(), file.events());
    if (deliverAround(passed, file, dispatch, target, progress)) file.deliver(progress);
    if (dispatch.failure()) std::rethrow_exception(dispatch.failure());
    return file.completeOutcome();
}

}  // namespace holos::analyzer::delivery
