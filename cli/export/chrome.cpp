// SPDX-License-Identifier: BSD-3-Clause
// The trace over time, as https://ui.perfetto.dev, chrome://tracing and speedscope read it ("Trace Event
// Format" of Chromium): calls of each thread as slices, messages as flows from the send to the receive,
// metrics as tracks of counters. It is a text of some 150 bytes for each call: a part of a long run is taken
// by --from and --to.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "analyzer/trace/anchor.h"
#include "analyzer/trace/call_events.h"
#include "analyzer/trace/curves.h"
#include "analyzer/trace/definitions_reader.h"
#include "base/json.h"
#include "cli/export/export_format.h"
#include "cli/terminal/terminal.h"

namespace holos::cli {

using namespace analyzer::trace;

namespace {

std::string textOf(const std::string& text) {
    return jsonText(nlohmann::json(text));
}

/// The members of the array `traceEvents`.
class EventList {
  public:
    EventList(ExportOutput& output, const Definitions& definitions)
        : output_(output), microsecondsPerTick_(1e6 / static_cast<double>(definitions.clock.ticksPerSecond)) {
        output_.write(R"({"displayTimeUnit":"ns","traceEvents":[)");
    }

    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        output_.write(isFirst_ ? "\n" : ",\n");
        isFirst_ = false;
        output_.write(fmt::format(format, std::forward<Values>(values)...));
    }
    void finish() { output_.write("\n]}\n"); }

    /// Microseconds to a thousandth, as both viewers have nanoseconds.
    std::string time(Ticks ticks) const {
        return fmt::format("{:.3f}", static_cast<double>(ticks) * microsecondsPerTick_);
    }

  private:
    ExportOutput& output_;
    double microsecondsPerTick_;
    bool isFirst_ = true;
};

struct Range {
    Ticks from = 0;
    Ticks to = std::numeric_limits<Ticks>::max();
    bool has(Ticks time) const { return time >= from && time <= to; }
};

/// One side of a message, and the thread it was seen by.
struct SeenEnd {
    MessageEnd end;
    std::uint32_t thread;
};

/// The calls of a thread in a range as slices. Those that are open where it begins begin there.
class Slices : public CallEvents {
  public:
    Slices(EventList& list, const Definitions& definitions, const Range& range, LocationId location,
           std::vector<SeenEnd>& ends)
        : list_(list),
          definitions_(definitions),
          range_(range),
          process_(definitions[location].process),
          thread_(definitions[location].rank),
          ends_(ends) {}

    bool runs(Ticks) override { return true; }
    bool enter(Ticks time, RegionId region) override {
        if (time > range_.to) return false;
        last_ = time;
        if (time >= range_.from) {
            beginRange();
            begin(time, region);
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
            end(time);
        }
        open_.pop_back();
        return true;
    }
    bool message(const MessageEnd& end) override {
        if (end.time > range_.to) return false;
        ends_.push_back({end, thread_});  // earlier ones, too: they count in their channel
        return true;
    }

    /// What is open at the end of the range ends there, or with the trace.
    void finish(Ticks traceEnd) {
        beginRange();
        for (; !open_.empty(); open_.pop_back()) end(std::max(last_, std::min(range_.to, traceEnd)));
    }

  private:
    void beginRange() {
        if (std::exchange(hasBegun_, true)) return;
        for (const RegionId region : open_) begin(range_.from, region);
    }
    void begin(Ticks time, RegionId region) {
        const Region& of = definitions_[region];
        list_.add(R"({{"ph":"B","pid":{},"tid":{},"ts":{},"name":{},"cat":{}}})", process_.index(), thread_,
                  list_.time(time), textOf(of.name), textOf(of.paradigmName));
    }
    void end(Ticks time) {
        list_.add(R"({{"ph":"E","pid":{},"tid":{},"ts":{}}})", process_.index(), thread_, list_.time(time));
    }

    EventList& list_;
    const Definitions& definitions_;
    const Range& range_;
    ProcessId process_;
    std::uint32_t thread_;
    std::vector<SeenEnd>& ends_;
    std::vector<RegionId> open_;
    Ticks last_ = 0;
    bool hasBegun_ = false;
};

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

class TimelineWriter {
  public:
    TimelineWriter(const std::filesystem::path& anchor, ExportOutput& output,
                   const std::optional<double>& from, const std::optional<double>& to)
        : anchor_(anchor), definitions_(readDefinitions(anchor)), list_(output, definitions_) {
        const double perSecond = static_cast<double>(definitions_.clock.ticksPerSecond);
        if (from) range_.from = std::llround(*from * perSecond);
        range_.to = static_cast<Ticks>(definitions_.clock.length);
        if (to) range_.to = std::min(range_.to, static_cast<Ticks>(std::llround(*to * perSecond)));
    }

