// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/runs/changed_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/reasons.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/words.h"
#include "algebra/model/call_names.h"
#include "algebra/operators/unite/unite.h"

namespace holos::algebra {

namespace {

/// Of the whole difference: what is worth saying.
constexpr double kWorthTelling = 0.1;
constexpr std::size_t kMostPlaces = 3;
/// What grows as the time does explains it: of the logarithm of the time's growth.
constexpr double kExplainsGrowth = 0.6;
/// Less is no growth.
constexpr double kGrowth = 0.02;

/// The runs of both groups with one call tree.
class AlignedRuns {
  public:
    AlignedRuns(const RunGroup& first, const RunGroup& second, const Matching& matching)
        : firstRuns_(first.runs.size()) {
        Inputs runs = first.runs;
        runs.insert(runs.end(), second.runs.begin(), second.runs.end());
        std::vector<MetricView> none(runs.size());
        united_ = unite(runs, none, matching);
        for (const Experiment& run : runs) measures_.emplace_back(run);
    }

    const Experiment& structure() const { return united_.result; }
    const CallTree& tree() const { return united_.result.callTree; }
    const std::vector<Measures>& measures() const { return measures_; }
    std::size_t size() const { return measures_.size(); }
    bool isSecond(std::size_t run) const { return run >= firstRuns_; }

    bool allHave(const char* metric) const {
        return std::ranges::all_of(measures_,
                                   [&](const Measures& one) { return one.find(metric).has_value(); });
    }

    /// By call path of the common tree, without what it calls. Kept, because large experiments take long to
    /// read.
    const std::vector<double>& perPath(std::size_t run, const MetricNames& names) const {
        std::vector<double>& values = known_[{run, {names.begin(), names.end()}}];
        if (!values.empty()) return values;
        const std::vector<double> own = measures_[run].perPath(names);
        values.assign(tree().size(), 0.0);
        const auto& places = united_.inputs[run]->callPaths;
        for (std::size_t path = 0; path < own.size(); ++path) values[places[path].index()] += own[path];
        return values;
    }

    std::optional<CallPathId> pathIn(std::size_t run, CallPathId path) const {
        return united_.inputs[run]->sources[path.index()];
    }

    /// What the runs of each group have on average.
    MeanDifference means(const std::function<double(std::size_t)>& valueOf) const {
        std::vector<double> first, second;
        for (std::size_t run = 0; run < size(); ++run)
            (isSecond(run) ? second : first).push_back(valueOf(run));
        return differenceOfMeans(first, second);
    }

  private:
    std::size_t firstRuns_;
    Union united_;
    std::vector<Measures> measures_;
    mutable std::map<std::pair<std::size_t, std::vector<std::string>>, std::vector<double>> known_;
};

double growthFactor(const MeanDifference& values) {
    return values.first > 0 ? values.second / values.first : 0;
}

/// Whether one value grows, or falls, about as another one does.
bool explainsGrowth(double growth, double ofTime) {
    if (!(growth > 0 && ofTime > 0) || std::fabs(growth - 1) < kGrowth) return false;
    return std::log(growth) / std::log(ofTime) >= kExplainsGrowth;
}

/// Says of a call path why it takes longer or shorter than before, as far as is known.
class PlaceReasons {
  public:
    /// `many`: what grows so many times as much, or as little, is told although it may not explain all.
    PlaceReasons(const AlignedRuns& runs, CallPathId path,
                 double many = std::numeric_limits<double>::infinity())
        : runs_(runs), path_(path), many_(many) {
        growth_ = growthFactor(total({"critical_path"}));
        if (!runs.allHave("critical_path") || growth_ == 0) growth_ = growthFactor(total({"time"}));
        if (runs.allHave(kSleep) &&
            std::fabs(total({kSleep}).difference()) > std::fabs(total({kComputation}).difference()))
            what_ = kSleep;
    }

    std::string text() const {
        const std::string& region = runs_.structure().regionOf(path_).name;
        if (region == kShortageRegionName)
            return "threads could run there, and had no processor" + callerText();
        if (region == kFlushRegionName) return "the recorder wrote its events there";
        std::string reason = callsText("it");
        if (reason.empty()) reason = bytesText("it");
        if (reason.empty()) reason = instructionsText();
        if (reason.empty()) reason = calleeText();
        const std::string who = processText();
        if (reason.empty() && who.empty())
            return runs_.allHave("visits")
                       ? "it is called as often in both" + computationText() + "; why is not known"
                       : "why is not known";
        return reason + (reason.empty() || who.empty() ? "" : "; ") + who;
    }

