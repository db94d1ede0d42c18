// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace holos::analyzer::trace {

/// What the first byte of a record says, in every version of OTF2 so far. All but time stamps say their
/// length in the next byte.
enum RecordType : std::uint8_t {
    kFilling = 0,  ///< to the end of a chunk into which the next record did not fit, or of a damaged file
    kEndOfFile = 1,
    kEndOfRecords = 2,  ///< comes before the former
    kChunkHeader = 3,
    kTimeStamp = 5,  ///< among events only
    kAttributes = 6  ///< among events only: they belong to the event behind them
};
constexpr std::uint8_t kFirstEvent = 10;
constexpr std::uint8_t kFirstDefinition = 5;

constexpr std::uint8_t kLittleEndian = 'B';
constexpr std::uint8_t kBigEndian = '#';
constexpr std::uint8_t kOwnOrder = std::endian::native == std::endian::little ? kLittleEndian : kBigEndian;
constexpr std::uint8_t kLongRecord = 0xFF;  ///< its length stands in the eight bytes behind

/// Instead of the size of a value: it is the largest number, and has no bytes of its own.
constexpr std::uint8_t kUndefinedValue = 0xFF;

constexpr std::size_t kTimeStampBytes = 9;

/// A chunk begins with its kind, the order of bytes, and the numbers of its first and last event.
constexpr std::size_t kChunkHeaderBytes = 18;

/// Kinds of events, by the first byte of their records. Those of which nothing is made have no name.
enum EventType : std::uint8_t {
    kBufferFlush = 10,
    kMeasurementOnOff = 11,
    kEnter = 12,
    kLeave = 13,
    kMpiSend = 14,
    kMpiIsend = 15,
    kMpiIsendComplete = 16,
    kMpiIrecvRequest = 17,
    kMpiRecv = 18,
    kMpiIrecv = 19,
    kMpiRequestCancelled = 21,
    kMpiCollectiveBegin = 22,
    kMpiCollectiveEnd = 23,
    kMetric = 31,
    kParameterString = 32,
    kParameterInt = 33,
    kParameterUnsignedInt = 34,
    kRmaCollectiveBegin = 37,
    kRmaCollectiveEnd = 38,
    kRmaGroupSync = 39,
    kRmaRequestLock = 40,
    kRmaReleaseLock = 43,
    kRmaPut = 46,
    kRmaGet = 47,
    kRmaAtomic = 48,
    kRmaOpCompleteNonBlocking = 50,
    kRmaOpCompleteRemote = 52,
    kThreadFork = 53,
    kThreadJoin = 54,
    kThreadTeamBegin = 55,
    kThreadTeamEnd = 56,
    kThreadAcquireLock = 57,
    kThreadReleaseLock = 58,
    kThreadTaskSwitch = 60,
    kThreadTaskComplete = 61,
    kThreadCreate = 62,
    kThreadBegin = 63,
    kThreadWait = 64,
    kThreadEnd = 65,
    kCallingContextEnter = 66,
    kCallingContextLeave = 67,
    kCallingContextSample = 68,
    kIoCreateHandle = 69,
    kIoDestroyHandle = 70,
    kIoSeek = 72,
    kIoOperationBegin = 75,
    kIoOperationComplete = 78,
    kIoOperationCancelled = 79,
    kProgramBegin = 83,
    kProgramEnd = 84,
    kNonBlockingCollectiveRequest = 85,
    kNonBlockingCollectiveComplete = 86,
    kMpiProbe = 89,  ///< and the three behind it: of OTF2 3.2
    kMpiMrecv = 90,
    kMpiImrecvRequest = 91,
    kMpiImrecv = 92
};

/// What stands in a record, in its order. Lower case: values of `b` a byte, `i` up to 32 and `l` up to 64
/// bits, `t` a time. Upper case: references of up to 32 bits to definitions. The list of a metric's values
/// and that of a program's arguments come behind.
struct EventLayout {
    bool hasLength;  ///< false: a single value, which is as long as it says itself
    const char* fields;
};

