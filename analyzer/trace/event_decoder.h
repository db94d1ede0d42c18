// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "algebra/files/file_reader.h"
#include "analyzer/trace/event_handlers.h"
#include "analyzer/trace/found_messages.h"
#include "analyzer/trace/local_corrections.h"

namespace holos::analyzer::trace {

/// Reads the events of one file of OTF2's without its library, which takes several times as long. What is
/// whole it reads as the library does. Where anything is odd it stops before that event, so that the library
/// can say what it makes of it: bytes of damaged files never lead it out of what was read of the file.
/// Thread safety: one thread for each file.
class EventDecoder {
  public:
    enum class State : std::uint8_t {
        GoesOn,
        Ended,        ///< the file has no more events
        Interrupted,  ///< a function of the handlers said so
        Odd           ///< what comes next is for OTF2's reader
    };

    /// Of a file that is not compressed. Throws `holos::Error` where it cannot be opened. What it says of
    /// sizes is not believed; `chunkSize` is from the archive's anchor file.
    EventDecoder(const std::filesystem::path& file, std::uint64_t chunkSize, OTF2_LocationRef location,
                 LocalCorrections corrections);

    /// Hands events to the functions, at most so many; how many it were. Fewer only where the state is
    /// another one then.
    std::uint64_t read(std::uint64_t most, const EventHandlers& handlers, void* user);

    State state() const { return state_; }
    /// How many were handed on so far.
    std::uint64_t events() const { return events_; }

  private:
    class Record;
    using Values = std::array<std::uint64_t, 6>;  ///< of an event's fields
    struct Target {
        const EventHandlers& handlers;
        void* user;
    };

    void collectCalls(std::size_t most);
    void deliverCalls(const Target& target);
    void readOther(const Target& target);
    void readEvent(std::uint8_t type, const Target& target);
    void readFields(const char* fields, Record& record, Values& values);
    void readList(std::uint8_t type, Record& record, std::uint64_t count);
    bool readTime();
    bool readAttributes();
    bool readAttribute(Record& record);
    bool nextChunk();
    Record recordFrom(bool hasLength) const;

    OTF2_CallbackCode deliver(std::uint8_t type, const Target& target, const Values& values);
    OTF2_CallbackCode deliverMessage(std::uint8_t type, const Target& target, const Values& values);
    OTF2_CallbackCode deliverFound(std::uint8_t type, const Target& target, const Values& values);
    OTF2_CallbackCode deliverAccess(std::uint8_t type, const Target& target, const Values& values);
    OTF2_CallbackCode deliverThread(std::uint8_t type, const Target& target, const Values& values);
    OTF2_CallbackCode deliverFile(std::uint8_t type, const Target& target, const Values& values);
    OTF2_CallbackCode deliverMetric(const Target& target, const Values& values);
    OTF2_CallbackCode deliverProgram(const Target& target, const Values& values);

    template <class... Fields>
    using Handler = OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*,
                                          OTF2_AttributeList*, Fields...);
    template <class... Fields>
    OTF2_CallbackCode tell(Handler<Fields...> function, const Target& target, const Values& values);

    algebra::FileReader file_;
    std::uint64_t chunkSize_;
    OTF2_LocationRef location_;
    LocalCorrections corrections_;
    std::unique_ptr<OTF2_AttributeList, decltype(&OTF2_AttributeList_Delete)> attributes_;
    bool hasAttributes_ = false;

    std::vector<std::uint8_t> chunk_;
    std::uint64_t nextChunk_ = 0;  ///< where it begins in the file
    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    bool isBig_ = false;  ///< the order of bytes in the chunk

    OTF2_TimeStamp time_ = 0;       ///< of the last time stamp, as it stands in the file
    OTF2_TimeStamp eventTime_ = 0;  ///< of the present event, corrected
    std::uint64_t events_ = 0;
    State state_ = State::GoesOn;

    FoundMessages found_;

    static constexpr std::size_t kMostCalls = 256;
    std::array<PlainCall, kMostCalls> calls_;
    std::size_t count_ = 0;  ///< of calls that were collected
    std::vector<OTF2_Type> metricTypes_;
    std::vector<OTF2_MetricValue> metricValues_;
    std::vector<OTF2_StringRef> arguments_;
};

}  // namespace holos::analyzer::trace
