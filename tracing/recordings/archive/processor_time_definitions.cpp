// SPDX-License-Identifier: BSD-3-Clause
// How long threads were on processors, as OTF2's properties of locations.
#include "tracing/recordings/archive/definitions_writer.h"
#include "tracing/recordings/archive/otf2_check.h"

namespace holos::archive {

void DefinitionsWriter::writeProcessorTimes() {
    const auto addTo = [this](const TraceLocation& location, const char* name, OTF2_Type type,
                              OTF2_AttributeValue value) {
        check(OTF2_GlobalDefWriter_WriteLocationProperty(out_, location.id, string(name), type, value),
              "a location");
    };
    const auto addNumber = [&](const TraceLocation& location, const char* name, std::uint64_t number) {
        OTF2_AttributeValue value;
        value.uint64 = number;
        addTo(location, name, OTF2_TYPE_UINT64, value);
    };
    const auto wasKilled = [](const TraceProcess& process) {
        return process.recorded != nullptr && process.recorded->status.ended == 0;
    };
    for (const auto& process : plan_.processes)
        for (const auto& location : process.locations) {
            const auto& time = location.processorTime;
            if (time) {
                addNumber(location, "nanoseconds on processors", time->on);
                if (time->waiting) addNumber(location, "nanoseconds waiting for processors", *time->waiting);
                if (time->betweenEvents)
                    addNumber(location, "nanoseconds between events without processors",
                              *time->betweenEvents);
            } else if (wasKilled(process) && !location.isSamples) {
                OTF2_AttributeValue value;
                value.stringRef = string("not known");
                addTo(location, "nanoseconds on processors", OTF2_TYPE_STRING, value);
            }
        }
}

}  // namespace holos::archive
