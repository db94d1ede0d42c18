// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/delivery/event_source.h"

#include "analyzer/delivery/call_callbacks.h"
#include "analyzer/delivery/message_callbacks.h"

namespace holos::analyzer::delivery {

trace::ReadOutcome readEvents(const std::filesystem::path& anchor, const trace::Definitions& definitions,
                              trace::LocationId location, replay::LocationReplay& target,
                              const trace::EventProgress& progress) {
    trace::EventFile file(anchor, definitions, location);
    if (file.events() == nullptr) return file.outcome();
    EventDispatch<replay::LocationReplay> dispatch(definitions, target);
    dispatch.registerAt(file.reader(), file.events());
    file.deliver(progress);
    if (dispatch.failure()) std::rethrow_exception(dispatch.failure());
    return file.completeOutcome();
}

}  // namespace holos::analyzer::delivery
