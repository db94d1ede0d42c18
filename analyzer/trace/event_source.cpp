// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/event_source.h"

#include "analyzer/trace/call_callbacks.h"
#include "analyzer/trace/event_file.h"
#include "analyzer/trace/message_callbacks.h"

namespace holos::analyzer::trace {

ReadOutcome readEvents(const std::filesystem::path& anchor, const Definitions& definitions,
                       LocationId location, replay::LocationReplay& target, const EventProgress& progress) {
    EventFile file(anchor, definitions, location);
    if (file.events() == nullptr) return file.outcome();
    EventDispatch<replay::LocationReplay> dispatch(definitions, target);
    dispatch.registerAt(file.reader(), file.events());
    file.deliver(progress);
    if (dispatch.failure()) std::rethrow_exception(dispatch.failure());
    return file.completeOutcome();
}

}  // namespace holos::analyzer::trace
