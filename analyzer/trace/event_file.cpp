// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/event_file.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "analyzer/trace/file_end.h"
#include "base/error.h"

namespace holos::analyzer::trace {

namespace {

constexpr std::uint64_t kPortion = 200000;  ///< events between two reports of progress

}  // namespace

std::filesystem::path locationFile(const std::filesystem::path& anchor, std::uint64_t location,
                                   const char* extension) {
    return anchor.parent_path() / anchor.stem() / (std::to_string(location) + extension);
}

/// Most locations of a large run have nothing to say. OTF2 would clear some megabytes of memory to find that
/// out.
bool hasDefinitions(const std::filesystem::path& file) {
    constexpr std::uintmax_t kEmptyFile = 20;  // the start and the end of a chunk, and the file's end
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    return !error && size > kEmptyFile;
}

EventFile::EventFile(const std::filesystem::path& anchor, const Definitions& definitions, LocationId location,
                     const std::filesystem::path& named)
    : file_(locationFile(named, definitions[location].reference, ".evt")),
      opened_(locationFile(anchor, definitions[location].reference, ".evt")),
      reference_(definitions[location].reference),
      promised_(definitions[location].events),
      reader_(nullptr, &OTF2_Reader_Close) {
    const std::filesystem::path file = locationFile(anchor, reference_, ".evt");
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
        if (promised_ != 0)
            outcome_.problem = file_.string() + ": the file is missing; its events were left out";
        return;
    }
    if (!std::filesystem::is_regular_file(file, ignored)) {
        outcome_.problem = file_.string() + ": it is not a regular file; its events were left out";
        return;
    }
    reader_.reset(OTF2_Reader_Open(anchor.string().c_str()));
    if (!reader_) {
        outcome_.problem =
            anchor.string() + ": cannot be opened again: " + capture_.message(OTF2_ERROR_FILE_INTERACTION);
        return;
    }
    const bool isCopy = opened_ != file_;
    if (!isCopy) findCut(opened_);
    OTF2_Reader_SetSerialCollectiveCallbacks(reader());
    OTF2_Reader_SelectLocation(reader(), reference_);
    const std::filesystem::path localFile = locationFile(anchor, reference_, ".def");
    if (hasDefinitions(localFile) && OTF2_Reader_OpenDefFiles(reader()) == OTF2_SUCCESS) {
        readLocalDefinitions(localFile);
        OTF2_Reader_CloseDefFiles(reader());
    }
    OTF2_Compression compression = OTF2_COMPRESSION_UNDEFINED;
    OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_UNDEFINED;
    OTF2_Reader_GetCompression(reader(), &compression);
    OTF2_Reader_GetFileSubstrate(reader(), &substrate);
    const std::uint64_t chunk = chunkSizesOf(reader()).events;
    // A copy is there only until it was opened.
    isDecodable_ = !isCopy && !outcome_.problem && corrections_.areUsable() &&
                   compression == OTF2_COMPRESSION_NONE && substrate == OTF2_SUBSTRATE_POSIX &&
                   chunk >= OTF2_CHUNK_SIZE_MIN && chunk <= OTF2_CHUNK_SIZE_MAX;
    if (isCopy) openLibrary();
}

OTF2_EvtReader* EventFile::events() {
    if (events_ == nullptr && reader_) openLibrary();
    return events_;
}

void EventFile::openLibrary() {
    capture_.clear();
    OTF2_Reader_OpenEvtFiles(reader());
    events_ = OTF2_Reader_GetEvtReader(reader(), reference_);
    if (events_ == nullptr)
        outcome_.problem =
            file_.string() + ": cannot be opened: " + capture_.message(OTF2_ERROR_FILE_CAN_NOT_OPEN);
}

void EventFile::openDecoder() {
    if (!std::exchange(isDecodable_, false) || events_ != nullptr) return;
    try {
        decoder_ = std::make_unique<EventDecoder>(opened_, chunkSizesOf(reader()).events, reference_,
                                                  std::move(corrections_));
        if (decoder_->state() == EventDecoder::State::Odd) decoder_.reset();
    } catch (const Error&) {
        // OTF2's reader says why.
    }
}

bool EventFile::listen(const EventHandlers& handlers, void* user) {
    handlers_ = handlers;
    user_ = user;
    openDecoder();
    if (decoder_) return true;
    if (events() == nullptr) return false;
    library_.registerAt(reader(), events_, handlers_, user_);
    return true;
}

/// OTF2's reader goes on behind what was decoded.
void EventFile::goOnWithLibrary() {
    const std::uint64_t decoded = decoder_->events();
    decoder_.reset();
    if (events() == nullptr) return;
    library_.registerAt(reader(), events_, {}, nullptr);
    std::uint64_t read = 0;
    if (decoded != 0) OTF2_Reader_ReadLocalEvents(reader(), events_, decoded, &read);
    library_.registerAt(reader(), events_, handlers_, user_);
}

EventFile::~EventFile() {
    if (events_ == nullptr) return;
    OTF2_Reader_CloseEvtReader(reader(), events_);
    OTF2_Reader_CloseEvtFiles(reader());
}

