// SPDX-License-Identifier: BSD-3-Clause
// A sample is a line about the event, then a line for each function from the one that ran up to the one that
// started it, then an empty line:
//
//   solver  4711/4712  [001]  12.345678:     250000 cpu-clock:u:
//               4011d6 dot+0x16 (/home/me/solver)
//               401300 main+0x40 (/home/me/solver)
//
// Without call graphs (`perf record` without -g) the one function stands behind the event, and no empty line
// follows.
#include <regex>

#include "algebra/files/foreign/foreign.h"

namespace holos::algebra {

namespace {

struct Sample {
    std::string program;
    std::int64_t process = 0;
    std::int64_t thread = 0;
    double period = 1.0;
    std::string event;
    std::string function;  ///< behind the event; empty where a stack follows
};

/// The words of a sample's first line; nothing where the line is none. Names of programs may have blanks in
/// them.
std::optional<Sample> sampleOf(std::string_view line) {
    static const std::regex form(
        R"(^\s*(\S.*?)\s+(?:(\d{1,18})/)?(\d{1,18})\s+(?:\[\d+\]\s+)?[0-9.]+:\s+(?:(\d{1,18})\s+)?(\S+):\s*([0-9a-f]+ .*)?$)");
    constexpr std::size_t kLongest =
        4096;  // what follows it is of no interest, and costs the matcher its stack
    std::cmatch found;
    const std::string_view begin = line.substr(0, kLongest);
    if (!std::regex_match(begin.data(), begin.data() + begin.size(), found, form)) return std::nullopt;
    Sample sample;
    sample.program = found[1].str();
    sample.thread = asNumber<std::int64_t>(found[3].str()).value_or(0);
    sample.process = found[2].matched ? asNumber<std::int64_t>(found[2].str()).value_or(0) : sample.thread;
    sample.period = found[4].matched ? asFiniteNumber(found[4].str()).value_or(1.0) : 1.0;
    sample.event = found[5].str();
    sample.function = found[6].str();
    return sample;
}

bool countsNanoseconds(std::string_view event) {
    return event.starts_with("cpu-clock") || event.starts_with("task-clock");
}

struct Frame {
    std::string function;
    std::string module;
};

/// `4011d6 dot(double, double)+0x16 (/home/me/solver)`
Frame frameOf(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    takeWord(line);
    Frame frame;
    if (const std::size_t open = line.rfind(" ("); line.ends_with(')') && open != std::string_view::npos) {
        frame.module = line.substr(open + 2, line.size() - open - 3);
        line = line.substr(0, open);
    }
    if (const std::size_t offset = line.rfind("+0x"); offset != std::string_view::npos)
        line = line.substr(0, offset);
    frame.function = line.empty() ? "[unknown]" : std::string(line);
    return frame;
}

class PerfReader {
  public:
    explicit PerfReader(const std::filesystem::path& file) : lines_(file) {}

    Experiment read() {
        while (const auto line = lines_.next()) {
            if (line->empty() || line->front() == '#') continue;
            auto sample = sampleOf(*line);
            if (!sample)
                lines_.fail("is no line of a sample: perf script prints PROGRAM PID/TID TIME: PERIOD EVENT:");
            add(*sample, sample->function.empty() ? stack() : std::vector<Frame>{frameOf(sample->function)});
        }
        return tree_.take("perf");
    }

  private:
    std::vector<Frame> stack() {
        std::vector<Frame> frames;
        auto line = lines_.next();
        for (; line && !line->empty(); line = lines_.next()) frames.push_back(frameOf(*line));
        if (!line)
            lines_.fail("ends within the stack of a sample: perf script writes an empty line behind each");
        if (frames.empty()) frames.push_back({"[unknown]", ""});
        return frames;
    }

    void add(const Sample& sample, const std::vector<Frame>& frames) {
        std::optional<CallPathId> path;
        for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
            path = tree_.call(path, frame->function, frame->module);
        const LocationId thread =
            tree_.thread(sample.process, sample.program + " " + std::to_string(sample.process), sample.thread,
                         "thread " + std::to_string(sample.thread));
        tree_.add(tree_.metric("samples", "occ"), *path, thread, 1.0);
        if (countsNanoseconds(sample.event))
            tree_.add(tree_.metric("on_processors", "sec"), *path, thread, sample.period * 1e-9);
        else
            tree_.add(tree_.metric(sample.event, "#"), *path, thread, sample.period);
    }

    TextLines lines_;
    ImportedTree tree_;
};

}  // namespace

bool isPerfSample(std::string_view line) {
    return sampleOf(line).has_value();
}

Experiment readPerfScript(const std::filesystem::path& file) {
    return PerfReader(file).read();
}

}  // namespace holos::algebra
