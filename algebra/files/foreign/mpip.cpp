// SPDX-License-Identifier: BSD-3-Clause
// A report of mpiP has sections, each between two lines of dashes. Those that matter:
//
//   @ Command : ./solver 100
//   @--- MPI Time (seconds) ----
//   Task    AppTime    MPITime     MPI%
//      0       20.4       9.91    48.52
//   @--- Callsites: 2 ----
//    ID Lev File/Address        Line Parent_Funct             MPI_Call
//     1   0 solver.c              57 exchange                 Send
//     1   1 solver.c             120 main
//   @--- Callsite Time statistics (all, milliseconds): 2 ----
//   Name              Site Rank  Count      Max     Mean      Min   App%   MPI%
//   Send                 1    0     27      318     23.2    0.013   3.08   4.42
//   Send                 1    *     27      318     23.2    0.013   3.08   4.42
//   @--- Callsite Message Sent statistics (all, sent bytes) ----
//   Name              Site Rank   Count       Max      Mean       Min       Sum
//
// A task has its time outside of MPI at the root. Reports may leave out lines of small values or of all
// tasks: what `*` has more than the lines above it is that of a location of its own.
#include <algorithm>
#include <map>

#include "algebra/files/foreign/foreign.h"

namespace holos::algebra {

namespace {

std::vector<std::string_view> wordsIn(std::string_view line) {
    std::vector<std::string_view> words;
    takeBlanks(line);
    while (!line.empty()) words.push_back(takeWord(line));
    return words;
}

enum class MpipSection : unsigned char { Head, TimeOfTasks, Sites, Times, Sent, Moved, Other, End };

struct MpipSectionName {
    std::string_view begin;
    MpipSection section;
};
constexpr MpipSectionName kSections[] = {
    {"MPI Time (seconds)", MpipSection::TimeOfTasks}, {"Callsites:", MpipSection::Sites},
    {"Callsite Time statistics", MpipSection::Times}, {"Callsite Message Sent statistics", MpipSection::Sent},
    {"Callsite I/O statistics", MpipSection::Moved},  {"End of Report", MpipSection::End},
};

class MpipReader {
  public:
    explicit MpipReader(const std::filesystem::path& file) : lines_(file) {}

    Experiment read() {
        while (const auto line = lines_.next()) {
            if (line->starts_with("@--- "))
                begin(line->substr(5));
            else if (line->starts_with('@'))
                takeHead(*line);
            else if (!line->starts_with("---") && !line->empty())
                take(wordsIn(*line));
        }
        if (section_ != MpipSection::End)
            lines_.fail("ends before the line 'End of Report': the file was cut off");
        return tree_.take("mpiP");
    }

  private:
    /// Over the lines of a site in a section.
    struct SumsOfSite {
        double calls = 0.0;
        double value = 0.0;
    };
    static constexpr std::int64_t kOtherTasks = 1LL << 32;

    void begin(std::string_view name) {
        addRest();
        section_ = MpipSection::Other;
        for (const MpipSectionName& one : kSections)
            if (name.starts_with(one.begin)) section_ = one.section;
        isHeading_ = true;
    }

    void takeHead(std::string_view line) {
        constexpr std::string_view kCommand = "@ Command : ";
        if (!line.starts_with(kCommand)) return;
        line.remove_prefix(kCommand.size());
        const std::string_view program = takeWord(line);
        if (!program.empty()) program_ = program.substr(program.rfind('/') + 1);
    }

    void take(const std::vector<std::string_view>& words) {
        if (words.empty() || std::exchange(isHeading_, false)) return;
        switch (section_) {
            case MpipSection::TimeOfTasks:
                return takeTask(words);
            case MpipSection::Sites:
                return takeSite(words);
            case MpipSection::Times:
                return takeStatistics(words, tree_.metric("time", "sec"));
            case MpipSection::Sent:
                return takeStatistics(words, tree_.metric("bytes_sent", "bytes"));
            case MpipSection::Moved:
                return takeStatistics(words, tree_.metric("io_bytes", "bytes"));
            case MpipSection::Head:
            case MpipSection::Other:
            case MpipSection::End:
                return;
        }
    }

    double number(const std::vector<std::string_view>& words, std::size_t at) const {
        const auto value = at < words.size() ? asFiniteNumber(words[at]) : std::nullopt;
        if (!value) lines_.fail("has no number in column " + std::to_string(at + 1));
        return *value;
    }

