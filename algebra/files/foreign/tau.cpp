// SPDX-License-Identifier: BSD-3-Clause
// A file is one thread and one metric:
//
//   3 templated_functions_MULTI_TIME
//   # Name Calls Subrs Excl Incl ProfileCalls # <metadata>…</metadata>
//   ".TAU application" 1 2 1200 5000 0 GROUP="TAU_DEFAULT"
//   "solve" 1 0 3000 3000 0 GROUP="TAU_USER"
//   ".TAU application => solve" 1 0 3000 3000 0 GROUP="TAU_CALLPATH"
//   0 aggregates
//   1 userevents
//   # eventname numevents max min mean sumsqr
//   "Message size sent" 4 800 8 400 …
//
// A packed profile (.ppk) has all threads and metrics in one file, usually in a gzip stream: "PPK" in 16-bit
// characters, numbers with the first byte first, texts with their length before them.
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <set>

#include "algebra/files/foreign/foreign.h"
#include "algebra/files/packed/compression.h"
#include "base/error.h"

namespace holos::algebra {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kArrow = " => ";
constexpr std::string_view kHead = "templated_functions";

/// Node, context and thread of `profile.3.0.1`.
struct ThreadOfTau {
    std::int64_t node = 0;
    std::int64_t context = 0;
    std::int64_t thread = 0;
};

std::optional<ThreadOfTau> threadOfFile(const fs::path& file) {
    const std::string name = file.filename().string();
    std::string_view rest = name;
    ThreadOfTau place;
    for (std::int64_t* number : {&place.thread, &place.context, &place.node}) {
        const std::size_t dot = rest.rfind('.');
        const auto value =
            dot == std::string_view::npos ? std::nullopt : asNumber<std::int64_t>(rest.substr(dot + 1));
        if (!value || *value < 0) return std::nullopt;
        *number = *value;
        rest = rest.substr(0, dot);
    }
    return rest == "profile" ? std::optional(place) : std::nullopt;
}

std::string_view trimmedBlanks(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

struct TimerName {
    std::string function;
    std::string file;
};

/// `solve`, with its file, of `solve C [{a.c} {3,1}-{9,1}]`; `MPI_Send` of `MPI_Send()`.
TimerName timerName(std::string_view text) {
    TimerName name;
    if (const std::size_t place = text.rfind(" [{");
        place != std::string_view::npos && text.ends_with("}]")) {
        const std::string_view file = text.substr(place + 3);
        name.file = file.substr(0, file.find('}'));
        text = text.substr(0, place);
        if (text.ends_with(" C")) text.remove_suffix(2);
    }
    if (text.starts_with("MPI_") && text.ends_with("()")) text.remove_suffix(2);
    name.function = text;
    return name;
}

/// A timer or an event: the name between quotation marks, and the numbers behind it.
struct Entry {
    std::string name;
    std::vector<double> numbers;
};

/// What a thread spent in a timer: `a => b` is `b` as far as it was called from `a`, and is also part of `b`.
struct Timer {
    std::string_view name;
    double visits;
    double own;  ///< without what was called from there
};

/// What an event says of a thread.
struct EventOfTau {
    std::string_view name;
    double number;
    double mean;
};

/// The last of the functions of a call path; the function itself of one without a path.
std::string_view lastOf(std::string_view name) {
    const std::size_t arrow = name.rfind(kArrow);
    return trimmedBlanks(arrow == std::string_view::npos ? name : name.substr(arrow + kArrow.size()));
}

/// Whether this is what samples say of the timer that ran when they were taken, whose time it is.
bool isOfSamples(std::string_view name) {
    for (const char* mark : {"[SAMPLE]", "[CONTEXT]", "[INTERMEDIATE]", "[SUMMARY]", "[UNWIND]"})
        if (name.find(mark) != std::string_view::npos) return true;
    return false;
}

/// The experiment that timers and events of threads are added to.
class TauTree {
  public:
    LocationId threadOf(const ThreadOfTau& place) {
        return tree_.thread(place.node, "node " + std::to_string(place.node), place.thread,
                            "thread " + std::to_string(place.thread));
    }

    /// All timers of a thread with one metric. Where paths lead to a function, it has only what is in none of
    /// them.
    void addTimers(const std::string& metricName, const std::vector<Timer>& timers, LocationId thread) {
        const Measure measure = measureOf(metricName);
        std::map<std::string_view, Timer> inPaths;
        for (const Timer& timer : timers)
            if (timer.name.find(kArrow) != std::string_view::npos) {
                Timer& sum =
                    inPaths.try_emplace(lastOf(timer.name), Timer{timer.name, 0.0, 0.0}).first->second;
                sum.visits += timer.visits;
                sum.own += timer.own;
            }
        const bool isNew = visited_.insert(thread).second;
        for (const Timer& timer : timers) {
            double visits = timer.visits;
            double own = timer.own;
            if (timer.name.find(kArrow) == std::string_view::npos)
                if (const auto paths = inPaths.find(trimmedBlanks(timer.name)); paths != inPaths.end()) {
                    visits = rest(visits, paths->second.visits);
                    own = rest(own, paths->second.own);
                    if (visits == 0.0 && own == 0.0) continue;
                }
            const CallPathId path = pathOf(timer.name);
            const bool sampled = isOfSamples(timer.name);
            tree_.add(sampled ? tree_.metric(measure.name + " of samples", measure.unit)
                              : tree_.metric(measure.name, measure.unit),
                      path, thread, own * measure.scale);
            if (isNew && !sampled) tree_.add(tree_.metric("visits", "occ"), path, thread, visits);
        }
    }

    /// The events of a thread, whichever metric's file has them.
    void addEvents(const std::vector<EventOfTau>& events, LocationId thread) {
        if (!events_.insert(thread).second) return;
        for (const EventOfTau& event : events) {
            const std::size_t separator = event.name.find(" : ");  // `bytes sent : main => MPI_Send()`
            if (separator != std::string_view::npos) continue;     // the event without paths has it, too
            const CallPathId root = pathOf(".TAU application");
            const std::string name(trimmedBlanks(event.name));
            tree_.add(tree_.metric(name + ": number", "occ"), root, thread, event.number);
            tree_.add(tree_.metric(name + ": sum", "#"), root, thread, event.number * event.mean);
        }
    }

    Experiment take() { return tree_.take("TAU"); }

  private:
    /// What a metric of TAU is called here, and what its values have to be multiplied with.
    struct Measure {
        std::string name;
        std::string unit;
        double scale;
    };

    /// Clocks count microseconds. The first one of each kind is `time` or `on_processors`, as a sum of
    /// several clocks would be no time.
    Measure measureOf(const std::string& name) {
        std::string upper = name;
        std::ranges::transform(upper, upper.begin(),
                               [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
        if (!upper.empty() && upper.find("TIME") == std::string::npos) return {name, "#", 1.0};
        const bool ofProcessors =
            upper.find("CPU_TIME") != std::string::npos || upper.find("VIRTUAL_TIME") != std::string::npos;
        const std::string known = ofProcessors ? "on_processors" : "time";
        const std::string& first = clocks_.try_emplace(known, name).first->second;
        return {first == name ? known : name, "sec", 1e-6};
    }

    /// What is left of a whole without its parts; nothing where that is what rounding leaves.
    static double rest(double whole, double parts) {
        constexpr double kRounding = 1e-9;
        const double left = whole - parts;
        return left > kRounding * std::abs(whole) ? left : 0.0;
    }

    CallPathId pathOf(std::string_view name) {
        std::optional<CallPathId> path;
        while (true) {
            const std::size_t end = name.find(kArrow);
            const TimerName timer = timerName(trimmedBlanks(name.substr(0, end)));
            path = tree_.call(path, timer.function, timer.file);
            if (end == std::string_view::npos) return *path;
            name.remove_prefix(end + kArrow.size());
        }
    }

    ImportedTree tree_;
    std::map<std::string, std::string> clocks_;  ///< of TAU, by the metric that they are here
    std::set<LocationId> visited_;               ///< whose visits are known from the first metric
    std::set<LocationId> events_;
};

class TauReader {
  public:
    void readFile(const fs::path& file, const ThreadOfTau& place) {
        TextLines lines(file);
        const LocationId thread = tree_.threadOf(place);
        readTimers(lines, thread);
        readEvents(lines, thread);
    }

    Experiment take() { return tree_.take(); }

  private:
    static std::size_t countIn(TextLines& lines, std::string_view what,
                               std::optional<std::string_view> line) {
        const auto count = line ? asNumber<std::int64_t>(takeWord(*line)) : std::nullopt;
        if (!count || *count < 0 || !line->starts_with(what))
            lines.fail("is no profile of TAU: a number and '" + std::string(what) + "' are expected");
        return static_cast<std::size_t>(*count);
    }

    static Entry entryIn(TextLines& lines, std::size_t numbers) {
        auto line = lines.next();
        while (line && line->starts_with('#')) line = lines.next();
        if (!line || !line->starts_with('"')) lines.fail("a name between quotation marks is expected");
        // Names have no quotation mark in them that a blank and a number follow.
        std::size_t close = line->find("\" ", 1);
        while (close != std::string_view::npos && close + 2 < line->size() &&
               std::string_view("0123456789.-").find((*line)[close + 2]) == std::string_view::npos)
            close = line->find("\" ", close + 1);
        if (close == std::string_view::npos) lines.fail("a name without its end");
        Entry entry{std::string(line->substr(1, close - 1)), {}};
        std::string_view rest = line->substr(close + 2);
        while (entry.numbers.size() < numbers) {
            const auto number = asFiniteNumber(takeWord(rest));
            if (!number) lines.fail("a number is expected behind the name");
            entry.numbers.push_back(*number);
        }
        return entry;
    }

    void readTimers(TextLines& lines, LocationId thread) {
        auto head = lines.next();
        std::string_view name = head.value_or("");
        takeWord(name);
        std::string metricName(name.substr(std::min(kHead.size(), name.size())));
        std::size_t count = countIn(lines, kHead, head);
        if (metricName.starts_with("_MULTI_")) metricName.erase(0, 7);
        std::vector<Entry> entries;
        while (count-- > 0) entries.push_back(entryIn(lines, 5));
        std::vector<Timer> timers;
        for (const Entry& entry : entries) timers.push_back({entry.name, entry.numbers[0], entry.numbers[2]});
        tree_.addTimers(metricName, timers, thread);
    }

    void readEvents(TextLines& lines, LocationId thread) {
        auto line = lines.next();
        if (!line) return;
        if (countIn(lines, "aggregates", line) > 0)
            return;  // of releases before 2; nothing that is known of them
        line = lines.next();
        if (!line) return;
        std::size_t count = countIn(lines, "userevents", line);
        std::vector<Entry> entries;
        while (count-- > 0) entries.push_back(entryIn(lines, 5));
        std::vector<EventOfTau> events;
        for (const Entry& entry : entries) events.push_back({entry.name, entry.numbers[0], entry.numbers[3]});
        tree_.addEvents(events, thread);
    }

    TauTree tree_;
};

/// Numbers and texts of a packed profile, one behind the other.
class PackedValues {
  public:
    explicit PackedValues(const fs::path& file) : name_(file.string()) {
        constexpr std::size_t kMost = std::size_t{1} << 30U;
        TextReader reader(file);
        for (std::string_view piece = reader.next(); !piece.empty(); piece = reader.next()) {
            if (bytes_.size() + piece.size() > kMost) fail("has more than 1 GB");
            bytes_ += piece;
        }
    }

    [[noreturn]] void fail(const std::string& message) const {
        throw Error("is no packed profile of TAU, or damaged: " + message, {.file = name_});
    }

    void skip(std::size_t bytes) {
        if (bytes > bytes_.size() - at_) fail("it ends too early");
        at_ += bytes;
    }
    std::int32_t number() { return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits(4))); }
    /// A number of things that follow.
    std::size_t count() {
        const std::int32_t value = number();
        if (value < 0) fail("a number of entries is below zero");
        return static_cast<std::size_t>(value);
    }
    double value() {
        const double value = std::bit_cast<double>(bits(8));
        if (!std::isfinite(value)) fail("a value is not finite");
        return value;
    }
    std::string text() {
        const auto length = static_cast<std::size_t>(bits(2));
        const std::size_t begin = at_;
        skip(length);
        return bytes_.substr(begin, length);
    }
    /// One of the things that were listed before.
    template <class Thing>
    const Thing& oneOf(const std::vector<Thing>& things) {
        const std::size_t at = count();
        if (at >= things.size()) fail("an entry is used that is not listed");
        return things[at];
    }

  private:
    std::uint64_t bits(std::size_t bytes) {
        const std::size_t begin = at_;
        skip(bytes);
        std::uint64_t value = 0;
        for (const char byte : std::string_view(bytes_).substr(begin, bytes))
            value = value << 8U | static_cast<unsigned char>(byte);
        return value;
    }

    std::string name_;
    std::string bytes_;
    std::size_t at_ = 0;
};

/// Reads a packed profile.
class PackedTauReader {
  public:
    explicit PackedTauReader(const fs::path& file) : values_(file) {}

    Experiment read() {
        skipHead();
        metrics_ = texts();
        texts();  // groups
        for (std::size_t left = values_.count(); left > 0; --left) {
            timers_.push_back(values_.text());
            values_.skip(4 * values_.count());  // its groups
        }
        events_ = texts();
        for (std::size_t left = values_.count(); left > 0; --left) readThread();
        return tree_.take();
    }

  private:
    void skipHead() {
        constexpr int kReadable = 2;
        constexpr int kWithMetadata = 2;
        values_.skip(kPackedTau.size());
        const std::int32_t version = values_.number();
        if (const std::int32_t needed = values_.number(); needed > kReadable)
            values_.fail("it is of version " + std::to_string(needed) +
                         ", and 2 is the last one that is known");
        if (version < kWithMetadata) return values_.skip(values_.count());
        values_.number();
        values_.skip(values_.count());
        skipMetadata();
        for (std::size_t left = values_.count(); left > 0; --left) {
            values_.skip(3 * sizeof(std::int32_t));  // the thread
            skipMetadata();
        }
    }

    void skipMetadata() {
        for (std::size_t left = values_.count(); left > 0; --left) {
            values_.text();
            values_.text();
        }
    }

    std::vector<std::string> texts() {
        std::vector<std::string> all;
        for (std::size_t left = values_.count(); left > 0; --left) all.push_back(values_.text());
        return all;
    }

    void readThread() {
        ThreadOfTau place;
        for (std::int64_t* number : {&place.node, &place.context, &place.thread}) *number = values_.number();
        const LocationId thread = tree_.threadOf(place);
        std::vector<std::vector<Timer>> byMetric(metrics_.size());
        for (std::size_t left = values_.count(); left > 0; --left) {
            const std::string& name = values_.oneOf(timers_);
            const double visits = values_.value();
            values_.value();  // calls from there
            for (std::vector<Timer>& timers : byMetric) {
                timers.push_back({name, visits, values_.value()});
                values_.value();  // with what was called from there
            }
        }
        for (std::size_t at = 0; at < metrics_.size(); ++at)
            tree_.addTimers(metrics_[at], byMetric[at], thread);
        readEvents(thread);
    }

    void readEvents(LocationId thread) {
        std::vector<EventOfTau> events;
        for (std::size_t left = values_.count(); left > 0; --left) {
            const std::string& name = values_.oneOf(events_);
            const auto number = static_cast<double>(values_.number());
            values_.skip(2 * sizeof(double));  // least and largest
            events.push_back({name, number, values_.value()});
            values_.skip(sizeof(double));  // sum of squares
        }
        tree_.addEvents(events, thread);
    }

    PackedValues values_;
    TauTree tree_;
    std::vector<std::string> metrics_, timers_, events_;
};

/// The folders with a metric each: this one, or those beside it when it is one of `MULTI__…`.
std::vector<fs::path> foldersOf(const fs::path& folder) {
    const auto isMetric = [](const fs::path& path) {
        return path.filename().string().starts_with("MULTI__");
    };
    if (!isMetric(folder)) return {folder};
    std::vector<fs::path> folders;
    for (const auto& entry :
         fs::directory_iterator(folder.parent_path().empty() ? "." : folder.parent_path()))
        if (isMetric(entry.path()) && entry.is_directory()) folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    return folders;
}

}  // namespace

Experiment readTau(const fs::path& file) {
    TauReader reader;
    for (const fs::path& folder : foldersOf(fs::absolute(file).parent_path())) {
        std::vector<std::pair<std::array<std::int64_t, 3>, fs::path>> files;
        for (const auto& entry : fs::directory_iterator(folder))
            if (const auto place = threadOfFile(entry.path()); place && entry.is_regular_file())
                files.push_back({{place->node, place->context, place->thread}, entry.path()});
        std::sort(files.begin(), files.end());
        for (const auto& [place, path] : files) reader.readFile(path, {place[0], place[1], place[2]});
    }
    return reader.take();
}

Experiment readPackedTau(const fs::path& file) {
    return PackedTauReader(file).read();
}

}  // namespace holos::algebra
