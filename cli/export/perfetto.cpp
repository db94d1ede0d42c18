// SPDX-License-Identifier: BSD-3-Clause
// The trace over time as https://ui.perfetto.dev and Perfetto's trace_processor read it: a sequence of
// `TracePacket` (protos/perfetto/trace of Perfetto), each of which stands for itself, so that a trace of any
// size is written as it is read. Threads and counters are tracks. Calls are slices; the two sides of a
// message are instants within them that a flow connects.
#include <cmath>
#include <protozero/pbf_builder.hpp>
#include <unordered_map>
#include <unordered_set>

#include "cli/export/timeline.h"

namespace holos::cli {

using namespace analyzer::trace;

namespace {

// Numbers of fields, as the schema has them.
namespace packet {
enum class Trace : protozero::pbf_tag_type { Packet = 1 };
enum class Packet : protozero::pbf_tag_type {
    Timestamp = 8,  ///< nanoseconds
    Sequence = 10,
    TrackEvent = 11,
    InternedData = 12,
    SequenceFlags = 13,
    TrackDescriptor = 60,
};
enum class Interned : protozero::pbf_tag_type { Categories = 1, EventNames = 2 };
enum class Name : protozero::pbf_tag_type { Number = 1, Text = 2 };
enum class Track : protozero::pbf_tag_type {
    Number = 1,
    Name = 2,
    Process = 3,
    Thread = 4,
    Parent = 5,
    Counter = 8,
};
enum class Process : protozero::pbf_tag_type { Number = 1, SortIndex = 3, Name = 6 };
enum class Thread : protozero::pbf_tag_type { Process = 1, Number = 2, SortIndex = 3, Name = 5 };
enum class Counter : protozero::pbf_tag_type { UnitName = 6 };
enum class Event : protozero::pbf_tag_type {
    Categories = 3,
    Annotation = 4,
    Type = 9,
    NameNumber = 10,
    Track = 11,
    Name = 23,
    CounterValue = 44,
    Flow = 47,
    LastFlow = 48,
};
enum class Annotation : protozero::pbf_tag_type { Unsigned = 3, Text = 6, Name = 10 };
}  // namespace packet

enum class EventType : std::int32_t { SliceBegin = 1, SliceEnd = 2, Instant = 3, Counter = 4 };

/// Of a packet of a sequence: whether names that have a number are forgotten before it, or needed for it.
enum class SequenceFlags : std::uint32_t { Cleared = 1, NeedsNames = 2 };

template <class Fields>
using Message = protozero::pbf_builder<Fields>;

class PerfettoSink : public TimelineSink {
  public:
    PerfettoSink(ExportOutput& output, const Definitions& definitions)
        : output_(output),
          definitions_(definitions),
          firstThread_(definitions.processes.size() + 1),
          nextCounter_(firstThread_ + definitions.locations.size()) {}

    void process(ProcessId process) override {
        describe(numberOf(process), [&](Message<packet::Track>& track) {
            Message<packet::Process> made(track, packet::Track::Process);
            made.add_int32(packet::Process::Number, numberOf(process));
            made.add_int32(packet::Process::SortIndex, numberOf(process));
            made.add_string(packet::Process::Name, definitions_[process].name);
        });
    }

    void thread(LocationId location) override {
        const Location& one = definitions_[location];
        describe(trackOf(location), [&](Message<packet::Track>& track) {
            track.add_uint64(packet::Track::Parent, static_cast<std::uint64_t>(numberOf(one.process)));
            Message<packet::Thread> made(track, packet::Track::Thread);
            made.add_int32(packet::Thread::Process, numberOf(one.process));
            made.add_int64(packet::Thread::Number, static_cast<std::int64_t>(trackOf(location)));
            made.add_int32(packet::Thread::SortIndex, static_cast<std::int32_t>(one.rank));
            made.add_string(packet::Thread::Name, one.name);
        });
    }

    void begin(LocationId location, Ticks time, RegionId region) override {
        const std::uint64_t number = region.index() + 1;
        write(time, [&](Message<packet::Packet>& made) {
            const std::uint64_t category = nameOnce(made, region);
            Message<packet::Event> event = eventOf(made, EventType::SliceBegin, trackOf(location));
            if (category > 0) event.add_uint64(packet::Event::Categories, category);
            event.add_uint64(packet::Event::NameNumber, number);
        });
    }

    void end(LocationId location, Ticks time) override {
        write(time,
              [&](Message<packet::Packet>& made) { eventOf(made, EventType::SliceEnd, trackOf(location)); });
    }

    void message(LocationId location, const MessageEnd& end, std::uint64_t number) override {
        write(end.time, [&](Message<packet::Packet>& made) {
            Message<packet::Event> event = eventOf(made, EventType::Instant, trackOf(location));
            annotate(event, "bytes", end.bytes);
            annotate(event, "tag", end.tag);
            if (const std::string& within = definitions_.comms[end.comm].name; !within.empty())
                annotate(event, "communicator", within);
            event.add_string(packet::Event::Name, end.sends ? "send" : "receive");
            event.add_fixed64(end.sends ? packet::Event::Flow : packet::Event::LastFlow, number + 1);
        });
    }

