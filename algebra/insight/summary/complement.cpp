// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/complement.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/late_titles.h"
#include "algebra/insight/summary/parallel_regions.h"
#include "algebra/insight/summary/shared_work.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/starvation.h"
#include "algebra/insight/summary/words.h"

namespace holos::algebra {

namespace {

const MetricNames kWorking{"comp", "system_waiting"};
const MetricNames kMeeting{"mpi_collective", "mpi_sync_collective"};
const MetricNames kMessages{"mpi_point2point"};
const MetricNames kMeetingOrMessages{"mpi_collective", "mpi_sync_collective", "mpi_point2point"};
/// What threads compute while they are on no processor, in the whole program.
constexpr const char* kOffProcessor = "off_processor";
constexpr const char* kUnseenSleep = "unseen_sleep";  ///< a part of it
/// What computing and waiting together may differ by, as a part of the difference in waiting, to prove that
/// one explains the other.
constexpr double kProves = 0.2;
/// What they may differ by in one call path and one operation, which others may have made up for.
constexpr double kMakesLikely = 0.1;
/// What they may differ by where it is proven, and only the place is looked for.
constexpr double kIsPlace = 0.5;
constexpr std::size_t kLookedAt = 3;

/// What those who meet do before, and how long they are where they meet.
struct Meeting {
    std::vector<Member> work;
    std::vector<Member> wait;
};

struct ValueExtent {
    double least = 0;
    double most = 0;
    double length() const { return most - least; }
};

template <class ValueAt>
ValueExtent extentOf(std::size_t count, ValueAt valueAt) {
    ValueExtent extent{valueAt(0), valueAt(0)};
    for (std::size_t i = 1; i < count; ++i) {
        extent.least = std::min(extent.least, valueAt(i));
        extent.most = std::max(extent.most, valueAt(i));
    }
    return extent;
}

ValueExtent waitExtent(const Meeting& meeting) {
    return extentOf(meeting.wait.size(), [&](std::size_t i) { return meeting.wait[i].value; });
}

ValueExtent wholeExtent(const Meeting& meeting) {
    return extentOf(meeting.wait.size(),
                    [&](std::size_t i) { return meeting.work[i].value + meeting.wait[i].value; });
}

/// Working and waiting together take about the same in all, in all meetings together.
bool isComplementary(const std::vector<Meeting>& meetings, double bound) {
    double different = 0, waits = 0;
    for (const Meeting& meeting : meetings) {
        different += wholeExtent(meeting).length();
        waits += waitExtent(meeting).length();
    }
    return waits > 0 && different <= bound * waits;
}

/// What is waited beyond the one who waits least, who may have been the last.
double waitedIn(const std::vector<Meeting>& meetings) {
    double waited = 0;
    for (const Meeting& meeting : meetings) {
        const double least = waitExtent(meeting).least;
        for (const Member& member : meeting.wait) waited += member.value - least;
    }
    return waited;
}

class ComplementSearch {
  public:
    explicit ComplementSearch(const Measures& measures)
        : measures_(measures),
          tree_(measures.experiment().callTree),
          least_(measures.time() * kWorthSaying / 100),
          isStarved_(starvationThatMatters(measures) > 0),
          work_(inclusiveOf(tree_, measures.perPath(kWorking))) {}

    Complement take() {
        findLateProcesses();
        findLateThreads();
        return std::move(found_);
    }

  private:
    /// Of all processes.
    Meeting processesAt(std::optional<CallPathId> work, std::optional<CallPathId> wait,
                        const MetricNames& waits = kMeeting) const {
        return {processMembers(measures_, measures_.perLocation(kWorking, work)),
                processMembers(measures_, measures_.perLocation(waits, wait))};
    }

    void findLateProcesses() {
        if (measures_.processes().size() < 2 || !measures_.find("comp")) return;
        const Meeting whole = processesAt(std::nullopt, std::nullopt);
        const double waited = waitedIn({whole});
        if (waited >= least_ && isComplementary({whole}, kProves)) {
            const auto place = placeOf(whole.wait, kIsPlace, waited);
            const Meeting compared = place ? processesAt(place, std::nullopt) : whole;
            if (isByShortage(compared.work)) return;
            addProblem(place, compared, whole, waited, true);
            found_.inCollectives = waited;
            return;
        }
        if (findLateSenders()) return;
        for (const CallPathId operation : largestOperations()) {
            const Meeting at = processesAt(std::nullopt, operation);
            const double there = waitedIn({at});
            const auto place = there < least_ ? std::nullopt : placeOf(at.wait, kMakesLikely, there);
            if (!place) continue;
            const Meeting meeting = processesAt(place, operation);
            if (isByShortage(meeting.work)) continue;
            addProblem(place, meeting, meeting, there, false);
            found_.inCollectives += there;
        }
    }

