// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/definitions_reader.h"

#include <cmath>
#include <memory>

#include "analyzer/trace/definitions_builder.h"
#include "analyzer/trace/error_capture.h"
#include "analyzer/trace/file_end.h"
#include "base/error.h"

namespace holos::analyzer::trace {

namespace {

using Builder = DefinitionsBuilder;

/// Exceptions must not travel through OTF2: the first one is kept and thrown when OTF2 has returned.
struct Session {
    Builder builder;
    std::exception_ptr failure;

    template <class Work>
    OTF2_CallbackCode guarded(Work&& work) {
        try {
            work(builder);
            return OTF2_CALLBACK_SUCCESS;
        } catch (...) {
            failure = std::current_exception();
            return OTF2_CALLBACK_INTERRUPT;
        }
    }
};
Session& session(void* userData) {
    return *static_cast<Session*>(userData);
}

OTF2_CallbackCode onClock(void* user, std::uint64_t resolution, std::uint64_t offset, std::uint64_t length,
                          std::uint64_t) {
    return session(user).guarded([=](Builder& b) { b.setClock(resolution, offset, length); });
}
OTF2_CallbackCode onString(void* user, OTF2_StringRef self, const char* text) {
    return session(user).guarded([=](Builder& b) { b.addString(self, text); });
}
OTF2_CallbackCode onSystemNode(void* user, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                               OTF2_StringRef className, OTF2_SystemTreeNodeRef parent) {
    return session(user).guarded([=](Builder& b) { b.addSystemNode(self, name, className, parent); });
}
OTF2_CallbackCode onProcess(void* user, OTF2_LocationGroupRef self, OTF2_StringRef name,
                            OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef) {
    return session(user).guarded([=](Builder& b) { b.addProcess(self, name, type, node); });
}
OTF2_CallbackCode onLocation(void* user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                             std::uint64_t events, OTF2_LocationGroupRef group) {
    return session(user).guarded([=](Builder& b) { b.addLocation(self, name, type, events, group); });
}
OTF2_CallbackCode onNodeProperty(void* user, OTF2_SystemTreeNodeRef node, OTF2_StringRef name, OTF2_Type type,
                                 OTF2_AttributeValue value) {
    return session(user).guarded([=](Builder& b) { b.addNodeProperty(node, name, type, value); });
}
OTF2_CallbackCode onLocationProperty(void* user, OTF2_LocationRef location, OTF2_StringRef name,
                                     OTF2_Type type, OTF2_AttributeValue value) {
    return session(user).guarded([=](Builder& b) { b.addLocationProperty(location, name, type, value); });
}
OTF2_CallbackCode onRegion(void* user, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonicalName,
                           OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
                           OTF2_RegionFlag, OTF2_StringRef file, std::uint32_t begin, std::uint32_t end) {
    return session(user).guarded([=](Builder& b) {
        b.addRegion(self,
                    Region{b.text(name), b.text(canonicalName), b.text(description), b.text(file), begin, end,
                           toRole(role), toParadigm(paradigm), paradigmName(paradigm), roleName(role)});
    });
}
OTF2_CallbackCode onGroup(void* user, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type,
                          OTF2_Paradigm paradigm, OTF2_GroupFlag flags, std::uint32_t count,
                          const std::uint64_t* members) {
    return session(user).guarded([=](Builder& b) {
        b.addGroup(self, type, paradigm, flags, {members, members + count});
    });
}
OTF2_CallbackCode onComm(void* user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                         OTF2_CommRef, OTF2_CommFlag) {
    return session(user).guarded([=](Builder& b) { b.addComm(self, name, group, OTF2_UNDEFINED_GROUP); });
}
OTF2_CallbackCode onInterComm(void* user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef groupA,
                              OTF2_GroupRef groupB, OTF2_CommRef, OTF2_CommFlag) {
    return session(user).guarded([=](Builder& b) { b.addComm(self, name, groupA, groupB); });
}

OTF2_CallbackCode onGridDimension(void* user, OTF2_CartDimensionRef self, OTF2_StringRef name,
                                  std::uint32_t size, OTF2_CartPeriodicity periodicity) {
    return session(user).guarded([=](Builder& b) {
        b.addGridDimension(self, {b.text(name), size, periodicity == OTF2_CART_PERIODIC_TRUE});
    });
}
OTF2_CallbackCode onGrid(void* user, OTF2_CartTopologyRef self, OTF2_StringRef name, OTF2_CommRef comm,
                         std::uint8_t count, const OTF2_CartDimensionRef* dimensions) {
    return session(user).guarded([=](Builder& b) {
        b.addGrid(self, name, comm, {dimensions, dimensions + count});
    });
}
OTF2_CallbackCode onPlace(void* user, OTF2_CartTopologyRef grid, std::uint32_t rank, std::uint8_t count,
                          const std::uint32_t* position) {
    return session(user).guarded([=](Builder& b) { b.addPlace(grid, rank, {position, position + count}); });
}

OTF2_CallbackCode onAttribute(void* user, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef,
                              OTF2_Type type) {
    return session(user).guarded([=](Builder& b) { b.addAttribute(self, name, type); });
}
OTF2_CallbackCode onWindow(void* user, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm,
                           OTF2_RmaWinFlag) {
    return session(user).guarded([=](Builder& b) { b.addWindow(self, name, comm); });
}

OTF2_CallbackCode onFile(void* user, OTF2_IoFileRef self, OTF2_StringRef name, OTF2_SystemTreeNodeRef) {
    return session(user).guarded([=](Builder& b) { b.addFile(self, name); });
}
OTF2_CallbackCode onFileHandle(void* user, OTF2_IoHandleRef self, OTF2_StringRef, OTF2_IoFileRef file,
                               OTF2_IoParadigmRef, OTF2_IoHandleFlag, OTF2_CommRef comm, OTF2_IoHandleRef) {
    return session(user).guarded([=](Builder& b) { b.addFileHandle(self, file, comm); });
}

MetricMode modeOf(OTF2_MetricMode mode) {
    if ((mode & OTF2_METRIC_VALUE_MASK) != OTF2_METRIC_VALUE_ACCUMULATED) return MetricMode::Absolute;
    return (mode & OTF2_METRIC_TIMING_MASK) == OTF2_METRIC_TIMING_START ? MetricMode::AccumulatedSinceStart
                                                                        : MetricMode::AccumulatedPart;
}
MetricType typeOf(OTF2_Type type) {
    if (type == OTF2_TYPE_DOUBLE || type == OTF2_TYPE_FLOAT) return MetricType::Real;
    return type == OTF2_TYPE_INT64 || type == OTF2_TYPE_INT32 ? MetricType::Signed : MetricType::Unsigned;
}

double scaleOf(OTF2_Base base, std::int64_t exponent) {
    return std::pow(base == OTF2_BASE_BINARY ? 2.0 : 10.0, static_cast<double>(exponent));
}

OTF2_CallbackCode onMetricMember(void* user, OTF2_MetricMemberRef self, OTF2_StringRef name,
                                 OTF2_StringRef description, OTF2_MetricType, OTF2_MetricMode mode,
                                 OTF2_Type type, OTF2_Base base, std::int64_t exponent, OTF2_StringRef unit) {
    return session(user).guarded([=](Builder& b) {
        b.addMetricMember(self, {b.text(name), b.text(description), b.text(unit), modeOf(mode), typeOf(type),
                                 scaleOf(base, exponent)});
    });
}
OTF2_CallbackCode onMetricClass(void* user, OTF2_MetricRef self, std::uint8_t count,
                                const OTF2_MetricMemberRef* members, OTF2_MetricOccurrence,
                                OTF2_RecorderKind) {
    return session(user).guarded([=](Builder& b) { b.addMetricClass(self, members, count); });
}
OTF2_CallbackCode onMetricInstance(void* user, OTF2_MetricRef self, OTF2_MetricRef metricClass,
                                   OTF2_LocationRef reader, OTF2_MetricScope scope, std::uint64_t part) {
    return session(user).guarded(
        [=](Builder& b) { b.addMetricInstance(self, metricClass, reader, scope, part); });
}
OTF2_CallbackCode onInterruptGenerator(void* user, OTF2_InterruptGeneratorRef self, OTF2_StringRef name,
                                       OTF2_InterruptGeneratorMode mode, OTF2_Base base,
                                       std::int64_t exponent, std::uint64_t period) {
    return session(user).guarded([=](Builder& b) {
        b.addInterruptGenerator(self, name, mode == OTF2_INTERRUPT_GENERATOR_MODE_TIME,
                                static_cast<double>(period) * scaleOf(base, exponent));
    });
}
OTF2_CallbackCode onCallingContext(void* user, OTF2_CallingContextRef self, OTF2_RegionRef region,
                                   OTF2_SourceCodeLocationRef line, OTF2_CallingContextRef parent) {
    return session(user).guarded([=](Builder& b) { b.addCallingContext(self, region, line, parent); });
}
OTF2_CallbackCode onContextProperty(void* user, OTF2_CallingContextRef context, OTF2_StringRef name,
                                    OTF2_Type type, OTF2_AttributeValue value) {
    return session(user).guarded([=](Builder& b) { b.addContextProperty(context, name, type, value); });
}
OTF2_CallbackCode onSourceLine(void* user, OTF2_SourceCodeLocationRef self, OTF2_StringRef file,
                               std::uint32_t line) {
    return session(user).guarded([=](Builder& b) { b.addSourceLine(self, file, line); });
}

void registerCallbacks(OTF2_Reader* reader, OTF2_GlobalDefReader* definitions, Session& target) {
    const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, decltype(&OTF2_GlobalDefReaderCallbacks_Delete)>
        callbacks(OTF2_GlobalDefReaderCallbacks_New(), &OTF2_GlobalDefReaderCallbacks_Delete);
    auto* c = callbacks.get();
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, onClock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, onString);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(c, onSystemNode);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(c, onProcess);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(c, onLocation);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodePropertyCallback(c, onNodeProperty);
    OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(c, onLocationProperty);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(c, onRegion);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(c, onGroup);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(c, onComm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(c, onInterComm);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(c, onAttribute);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(c, onWindow);
    OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(c, onFile);
    OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(c, onFileHandle);
    OTF2_GlobalDefReaderCallbacks_SetCartDimensionCallback(c, onGridDimension);
    OTF2_GlobalDefReaderCallbacks_SetCartTopologyCallback(c, onGrid);
    OTF2_GlobalDefReaderCallbacks_SetCartCoordinateCallback(c, onPlace);
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(c, onMetricMember);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(c, onMetricClass);
    OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(c, onMetricInstance);
    OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(c, onInterruptGenerator);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(c, onCallingContext);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextPropertyCallback(c, onContextProperty);
    OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(c, onSourceLine);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, c, &target);
}

}  // namespace

