// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/event_decoder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

#include "analyzer/trace/event_layouts.h"
#include "base/error.h"

namespace holos::analyzer::trace {
namespace {

/// Behind a chunk in memory, so that more than the bytes of a value can be loaded.
constexpr std::size_t kSlack = 16;
/// A time stamp, the kind, the size of the region's number, and the longest one.
constexpr std::ptrdiff_t kLongestCall = kTimeStampBytes + 6;
constexpr bool kIsBigHere = std::endian::native == std::endian::big;

template <class Number>
Number load(const std::uint8_t* bytes) {
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    return number;
}

}  // namespace

/// The bytes of one event or one list of attributes. A value that is not there in whole makes it bad, and
/// is 0.
class EventDecoder::Record {
  public:
    Record() = default;
    Record(const std::uint8_t* begin, const std::uint8_t* end, bool isBig)
        : at_(begin), end_(end), isBig_(isBig), isGood_(true) {}

    bool isGood() const { return isGood_; }
    const std::uint8_t* at() const { return at_; }
    const std::uint8_t* end() const { return end_; }

    std::uint64_t plain(std::size_t size) {
        if (!isGood_ || static_cast<std::size_t>(end_ - at_) < size) return bad();
        std::uint64_t number = load<std::uint64_t>(at_);
        at_ += size;
        if (isBig_ != kIsBigHere) number = __builtin_bswap64(number);
        const std::size_t others = 8 * (sizeof number - size);
        return isBig_ ? number >> others : number & (~std::uint64_t{0} >> others);
    }

    /// A number that says first how many bytes it has.
    template <class Number>
    Number packed() {
        const std::uint64_t size = plain(1);
        if (size == 0) return 0;
        if (size == kUndefinedValue) return static_cast<Number>(~Number{0});
        return static_cast<Number>(size <= sizeof(Number) ? plain(size) : bad());
    }