  private:
    /// Of the call path with what it calls.
    MeanDifference total(const MetricNames& names) const {
        return runs_.means([&](std::size_t run) {
            const std::vector<double>& values = runs_.perPath(run, names);
            double sum = 0;
            for (const CallPathId at : runs_.tree().subtree(path_)) sum += values[at.index()];
            return sum;
        });
    }

    /// Of the call path alone.
    MeanDifference alone(const char* name) const {
        return runs_.means([&](std::size_t run) { return runs_.perPath(run, {name})[path_.index()]; });
    }

    bool isInAny(bool ofSecond, CallPathId path) const {
        for (std::size_t run = 0; run < runs_.size(); ++run)
            if (runs_.isSecond(run) == ofSecond && runs_.pathIn(run, path)) return true;
        return false;
    }

    /// Where most of the difference is computation.
    std::string computationText() const {
        constexpr double kMost = 0.5;
        const double computed = total({"comp"}).difference(), whole = total({"time"}).difference();
        if (computed * whole <= 0 || std::fabs(computed) < kMost * std::fabs(whole)) return {};
        return fmt::format("; its computation takes {} {} in all processes together",
                           secondsText(std::fabs(computed)), computed > 0 ? "longer" : "less");
    }

    /// Of a place within a call, how often that is made and what it moves, where it is another number. How
    /// long threads have no processor meanwhile need not grow as these do.
    std::string callerText() const {
        const auto caller = runs_.tree().parent(path_);
        if (!caller) return {};
        constexpr double kManyTimes = 2;
        const PlaceReasons around(runs_, *caller, kManyTimes);
        const std::string name = callText(runs_.structure(), *caller);
        const std::string calls = around.callsText(name);
        const std::string bytes = around.bytesText(calls.empty() ? name : "it");
        return (calls.empty() && bytes.empty() ? "" : "; ") + calls +
               (calls.empty() || bytes.empty() ? "" : ", and ") + bytes;
    }

    /// A function whose loop makes more steps calls what is in them more often.
    std::string calleeText() const {
        if (!runs_.allHave("visits")) return {};
        MeanDifference most;
        std::optional<CallPathId> callee;
        for (const CallPathId child : runs_.tree().children(path_)) {
            const MeanDifference calls =
                runs_.means([&](std::size_t run) { return runs_.perPath(run, {"visits"})[child.index()]; });
            if (!explainsGrowth(growthFactor(calls), growth_) || calls.first <= most.first) continue;
            most = calls;
            callee = child;
        }
        if (!callee) return {};
        return fmt::format("it calls {} {} times instead of {}", callText(runs_.structure(), *callee),
                           numberText(most.second), numberText(most.first));
    }

    bool explains(double growth) const {
        return explainsGrowth(growth, growth_) ||
               (growth_ > 1 ? growth >= many_ : growth > 0 && growth * many_ <= 1);
    }

    std::string callsText(const std::string& it) const {
        if (!isInAny(false, path_)) return fmt::format("only the second calls {} there", it);
        if (!isInAny(true, path_)) return fmt::format("only the first calls {} there", it);
        if (!runs_.allHave("visits")) return {};
        const MeanDifference calls = alone("visits");
        if (!explains(growthFactor(calls))) return {};
        return fmt::format("{} is called {} times instead of {}", it, numberText(calls.second),
                           numberText(calls.first));
    }

    std::string bytesText(const std::string& it) const {
        if (runs_.structure().regionOf(path_).paradigm != "mpi") return {};
        const MeanDifference bytes = total(
            {"bytes_sent", "bytes_rcvd", "bytes_cout", "bytes_cin", "bytes_put", "bytes_get",
             "file_io_bytes_read", "file_io_bytes_written", "mpi_io_bytes_read", "mpi_io_bytes_written"});
        if (!explains(growthFactor(bytes))) return {};
        return fmt::format("{} moves {:.3g} times as many bytes", it, growthFactor(bytes));
    }