    /// Whoever waits in messages, too, comes to a collective operation later for that: only all of these
    /// calls together are complementary.
    bool findLateSenders() {
        const Meeting whole = processesAt(std::nullopt, std::nullopt, kMeetingOrMessages);
        const double waited = waitedIn({whole});
        if (waited < least_ || !isComplementary({whole}, kProves)) return false;
        const auto place = placeOf(whole.wait, kIsPlace, waited);
        const Meeting compared = place ? Meeting{processesAt(place, std::nullopt).work, whole.wait} : whole;
        if (isByShortage(compared.work)) return true;
        addProblem(place, compared, whole, waited, false, kMeetingOrMessages);
        const double inMessages = measures_.total(kMessages) / measures_.total(kMeetingOrMessages);
        found_.inMessages = inMessages * waited;
        found_.inCollectives = waited - found_.inMessages;
        return true;
    }

    /// Whether threads that take longer had no processor for longer, and work about as much as the others.
    bool isByShortage(const std::vector<Member>& work) const {
        constexpr double kMostly = 0.5;
        if (!isStarved_ || !measures_.find(kOffProcessor)) return false;
        const Spread spread = spreadOf(work);
        const std::vector<double> off = measures_.perLocation({kOffProcessor});
        const std::vector<double> asleep = measures_.perLocation({kUnseenSleep});
        const auto waited = [&](std::size_t process) {
            const std::size_t first = measures_.processes()[process].threads.front().index();
            return off[first] - asleep[first];
        };
        double theirs = 0, all = 0;
        for (std::size_t process = 0; process < work.size(); ++process) all += waited(process);
        for (const std::size_t process : spread.members) theirs += waited(process);
        const auto late = static_cast<double>(spread.members.size());
        const double others = static_cast<double>(work.size()) - late;
        if (!(late > 0) || !(others > 0)) return false;
        // What they compute on processors differs by a smaller part than what they compute.
        const double onTheirs = std::max(0.0, spread.theirs - theirs / late);
        const double onOthers = std::max(0.0, spread.others - (all - theirs) / others);
        return (onTheirs - onOthers) * spread.others < kMostly * (spread.theirs - spread.others) * onOthers;
    }

    /// The deepest call path of which the work is complementary to these waits. Its work is at least what is
    /// waited for.
    std::optional<CallPathId> placeOf(const std::vector<Member>& waits, double bound, double waited) const {
        std::optional<CallPathId> deepest;
        std::size_t depth = 0;
        const double atLeast =
            std::max(waited / static_cast<double>(waits.size()), measures_.time() * kWorthNaming / 100);
        for (const CallPathId path : tree_.ids()) {
            if (work_[path.index()] < atLeast || measures_.experiment().regionOf(path).paradigm == "mpi")
                continue;
            const Meeting meeting{processesAt(path, path).work, waits};
            if (!isComplementary({meeting}, bound)) continue;
            const std::size_t here = tree_.depth(path);
            if (deepest && here <= depth) continue;
            deepest = path;
            depth = here;
        }
        return deepest;
    }

    /// The collective operations in which most time is.
    std::vector<CallPathId> largestOperations() const {
        const std::vector<double> times = measures_.perPath(kMeeting);
        std::vector<CallPathId> paths;
        for (const CallPathId path : tree_.ids())
            if (times[path.index()] >= least_) paths.push_back(path);
        std::ranges::stable_sort(paths, std::ranges::greater(),
                                 [&](CallPathId path) { return times[path.index()]; });
        if (paths.size() > kLookedAt) paths.resize(kLookedAt);
        return paths;
    }

