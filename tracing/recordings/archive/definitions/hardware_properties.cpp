// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/definitions/hardware_properties.h"

#include "tracing/recordings/archive/definitions/otf2_names.h"

namespace holos::archive {

namespace {

OTF2_AttributeValue valueOf(std::uint64_t number) {
    OTF2_AttributeValue value;
    value.uint64 = number;
    return value;
}

}  // namespace

void writeHardware(OTF2_GlobalDefWriter* out, const TracePlan& plan, const NodesByHost& nodes,
                   DefinitionTexts& texts) {
    const auto text = [&](const std::string& content) {
        OTF2_AttributeValue value;
        value.stringRef = texts.numberOf(content);
        return value;
    };
    for (const auto& [host, hardware] : plan.hardware) {
        const auto node = nodes.find(host);
        if (node == nodes.end()) continue;
        const auto add = [&](const char* name, OTF2_Type type, OTF2_AttributeValue value) {
            check(OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(out, node->second, texts.numberOf(name),
                                                                   type, value),
                  "a node");
        };
        if (!hardware.processor.empty()) add("processor", OTF2_TYPE_STRING, text(hardware.processor));
        add("sockets", OTF2_TYPE_UINT64, valueOf(hardware.sockets));
        add("NUMA nodes", OTF2_TYPE_UINT64, valueOf(hardware.numaNodes));
        add("cores of a socket", OTF2_TYPE_UINT64, valueOf(hardware.coresOfSocket));
        add("units of a core", OTF2_TYPE_UINT64, valueOf(hardware.unitsOfCore));
    }
    for (const auto& process : plan.processes)
        for (const auto& location : process.locations) {
            const Placement& placement = location.placement;
            const auto add = [&](const char* name, OTF2_Type type, OTF2_AttributeValue value) {
                check(OTF2_GlobalDefWriter_WriteLocationProperty(out, location.id, texts.numberOf(name), type,
                                                                 value),
                      "a location");
            };
            const auto addNumber = [&](const char* name, std::uint64_t number) {
                add(name, OTF2_TYPE_UINT64, valueOf(number));
            };
            if (placement.allowed.empty()) continue;
            add("may use", OTF2_TYPE_STRING, text(placement.allowed));
            if (placement.allowedAtEnd != placement.allowed)
                add("may use at end", OTF2_TYPE_STRING, text(placement.allowedAtEnd));
            if (placement.processor) addNumber("processor", *placement.processor);
            if (placement.place) {
                addNumber("socket", placement.place->socket);
                addNumber("NUMA node", placement.place->numaNode);
                addNumber("core", placement.place->core);
                addNumber("unit", placement.place->unit);
                addNumber("cores seen", placement.coresSeen);
                addNumber("NUMA nodes seen", placement.numaNodesSeen);
            }
            addNumber("migrations", placement.moves());
        }
}

void writeProcessorTimes(OTF2_GlobalDefWriter* out, const TracePlan& plan, DefinitionTexts& texts) {
    const auto addTo = [&](const TraceLocation& location, const char* name, OTF2_Type type,
                           OTF2_AttributeValue value) {
        check(OTF2_GlobalDefWriter_WriteLocationProperty(out, location.id, texts.numberOf(name), type, value),
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
    for (const auto& process : plan.processes)
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
                value.stringRef = texts.numberOf("not known");
                addTo(location, "nanoseconds on processors", OTF2_TYPE_STRING, value);
            }
        }
}

}  // namespace holos::archive