constexpr std::array kEventLayouts = std::to_array<EventLayout>({
    {true, "t"},       // BufferFlush
    {true, "b"},       // MeasurementOnOff
    {false, "R"},      // Enter
    {false, "R"},      // Leave
    {true, "iCil"},    // MpiSend
    {true, "iCill"},   // MpiIsend
    {false, "l"},      // MpiIsendComplete
    {false, "l"},      // MpiIrecvRequest
    {true, "iCil"},    // MpiRecv
    {true, "iCill"},   // MpiIrecv
    {false, "l"},      // MpiRequestTest
    {false, "l"},      // MpiRequestCancelled
    {true, ""},        // MpiCollectiveBegin
    {true, "bCill"},   // MpiCollectiveEnd
    {false, "i"},      // OmpFork
    {true, ""},        // OmpJoin
    {true, "ii"},      // OmpAcquireLock
    {true, "ii"},      // OmpReleaseLock
    {false, "l"},      // OmpTaskCreate
    {false, "l"},      // OmpTaskSwitch
    {false, "l"},      // OmpTaskComplete
    {true, "Mb"},      // Metric
    {true, "PS"},      // ParameterString
    {true, "Pl"},      // ParameterInt
    {true, "Pl"},      // ParameterUnsignedInt
    {true, "W"},       // RmaWinCreate
    {true, "W"},       // RmaWinDestroy
    {true, ""},        // RmaCollectiveBegin
    {true, "biWill"},  // RmaCollectiveEnd
    {true, "iWG"},     // RmaGroupSync
    {true, "Wilb"},    // RmaRequestLock
    {true, "Wilb"},    // RmaAcquireLock
    {true, "Wilb"},    // RmaTryLock
    {true, "Wil"},     // RmaReleaseLock
    {true, "Wib"},     // RmaSync
    {true, "W"},       // RmaWaitChange
    {true, "Will"},    // RmaPut
    {true, "Will"},    // RmaGet
    {true, "Wiblll"},  // RmaAtomic
    {true, "Wl"},      // RmaOpCompleteBlocking
    {true, "Wl"},      // RmaOpCompleteNonBlocking
    {true, "Wl"},      // RmaOpTest
    {true, "Wl"},      // RmaOpCompleteRemote
    {true, "bi"},      // ThreadFork
    {true, "b"},       // ThreadJoin
    {true, "C"},       // ThreadTeamBegin
    {true, "C"},       // ThreadTeamEnd
    {true, "bii"},     // ThreadAcquireLock
    {true, "bii"},     // ThreadReleaseLock
    {true, "Cii"},     // ThreadTaskCreate
    {true, "Cii"},     // ThreadTaskSwitch
    {true, "Cii"},     // ThreadTaskComplete
    {true, "Cl"},      // ThreadCreate
    {true, "Cl"},      // ThreadBegin
    {true, "Cl"},      // ThreadWait
    {true, "Cl"},      // ThreadEnd
    {true, "Xi"},      // CallingContextEnter
    {true, "X"},       // CallingContextLeave
    {true, "XiU"},     // CallingContextSample
    {true, "Hbii"},    // IoCreateHandle
    {true, "H"},       // IoDestroyHandle
    {true, "HHi"},     // IoDuplicateHandle
    {true, "Hlbl"},    // IoSeek
    {true, "Hi"},      // IoChangeStatusFlags
    {true, "bF"},      // IoDeleteFile
    {true, "Hbill"},   // IoOperationBegin
    {true, "Hl"},      // IoOperationTest
    {true, "Hl"},      // IoOperationIssued
    {true, "Hll"},     // IoOperationComplete
    {true, "Hl"},      // IoOperationCancelled
    {true, "Hb"},      // IoAcquireLock
    {true, "Hb"},      // IoReleaseLock
    {true, "Hb"},      // IoTryLock
    {true, "Si"},      // ProgramBegin
    {true, "l"},       // ProgramEnd
    {true, "l"},       // NonBlockingCollectiveRequest
    {true, "bCilll"},  // NonBlockingCollectiveComplete
    {true, "C"},       // CommCreate
    {true, "C"},       // CommDestroy
    {true, "iCil"},    // MpiProbe
    {true, "ll"},      // MpiMrecv
    {true, "ll"},      // MpiImrecvRequest
    {true, "ll"},      // MpiImrecv
});
static_assert(kFirstEvent + kEventLayouts.size() == kMpiImrecv + 1, "one for each kind of OTF2 3.2");

constexpr bool isKnown(std::uint8_t type) {
    return type >= kFirstEvent && type - kFirstEvent < static_cast<int>(kEventLayouts.size());
}

/// Of kinds that are not known all that can be said is how long they are.
constexpr EventLayout layoutOf(std::uint8_t type) {
    return isKnown(type) ? kEventLayouts[type - kFirstEvent] : EventLayout{true, ""};
}

