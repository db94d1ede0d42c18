// SPDX-License-Identifier: BSD-3-Clause
#include "cli/export/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <map>
#include <tuple>

#include "analyzer/trace/anchor.h"
#include "analyzer/trace/curves.h"
#include "analyzer/trace/definitions_reader.h"
#include "analyzer/trace/part_of_run.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/terminal/terminal.h"

namespace holos::cli {

using namespace analyzer::trace;

namespace {

/// Messages of a sender, a receiver, a communicator and a tag do not overtake each other (MPI 4.0,
/// section 3.5): the n-th send belongs to the n-th receive.
class Channels {
  public:
    /// A number that both sides of a message have, and no other message.
    std::uint64_t numberOf(ProcessId self, const MessageEnd& end) {
        const ProcessId sender = end.sends ? self : end.peer;
        const ProcessId receiver = end.sends ? end.peer : self;
        const std::uint64_t next = channels_.size();
        Channel& channel =
            channels_.try_emplace({sender.index(), receiver.index(), end.comm, end.tag}, Channel{next, 0, 0})
                .first->second;
        return channel.number * kMostInChannel +
               (end.sends ? channel.sends++ : channel.receives++) % kMostInChannel;
    }

  private:
    static constexpr std::uint64_t kMostInChannel = std::uint64_t{1}
                                                    << 28U;  ///< with 2^25 channels exact in a double

    struct Channel {
        std::uint64_t number;
        std::uint64_t sends;
        std::uint64_t receives;
    };
    std::map<std::tuple<std::size_t, std::size_t, std::uint32_t, std::uint32_t>, Channel> channels_;
};

/// Numbers the messages of a process in the order of time. One thread has them in this order. Those of
/// several threads have to be known before, as a viewer wants each within the call that sent or received it.
class Messages {
  public:
    void beginProcess(ProcessId process) {
        process_ = process;
        numbers_.clear();
    }
    /// One that a thread will have, in the order in which it has them.
    void add(LocationId location, const MessageEnd& end) { held_.push_back({location, end}); }
    void numberAdded() {
        std::ranges::stable_sort(held_, {}, [](const Held& one) { return one.end.time; });
        for (const Held& one : held_)
            numbers_[one.location.index()].push_back(channels_.numberOf(process_, one.end));
        held_.clear();
    }

    /// Of the thread's next message.
    std::uint64_t numberOf(LocationId location, const MessageEnd& end) {
        const auto added = numbers_.find(location.index());
        if (added == numbers_.end() || added->second.empty()) return channels_.numberOf(process_, end);
        const std::uint64_t number = added->second.front();
        added->second.pop_front();
        return number;
    }

  private:
    struct Held {
        LocationId location;
        MessageEnd end;
    };

    Channels channels_;
    ProcessId process_{0};
    std::vector<Held> held_;
    std::map<std::size_t, std::deque<std::uint64_t>> numbers_;  ///< of those that were added, by thread
};

/// The messages of a thread up to a time, and nothing else.
class MessagesAlone : public CallEvents {
  public:
    MessagesAlone(Messages& messages, LocationId location, Ticks end)
        : messages_(messages), location_(location), end_(end) {}
    bool runs(Ticks) override { return true; }
    bool enter(Ticks time, RegionId) override { return time <= end_; }
    bool leave(Ticks time, RegionId) override { return time <= end_; }
    bool message(const MessageEnd& end) override {
        if (end.time > end_) return false;
        messages_.add(location_, end);
        return true;
    }

  private:
    Messages& messages_;
    LocationId location_;
    Ticks end_;
};

/// The calls and messages of a thread in a range.
class ThreadCalls : public CallEvents {
  public:
    ThreadCalls(TimelineSink& sink, const PartOfRun& range, LocationId location, Messages& messages)
        : sink_(sink), range_(range), location_(location), messages_(messages) {}

    bool runs(Ticks) override { return true; }
    bool enter(Ticks time, RegionId region) override {
        if (time > range_.to) return false;
        last_ = time;
        if (time >= range_.from) {
            beginRange();
            sink_.begin(location_, time, region);
        }
        open_.push_back(region);
        return true;
    }
    bool leave(Ticks time, RegionId) override {
        if (time > range_.to) return false;
        last_ = time;
        if (open_.empty()) return true;
        if (time >= range_.from) {
            beginRange();
            sink_.end(location_, time);
        }
        open_.pop_back();
        return true;
    }
    bool message(const MessageEnd& end) override {
        if (end.time > range_.to) return false;
        const std::uint64_t number = messages_.numberOf(location_, end);  // earlier ones count, too
        if (end.time >= range_.from && end.time <= range_.to) sink_.message(location_, end, number);
        return true;
    }
    /// While nothing is recorded, the thread is in a region that says so.
    bool stops(Ticks time) override { return isOff() || enter(time, kOffRegion); }
    bool goesOn(Ticks time) override { return !isOff() || leave(time, kOffRegion); }

    /// What is open at the end of the range ends there, or with the trace.
    void finish(Ticks traceEnd) {
        beginRange();
        for (; !open_.empty(); open_.pop_back())
            sink_.end(location_, std::max(last_, std::min(range_.to, traceEnd)));
    }

  private:
    void beginRange() {
        if (std::exchange(hasBegun_, true)) return;
        for (const RegionId region : open_) sink_.begin(location_, range_.from, region);
    }
    bool isOff() const { return !open_.empty() && open_.back() == kOffRegion; }