void EventFile::findCut(const std::filesystem::path& file) {
    const std::optional<FileEnd> end = endOfEvents(file, chunkSizesOf(reader()).events);
    if (end && end->isCut) cutAfter_ = end->records;
}

/// Local definitions hold the id maps and clock offsets; OTF2 applies them to events by itself once they are
/// read.
void EventFile::readLocalDefinitions(const std::filesystem::path& file) {
    OTF2_DefReader* definitions = OTF2_Reader_GetDefReader(reader(), reference_);
    if (definitions != nullptr) corrections_.registerAt(reader(), definitions);
    if (definitions == nullptr) {
        outcome_.problem = file.string() + ": cannot be opened (" +
                           capture_.message(OTF2_ERROR_FILE_CAN_NOT_OPEN) +
                           "); references were taken as global ones and clocks as synchronous";
        return;
    }
    const FileEnd end = endOfDefinitions(file, chunkSizesOf(reader()).definitions).value_or(FileEnd{});
    const std::uint64_t most = end.isCut ? end.records : std::numeric_limits<std::uint64_t>::max();
    std::uint64_t read = 0;
    const OTF2_ErrorCode result = OTF2_Reader_ReadLocalDefinitions(reader(), definitions, most, &read);
    if (result != OTF2_SUCCESS || end.isCut)
        outcome_.problem = file.string() + ": reading stopped after " + std::to_string(read) +
                           " definitions (" + (end.isCut ? "the file was cut" : capture_.message(result)) +
                           "); the rest was taken as global and its clock as synchronous";
    OTF2_Reader_CloseDefReader(reader(), definitions);
}

/// How many events were delivered. Where there are not that many, the library may have more.
std::uint64_t EventFile::decode(std::uint64_t wanted) {
    const std::uint64_t read = decoder_->read(wanted, handlers_, user_);
    if (decoder_->state() == EventDecoder::State::Odd) goOnWithLibrary();
    return read;
}

bool EventFile::deliverSome(std::uint64_t most, const EventProgress& progress) {
    const std::uint64_t wanted = cutAfter_ ? std::min(most, *cutAfter_ - outcome_.events) : most;
    if (wanted == 0) return false;
    std::uint64_t read = decoder_ ? decode(wanted) : 0;
    OTF2_ErrorCode result = OTF2_SUCCESS;
    if (!decoder_ && read < wanted && events_ != nullptr) {
        std::uint64_t more = 0;
        result = OTF2_Reader_ReadLocalEvents(reader(), events_, wanted - read, &more);
        read += more;
    }
    outcome_.events += read;
    if (progress) progress(read);
    const bool isInterrupted = decoder_ && decoder_->state() == EventDecoder::State::Interrupted;
    if (isInterrupted || result == OTF2_ERROR_INTERRUPTED_BY_CALLBACK) return false;
    if (result == OTF2_SUCCESS) return read == wanted;
    outcome_.problem = file_.string() + ": reading stopped after " + std::to_string(outcome_.events) +
                       " events (" + capture_.message(result) + "); the rest was left out";
    return false;
}

bool EventFile::skipTo(std::uint64_t event) {
    if (decoder_) goOnWithLibrary();
    if (events() == nullptr) return false;
    const bool isBeforeCut = !cutAfter_ || event < *cutAfter_;
    // OTF2 goes to the event before the one that it delivers next.
    const OTF2_ErrorCode result =
        isBeforeCut ? OTF2_EvtReader_Seek(events_, event - 1) : OTF2_ERROR_INDEX_OUT_OF_BOUNDS;
    if (result == OTF2_SUCCESS)
        outcome_.events = event;
    else
        outcome_.problem = file_.string() + ": has no event " + std::to_string(event) + " (" +
                           capture_.message(result) + ")";
    return result == OTF2_SUCCESS;
}

void EventFile::deliver(const EventProgress& progress) {
    while (deliverSome(kPortion, progress)) {
    }
}

bool EventFile::deliverUpTo(std::uint64_t events, const EventProgress& progress) {
    while (outcome_.events < events)
        if (!deliverSome(std::min(kPortion, events - outcome_.events), progress)) return false;
    return true;
}

bool EventFile::passUpTo(std::uint64_t events, const EventProgress& progress) {
    return listen({}, nullptr) && deliverUpTo(events, progress);
}

void EventFile::leaveOut(std::uint64_t events, const EventProgress& progress) {
    outcome_.events += events;
    if (progress) progress(events);
}

bool EventFile::step() {
    return deliverSome(1, {});
}

ReadOutcome EventFile::completeOutcome() const {
    ReadOutcome outcome = outcome_;
    if (!reader_ || outcome.problem) return outcome;
    const std::string events = std::to_string(outcome.events);
    if (outcome.events < promised_)
        outcome.problem = file_.string() + ": ends after " + events + " of " + std::to_string(promised_) +
                          " events; the rest is missing";
    else if (cutAfter_)
        outcome.problem = file_.string() + ": was cut after " + events + " events; more may be missing";
    return outcome;
}

}  // namespace holos::analyzer::trace