  private:
    std::uint64_t bad() {
        isGood_ = false;
        return 0;
    }

    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    bool isBig_ = false;
    bool isGood_ = false;
};

EventDecoder::EventDecoder(const std::filesystem::path& file, std::uint64_t chunkSize,
                           OTF2_LocationRef location, LocalCorrections corrections)
    : file_(file),
      chunkSize_(chunkSize),
      location_(location),
      corrections_(std::move(corrections)),
      attributes_(OTF2_AttributeList_New(), &OTF2_AttributeList_Delete),
      chunk_(std::min(chunkSize, file_.size()) + kSlack) {
    if (attributes_ == nullptr || !nextChunk()) state_ = State::Odd;
}

std::uint64_t EventDecoder::read(std::uint64_t most, const EventHandlers& handlers, void* user) {
    const Target target{handlers, user};
    const std::uint64_t before = events_;
    while (state_ == State::GoesOn && events_ - before < most) {
        if (!hasAttributes_) collectCalls(std::min<std::uint64_t>(kMostCalls, most - (events_ - before)));
        if (count_ != 0)
            deliverCalls(target);
        else
            readOther(target);
    }
    return events_ - before;
}

/// Enters and leaves that nothing else stands between. Nearly all events of a large trace pass here.
void EventDecoder::collectCalls(std::size_t most) {
    static constexpr std::array<std::uint32_t, 5> kMasks{0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF};
    if (isBig_ || kIsBigHere) return;
    const std::uint8_t* at = at_;
    OTF2_TimeStamp time = time_;
    std::size_t count = 0;
    while (count < most && end_ - at > kLongestCall) {
        const std::uint8_t* call = at;
        OTF2_TimeStamp now = time;
        if (*call == kTimeStamp) {
            now = load<std::uint64_t>(call + 1);
            call += kTimeStampBytes;
        }
        const std::uint8_t size = call[1];
        if ((call[0] != kEnter && call[0] != kLeave) || size >= kMasks.size()) break;
        const std::uint32_t region = load<std::uint32_t>(call + 2) & kMasks[size];
        at = call + 2 + size;
        time = now;
        calls_[count++] = {corrections_.correct(now),
                           static_cast<OTF2_RegionRef>(corrections_.global(OTF2_MAPPING_REGION, region)),
                           call[0] == kEnter};
    }
    at_ = at;
    time_ = time;
    count_ = count;
}

void EventDecoder::deliverCalls(const Target& target) {
    const std::size_t count = std::exchange(count_, 0);
    if (target.handlers.calls != nullptr) {
        const CallsTaken taken = target.handlers.calls(target.user, events_ + 1, {calls_.data(), count});
        events_ += taken.events;
        if (taken.code != OTF2_CALLBACK_SUCCESS) state_ = State::Interrupted;
        return;
    }
    for (std::size_t i = 0; i < count && state_ == State::GoesOn; ++i) {
        ++events_;
        eventTime_ = calls_[i].time;
        const OTF2_CallbackCode code =
            deliver(calls_[i].isEnter ? kEnter : kLeave, target, {calls_[i].region});
        if (code != OTF2_CALLBACK_SUCCESS) state_ = State::Interrupted;
    }
}

/// One event of any kind, or a list of attributes, or the end of a chunk or of the file.
void EventDecoder::readOther(const Target& target) {
    if (!readTime() || at_ == end_) {
        state_ = State::Odd;
        return;
    }
    const std::uint8_t type = *at_++;
    if (type == kEndOfRecords)
        state_ = State::Ended;
    else if (type == kFilling || type == kAttributes)
        state_ = (type == kFilling ? nextChunk() : readAttributes()) ? State::GoesOn : State::Odd;
    else
        readEvent(type, target);
}

bool EventDecoder::readTime() {
    if (at_ == end_ || *at_ != kTimeStamp) return true;
    Record stamp(at_ + 1, end_, isBig_);
    const OTF2_TimeStamp time = stamp.plain(sizeof time);
    if (stamp.isGood()) time_ = time;
    at_ = stamp.at();
    return stamp.isGood();
}

/// From behind its kind. Bad where its length cannot be so: at least one byte comes behind each record.
EventDecoder::Record EventDecoder::recordFrom(bool hasLength) const {
    if (!hasLength) return at_ < end_ ? Record(at_, end_ - 1, isBig_) : Record();
    Record rest(at_, end_, isBig_);
    std::uint64_t length = rest.plain(1);
    if (length == kLongRecord) length = rest.plain(sizeof length);
    if (!rest.isGood() || length >= static_cast<std::uint64_t>(end_ - rest.at())) return {};
    return {rest.at(), rest.at() + length, isBig_};
}

void EventDecoder::readEvent(std::uint8_t type, const Target& target) {
    const EventLayout layout = layoutOf(type);
    Record record = type < kFirstEvent ? Record() : recordFrom(layout.hasLength);
    if (record.isGood()) eventTime_ = corrections_.correct(time_);
    Values values{};
    readFields(layout.fields, record, values);
    if (type == kMetric || type == kProgramBegin) readList(type, record, values[1]);
    if (!record.isGood()) {
        state_ = State::Odd;
        return;
    }
    // What later versions of OTF2 add to a record comes last.
    at_ = layout.hasLength ? record.end() : record.at();
    ++events_;
    if (deliver(type, target, values) != OTF2_CALLBACK_SUCCESS) state_ = State::Interrupted;
    if (!hasAttributes_) return;
    OTF2_AttributeList_RemoveAllAttributes(attributes_.get());
    hasAttributes_ = false;
}

void EventDecoder::readFields(const char* fields, Record& record, Values& values) {
    for (std::uint64_t& value : values) {
        const char field = *fields++;
        if (field == 0) return;
        if (field == 'b')
            value = record.plain(1);
        else if (field == 'i')
            value = record.packed<std::uint32_t>();
        else if (field == 'l')
            value = record.packed<std::uint64_t>();
        else if (field == 't')
            value = corrections_.correct(record.plain(sizeof value));
        else
            value = corrections_.global(definitionsOf(field), record.packed<std::uint32_t>());
    }
}

/// The values of a metric, or the arguments of a program. Each has a byte at least.
void EventDecoder::readList(std::uint8_t type, Record& record, std::uint64_t count) {
    metricTypes_.clear();
    metricValues_.clear();
    arguments_.clear();
    for (std::uint64_t i = 0; i < count && record.isGood(); ++i)
        if (type == kMetric) {
            metricTypes_.push_back(static_cast<OTF2_Type>(record.plain(1)));
            metricValues_.push_back({.unsigned_int = record.packed<std::uint64_t>()});
        } else {
            const std::uint64_t text =
                corrections_.global(OTF2_MAPPING_STRING, record.packed<std::uint32_t>());
            arguments_.push_back(static_cast<OTF2_StringRef>(text));
        }
}

bool EventDecoder::readAttributes() {
    Record list = recordFrom(true);
    const std::uint32_t count = list.packed<std::uint32_t>();
    for (std::uint32_t i = 0; i < count && list.isGood(); ++i)
        if (!readAttribute(list)) return false;
    at_ = list.at();
    hasAttributes_ = hasAttributes_ || count != 0;
    return list.isGood() && list.at() == list.end();
}

bool EventDecoder::readAttribute(Record& record) {
    const auto name = static_cast<OTF2_AttributeRef>(
        corrections_.global(OTF2_MAPPING_ATTRIBUTE, record.packed<std::uint32_t>()));
    const auto type = static_cast<OTF2_Type>(record.plain(1));
    const AttributeLayout layout = attributeLayoutOf(type);
    std::uint64_t number = layout.plainBytes != 0 ? record.plain(layout.plainBytes)
                           : layout.isLong        ? record.packed<std::uint64_t>()
                                                  : record.packed<std::uint32_t>();
    if (layout.definitions != OTF2_MAPPING_MAX) number = corrections_.global(layout.definitions, number);
    if (!record.isGood() || OTF2_AttributeList_TestAttributeByID(attributes_.get(), name)) return false;
    return OTF2_AttributeList_AddAttribute(attributes_.get(), name, type, attributeValue(layout, number)) ==
           OTF2_SUCCESS;
}

/// False where the file has no further one, or not one of OTF2's.
bool EventDecoder::nextChunk() {
    const std::uint64_t size = std::min(chunkSize_, file_.size() - std::min(nextChunk_, file_.size()));
    if (size < kChunkHeaderBytes) return false;
    try {
        file_.read(nextChunk_, size, reinterpret_cast<char*>(chunk_.data()));
    } catch (const Error&) {
        return false;  // it has become shorter
    }
    nextChunk_ += size;
    at_ = chunk_.data() + kChunkHeaderBytes;
    end_ = chunk_.data() + size;
    isBig_ = chunk_[1] == kBigEndian;
    return chunk_[0] == kChunkHeader && (isBig_ || chunk_[1] == kLittleEndian);
}

// Which function of the handlers gets which kind of event.

/// The function's parameters are the event's fields, in their order.
template <class... Fields>
OTF2_CallbackCode EventDecoder::tell(Handler<Fields...> function, const Target& target,
                                     const Values& values) {
    if (function == nullptr) return OTF2_CALLBACK_SUCCESS;
    static_assert(sizeof...(Fields) <= std::tuple_size_v<Values>);
    return [&]<std::size_t... at>(std::index_sequence<at...>) {
        return function(location_, eventTime_, events_, target.user, attributes_.get(),
                        static_cast<Fields>(values[at])...);
    }
    (std::index_sequence_for<Fields...>());
}

OTF2_CallbackCode EventDecoder::deliver(std::uint8_t type, const Target& target, const Values& values) {
    const EventHandlers& to = target.handlers;
    switch (type) {
        case kEnter:
            return tell(to.enter, target, values);
        case kLeave:
            return tell(to.leave, target, values);
        case kMetric:
            return deliverMetric(target, values);
        case kCallingContextEnter:
            return tell(to.callingContextEnter, target, values);
        case kCallingContextLeave:
            return tell(to.callingContextLeave, target, values);
        case kCallingContextSample:
            return tell(to.callingContextSample, target, values);
        case kBufferFlush:
            return tell(to.bufferFlush, target, values);
        case kMeasurementOnOff:
            return tell(to.measurementOnOff, target, values);
        case kProgramBegin:
            return deliverProgram(target, values);
        case kProgramEnd:
            return tell(to.programEnd, target, values);
        case kParameterInt:
            return tell(to.parameterInt, target, values);
        case kParameterUnsignedInt:
            return tell(to.parameterUnsignedInt, target, values);
        case kParameterString:
            return tell(to.parameterString, target, values);
        default:
            return isKnown(type) ? deliverMessage(type, target, values) : tell(to.unknown, target, values);
    }
}

OTF2_CallbackCode EventDecoder::deliverMessage(std::uint8_t type, const Target& target,
                                               const Values& values) {
    const EventHandlers& to = target.handlers;
    switch (type) {
        case kMpiSend:
            return tell(to.mpiSend, target, values);
        case kMpiIsend:
            return tell(to.mpiIsend, target, values);
        case kMpiIsendComplete:
            return tell(to.mpiIsendComplete, target, values);
        case kMpiIrecvRequest:
            return tell(to.mpiIrecvRequest, target, values);
        case kMpiRecv:
            return tell(to.mpiRecv, target, values);
        case kMpiIrecv:
            return tell(to.mpiIrecv, target, values);
        case kMpiRequestCancelled:
            return tell(to.mpiRequestCancelled, target, values);
        case kMpiCollectiveBegin:
            return tell(to.mpiCollectiveBegin, target, values);
        case kMpiCollectiveEnd:
            return tell(to.mpiCollectiveEnd, target, values);
        case kNonBlockingCollectiveRequest:
            return tell(to.nonBlockingCollectiveRequest, target, values);
        case kNonBlockingCollectiveComplete:
            return tell(to.nonBlockingCollectiveComplete, target, values);
        case kMpiProbe:
        case kMpiMrecv:
        case kMpiImrecvRequest:
        case kMpiImrecv:
            return deliverFound(type, target, values);
        default:
            return deliverThread(type, target, values);
    }
}

OTF2_CallbackCode EventDecoder::deliverFound(std::uint8_t type, const Target& target, const Values& values) {
    const auto narrow = [&](std::size_t at) { return static_cast<std::uint32_t>(values[at]); };
    if (type == kMpiProbe) {
        found_.probe(values[3], {narrow(0), narrow(1), narrow(2)});
        return OTF2_CALLBACK_SUCCESS;
    }
    if (type == kMpiImrecvRequest)
        return found_.request(values[0], values[1])
                   ? tell(target.handlers.mpiIrecvRequest, target, {values[1]})
                   : OTF2_CALLBACK_SUCCESS;
    const auto from = type == kMpiMrecv ? found_.receive(values[0]) : found_.complete(values[0]);
    if (!from) return OTF2_CALLBACK_SUCCESS;
    const Values received{from->sender, from->comm, from->tag, values[1], values[0]};
    return type == kMpiMrecv ? tell(target.handlers.mpiRecv, target, received)
                             : tell(target.handlers.mpiIrecv, target, received);
}

OTF2_CallbackCode EventDecoder::deliverThread(std::uint8_t type, const Target& target, const Values& values) {
    const EventHandlers& to = target.handlers;
    switch (type) {
        case kThreadFork:
            return tell(to.threadFork, target, values);
        case kThreadJoin:
            return tell(to.threadJoin, target, values);
        case kThreadTeamBegin:
            return tell(to.threadTeamBegin, target, values);
        case kThreadTeamEnd:
            return tell(to.threadTeamEnd, target, values);
        case kThreadAcquireLock:
            return tell(to.threadAcquireLock, target, values);
        case kThreadReleaseLock:
            return tell(to.threadReleaseLock, target, values);
        case kThreadTaskSwitch:
            return tell(to.threadTaskSwitch, target, values);
        case kThreadTaskComplete:
            return tell(to.threadTaskComplete, target, values);
        case kThreadCreate:
            return tell(to.threadCreate, target, values);
        case kThreadBegin:
            return tell(to.threadBegin, target, values);
        case kThreadWait:
            return tell(to.threadWait, target, values);
        case kThreadEnd:
            return tell(to.threadEnd, target, values);
        default:
            return deliverAccess(type, target, values);
    }
}

OTF2_CallbackCode EventDecoder::deliverAccess(std::uint8_t type, const Target& target, const Values& values) {
    const EventHandlers& to = target.handlers;
    switch (type) {
        case kRmaCollectiveBegin:
            return tell(to.rmaCollectiveBegin, target, values);
        case kRmaCollectiveEnd:
            return tell(to.rmaCollectiveEnd, target, values);
        case kRmaGroupSync:
            return tell(to.rmaGroupSync, target, values);
        case kRmaRequestLock:
            return tell(to.rmaRequestLock, target, values);
        case kRmaReleaseLock:
            return tell(to.rmaReleaseLock, target, values);
        case kRmaPut:
            return tell(to.rmaPut, target, values);
        case kRmaGet:
            return tell(to.rmaGet, target, values);
        case kRmaAtomic:
            return tell(to.rmaAtomic, target, values);
        case kRmaOpCompleteNonBlocking:
            return tell(to.rmaOpCompleteNonBlocking, target, values);
        case kRmaOpCompleteRemote:
            return tell(to.rmaOpCompleteRemote, target, values);
        default:
            return deliverFile(type, target, values);
    }
}

OTF2_CallbackCode EventDecoder::deliverFile(std::uint8_t type, const Target& target, const Values& values) {
    const EventHandlers& to = target.handlers;
    switch (type) {
        case kIoCreateHandle:
            return tell(to.ioCreateHandle, target, values);
        case kIoDestroyHandle:
            return tell(to.ioDestroyHandle, target, values);
        case kIoSeek:
            return tell(to.ioSeek, target, values);
        case kIoOperationBegin:
            return tell(to.ioOperationBegin, target, values);
        case kIoOperationComplete:
            return tell(to.ioOperationComplete, target, values);
        case kIoOperationCancelled:
            return tell(to.ioOperationCancelled, target, values);
        default:
            return OTF2_CALLBACK_SUCCESS;
    }
}

OTF2_CallbackCode EventDecoder::deliverMetric(const Target& target, const Values& values) {
    if (target.handlers.metric == nullptr) return OTF2_CALLBACK_SUCCESS;
    return target.handlers.metric(location_, eventTime_, events_, target.user, attributes_.get(),
                                  static_cast<OTF2_MetricRef>(values[0]),
                                  static_cast<std::uint8_t>(values[1]), metricTypes_.data(),
                                  metricValues_.data());
}

OTF2_CallbackCode EventDecoder::deliverProgram(const Target& target, const Values& values) {
    if (target.handlers.programBegin == nullptr) return OTF2_CALLBACK_SUCCESS;
    return target.handlers.programBegin(location_, eventTime_, events_, target.user, attributes_.get(),
                                        static_cast<OTF2_StringRef>(values[0]),
                                        static_cast<std::uint32_t>(values[1]), arguments_.data());
}

}  // namespace holos::analyzer::trace
