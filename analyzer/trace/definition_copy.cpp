// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/definition_copy.h"

#include <memory>

#include "analyzer/trace/error_capture.h"

namespace holos::analyzer::trace {

namespace {

/// What the callbacks know.
struct DefinitionCopy {
    OTF2_GlobalDefWriter* out;
    const CopiedEvents& copied;
    OTF2_ErrorCode failure = OTF2_SUCCESS;

    OTF2_CallbackCode wrote(OTF2_ErrorCode code) {
        failure = code;
        return code == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
    }
};

DefinitionCopy& copyOf(void* user) {
    return *static_cast<DefinitionCopy*>(user);
}

// Kinds that OTF2 no longer recommends are copied as well.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
/// All definitions have the same form, for readers and for writers.
template <auto Write, class... Values>
void copies(OTF2_GlobalDefReaderCallbacks* callbacks,
            OTF2_ErrorCode (*set)(OTF2_GlobalDefReaderCallbacks*, OTF2_CallbackCode (*)(void*, Values...))) {
    set(callbacks,
        [](void* user, Values... values) { return copyOf(user).wrote(Write(copyOf(user).out, values...)); });
}
#pragma GCC diagnostic pop

void setCopied(OTF2_GlobalDefReaderCallbacks* c) {
    copies<OTF2_GlobalDefWriter_WriteParadigm>(c, OTF2_GlobalDefReaderCallbacks_SetParadigmCallback);
    copies<OTF2_GlobalDefWriter_WriteParadigmProperty>(
        c, OTF2_GlobalDefReaderCallbacks_SetParadigmPropertyCallback);
    copies<OTF2_GlobalDefWriter_WriteIoParadigm>(c, OTF2_GlobalDefReaderCallbacks_SetIoParadigmCallback);
    copies<OTF2_GlobalDefWriter_WriteString>(c, OTF2_GlobalDefReaderCallbacks_SetStringCallback);
    copies<OTF2_GlobalDefWriter_WriteAttribute>(c, OTF2_GlobalDefReaderCallbacks_SetAttributeCallback);
    copies<OTF2_GlobalDefWriter_WriteSystemTreeNode>(c,
                                                     OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback);
    copies<OTF2_GlobalDefWriter_WriteLocationGroup>(c,
                                                    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback);
    copies<OTF2_GlobalDefWriter_WriteRegion>(c, OTF2_GlobalDefReaderCallbacks_SetRegionCallback);
    copies<OTF2_GlobalDefWriter_WriteCallsite>(c, OTF2_GlobalDefReaderCallbacks_SetCallsiteCallback);
    copies<OTF2_GlobalDefWriter_WriteCallpath>(c, OTF2_GlobalDefReaderCallbacks_SetCallpathCallback);
    copies<OTF2_GlobalDefWriter_WriteGroup>(c, OTF2_GlobalDefReaderCallbacks_SetGroupCallback);
    copies<OTF2_GlobalDefWriter_WriteMetricMember>(c, OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback);
    copies<OTF2_GlobalDefWriter_WriteMetricClass>(c, OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback);
    copies<OTF2_GlobalDefWriter_WriteMetricInstance>(c,
                                                     OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback);
    copies<OTF2_GlobalDefWriter_WriteComm>(c, OTF2_GlobalDefReaderCallbacks_SetCommCallback);
    copies<OTF2_GlobalDefWriter_WriteParameter>(c, OTF2_GlobalDefReaderCallbacks_SetParameterCallback);
    copies<OTF2_GlobalDefWriter_WriteRmaWin>(c, OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback);
    copies<OTF2_GlobalDefWriter_WriteMetricClassRecorder>(
        c, OTF2_GlobalDefReaderCallbacks_SetMetricClassRecorderCallback);
    copies<OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty>(
        c, OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodePropertyCallback);
    copies<OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain>(
        c, OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeDomainCallback);
    copies<OTF2_GlobalDefWriter_WriteLocationGroupProperty>(
        c, OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback);
    copies<OTF2_GlobalDefWriter_WriteLocationProperty>(
        c, OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback);
    copies<OTF2_GlobalDefWriter_WriteCartDimension>(c,
                                                    OTF2_GlobalDefReaderCallbacks_SetCartDimensionCallback);
    copies<OTF2_GlobalDefWriter_WriteCartTopology>(c, OTF2_GlobalDefReaderCallbacks_SetCartTopologyCallback);
    copies<OTF2_GlobalDefWriter_WriteCartCoordinate>(c,
                                                     OTF2_GlobalDefReaderCallbacks_SetCartCoordinateCallback);
    copies<OTF2_GlobalDefWriter_WriteSourceCodeLocation>(
        c, OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback);
    copies<OTF2_GlobalDefWriter_WriteCallingContext>(c,
                                                     OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback);
    copies<OTF2_GlobalDefWriter_WriteCallingContextProperty>(
        c, OTF2_GlobalDefReaderCallbacks_SetCallingContextPropertyCallback);
    copies<OTF2_GlobalDefWriter_WriteInterruptGenerator>(
        c, OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback);
    copies<OTF2_GlobalDefWriter_WriteIoFileProperty>(c,
                                                     OTF2_GlobalDefReaderCallbacks_SetIoFilePropertyCallback);
    copies<OTF2_GlobalDefWriter_WriteIoRegularFile>(c,
                                                    OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback);
    copies<OTF2_GlobalDefWriter_WriteIoDirectory>(c, OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback);
    copies<OTF2_GlobalDefWriter_WriteIoHandle>(c, OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback);
    copies<OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState>(
        c, OTF2_GlobalDefReaderCallbacks_SetIoPreCreatedHandleStateCallback);
    copies<OTF2_GlobalDefWriter_WriteCallpathParameter>(
        c, OTF2_GlobalDefReaderCallbacks_SetCallpathParameterCallback);
    copies<OTF2_GlobalDefWriter_WriteInterComm>(c, OTF2_GlobalDefReaderCallbacks_SetInterCommCallback);
}

void setChanged(OTF2_GlobalDefReaderCallbacks* c) {
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(
        c,
        [](void* user, std::uint64_t resolution, std::uint64_t offset, std::uint64_t, std::uint64_t begin) {
            return copyOf(user).wrote(OTF2_GlobalDefWriter_WriteClockProperties(
                copyOf(user).out, resolution, offset, copyOf(user).copied.length, begin));
        });
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(
        c, [](void* user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, std::uint64_t,
              OTF2_LocationGroupRef group) {
            const auto events = copyOf(user).copied.events.find(self);
            const std::uint64_t count = events != copyOf(user).copied.events.end() ? events->second : 0;
            return copyOf(user).wrote(
                OTF2_GlobalDefWriter_WriteLocation(copyOf(user).out, self, name, type, count, group));
        });
}

}  // namespace

void copyDefinitions(OTF2_Reader* reader, OTF2_GlobalDefWriter* target, const CopiedEvents& copied,
                     const std::string& file) {
    const ErrorCapture capture(ErrorCapture::Then::GoesOn);
    const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, decltype(&OTF2_GlobalDefReaderCallbacks_Delete)>
        callbacks(OTF2_GlobalDefReaderCallbacks_New(), &OTF2_GlobalDefReaderCallbacks_Delete);
    setCopied(callbacks.get());
    setChanged(callbacks.get());
    DefinitionCopy copy{target, copied};
    OTF2_GlobalDefReader* source = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, source, callbacks.get(), &copy);
    std::uint64_t read = 0;
    const OTF2_ErrorCode result = OTF2_Reader_ReadAllGlobalDefinitions(reader, source, &read);
    check(copy.failure, capture, file, "writing the definitions");
    check(result, capture, file, "copying the definitions");
}

}  // namespace holos::analyzer::trace
