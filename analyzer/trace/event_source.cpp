// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/event_source.h"

#include "analyzer/trace/error_capture.h"
#include "analyzer/trace/event_dispatch.h"

namespace holos::analyzer::trace {

namespace {

using ReaderHandle = std::unique_ptr<OTF2_Reader, decltype(&OTF2_Reader_Close)>;

/// `traces.otf2` → `traces/17.evt`.
std::filesystem::path fileOf(const std::filesystem::path& anchor, std::uint64_t location,
                             const char* extension) {
    return anchor.parent_path() / anchor.stem() / (std::to_string(location) + extension);
}

/// Local definitions hold the id maps and clock offsets; OTF2 applies them to events by itself once they are
/// read.
void readLocalDefinitions(OTF2_Reader* reader, std::uint64_t location, const std::filesystem::path& file,
                          const ErrorCapture& capture, ReadOutcome& outcome) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return;
    OTF2_DefReader* definitions = OTF2_Reader_GetDefReader(reader, location);
    if (definitions == nullptr) {
        outcome.problem = file.string() + ": cannot be opened (" +
                          capture.message(OTF2_ERROR_FILE_CAN_NOT_OPEN) +
                          "); references were taken as global ones and clocks as synchronous";
        return;
    }
    std::uint64_t read = 0;
    const OTF2_ErrorCode result = OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &read);
    if (result != OTF2_SUCCESS)
        outcome.problem = file.string() + ": reading stopped after " + std::to_string(read) +
                          " definitions (" + capture.message(result) +
                          "); the rest was taken as global and its clock as synchronous";
    OTF2_Reader_CloseDefReader(reader, definitions);
}

constexpr std::uint64_t kPortion = 200000;  ///< events between two reports of progress

void deliver(OTF2_Reader* reader, OTF2_EvtReader* events, const std::filesystem::path& file,
             const ErrorCapture& capture, const EventProgress& progress, ReadOutcome& outcome) {
    while (true) {
        std::uint64_t read = 0;
        const OTF2_ErrorCode result = OTF2_Reader_ReadLocalEvents(reader, events, kPortion, &read);
        outcome.events += read;
        if (progress) progress(read);
        if (result == OTF2_ERROR_INTERRUPTED_BY_CALLBACK) return;
        if (result != OTF2_SUCCESS) {
            outcome.problem = file.string() + ": reading stopped after " + std::to_string(outcome.events) +
                              " events (" + capture.message(result) + "); the rest was left out";
            return;
        }
        if (read < kPortion) return;
    }
}

}  // namespace

ReadOutcome readEvents(const std::filesystem::path& anchor, const Definitions& definitions,
                       LocationId location, replay::LocationReplay& target, const EventProgress& progress) {
    const std::uint64_t reference = definitions[location].reference;
    const std::filesystem::path file = fileOf(anchor, reference, ".evt");
    ReadOutcome outcome;
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
        if (definitions[location].events != 0)
            outcome.problem = file.string() + ": the file is missing; its events were left out";
        return outcome;
    }
    ErrorCapture capture;
    const ReaderHandle reader(OTF2_Reader_Open(anchor.string().c_str()), &OTF2_Reader_Close);
    if (!reader) {
        outcome.problem =
            anchor.string() + ": cannot be opened again: " + capture.message(OTF2_ERROR_FILE_INTERACTION);
        return outcome;
    }
    OTF2_Reader_SetSerialCollectiveCallbacks(reader.get());
    OTF2_Reader_SelectLocation(reader.get(), reference);
    if (OTF2_Reader_OpenDefFiles(reader.get()) == OTF2_SUCCESS) {
        readLocalDefinitions(reader.get(), reference, fileOf(anchor, reference, ".def"), capture, outcome);
        OTF2_Reader_CloseDefFiles(reader.get());
    }
    capture.clear();
    OTF2_Reader_OpenEvtFiles(reader.get());
    OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader.get(), reference);
    if (events == nullptr) {
        outcome.problem =
            file.string() + ": cannot be opened: " + capture.message(OTF2_ERROR_FILE_CAN_NOT_OPEN);
        return outcome;
    }
    EventDispatch<replay::LocationReplay> dispatch(definitions, target);
    dispatch.registerAt(reader.get(), events);
    deliver(reader.get(), events, file, capture, progress, outcome);
    OTF2_Reader_CloseEvtReader(reader.get(), events);
    OTF2_Reader_CloseEvtFiles(reader.get());
    if (dispatch.failure()) std::rethrow_exception(dispatch.failure());
    if (!outcome.problem && outcome.events < definitions[location].events)
        outcome.problem = file.string() + ": ends after " + std::to_string(outcome.events) + " of " +
                          std::to_string(definitions[location].events) + " events; the rest is missing";
    return outcome;
}

}  // namespace holos::analyzer::trace