    /// Of the metric that `find` gives for each run; 0 where one has none.
    double counted(std::optional<MetricId> (*find)(const Experiment&)) const {
        bool isCounted = true;
        const MeanDifference values = runs_.means([&](std::size_t run) {
            const Measures& measures = runs_.measures()[run];
            const auto metric = find(measures.experiment());
            const auto path = runs_.pathIn(run, path_);
            isCounted = isCounted && metric && path;
            if (!metric || !path) return 0.0;
            const auto name = measures.experiment().metrics[*metric].uniqueName;
            const auto each = measures.perLocation({name.c_str()}, path);
            return std::accumulate(each.begin(), each.end(), 0.0);
        });
        return isCounted ? growthFactor(values) : 0;
    }

    std::string instructionsText() const {
        const double instructions = counted(instructionMetric);
        if (instructions == 0) return {};
        if (explainsGrowth(instructions, growth_))
            return fmt::format("it executes {:.3g} times as many instructions", instructions);
        const double cycles = counted(cycleMetric);
        if (explainsGrowth(cycles, growth_))
            return fmt::format("it executes {:.3g} times as many instructions in {:.3g} times as many cycles",
                               instructions, cycles);
        return fmt::format("it executes {:.3g} times as many instructions, which does not explain it",
                           instructions);
    }

    /// What a process computes there, or sleeps, by its position.
    MeanDifference ofProcess(std::size_t process) const {
        return runs_.means([&](std::size_t run) {
            const Measures& measures = runs_.measures()[run];
            const auto path = runs_.pathIn(run, path_);
            if (!path) return 0.0;
            return processMembers(measures, measures.perLocation({what_}, path))[process].value;
        });
    }

    /// What those compute who are not named. A mean of more and of less would be neither. `changes`: in the
    /// direction of those who are named, which are 0 themselves.
    static std::string othersText(const std::vector<double>& changes, const Spread& spread, double sign,
                                  bool isOne) {
        constexpr double kMuch = 0.1;  // of what those compute longer who are named
        const double least = *std::ranges::min_element(changes), most = *std::ranges::max_element(changes);
        const std::string ending = isOne ? " one " : "s ";
        if (!(spread.others > 0)) return ending + (isOne ? "does not" : "do not");
        if (-least < kMuch * spread.theirs) return ending + secondsText(spread.others);
        return fmt::format("{}between {} {} and {} {}", ending, secondsText(-least),
                           sign > 0 ? "less" : "longer", secondsText(most), sign > 0 ? "longer" : "less");
    }

    /// Which processes compute, or sleep, longer or shorter there, where it is not all of them.
    std::string processText() const {
        const Measures& last = runs_.measures().back();
        const std::size_t processes = last.processes().size();
        const bool areAlike = std::ranges::all_of(runs_.measures(), [&](const Measures& one) {
            return one.processes().size() == processes &&
                   processMembers(one, one.perLocation({what_})).size() == processes;  // of all all is known
        });
        if (!areAlike || processes < 2 || !runs_.allHave(what_)) return {};
        std::vector<Member> members = processMembers(last, last.perLocation({what_}));
        const double sign = growth_ >= 1 ? 1 : -1;
        std::vector<double> changes;
        for (std::size_t i = 0; i < processes; ++i) {
            changes.push_back(sign * ofProcess(i).difference());
            members[i].value = std::max(0.0, changes.back());
        }
        const Spread spread = spreadOf(members);
        const bool areFew = spread.shape == Spread::Shape::One || spread.shape == Spread::Shape::Few;
        if (!areFew || 2 * spread.others > spread.theirs) return {};
        const std::size_t more = spread.members.size() - 1;
        for (const std::size_t one : spread.members) changes[one] = 0;
        return fmt::format("{}{} {} {} {} there, the other{}", members[spread.members.front()].name,
                           more == 0 ? "" : fmt::format(" and {} more", more),
                           std::string(sleeps() ? "sleep" : "compute") + (more == 0 ? "s" : ""),
                           secondsText(spread.theirs), sign > 0 ? "longer" : "less",
                           othersText(changes, spread, sign, processes - spread.members.size() == 1));
    }

    bool sleeps() const { return what_ == kSleep; }

    static constexpr const char* kComputation = "comp";
    static constexpr const char* kSleep = "system_waiting";

    const AlignedRuns& runs_;
    CallPathId path_;
    double many_;
    double growth_ = 0;
    const char* what_ = kComputation;  ///< what most of the difference is
};

class PlaceSearch {
  public:
    PlaceSearch(const AlignedRuns& runs, double seconds)
        : runs_(runs), seconds_(seconds), onCriticalPath_(runs.allHave("critical_path")) {
        for (std::size_t run = 0; run < runs.size(); ++run)
            inclusive_.push_back(inclusiveOf(runs.tree(), exclusiveOf(run)));
    }