    void takeTask(const std::vector<std::string_view>& words) {
        if (words.front() == "*") return;
        const double outside = number(words, 1) - number(words, 2);  // both are rounded
        tree_.add(tree_.metric("time", "sec"), root(), task(words.front()), std::max(outside, 0.0));
    }

    /// The function that calls MPI, those that call it, and the call of MPI itself. An address has no line.
    void takeSite(const std::vector<std::string_view>& words) {
        if (words.size() < 4)
            lines_.fail("is no call site: a number, a level, a file and a function are expected");
        const double level = number(words, 1);
        const bool hasLine = words.size() > 4 && asNumber<std::int64_t>(words[3]);
        const std::size_t function = hasLine ? 4 : 3;
        const std::size_t end = level == 0 ? words.size() - 1 : words.size();
        if (end < function + 1) lines_.fail("is no call site: it has no function");
        std::string name(words[function]);
        for (std::size_t at = function + 1; at < end; ++at) name += ' ' + std::string(words[at]);
        if (name == "[unknown]") name = std::string(words[2]);
        Site& site = sites_[std::string(words.front())];
        site.functions.push_back({name, hasLine ? std::string(words[2]) : ""});
        if (level == 0) site.call = words.back();
    }

    void takeStatistics(const std::vector<std::string_view>& words, MetricId metric) {
        const bool isTime = section_ == MpipSection::Times;
        if (words.size() < 8) lines_.fail("has too few columns for a line of a call site");
        const double calls = number(words, 3);
        constexpr double kMilliseconds = 1e-3;
        const double value = isTime ? calls * number(words, 5) * kMilliseconds : number(words, 7);
        SumsOfSite& sums = sums_[std::string(words[1])];
        metric_ = metric;
        if (words[2] == "*") {
            rest_[std::string(words[1])] = {calls - sums.calls, value - sums.value};
            return;
        }
        sums.calls += calls;
        sums.value += value;
        add(std::string(words[1]), task(words[2]), {calls, value});
    }

    void add(const std::string& site, LocationId location, const SumsOfSite& sums) {
        const CallPathId path = pathOf(site);
        tree_.add(*metric_, path, location, sums.value);
        if (section_ == MpipSection::Times)
            tree_.add(tree_.metric("visits", "occ"), path, location, sums.calls);
    }

    /// What the lines of tasks do not have, of the section that ends. Values have three digits: where the
    /// calls are all there, nothing is missing.
    void addRest() {
        if (metric_)
            for (const auto& [site, sums] : rest_)
                if (sums.calls > 0.5)
                    add(site, tree_.thread(kOtherTasks, "tasks that are not listed", 0, "all threads"),
                        {sums.calls, std::max(sums.value, 0.0)});
        rest_.clear();
        sums_.clear();
        metric_.reset();
    }

    CallPathId root() { return tree_.call(std::nullopt, program_, ""); }

    CallPathId pathOf(const std::string& number) {
        const auto site = sites_.find(number);
        if (site == sites_.end()) lines_.fail("call site " + number + " is not among the call sites");
        CallPathId path = root();
        for (auto function = site->second.functions.rbegin(); function != site->second.functions.rend();
             ++function)
            path = tree_.call(path, function->name, function->file);
        return tree_.call(path, "MPI_" + site->second.call, "");
    }

    LocationId task(std::string_view word) {
        const auto rank = asNumber<std::int64_t>(word);
        if (!rank || *rank < 0 || *rank >= kOtherTasks) lines_.fail("has no number of a task");
        return tree_.thread(*rank, "MPI Rank " + std::to_string(*rank), 0, "all threads");
    }

    struct Function {
        std::string name;
        std::string file;
    };
    struct Site {
        std::vector<Function> functions;  ///< the innermost first
        std::string call;                 ///< of MPI
    };

    TextLines lines_;
    ImportedTree tree_;
    std::string program_ = "program";
    MpipSection section_ = MpipSection::Head;
    bool isHeading_ = false;  ///< the next line names columns
    std::map<std::string, Site> sites_;
    std::map<std::string, SumsOfSite> sums_;  ///< of the section so far
    std::map<std::string, SumsOfSite> rest_;  ///< that tasks do not have
    std::optional<MetricId> metric_;          ///< of the section
};

}  // namespace

Experiment readMpip(const std::filesystem::path& file) {
    return MpipReader(file).read();
}

}  // namespace holos::algebra
