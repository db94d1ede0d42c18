// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/read_back.h"

#include <otf2/otf2.h>

#include <map>
#include <stdexcept>

namespace holos::testing {
namespace {

struct State {
    std::map<OTF2_StringRef, std::string> strings;
    std::map<OTF2_RegionRef, OTF2_StringRef> regions;
    std::map<OTF2_AttributeRef, OTF2_StringRef> attributes;
    std::vector<OTF2_LocationRef> locations;
    std::uint64_t begin = 0;
    ProcessorTimes times = ProcessorTimes::LeftOut;
    std::vector<std::string> lines;

    void add(OTF2_LocationRef location, OTF2_TimeStamp time, const std::string& text) {
        lines.push_back(std::to_string(location) + ' ' + std::to_string(time - begin) + ' ' + text);
    }
    std::string region(OTF2_RegionRef ref) { return strings[regions[ref]]; }
};

State& at(void* user) {
    return *static_cast<State*>(user);
}

void expect(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS) throw std::runtime_error(OTF2_Error_GetDescription(code));
}

OTF2_CallbackCode onClock(void* user, std::uint64_t, std::uint64_t offset, std::uint64_t, std::uint64_t) {
    at(user).begin = offset;
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onString(void* user, OTF2_StringRef ref, const char* text) {
    at(user).strings[ref] = text;
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onRegion(void* user, OTF2_RegionRef ref, OTF2_StringRef name, OTF2_StringRef,
                           OTF2_StringRef, OTF2_RegionRole, OTF2_Paradigm, OTF2_RegionFlag, OTF2_StringRef,
                           std::uint32_t, std::uint32_t) {
    at(user).regions[ref] = name;
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onLocation(void* user, OTF2_LocationRef ref, OTF2_StringRef, OTF2_LocationType,
                             std::uint64_t, OTF2_LocationGroupRef) {
    at(user).locations.push_back(ref);
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onAttribute(void* user, OTF2_AttributeRef ref, OTF2_StringRef name, OTF2_StringRef,
                              OTF2_Type) {
    at(user).attributes[ref] = name;
    return OTF2_CALLBACK_SUCCESS;
}
std::string numbersOf(State& state, const OTF2_AttributeList* attributes) {
    std::string text;
    for (const auto& [ref, name] : state.attributes) {
        OTF2_Type type = OTF2_TYPE_NONE;
        OTF2_AttributeValue value{};
        const bool isOfTime = state.strings[name].ends_with("WithoutProcessor");
        if (isOfTime && state.times == ProcessorTimes::LeftOut) continue;
        if (OTF2_AttributeList_TestAttributeByID(attributes, ref) &&
            OTF2_AttributeList_GetAttributeByID(attributes, ref, &type, &value) == OTF2_SUCCESS &&
            type == OTF2_TYPE_UINT64)
            text += ' ' + state.strings[name] + ' ' + std::to_string(value.uint64);
    }
    return text;
}
OTF2_CallbackCode onEnter(OTF2_LocationRef location, OTF2_TimeStamp time, void* user,
                          OTF2_AttributeList* attributes, OTF2_RegionRef region) {
    at(user).add(location, time, "enter " + at(user).region(region) + numbersOf(at(user), attributes));
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onLeave(OTF2_LocationRef location, OTF2_TimeStamp time, void* user,
                          OTF2_AttributeList* attributes, OTF2_RegionRef region) {
    at(user).add(location, time, "leave " + at(user).region(region) + numbersOf(at(user), attributes));
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onProgramBegin(OTF2_LocationRef location, OTF2_TimeStamp time, void* user,
                                 OTF2_AttributeList*, OTF2_StringRef name, std::uint32_t,
                                 const OTF2_StringRef*) {
    at(user).add(location, time, "begin " + at(user).strings[name]);
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onProgramEnd(OTF2_LocationRef location, OTF2_TimeStamp time, void* user,
                               OTF2_AttributeList*, std::int64_t) {
    at(user).add(location, time, "end");
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onTeam(OTF2_LocationRef location, OTF2_TimeStamp time, void* user,
                         OTF2_AttributeList* attributes, OTF2_CommRef team) {
    at(user).add(location, time, "team " + std::to_string(team) + numbersOf(at(user), attributes));
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onTeamEnd(OTF2_LocationRef location, OTF2_TimeStamp time, void* user,
                            OTF2_AttributeList* attributes, OTF2_CommRef team) {
    at(user).add(location, time, "end team " + std::to_string(team) + numbersOf(at(user), attributes));
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onFork(OTF2_LocationRef location, OTF2_TimeStamp time, void* user,
                         OTF2_AttributeList* attributes, OTF2_Paradigm, std::uint32_t) {
    at(user).add(location, time, std::string("fork") + numbersOf(at(user), attributes));
    return OTF2_CALLBACK_SUCCESS;
}
/// Listed where it tells a time.
OTF2_CallbackCode onRelease(OTF2_LocationRef location, OTF2_TimeStamp time, void* user,
                            OTF2_AttributeList* attributes, OTF2_Paradigm, std::uint32_t, std::uint32_t) {
    const std::string told = numbersOf(at(user), attributes);
    if (!told.empty()) at(user).add(location, time, "release" + told);
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onJoin(OTF2_LocationRef location, OTF2_TimeStamp time, void* user,
                         OTF2_AttributeList* attributes, OTF2_Paradigm) {
    at(user).add(location, time, std::string("join") + numbersOf(at(user), attributes));
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onMetric(OTF2_LocationRef location, OTF2_TimeStamp time, void* user, OTF2_AttributeList*,
                           OTF2_MetricRef, std::uint8_t n, const OTF2_Type*, const OTF2_MetricValue* values) {
    std::string text = "counters";
    for (std::uint8_t i = 0; i < n; ++i) text += ' ' + std::to_string(values[i].unsigned_int);
    at(user).add(location, time, text);
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onSend(OTF2_LocationRef location, OTF2_TimeStamp time, void* user, OTF2_AttributeList*,
                         std::uint32_t receiver, OTF2_CommRef, std::uint32_t tag, std::uint64_t length) {
    at(user).add(location, time,
                 "send to " + std::to_string(receiver) + " tag " + std::to_string(tag) + " bytes " +
                     std::to_string(length));
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onFlush(OTF2_LocationRef location, OTF2_TimeStamp time, void* user, OTF2_AttributeList*,
                          OTF2_TimeStamp end) {
    at(user).add(location, time, "flush until " + std::to_string(end - at(user).begin));
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onSwitch(OTF2_LocationRef location, OTF2_TimeStamp time, void* user, OTF2_AttributeList*,
                           OTF2_MeasurementMode mode) {
    at(user).add(location, time, mode == OTF2_MEASUREMENT_ON ? "on" : "off");
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onThreadBegin(OTF2_LocationRef location, OTF2_TimeStamp time, void* user,
                                OTF2_AttributeList*, OTF2_CommRef, std::uint64_t number) {
    at(user).add(location, time, "begin thread " + std::to_string(number));
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode onThreadEnd(OTF2_LocationRef location, OTF2_TimeStamp time, void* user, OTF2_AttributeList*,
                              OTF2_CommRef, std::uint64_t number) {
    at(user).add(location, time, "end thread " + std::to_string(number));
    return OTF2_CALLBACK_SUCCESS;
}

void readDefinitions(OTF2_Reader* reader, State& state) {
    OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks* callbacks = OTF2_GlobalDefReaderCallbacks_New();
    expect(OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, onClock));
    expect(OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, onString));
    expect(OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, onRegion));
    expect(OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, onAttribute));
    expect(OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, onLocation));
    expect(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &state));
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    std::uint64_t count = 0;
    expect(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count));
}

void openLocations(OTF2_Reader* reader, const State& state) {
    for (const auto location : state.locations) expect(OTF2_Reader_SelectLocation(reader, location));
    expect(OTF2_Reader_OpenDefFiles(reader));
    expect(OTF2_Reader_OpenEvtFiles(reader));
    for (const auto location : state.locations) {
        OTF2_DefReader* definitions = OTF2_Reader_GetDefReader(reader, location);
        std::uint64_t count = 0;
        expect(OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &count));
        expect(OTF2_Reader_CloseDefReader(reader, definitions));
        if (OTF2_Reader_GetEvtReader(reader, location) == nullptr) throw std::runtime_error("no event file");
    }
}

void readEvents(OTF2_Reader* reader, State& state) {
    OTF2_GlobalEvtReader* events = OTF2_Reader_GetGlobalEvtReader(reader);
    OTF2_GlobalEvtReaderCallbacks* callbacks = OTF2_GlobalEvtReaderCallbacks_New();
    expect(OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(callbacks, onEnter));
    expect(OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(callbacks, onLeave));
    expect(OTF2_GlobalEvtReaderCallbacks_SetProgramBeginCallback(callbacks, onProgramBegin));
    expect(OTF2_GlobalEvtReaderCallbacks_SetProgramEndCallback(callbacks, onProgramEnd));
    expect(OTF2_GlobalEvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, onTeam));
    expect(OTF2_GlobalEvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, onTeamEnd));
    expect(OTF2_GlobalEvtReaderCallbacks_SetThreadForkCallback(callbacks, onFork));
    expect(OTF2_GlobalEvtReaderCallbacks_SetThreadReleaseLockCallback(callbacks, onRelease));
    expect(OTF2_GlobalEvtReaderCallbacks_SetThreadJoinCallback(callbacks, onJoin));
    expect(OTF2_GlobalEvtReaderCallbacks_SetMetricCallback(callbacks, onMetric));
    expect(OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(callbacks, onSend));
    expect(OTF2_GlobalEvtReaderCallbacks_SetBufferFlushCallback(callbacks, onFlush));
    expect(OTF2_GlobalEvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, onSwitch));
    expect(OTF2_GlobalEvtReaderCallbacks_SetThreadBeginCallback(callbacks, onThreadBegin));
    expect(OTF2_GlobalEvtReaderCallbacks_SetThreadEndCallback(callbacks, onThreadEnd));
    expect(OTF2_Reader_RegisterGlobalEvtCallbacks(reader, events, callbacks, &state));
    OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
    std::uint64_t count = 0;
    expect(OTF2_Reader_ReadAllGlobalEvents(reader, events, &count));
}

}  // namespace

std::vector<std::string> readBack(const std::filesystem::path& anchor, ProcessorTimes times) {
    OTF2_Reader* reader = OTF2_Reader_Open(anchor.c_str());
    if (reader == nullptr) throw std::runtime_error("not an OTF2 archive");
    expect(OTF2_Reader_SetSerialCollectiveCallbacks(reader));
    State state;
    state.times = times;
    readDefinitions(reader, state);
    openLocations(reader, state);
    readEvents(reader, state);
    expect(OTF2_Reader_Close(reader));
    return state.lines;
}

}  // namespace holos::testing
