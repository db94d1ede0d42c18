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
#include <algorithm>
#include <set>

#include "algebra/files/foreign/foreign.h"
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

std::optional<ThreadOfTau> placeOf(const fs::path& file) {
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

class TauReader {
  public:
    void readFile(const fs::path& file, const ThreadOfTau& place) {
        TextLines lines(file);
        const LocationId thread = tree_.thread(place.node, "node " + std::to_string(place.node), place.thread,
                                               "thread " + std::to_string(place.thread));
        readTimers(lines, thread);
        readEvents(lines, thread);
    }

    Experiment take() { return tree_.take("TAU"); }

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
        const bool isTime = metricName.empty() || metricName.find("TIME") != std::string::npos;
        const MetricId metric = isTime ? tree_.metric("time", "sec") : tree_.metric(metricName, "#");
        std::vector<Entry> timers;
        while (count-- > 0) timers.push_back(entryIn(lines, 5));
        std::set<std::string, std::less<>> inPaths;
        for (const Entry& timer : timers)
            if (timer.name.find(kArrow) != std::string::npos) inPaths.insert(lastOf(timer.name));
        const bool isNew = visited_.insert(thread).second;
        for (const Entry& timer : timers) {
            if (inPaths.contains(timer.name)) continue;  // its paths have its time
            const CallPathId path = pathOf(timer.name);
            tree_.add(metric, path, thread, timer.numbers[2] * (isTime ? 1e-6 : 1.0));
            if (isNew) tree_.add(tree_.metric("visits", "occ"), path, thread, timer.numbers[0]);
        }
    }

    void readEvents(TextLines& lines, LocationId thread) {
        auto line = lines.next();
        if (!line) return;
        if (countIn(lines, "aggregates", line) > 0)
            return;  // of releases before 2; nothing that is known of them
        line = lines.next();
        if (!line || !events_.insert(thread).second) return;
        std::size_t count = countIn(lines, "userevents", line);
        while (count-- > 0) {
            const Entry event = entryIn(lines, 5);
            const std::size_t separator = event.name.find(" : ");  // `bytes sent : main => MPI_Send()`
            if (separator != std::string::npos) continue;          // the event without paths has it, too
            const CallPathId root = pathOf(".TAU application");
            const std::string name(trimmedBlanks(event.name));
            tree_.add(tree_.metric(name + ": number", "occ"), root, thread, event.numbers[0]);
            tree_.add(tree_.metric(name + ": sum", "#"), root, thread, event.numbers[0] * event.numbers[3]);
        }
    }

    static std::string lastOf(const std::string& name) {
        return std::string(trimmedBlanks(std::string_view(name).substr(name.rfind(kArrow) + kArrow.size())));
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
    std::set<LocationId> visited_;  ///< whose visits are known from the first metric
    std::set<LocationId> events_;
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
            if (const auto place = placeOf(entry.path()); place && entry.is_regular_file())
                files.push_back({{place->node, place->context, place->thread}, entry.path()});
        std::sort(files.begin(), files.end());
        for (const auto& [place, path] : files) reader.readFile(path, {place[0], place[1], place[2]});
    }
    return reader.take();
}

}  // namespace holos::algebra