    /// Threads of a process meet at the end of each parallel region.
    void findLateThreads() {
        const MetricNames barriers{"omp_barrier"};
        if (!measures_.find("omp_barrier") || !measures_.find("comp")) return;
        for (const CallPathId path : tree_.ids()) {
            if (!isParallelRegion(measures_.experiment(), path) ||
                outermostParallelRegion(measures_.experiment(), path) != path || work_[path.index()] < least_)
                continue;
            const std::vector<Member> work = threadMembers(measures_, measures_.perLocation(kWorking, path));
            const std::vector<Meeting> meetings =
                meetingsOfTeams(work, threadMembers(measures_, measures_.perLocation(barriers, path)));
            const double waited = waitedIn(meetings);
            if (waited < least_ || !isComplementary(meetings, kProves)) continue;
            addThreadProblem(path, work, meetings, waited);
            found_.atBarriers += waited;
        }
    }

    /// One of the threads of each process; members are in the order of the processes.
    std::vector<Meeting> meetingsOfTeams(const std::vector<Member>& work,
                                         const std::vector<Member>& wait) const {
        std::vector<Meeting> meetings;
        std::ptrdiff_t begin = 0;
        for (const CountedProcess& process : measures_.processes()) {
            const auto end = begin + static_cast<std::ptrdiff_t>(process.threads.size());
            if (process.threads.size() > 1)
                meetings.push_back(
                    {{work.begin() + begin, work.begin() + end}, {wait.begin() + begin, wait.begin() + end}});
            begin = end;
        }
        return meetings;
    }

    void addProblem(std::optional<CallPathId> place, const Meeting& compared, const Meeting& proof,
                    double waited, bool isProven, const MetricNames& waits = kMeeting) {
        Problem& problem = add(spreadOf(compared.work), compared.work, false, waited, isProven);
        if (place) placeAt(measures_, *place, problem);
        const ValueExtent whole = wholeExtent(proof), wait = waitExtent(proof);
        problem.why = fmt::format(
            "{}those who compute less are longer in {} ({} to {}), so that both together take {} in each process",
            isProven ? "" : "likely: ",
            waits.size() > kMeeting.size() ? "messages and collective operations" : "collective operations",
            secondsText(wait.least), secondsText(wait.most), rangeText(whole.least, whole.most));
        finish(problem, place, waits);
    }

    void addThreadProblem(CallPathId path, const std::vector<Member>& members,
                          const std::vector<Meeting>& meetings, double waited) {
        Problem& problem = add(spreadOf(members), members, true, waited, true);
        placeAt(measures_, path, problem);
        ValueExtent wait = waitExtent(meetings.front());
        for (const Meeting& meeting : meetings) {
            wait.least = std::min(wait.least, waitExtent(meeting).least);
            wait.most = std::max(wait.most, waitExtent(meeting).most);
        }
        problem.why =
            fmt::format("those who compute less are longer at the barrier that ends the region ({} to {})",
                        secondsText(wait.least), secondsText(wait.most));
        finish(problem, path, {"omp_barrier"});
    }

    Problem& add(const Spread& spread, const std::vector<Member>& members, bool ofThreads, double waited,
                 bool isProven) {
        Problem& problem = found_.problems.emplace_back(problemOf(measures_, "imbalance", waited));
        problem.what = (isProven ? "" : "Likely: ") + titleOfLateOnes(spread, ofThreads, "work");
        problem.who = spreadText(spread, members, measures_.experiment());
        problem.pattern = wordOf(spread.shape);
        for (const std::size_t member : spread.members)
            problem.locations.insert(problem.locations.end(), members[member].locations.begin(),
                                     members[member].locations.end());
        problem.gain = std::min(std::clamp(spread.theirs - spread.others, 0.0, waited),
                                gainOfSharedWork(measures_, spread, members));
        return problem;
    }

    void finish(Problem& problem, std::optional<CallPathId> place, const MetricNames& waits) const {
        if (isStarved_)
            problem.why += "; uncertain: threads waited for processors, which makes some late, too";
        addEvidence(measures_, {"comp"}, "computation of those who are late", place,
                    ChosenLocations::orAll(problem.locations), problem);
        addEvidence(measures_, waits, "time where the others wait for them", std::nullopt, kAll, problem);
    }

    static std::string rangeText(double least, double most) {
        const std::string from = secondsText(least), to = secondsText(most);
        return from == to ? from : from + " to " + to;
    }

    const Measures& measures_;
    const CallTree& tree_;
    double least_;
    bool isStarved_;
    std::vector<double> work_;  ///< by call path, with what it calls
    Complement found_;
};

}  // namespace

Complement complementOf(const Measures& measures) {
    if (measures.knowsWaits()) return {};
    return ComplementSearch(measures).take();
}

}  // namespace holos::algebra
