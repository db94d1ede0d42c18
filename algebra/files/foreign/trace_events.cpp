// SPDX-License-Identifier: BSD-3-Clause
// "Trace Event Format" of Chromium, which PyTorch's profiler (Kineto), Chromium's own tools and many others
// write: a list of events, alone or as the member `traceEvents`. Those that have a length are calls:
//
//   {"ph":"X","pid":1,"tid":7,"ts":100.0,"dur":20.5,"name":"aten::add"}     from 100 to 120.5 microseconds
//   {"ph":"B","pid":1,"tid":7,"ts":100.0,"name":"solve"}                    … up to its "ph":"E"
//   {"ph":"M","pid":1,"tid":7,"name":"thread_name","args":{"name":"main"}}  names of processes and threads
//
// A call belongs to the shortest one on its thread that encloses it. The file is read event by event; a call
// takes some 30 bytes of memory until its thread is complete.
#include <algorithm>
#include <cmath>
#include <istream>
#include <nlohmann/json.hpp>
#include <streambuf>

#include "algebra/files/foreign/foreign.h"
#include "algebra/files/packed/compression.h"
#include "base/error.h"

namespace holos::algebra {

namespace {

/// The members of an event that matter. Numbers of processes and threads may be words.
struct TraceEvent {
    std::string phase, name, process, thread, nameInArguments;
    double begin = 0.0;  ///< microseconds
    double length = 0.0;
};

struct TimedCall {
    double begin = 0.0;  ///< microseconds
    double end = 0.0;
    std::uint32_t name = 0;
};

struct OpenTimedCall {
    TimedCall call;
    CallPathId path;
    double inside = 0.0;  ///< microseconds of calls from there
};

/// Times are doubles of microseconds, which may be as large as those since 1970.
bool encloses(const TimedCall& outer, const TimedCall& inner) {
    constexpr double kNanosecond = 1e-3;
    const double rounding = 4 * (std::nextafter(std::abs(outer.end), HUGE_VAL) - std::abs(outer.end));
    return inner.end <= outer.end + kNanosecond + rounding;
}

struct ThreadOfTrace {
    std::size_t process;
    std::string number;
    std::string name;
    std::vector<TimedCall> calls;
    std::vector<TimedCall> open;  ///< begun by "B"
    double last = 0.0;
};

struct ProcessOfTrace {
    std::string number;
    std::string name;
};

class TraceCalls {
  public:
    void take(const TraceEvent& event) {
        if (event.phase == "M") return takeName(event);
        if (event.phase != "X" && event.phase != "B" && event.phase != "E") return;
        ThreadOfTrace& thread = threadOf(event);
        const double end = event.begin + std::max(event.length, 0.0);
        thread.last = std::max(thread.last, end);
        if (event.phase == "X") thread.calls.push_back({event.begin, end, nameOf(event.name)});
        if (event.phase == "B") thread.open.push_back({event.begin, 0.0, nameOf(event.name)});
        if (event.phase == "E" && !thread.open.empty()) close(thread, event.begin);
    }

    Experiment finish() {
        if (threads_.empty()) throw Error("has no event with a length");
        for (std::size_t at = 0; at < threads_.size(); ++at) addThread(at);
        return tree_.take("trace events");
    }

  private:
    static void close(ThreadOfTrace& thread, double end) {
        TimedCall call = thread.open.back();
        thread.open.pop_back();
        call.end = std::max(end, call.begin);
        thread.calls.push_back(call);
    }

    void takeName(const TraceEvent& event) {
        if (event.name == "process_name") processes_[processOf(event.process)].name = event.nameInArguments;
        if (event.name == "thread_name")
            namesOfThreads_[{event.process, event.thread}] = event.nameInArguments;
    }

    std::size_t processOf(const std::string& number) {
        const auto [at, isNew] = processNumbers_.try_emplace(number, processes_.size());
        if (isNew) processes_.push_back({number, ""});
        return at->second;
    }

    ThreadOfTrace& threadOf(const TraceEvent& event) {
        const auto [at, isNew] = threadNumbers_.try_emplace({event.process, event.thread}, threads_.size());
        if (isNew) threads_.push_back({processOf(event.process), event.thread, "", {}, {}});
        return threads_[at->second];
    }

    std::uint32_t nameOf(const std::string& name) {
        const auto [at, isNew] = nameNumbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
        if (isNew) names_.push_back(name);
        return at->second;
    }

    void addThread(std::size_t number) {
        ThreadOfTrace& thread = threads_[number];
        while (!thread.open.empty()) close(thread, thread.last);
        std::ranges::stable_sort(thread.calls, [](const TimedCall& a, const TimedCall& b) {
            return a.begin < b.begin || (a.begin == b.begin && a.end > b.end);
        });
        const LocationId location = locationOf(number);
        std::vector<OpenTimedCall> open;
        const auto closeLast = [&] {
            const OpenTimedCall& last = open.back();
            add(last, location);
            open.pop_back();
        };
        for (const TimedCall& call : thread.calls) {
            while (!open.empty() && (open.back().call.end <= call.begin || !encloses(open.back().call, call)))
                closeLast();
            const auto caller = open.empty() ? std::nullopt : std::optional(open.back().path);
            if (caller) open.back().inside += call.end - call.begin;
            open.push_back({call, tree_.call(caller, names_[call.name], "")});
        }
        while (!open.empty()) closeLast();
        thread.calls = {};
    }