/// Of which definitions a letter in upper case stands for a reference.
constexpr OTF2_MappingType definitionsOf(char letter) {
    switch (letter) {
        case 'R':
            return OTF2_MAPPING_REGION;
        case 'C':
            return OTF2_MAPPING_COMM;
        case 'M':
            return OTF2_MAPPING_METRIC;
        case 'P':
            return OTF2_MAPPING_PARAMETER;
        case 'S':
            return OTF2_MAPPING_STRING;
        case 'W':
            return OTF2_MAPPING_RMA_WIN;
        case 'G':
            return OTF2_MAPPING_GROUP;
        case 'X':
            return OTF2_MAPPING_CALLING_CONTEXT;
        case 'U':
            return OTF2_MAPPING_INTERRUPT_GENERATOR;
        case 'H':
            return OTF2_MAPPING_IO_HANDLE;
        default:
            return OTF2_MAPPING_IO_FILE;
    }
}

/// How the value of an attribute stands in a record.
struct AttributeLayout {
    std::uint8_t plainBytes = 0;                      ///< 0: as many as it says itself
    bool isLong = false;                              ///< of up to 64 bits
    OTF2_MappingType definitions = OTF2_MAPPING_MAX;  ///< whose reference it is; the last: none
    std::uint8_t bytes = 4;                           ///< in memory
};

/// What later versions of OTF2 add are references, of up to 64 bits.
constexpr AttributeLayout attributeLayoutOf(OTF2_Type type) {
    switch (type) {
        case OTF2_TYPE_UINT8:
        case OTF2_TYPE_INT8:
            return {.plainBytes = 1, .bytes = 1};
        case OTF2_TYPE_UINT16:
        case OTF2_TYPE_INT16:
            return {.plainBytes = 2, .bytes = 2};
        case OTF2_TYPE_UINT32:
        case OTF2_TYPE_INT32:
            return {};
        case OTF2_TYPE_FLOAT:
            return {.plainBytes = 4};
        case OTF2_TYPE_DOUBLE:
            return {.plainBytes = 8, .bytes = 8};
        case OTF2_TYPE_STRING:
            return {.definitions = OTF2_MAPPING_STRING};
        case OTF2_TYPE_ATTRIBUTE:
            return {.definitions = OTF2_MAPPING_ATTRIBUTE};
        case OTF2_TYPE_LOCATION:
            return {.isLong = true, .definitions = OTF2_MAPPING_LOCATION, .bytes = 8};
        case OTF2_TYPE_REGION:
            return {.definitions = OTF2_MAPPING_REGION};
        case OTF2_TYPE_GROUP:
            return {.definitions = OTF2_MAPPING_GROUP};
        case OTF2_TYPE_METRIC:
            return {.definitions = OTF2_MAPPING_METRIC};
        case OTF2_TYPE_COMM:
            return {.definitions = OTF2_MAPPING_COMM};
        case OTF2_TYPE_PARAMETER:
            return {.definitions = OTF2_MAPPING_PARAMETER};
        case OTF2_TYPE_RMA_WIN:
            return {.definitions = OTF2_MAPPING_RMA_WIN};
        case OTF2_TYPE_SOURCE_CODE_LOCATION:
            return {.definitions = OTF2_MAPPING_SOURCE_CODE_LOCATION};
        case OTF2_TYPE_CALLING_CONTEXT:
            return {.definitions = OTF2_MAPPING_CALLING_CONTEXT};
        case OTF2_TYPE_INTERRUPT_GENERATOR:
            return {.definitions = OTF2_MAPPING_INTERRUPT_GENERATOR};
        case OTF2_TYPE_IO_FILE:
            return {.definitions = OTF2_MAPPING_IO_FILE};
        case OTF2_TYPE_IO_HANDLE:
            return {.definitions = OTF2_MAPPING_IO_HANDLE};
        case OTF2_TYPE_LOCATION_GROUP:
            return {.definitions = OTF2_MAPPING_LOCATION_GROUP};
        default:
            return {.isLong = true, .bytes = 8};
    }
}

inline OTF2_AttributeValue attributeValue(const AttributeLayout& layout, std::uint64_t number) {
    OTF2_AttributeValue value{};
    if (layout.bytes == 1)
        value.uint8 = static_cast<std::uint8_t>(number);
    else if (layout.bytes == 2)
        value.uint16 = static_cast<std::uint16_t>(number);
    else if (layout.bytes == 4)
        value.uint32 = static_cast<std::uint32_t>(number);
    else
        value.uint64 = number;
    return value;
}

}  // namespace holos::analyzer::trace