    void counter(LocationId location, const MetricMember& metric,
                 const std::vector<CounterValue>& values) override {
        const std::uint64_t number = nextCounter_++;
        describe(number, [&](Message<packet::Track>& track) {
            track.add_string(packet::Track::Name,
                             counterName(metric) + " (" + definitions_[location].name + ')');
            track.add_uint64(packet::Track::Parent, trackOf(location));
            Message<packet::Counter> made(track, packet::Track::Counter);
            if (!metric.unit.empty()) made.add_string(packet::Counter::UnitName, metric.unit);
        });
        for (const auto& [time, value] : values)
            write(time, [&, value = value](Message<packet::Packet>& made) {
                Message<packet::Event> event = eventOf(made, EventType::Counter, number);
                event.add_double(packet::Event::CounterValue, value);
            });
    }

    void finish() override {}

  private:
    static constexpr std::uint32_t kSequence = 1;

    /// Of a process among processes and among tracks. 0 is the idle process for viewers.
    static std::int32_t numberOf(ProcessId process) { return static_cast<std::int32_t>(process.index() + 1); }

    /// Of a thread among all threads and among tracks.
    std::uint64_t trackOf(LocationId location) const { return firstThread_ + location.index(); }

    template <class Describe>
    void describe(std::uint64_t number, const Describe& describeRest) {
        writePacket([&](Message<packet::Packet>& made) {
            Message<packet::Track> track(made, packet::Packet::TrackDescriptor);
            track.add_uint64(packet::Track::Number, number);
            describeRest(track);
        });
    }

    template <class Fill>
    void write(Ticks time, const Fill& fill) {
        writePacket([&](Message<packet::Packet>& made) {
            made.add_uint64(packet::Packet::Timestamp, nanoseconds(time));
            fill(made);
        });
    }

    template <class Fill>
    void writePacket(const Fill& fill) {
        bytes_.clear();
        {
            Message<packet::Trace> trace(bytes_);
            Message<packet::Packet> made(trace, packet::Trace::Packet);
            made.add_uint32(packet::Packet::Sequence, kSequence);
            made.add_uint32(
                packet::Packet::SequenceFlags,
                static_cast<std::uint32_t>(std::exchange(isFirst_, false) ? SequenceFlags::Cleared
                                                                          : SequenceFlags::NeedsNames));
            fill(made);
        }
        output_.write(bytes_);
    }

    static Message<packet::Event> eventOf(Message<packet::Packet>& made, EventType type,
                                          std::uint64_t track) {
        Message<packet::Event> event(made, packet::Packet::TrackEvent);
        event.add_enum(packet::Event::Type, static_cast<std::int32_t>(type));
        event.add_uint64(packet::Event::Track, track);
        return event;
    }

    static void annotate(Message<packet::Event>& event, const char* name, std::uint64_t value) {
        Message<packet::Annotation> made(event, packet::Event::Annotation);
        made.add_uint64(packet::Annotation::Unsigned, value);
        made.add_string(packet::Annotation::Name, name);
    }
    static void annotate(Message<packet::Event>& event, const char* name, const std::string& text) {
        Message<packet::Annotation> made(event, packet::Event::Annotation);
        made.add_string(packet::Annotation::Text, text);
        made.add_string(packet::Annotation::Name, name);
    }

    /// Gives the names of the region and of its paradigm their numbers where they have none yet. Returns the
    /// number of the paradigm's name, 0 for none.
    std::uint64_t nameOnce(Message<packet::Packet>& made, RegionId region) {
        const Region& of = definitions_[region];
        std::uint64_t category = 0;
        bool isNewCategory = false;
        if (!of.paradigmName.empty()) {
            const auto [at, isNew] = categories_.try_emplace(of.paradigmName, categories_.size() + 1);
            category = at->second;
            isNewCategory = isNew;
        }
        const bool isNewName = named_.insert(region.index()).second;
        if (!isNewName && !isNewCategory) return category;
        Message<packet::Interned> data(made, packet::Packet::InternedData);
        if (isNewCategory) add(data, packet::Interned::Categories, category, of.paradigmName);
        if (isNewName) add(data, packet::Interned::EventNames, region.index() + 1, of.name);
        return category;
    }
    static void add(Message<packet::Interned>& data, packet::Interned field, std::uint64_t number,
                    const std::string& text) {
        Message<packet::Name> name(data, field);
        name.add_uint64(packet::Name::Number, number);
        name.add_string(packet::Name::Text, text);
    }

    /// Times before the start of the trace, which damaged ones have, are at its start.
    std::uint64_t nanoseconds(Ticks time) const {
        if (time <= 0) return 0;
        constexpr std::uint64_t kPerSecond = 1'000'000'000;
        const auto ticks = static_cast<std::uint64_t>(time);
        const std::uint64_t perSecond = definitions_.clock.ticksPerSecond;
        return ticks / perSecond * kPerSecond +
               static_cast<std::uint64_t>(
                   std::llround(static_cast<double>(ticks % perSecond) * static_cast<double>(kPerSecond) /
                                static_cast<double>(perSecond)));
    }

    ExportOutput& output_;
    const Definitions& definitions_;
    std::uint64_t firstThread_;
    std::uint64_t nextCounter_;
    std::unordered_set<std::size_t> named_;  ///< regions
    std::unordered_map<std::string, std::uint64_t> categories_;
    std::string bytes_;  ///< of the packet that is written, kept for its memory
    bool isFirst_ = true;
};

class Perfetto : public TimelineFormat {
  public:
    std::string word() const override { return "perfetto"; }
    std::unique_ptr<TimelineSink> timelineTo(ExportOutput& output,
                                             const Definitions& definitions) const override {
        return std::make_unique<PerfettoSink>(output, definitions);
    }
};

}  // namespace

std::unique_ptr<ExportFormat> makePerfettoFormat() {
    return std::make_unique<Perfetto>();
}

}  // namespace holos::cli
