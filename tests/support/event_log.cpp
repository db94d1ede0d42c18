// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/event_log.h"

#include "analyzer/trace/definitions_reader.h"
#include "analyzer/trace/event_file.h"
#include "analyzer/trace/event_layouts.h"

namespace holos::testing {

namespace {

using analyzer::trace::EventFile;
using analyzer::trace::EventHandlers;
using Numbers = std::vector<std::uint64_t>;

std::uint64_t lowest(std::uint64_t value, unsigned bytes) {
    return bytes == sizeof value ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

Numbers& begin(void* user, int kind, OTF2_LocationRef location, OTF2_TimeStamp time, std::uint64_t event,
               const OTF2_AttributeList* attributes) {
    auto& numbers = *static_cast<Numbers*>(user);
    const std::uint32_t count = OTF2_AttributeList_GetNumberOfElements(attributes);
    for (const std::uint64_t number : {std::uint64_t(kind), location, time, event, std::uint64_t{count}})
        numbers.push_back(number);
    for (std::uint32_t i = 0; i < count; ++i) {
        OTF2_AttributeRef name = 0;
        OTF2_Type type = OTF2_TYPE_NONE;
        OTF2_AttributeValue value;
        OTF2_AttributeList_GetAttributeByIndex(attributes, i, &name, &type, &value);
        numbers.push_back(name);
        numbers.push_back(type);
        // Bytes behind the value mean nothing.
        numbers.push_back(lowest(value.uint64, analyzer::trace::attributeLayoutOf(type).bytes));
    }
    return numbers;
}

template <int kind, class... Fields>
OTF2_CallbackCode note(OTF2_LocationRef location, OTF2_TimeStamp time, std::uint64_t event, void* user,
                       OTF2_AttributeList* attributes, Fields... fields) {
    Numbers& numbers = begin(user, kind, location, time, event, attributes);
    (numbers.push_back(static_cast<std::uint64_t>(fields)), ...);
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode noteMetric(OTF2_LocationRef location, OTF2_TimeStamp time, std::uint64_t event, void* user,
                             OTF2_AttributeList* attributes, OTF2_MetricRef metric, std::uint8_t count,
                             const OTF2_Type* types, const OTF2_MetricValue* values) {
    Numbers& numbers = begin(user, -1, location, time, event, attributes);
    numbers.push_back(metric);
    for (std::uint8_t i = 0; i < count; ++i) {
        numbers.push_back(types[i]);
        numbers.push_back(values[i].unsigned_int);
    }
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode noteProgram(OTF2_LocationRef location, OTF2_TimeStamp time, std::uint64_t event, void* user,
                              OTF2_AttributeList* attributes, OTF2_StringRef name, std::uint32_t count,
                              const OTF2_StringRef* arguments) {
    Numbers& numbers = begin(user, -2, location, time, event, attributes);
    numbers.push_back(name);
    numbers.insert(numbers.end(), arguments, arguments + count);
    return OTF2_CALLBACK_SUCCESS;
}

EventLog readAll(EventFile& file, bool isOpen, Numbers& numbers) {
    if (isOpen) file.deliver({});
    const auto outcome = isOpen ? file.completeOutcome() : file.outcome();
    return {std::move(numbers), outcome.events, outcome.problem};
}

}  // namespace

EventHandlers notingHandlers() {
    EventHandlers handlers;
    handlers.enter = &note<0>;
    handlers.leave = &note<1>;
    handlers.callingContextEnter = &note<2>;
    handlers.callingContextLeave = &note<3>;
    handlers.callingContextSample = &note<4>;
    handlers.bufferFlush = &note<5>;
    handlers.measurementOnOff = &note<6>;
    handlers.metric = &noteMetric;
    handlers.programBegin = &noteProgram;
    handlers.programEnd = &note<9>;
    handlers.parameterInt = &note<10>;
    handlers.parameterUnsignedInt = &note<11>;
    handlers.parameterString = &note<12>;
    handlers.unknown = &note<13>;
    handlers.mpiSend = &note<14>;
    handlers.mpiIsend = &note<15>;
    handlers.mpiIsendComplete = &note<16>;
    handlers.mpiIrecvRequest = &note<17>;
    handlers.mpiRecv = &note<18>;
    handlers.mpiIrecv = &note<19>;
    handlers.mpiRequestCancelled = &note<20>;
    handlers.mpiCollectiveBegin = &note<21>;
    handlers.mpiCollectiveEnd = &note<22>;
    handlers.nonBlockingCollectiveRequest = &note<23>;
    handlers.nonBlockingCollectiveComplete = &note<24>;
    handlers.rmaCollectiveBegin = &note<25>;
    handlers.rmaCollectiveEnd = &note<26>;
    handlers.rmaGroupSync = &note<27>;
    handlers.rmaRequestLock = &note<28>;
    handlers.rmaReleaseLock = &note<29>;
    handlers.rmaPut = &note<30>;
    handlers.rmaGet = &note<31>;
    handlers.rmaAtomic = &note<32>;
    handlers.rmaOpCompleteNonBlocking = &note<33>;
    handlers.rmaOpCompleteRemote = &note<34>;
    handlers.threadFork = &note<35>;
    handlers.threadJoin = &note<36>;
    handlers.threadTeamBegin = &note<37>;
    handlers.threadTeamEnd = &note<38>;
    handlers.threadCreate = &note<39>;
    handlers.threadBegin = &note<40>;
    handlers.threadWait = &note<41>;
    handlers.threadEnd = &note<42>;
    handlers.threadAcquireLock = &note<43>;
    handlers.threadReleaseLock = &note<44>;
    handlers.threadTaskSwitch = &note<45>;
    handlers.threadTaskComplete = &note<46>;
    handlers.ioCreateHandle = &note<47>;
    handlers.ioDestroyHandle = &note<48>;
    handlers.ioSeek = &note<49>;
    handlers.ioOperationBegin = &note<50>;
    handlers.ioOperationComplete = &note<51>;
    handlers.ioOperationCancelled = &note<52>;
    return handlers;
}

EventLog readEvents(const std::filesystem::path& anchor, const analyzer::trace::Definitions& definitions,
                    analyzer::trace::LocationId location) {
    Numbers numbers;
    EventFile file(anchor, definitions, location);
    const bool isOpen = file.listen(notingHandlers(), &numbers);
    return readAll(file, isOpen, numbers);
}

EventLog readEventsByLibrary(const std::filesystem::path& anchor,
                             const analyzer::trace::Definitions& definitions,
                             analyzer::trace::LocationId location) {
    Numbers numbers;
    EventFile file(anchor, definitions, location);
    const bool isOpen = file.events() != nullptr;
    analyzer::trace::LibraryEvents events;
    if (isOpen) events.registerAt(file.reader(), file.events(), notingHandlers(), &numbers);
    return readAll(file, isOpen, numbers);
}

std::vector<std::string> differencesOfReaders(const std::filesystem::path& anchor) {
    std::vector<std::string> differences;
    const auto definitions = analyzer::trace::readDefinitions(anchor);
    const auto ending = [](const EventLog& log) {
        return std::to_string(log.events) + " events, " + log.problem.value_or("no problem");
    };
    for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
        const analyzer::trace::LocationId location(i);
        const EventLog own = readEvents(anchor, definitions, location);
        const EventLog library = readEventsByLibrary(anchor, definitions, location);
        if (own != library)
            differences.push_back(std::to_string(definitions[location].reference) + ": " + ending(own) +
                                  "; by OTF2 " + ending(library));
    }
    return differences;
}

}  // namespace holos::testing