    std::vector<ChangedPlace> run() const {
        std::vector<ChangedPlace> found;
        for (const double sign : {1.0, -1.0}) {
            const double least = kWorthTelling * std::fabs(seconds_);
            for (const Place& place : placesOf(runs_.tree(), differences(sign), least))
                found.push_back(changed(place.path, sign * place.value));
        }
        std::ranges::stable_sort(found, [](const ChangedPlace& a, const ChangedPlace& b) {
            return std::fabs(a.seconds) > std::fabs(b.seconds);
        });
        if (found.size() > kMostPlaces) found.resize(kMostPlaces);
        return found;
    }

  private:
    std::vector<double> exclusiveOf(std::size_t run) const {
        if (onCriticalPath_) return runs_.perPath(run, {"critical_path"});
        std::vector<double> values = runs_.perPath(run, {"time"});
        const auto threads = static_cast<double>(runs_.measures()[run].threads().size());
        for (double& value : values) value /= threads;
        return values;
    }

    /// By call path alone, more in the second; or less, where the sign is negative.
    std::vector<double> differences(double sign) const {
        std::vector<double> values(runs_.tree().size(), 0.0);
        for (const CallPathId path : runs_.tree().ids()) {
            double children = 0;
            for (const CallPathId child : runs_.tree().children(path)) children += differenceAt(child);
            values[path.index()] = sign * (differenceAt(path) - children);
        }
        return values;
    }

    double differenceAt(CallPathId path) const { return meansAt(path).difference(); }

    MeanDifference meansAt(CallPathId path) const {
        return runs_.means([&](std::size_t run) { return inclusive_[run][path.index()]; });
    }

    ChangedPlace changed(CallPathId path, double seconds) const {
        const MeanDifference whole = meansAt(path);
        ChangedPlace place{pathText(runs_.structure(), path), seconds, std::nullopt,
                           PlaceReasons(runs_, path).text()};
        constexpr double kRounding = 1e-6;
        if (std::fabs(whole.difference() - seconds) <= kRounding * std::fabs(seconds))
            place.error = whole.error;
        return place;
    }

    const AlignedRuns& runs_;
    double seconds_;
    bool onCriticalPath_;
    std::vector<std::vector<double>> inclusive_;  ///< by run and call path
};

/// Whether most of what is called again and again is called as many times more, or less, often: then one of
/// them has made more steps. Empty where it is called as often, or each function in another way.
std::string workText(const AlignedRuns& runs) {
    constexpr double kOften = 5;  // by each process
    constexpr double kAlike = 0.1, kMost = 0.75;
    if (!runs.allHave("visits")) return {};
    const double processes =
        static_cast<double>(std::max<std::size_t>(1, runs.measures().front().processes().size()));
    struct Called {
        CallPathId path;
        MeanDifference calls;
    };
    std::vector<Called> often;
    for (const CallPathId path : runs.tree().ids()) {
        const MeanDifference calls =
            runs.means([&](std::size_t run) { return runs.perPath(run, {"visits"})[path.index()]; });
        if (std::min(calls.first, calls.second) >= kOften * processes) often.push_back({path, calls});
    }
    if (often.size() < 2) return {};  // else its reason says so
    const auto growth = [](const Called& called) { return growthFactor(called.calls); };
    const auto middle = often.begin() + std::ssize(often) / 2;
    std::ranges::nth_element(often, middle, {}, growth);
    const Called typical = *middle;
    const auto alike = std::ranges::count_if(often, [&](const Called& called) {
        return std::fabs(growth(called) / growth(typical) - 1) <= kAlike;
    });
    if (std::fabs(growth(typical) - 1) <= kAlike ||
        static_cast<double>(alike) < kMost * static_cast<double>(often.size()))
        return {};
    return fmt::format(
        "{}: {} is called {} times instead of {}, and most call paths that are executed repeatedly are executed {:.3g} "
        "times as often",
        growth(typical) > 1 ? "made more steps" : "made fewer steps",
        pathText(runs.structure(), typical.path), numberText(typical.calls.second),
        numberText(typical.calls.first), growth(typical));
}

}  // namespace

ChangedParts changedParts(const RunGroup& first, const RunGroup& second, const Matching& matching,
                          double seconds) {
    const AlignedRuns runs(first, second, matching);
    return {PlaceSearch(runs, seconds).run(), workText(runs)};
}

}  // namespace holos::algebra