    void add(const OpenTimedCall& call, LocationId location) {
        constexpr double kMicroseconds = 1e-6;
        const double own = std::max(call.call.end - call.call.begin - call.inside, 0.0);
        tree_.add(tree_.metric("time", "sec"), call.path, location, own * kMicroseconds);
        tree_.add(tree_.metric("visits", "occ"), call.path, location, 1.0);
    }

    LocationId locationOf(std::size_t number) {
        const ThreadOfTrace& thread = threads_[number];
        const ProcessOfTrace& process = processes_[thread.process];
        const auto named = namesOfThreads_.find({process.number, thread.number});
        return tree_.thread(static_cast<std::int64_t>(thread.process),
                            process.name.empty() ? "process " + process.number : process.name,
                            static_cast<std::int64_t>(number),
                            named != namesOfThreads_.end() && !named->second.empty()
                                ? named->second
                                : "thread " + thread.number);
    }

    ImportedTree tree_;
    std::vector<ProcessOfTrace> processes_;
    std::vector<ThreadOfTrace> threads_;
    std::vector<std::string> names_;
    std::map<std::string, std::size_t> processNumbers_;
    std::map<std::pair<std::string, std::string>, std::size_t> threadNumbers_;  ///< by process and thread
    std::map<std::pair<std::string, std::string>, std::string> namesOfThreads_;
    std::unordered_map<std::string, std::uint32_t> nameNumbers_;
};

/// Finds the events in the text of a file.
class EventFinder : public nlohmann::json_sax<nlohmann::json> {
  public:
    explicit EventFinder(TraceCalls& calls) : calls_(calls) {}

    const std::string& problem() const { return problem_; }
    bool hasEvents() const { return hasEvents_; }

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t value) override {
        return number(static_cast<double>(value), [&] { return std::to_string(value); });
    }
    bool number_unsigned(number_unsigned_t value) override {
        return number(static_cast<double>(value), [&] { return std::to_string(value); });
    }
    bool number_float(number_float_t value, const string_t& text) override {
        return number(value, [&] { return text; });
    }
    bool string(string_t& text) override {
        if (isInEvent()) setText(text);
        if (isInArguments() && key_ == "name") event_.nameInArguments = text;
        return true;
    }
    bool binary(binary_t&) override { return true; }

    bool start_object(std::size_t) override {
        ++depth_;
        if (isInEvent()) {
            event_ = {};
            areArguments_ = false;
        }
        return true;
    }
    bool key(string_t& name) override {
        key_ = name;
        if (isInEvent()) areArguments_ = name == "args";
        return true;
    }
    bool end_object() override {
        if (isInEvent()) calls_.take(event_);
        --depth_;
        return true;
    }
    bool start_array(std::size_t) override {
        ++depth_;
        if (depth_ == 1 || (depth_ == 2 && key_ == "traceEvents")) {
            listDepth_ = depth_;
            hasEvents_ = true;
        }
        return true;
    }
    bool end_array() override {
        if (depth_ == listDepth_) listDepth_ = 0;
        --depth_;
        return true;
    }
    bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception&) override {
        problem_ = "is damaged or incomplete: is no JSON from byte " + std::to_string(byte) +
                   " on; let the tool that made it write it again";
        return false;
    }

  private:
    bool isInEvent() const { return listDepth_ > 0 && depth_ == listDepth_ + 1; }
    bool isInArguments() const { return listDepth_ > 0 && depth_ == listDepth_ + 2 && areArguments_; }

    template <class Text>
    bool number(double value, const Text& text) {
        if (!isInEvent()) return true;
        if (key_ == "ts")
            event_.begin = value;
        else if (key_ == "dur")
            event_.length = value;
        else if (key_ == "pid" || key_ == "tid")
            setText(text());
        return true;
    }
    void setText(const std::string& text) {
        if (key_ == "ph") event_.phase = text;
        if (key_ == "name") event_.name = text;
        if (key_ == "pid") event_.process = text;
        if (key_ == "tid") event_.thread = text;
    }

    TraceCalls& calls_;
    TraceEvent event_;
    std::string key_;
    std::size_t depth_ = 0;
    std::size_t listDepth_ = 0;  ///< of the list of events; 0 outside of it
    bool areArguments_ = false;
    bool hasEvents_ = false;
    std::string problem_;
};

/// The bytes of a file, unpacked, for whoever reads a stream.
class TextBuffer : public std::streambuf {
  public:
    explicit TextBuffer(const std::filesystem::path& file) : reader_(file) {}

  protected:
    int_type underflow() override {
        piece_ = reader_.next();
        setg(piece_.data(), piece_.data(), piece_.data() + piece_.size());
        return piece_.empty() ? traits_type::eof() : traits_type::to_int_type(piece_.front());
    }

  private:
    TextReader reader_;
    std::string piece_;
};

}  // namespace

Experiment readTraceEvents(const std::filesystem::path& file) {
    TextBuffer unpacked(file);
    std::istream text(&unpacked);
    TraceCalls calls;
    EventFinder finder(calls);
    if (!nlohmann::json::sax_parse(text, &finder)) throw Error(finder.problem(), {.file = file.string()});
    if (!finder.hasEvents()) throw Error("has no list of events, traceEvents", {.file = file.string()});
    try {
        return calls.finish();
    } catch (const Error& error) {
        throw Error(error.what(), {.file = file.string()});
    }
}

}  // namespace holos::algebra