    void write() {
        for (std::size_t i = 0; i < definitions_.processes.size(); ++i) writeProcess(ProcessId(i));
        list_.finish();
    }

  private:
    void writeProcess(ProcessId process) {
        list_.add(R"({{"ph":"M","pid":{0},"name":"process_name","args":{{"name":{1}}}}})", process.index(),
                  textOf(definitions_[process].name));
        list_.add(R"({{"ph":"M","pid":{0},"name":"process_sort_index","args":{{"sort_index":{0}}}}})",
                  process.index());
        std::vector<SeenEnd> ends;
        for (std::size_t i = 0; i < definitions_.locations.size(); ++i)
            if (definitions_.locations[i].process == process) writeLocation(LocationId(i), ends);
        std::ranges::stable_sort(ends, {}, [](const SeenEnd& one) { return one.end.time; });
        for (const SeenEnd& one : ends) writeEnd(process, one);
    }

    void writeLocation(LocationId location, std::vector<SeenEnd>& ends) {
        const Location& one = definitions_[location];
        list_.add(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}})",
                  one.process.index(), one.rank, textOf(one.name));
        Slices slices(list_, definitions_, range_, location, ends);
        const std::atomic<bool> stopped = false;
        const CallReading reading = readCallEvents(anchor_, definitions_, location, slices, stopped);
        slices.finish(static_cast<Ticks>(definitions_.clock.length));
        if (reading.outcome.problem) complain("note: " + one.name + ": " + *reading.outcome.problem);
        writeCounters(location);
    }

    /// Means of equal parts of the range: what a screen can show.
    void writeCounters(LocationId location) {
        constexpr std::size_t kParts = 2000;
        if (range_.to <= range_.from) return;
        const Location& one = definitions_[location];
        const TimeGrid grid{range_.from, range_.to, kParts};
        const double length = static_cast<double>(range_.to - range_.from) / kParts;
        for (const Curve& curve : readCurves(anchor_, definitions_, location, grid).curves) {
            const MetricMember& metric = definitions_.metricMembers[curve.member.index()];
            const bool isRate = metric.mode != MetricMode::Absolute;
            const std::string name =
                textOf(metric.name + (isRate ? " per second" : "") + " (" + one.name + ')');
            for (std::size_t part = 0; part < curve.means.size(); ++part) {
                if (!std::isfinite(curve.means[part])) continue;
                const auto at = range_.from + std::llround(length * static_cast<double>(part));
                list_.add(R"({{"ph":"C","pid":{},"ts":{},"name":{},"args":{{{}:{}}}}})", one.process.index(),
                          list_.time(at), name, textOf(metric.unit.empty() ? "value" : metric.unit),
                          curve.means[part]);
            }
        }
    }

    void writeEnd(ProcessId process, const SeenEnd& one) {
        const std::uint64_t number = channels_.numberOf(process, one.end);
        if (!range_.has(one.end.time)) return;
        const std::string place =
            fmt::format(R"("pid":{},"tid":{},"ts":{},"id":{},"cat":"message","name":"message")",
                        process.index(), one.thread, list_.time(one.end.time), number);
        const std::string& communicator = definitions_.comms[one.end.comm].name;
        const std::string within = communicator.empty() ? "" : R"(,"communicator":)" + textOf(communicator);
        if (one.end.sends)
            list_.add(R"({{"ph":"s",{},"args":{{"bytes":{},"tag":{}{}}}}})", place, one.end.bytes,
                      one.end.tag, within);
        else
            list_.add(R"({{"ph":"f","bp":"e",{}}})", place);
    }

    const std::filesystem::path& anchor_;
    Definitions definitions_;
    EventList list_;
    Range range_;
    Channels channels_;
};

class Chrome : public ExportFormat {
  public:
    std::string word() const override { return "chrome"; }
    std::vector<Option> addOptions(Command& command) override {
        return {
            command.option("--from", from_, "With --format chrome: from this second of the run on")
                .notNegative(),
            command.option("--to", to_, "With --format chrome: up to this second of the run").notNegative()};
    }
    void write(const ExportRequest& request, ExportOutput& output) const override {
        if (!request.metrics.empty() || request.zeros || request.communication)
            throw UsageError(
                "--format chrome shows the run over time: --metric, --zeros and --communication are for "
                "tables");
        if (from_ && to_ && *from_ >= *to_) throw UsageError("--to: must be later than --from");
        const std::filesystem::path file = request.file;
        const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
        const std::filesystem::path anchor = findAnchor(file.extension() == ".cubex" ? folder : file);
        TimelineWriter(anchor, output, from_, to_).write();
    }

  private:
    std::optional<double> from_;
    std::optional<double> to_;
};

}  // namespace

std::unique_ptr<ExportFormat> makeChromeFormat() {
    return std::make_unique<Chrome>();
}

}  // namespace holos::cli