Definitions readDefinitions(const std::filesystem::path& anchor) {
    const ErrorCapture capture;
    const std::string file = anchor.string();
    const std::unique_ptr<OTF2_Reader, decltype(&OTF2_Reader_Close)> reader(OTF2_Reader_Open(file.c_str()),
                                                                            &OTF2_Reader_Close);
    const Place place{.file = file, .line = {}, .column = {}, .byte = {}, .location = {}, .event = {}};
    if (!reader)
        throw Error("not a readable OTF2 archive: " + capture.message(OTF2_ERROR_FILE_INTERACTION), place);
    check(OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()), capture, file, "opening the archive");
    OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader.get());
    if (definitions == nullptr)
        throw Error("the archive's definitions (the .def file beside it) cannot be opened: " +
                        capture.message(OTF2_ERROR_FILE_CAN_NOT_OPEN),
                    place);
    std::uint64_t expected = 0;
    OTF2_Reader_GetNumberOfGlobalDefinitions(reader.get(), &expected);
    const auto failTruncated = [&](std::uint64_t present) {
        throw Error("the archive's definitions (the .def file beside it) are truncated: " +
                        std::to_string(present) + " of " + std::to_string(expected) + " could be read",
                    place);
    };
    const auto end = endOfDefinitions(std::filesystem::path(anchor).replace_extension(".def"),
                                      chunkSizesOf(reader.get()).definitions);
    if (end && end->isCut) failTruncated(end->records);
    Session session;
    registerCallbacks(reader.get(), definitions, session);
    std::uint64_t read = 0;
    const OTF2_ErrorCode result = OTF2_Reader_ReadAllGlobalDefinitions(reader.get(), definitions, &read);
    if (session.failure) std::rethrow_exception(session.failure);
    check(result, capture, file, "reading the archive's definitions");
    if (read < expected) failTruncated(read);
    Definitions finished = session.builder.finish();
    if (finished.locations.empty())
        throw Error("the archive defines no location, so there is nothing to analyze", place);
    return finished;
}

}  // namespace holos::analyzer::trace