    TimelineSink& sink_;
    const PartOfRun& range_;
    LocationId location_;
    Messages& messages_;
    std::vector<RegionId> open_;
    Ticks last_ = 0;
    bool hasBegun_ = false;
};

/// Where a part of the grid begins.
Ticks beginOf(const TimeGrid& grid, std::size_t part) {
    const double length = static_cast<double>(grid.to - grid.from) / static_cast<double>(grid.parts);
    return grid.from + std::llround(length * static_cast<double>(part));
}

/// Viewers draw a value until the next one. What accumulates is spread over the whole part in which it grew,
/// and is zero where nothing was read, so that the area below it is what was counted.
std::vector<CounterValue> valuesOf(const Curve& curve, const MetricMember& metric, const TimeGrid& grid) {
    const bool grows = metric.mode != MetricMode::Absolute;
    std::vector<CounterValue> values;
    bool isOpen = false;
    for (std::size_t part = 0; part < grid.parts; ++part) {
        const bool isKnown = std::isfinite(curve.means[part]);
        if (isKnown)
            values.push_back({beginOf(grid, part), curve.means[part] * (grows ? curve.known[part] : 1.0)});
        else if (grows && isOpen)
            values.push_back({beginOf(grid, part), 0.0});
        isOpen = isKnown;
    }
    if (grows && isOpen) values.push_back({grid.to, 0.0});
    return values;
}

/// Reads a trace, one location after the other, into a sink.
class TimelineReader {
  public:
    TimelineReader(const std::filesystem::path& anchor, const Definitions& definitions, TimelineSink& sink,
                   const PartOfRun& range)
        : anchor_(anchor), definitions_(definitions), sink_(sink), range_(range) {}

    /// Only some processes, or all where none is named.
    void read(const std::vector<std::size_t>& only) {
        for (std::size_t i = 0; i < definitions_.processes.size(); ++i)
            if (only.empty() || std::ranges::find(only, i) != only.end()) readProcess(ProcessId(i));
        sink_.finish();
    }

  private:
    void readProcess(ProcessId process) {
        const std::vector<LocationId>& locations = definitions_[process].threads;
        const auto threads = std::ranges::count_if(locations, [&](LocationId location) {
            return definitions_[location].kind != Location::Kind::Metric;
        });
        sink_.process(process);
        messages_.beginProcess(process);
        if (threads > 1 && mayHaveMessages()) numberMessages(locations);
        for (const LocationId location : locations) readLocation(location);
    }

    bool mayHaveMessages() const {
        return std::ranges::any_of(definitions_.comms, [](const Comm& comm) {
            return comm.paradigm != Paradigm::OpenMp && comm.paradigm != Paradigm::Pthread;
        });
    }

    void numberMessages(const std::vector<LocationId>& locations) {
        const std::atomic<bool> stopped = false;
        for (const LocationId location : locations) {
            MessagesAlone messages(messages_, location, range_.to);
            readCallEvents(anchor_, definitions_, location, messages, stopped);
        }
        messages_.numberAdded();
    }

    void readLocation(LocationId location) {
        sink_.thread(location);
        ThreadCalls calls(sink_, range_, location, messages_);
        const std::atomic<bool> stopped = false;
        const CallReading reading = readCallEvents(anchor_, definitions_, location, calls, stopped);
        calls.finish(static_cast<Ticks>(definitions_.clock.length));
        if (reading.outcome.problem)
            complain("note: " + definitions_[location].name + ": " + *reading.outcome.problem);
        readCounters(location);
    }

    /// Means of equal parts of the range: what a screen can show.
    void readCounters(LocationId location) {
        constexpr std::size_t kParts = 2000;
        if (range_.to <= range_.from) return;
        const TimeGrid grid{range_.from, range_.to, kParts};
        for (const Curve& curve : readCurves(anchor_, definitions_, location, grid).curves) {
            const MetricMember& metric = definitions_.metricMembers[curve.member.index()];
            sink_.counter(location, metric, valuesOf(curve, metric, grid));
        }
    }

    const std::filesystem::path& anchor_;
    const Definitions& definitions_;
    TimelineSink& sink_;
    PartOfRun range_;
    Messages messages_;
};

}  // namespace

void TimelineFormat::write(const ExportRequest& request, ExportOutput& output) const {
    if (!request.metrics.empty() || request.zeros || request.communication)
        throw UsageError("--format " + word() +
                         " shows the run over time: --metric, --zeros and --communication are for tables");
    if (request.from && request.to && *request.from >= *request.to)
        throw UsageError("--to: must be later than --from");
    const std::filesystem::path file = request.files.front();
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const std::filesystem::path anchor = findAnchor(file.extension() == ".cubex" ? folder : file);
    const Definitions definitions = readDefinitions(anchor);
    for (const std::size_t process : request.processes)
        if (process >= definitions.processes.size())
            throw Error(fmt::format("--processes: there is no process {}; the run has {}", process,
                                    counted(definitions.processes.size(), "process")));
    const bool isPart = request.from || request.to;
    const PartOfRun part = isPart ? partOfRun(definitions, request.from, request.to)
                                  : PartOfRun{0, static_cast<Ticks>(definitions.clock.length)};
    const auto sink = timelineTo(output, definitions);
    TimelineReader(anchor, definitions, *sink, part).read(request.processes);
}

std::string counterName(const MetricMember& metric) {
    return metric.name + (metric.mode != MetricMode::Absolute ? " per second" : "");
}

}  // namespace holos::cli
