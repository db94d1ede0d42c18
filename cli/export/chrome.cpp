// SPDX-License-Identifier: BSD-3-Clause
// The trace over time, as chrome://tracing, speedscope and https://ui.perfetto.dev read it ("Trace Event
// Format" of Chromium): calls of each thread as slices, messages as flows from the send to the receive,
// metrics as tracks of counters. It is a text of some 150 bytes for each call: a part of a long run is taken
// by --from and --to, or all of it is written with --format perfetto.
#include <fmt/format.h>

#include "cli/export/timeline.h"

namespace holos::cli {

using namespace analyzer::trace;

namespace {

class ChromeSink : public TimelineSink {
  public:
    ChromeSink(ExportOutput& output, const Definitions& definitions)
        : output_(output),
          definitions_(definitions),
          microsecondsPerTick_(1e6 / static_cast<double>(definitions.clock.ticksPerSecond)) {
        output_.write(R"({"displayTimeUnit":"ns","traceEvents":[)");
    }

    void process(ProcessId process) override {
        add(R"({{"ph":"M","pid":{0},"name":"process_name","args":{{"name":{1}}}}})", process.index(),
            jsonString(definitions_[process].name));
        add(R"({{"ph":"M","pid":{0},"name":"process_sort_index","args":{{"sort_index":{0}}}}})",
            process.index());
    }

    void thread(LocationId location) override {
        add(R"({{"ph":"M",{},"name":"thread_name","args":{{"name":{}}}}})", threadOf(location),
            jsonString(definitions_[location].name));
    }

    void begin(LocationId location, Ticks time, RegionId region) override {
        const Region& of = definitions_[region];
        add(R"({{"ph":"B",{},"ts":{},"name":{},"cat":{}}})", threadOf(location), timeOf(time),
            jsonString(of.name), jsonString(of.paradigmName));
    }

    void end(LocationId location, Ticks time) override {
        add(R"({{"ph":"E",{},"ts":{}}})", threadOf(location), timeOf(time));
    }

    void message(LocationId location, const MessageEnd& end, std::uint64_t number) override {
        const std::string place = fmt::format(R"({},"ts":{},"id":{},"cat":"message","name":"message")",
                                              threadOf(location), timeOf(end.time), number);
        const std::string& communicator = definitions_.comms[end.comm].name;
        const std::string within =
            communicator.empty() ? "" : R"(,"communicator":)" + jsonString(communicator);
        if (end.sends)
            add(R"({{"ph":"s",{},"args":{{"bytes":{},"tag":{}{}}}}})", place, end.bytes, end.tag, within);
        else
            add(R"({{"ph":"f","bp":"e",{}}})", place);
    }

    void counter(LocationId of, const MetricMember& metric,
                 const std::vector<CounterValue>& values) override {
        const Location& location = definitions_[of];
        const std::string name = jsonString(counterName(metric) + " (" + location.name + ')');
        const std::string unit = jsonString(metric.unit.empty() ? "value" : metric.unit);
        for (const auto& [time, value] : values)
            add(R"({{"ph":"C","pid":{},"ts":{},"name":{},"args":{{{}:{}}}}})", location.process.index(),
                timeOf(time), name, unit, value);
    }

    void finish() override { output_.write("\n]}\n"); }

  private:
    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        output_.write(isFirst_ ? "\n" : ",\n");
        isFirst_ = false;
        output_.write(fmt::format(format, std::forward<Values>(values)...));
    }

    /// Threads have numbers of their own among all processes and threads: Perfetto takes threads of one
    /// number for one thread, and that with the number of a process for its first one.
    std::string threadOf(LocationId location) const {
        return fmt::format(R"("pid":{},"tid":{})", definitions_[location].process.index(),
                           definitions_.processes.size() + location.index());
    }

    /// Microseconds to a thousandth, as the viewers have nanoseconds.
    std::string timeOf(Ticks ticks) const {
        return fmt::format("{:.3f}", static_cast<double>(ticks) * microsecondsPerTick_);
    }

    ExportOutput& output_;
    const Definitions& definitions_;
    double microsecondsPerTick_;
    bool isFirst_ = true;
};

class Chrome : public TimelineFormat {
  public:
    std::string word() const override { return "chrome"; }
    std::unique_ptr<TimelineSink> timelineTo(ExportOutput& output,
                                             const Definitions& definitions) const override {
        return std::make_unique<ChromeSink>(output, definitions);
    }
};

}  // namespace

std::unique_ptr<ExportFormat> makeChromeFormat() {
    return std::make_unique<Chrome>();
}

}  // namespace holos::cli
