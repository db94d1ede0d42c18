// SPDX-License-Identifier: BSD-3-Clause
#include "tests/study/oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <numeric>
#include <regex>
#include <set>

#include "algebra/insight/summary/summary.h"
#include "tests/support/findings.h"

namespace holos::testing::study {

namespace {

using algebra::Experiment;
using algebra::Problem;
using algebra::Summary;

double sumOf(const Ledger::Seconds& times) {
    return std::accumulate(times.begin(), times.end(), 0.0);
}

enum class Without : std::uint8_t { Nothing, One, All };

SimulatedProgram simulate(const Scene& scene, bool isBusy, std::uint64_t seed, Without without,
                          const PlantedFault* one = nullptr) {
    const auto isMended = [&](const PlantedFault& fault) {
        return without == Without::All || (without == Without::One && &fault == one);
    };
    Machine machine = scene.machine;
    machine.isBusy = isBusy;
    SimulatedProgram program(machine, seed);
    double start = 500;
    for (const PlantedFault& fault : scene.faults) {
        if (fault.before) fault.before(program, isMended(fault));
        if (!isMended(fault)) start = std::max(start, fault.start);
    }
    program.initialize(start);
    const auto update = [&] {
        program.enter("update");
        program.equalStep();
        program.leave();
    };
    for (unsigned number = 0; number < scene.steps; ++number) {
        if (scene.areLast) update();
        for (const PlantedFault& fault : scene.faults) {
            program.enter(fault.function);
            fault.step(program, {number, scene.steps, isMended(fault)});
            program.leave();
        }
        if (!scene.areLast) update();
    }
    program.finish();
    return program;
}

/// What a fault costs, by the same run without it.
struct Effect {
    double gain = 0;     ///< seconds of the run's time
    double waiting = 0;  ///< of all threads
    double chance = 0;   ///< what they wait without it, too
};

Effect effectOf(const PlantedFault& fault, const Scene& scene, bool isBusy, std::uint64_t seed,
                const SimulatedProgram& with) {
    const SimulatedProgram without = simulate(scene, isBusy, seed, Without::One, &fault);
    const double gain = with.seconds() - without.seconds();
    const double threads = with.processes() * with.threads();
    return {gain, threads * gain - (sumOf(with.worked().in("main")) - sumOf(without.worked().in("main"))),
            sumOf(without.waited().in("main"))};
}

/// Durations in a text, in seconds.
std::vector<double> durationsIn(const std::string& text) {
    static const std::regex kDuration("([0-9]+(?:\\.[0-9]+)?) (s|ms|µs)(?![a-z])");
    std::vector<double> found;
    for (std::sregex_iterator at(text.begin(), text.end(), kDuration), end; at != end; ++at) {
        const std::string unit = (*at)[2];
        found.push_back(std::stod((*at)[1]) * (unit == "s" ? 1 : unit == "ms" ? 1e-3 : 1e-6));
    }
    return found;
}

bool isAbout(double said, double is, double part) {
    constexpr double kRounding = 20e-6;
    return std::fabs(said - is) <= part * std::fabs(is) + kRounding;
}

class Judge {
  public:
    Judge(const Scene& scene, bool isBusy, std::uint64_t seed)
        : scene_(scene),
          isBusy_(isBusy),
          program_(simulate(scene, isBusy, seed, Without::Nothing)),
          found_(program_.trace()),
          experiment_(found_.result().experiment) {
        for (const PlantedFault& fault : scene.faults)
            effects_.push_back(effectOf(fault, scene, isBusy, seed, program_));
        if (scene.faults.size() > 1)
            together_ = program_.seconds() - simulate(scene, isBusy, seed, Without::All).seconds();
    }

    Verdict run() {
        const auto summary = algebra::summarize(experiment_);
        if (!summary) return {false, {"nothing is said"}, {}};
        judgeRun(*summary);
        std::vector<const PlantedFault*> named;
        for (const Problem& problem : summary->problems) {
            const PlantedFault* const fault = faultOf(problem);
            judgeProblem(problem, fault);
            if (problem.kind == kLostProcessors || (fault == nullptr && isUncertain(problem))) continue;
            // Nobody knows whether work grows where processors lack.
            const bool isAll = fault != nullptr && (isBusy_ || isKind(fault->truth, problem.kind));
            named.push_back(isAll ? fault : nullptr);
        }
        judgeNotes(*summary);
        judgeCosts();
        judgeGains();
        named.resize(std::max(named.size(), scene_.faults.size()));
        verdict_.areFirst = std::ranges::all_of(scene_.faults, [&](const PlantedFault& fault) {
            const auto end = named.begin() + static_cast<std::ptrdiff_t>(scene_.faults.size());
            return std::find(named.begin(), end, &fault) != end;
        });
        if (isSound()) verdict_.areFirst = isBusy_ ? verdict_.falsehoods.empty() : summary->isHealthy;
        return std::move(verdict_);
    }

  private:
    static constexpr const char* kLostProcessors = "lost-processors";

    /// What it has only looks like a fault, if anything.
    bool isSound() const {
        return std::ranges::all_of(scene_.faults,
                                   [](const PlantedFault& fault) { return fault.truth.kinds.empty(); });
    }
    void lie(const std::string& text) { verdict_.falsehoods.push_back(text); }
    double threads() const { return program_.processes() * program_.threads(); }
    double percent(double seconds) const { return 100 * seconds / (program_.seconds() * threads()); }

    // The whole run.

    void judgeRun(const Summary& summary) {
        constexpr double kPoints = 2;
        verdict_.said += summary.run + '\n';
        if (!isAbout(summary.seconds, program_.seconds(), 0.005))
            lie(fmt::format("the run takes {}, not {}", program_.seconds(), summary.seconds));
        // How much of the lack of processors was in work is not known of such a recording.
        const double lost = 100 - percent(sumOf(program_.computed().in("main")));
        const double withLack = lost + percent(program_.starved());
        if (summary.percentLost < lost - kPoints || summary.percentLost > withLack + kPoints)
            lie(fmt::format("{:.1f} % are lost, {:.1f} at most, not {:.1f}", lost, withLack,
                            summary.percentLost));
        if (summary.isHealthy && (!isSound() || isBusy_)) lie("the run is not healthy");
        for (const std::string& text : summary.first) lie(text);
        constexpr double kRounding = 0.5;
        double all = 0;
        for (const Problem& problem : summary.problems) all += problem.percent;
        verdict_.addsUp = all <= summary.percentLost + kRounding;
        for (const Problem& problem : summary.problems)
            if (problem.percent > summary.percentLost + kRounding)
                lie(fmt::format("{} costs {:.1f} %, where {:.1f} % are lost", problem.kind, problem.percent,
                                summary.percentLost));
    }

    void judgeNotes(const Summary& summary) {
        for (const std::string& note : summary.notes) lie(note);
        for (const algebra::Doubt& doubt : summary.doubts) {
            verdict_.said += "note: " + doubt.text + '\n';
            const bool isOfProcessors = isBusy_ && doubt.text.starts_with("Threads waited for processors");
            if (!isOfProcessors || !areTrue(durationsIn(doubt.text), {program_.starved()})) lie(doubt.text);
        }
    }

    // One problem.

    std::vector<std::string> functionsOf(const Problem& problem) const {
        std::vector<std::string> names;
        for (auto path = problem.path; path; path = experiment_.callTree.parent(*path))
            names.push_back(experiment_.regionOf(*path).name);
        return names;
    }

    static bool isKind(const Truth& truth, const std::string& kind) {
        return std::ranges::count(truth.kinds, kind) > 0;
    }

    /// Growth of uneven work need not be said.
    static bool isNamedBy(const Problem& problem, const Truth& truth) {
        return isKind(truth, problem.kind) ||
               (problem.kind == "imbalance" && isKind(truth, "growing-imbalance"));
    }

    const PlantedFault* faultOf(const Problem& problem) const {
        const std::vector<std::string> functions = functionsOf(problem);
        for (const PlantedFault& fault : scene_.faults) {
            const auto isIn = [&](const std::string& name) {
                return name.empty() || std::ranges::count(functions, name) > 0;
            };
            if (isNamedBy(problem, fault.truth) && isIn(fault.truth.place) &&
                (fault.truth.isOutside || isIn(fault.function)))
                return &fault;
        }
        return nullptr;
    }

    void judgeProblem(const Problem& problem, const PlantedFault* fault) {
        const std::size_t before = verdict_.falsehoods.size();
        if (problem.kind == kLostProcessors)
            judgeLostProcessors(problem);
        else if (fault != nullptr)
            judgeNamed(problem, *fault);
        else if (!isBusy_ || !isUncertain(problem))
            lie("there is no such fault");
        if (problem.kind != kLostProcessors) judgeNumbers(problem);
        verdict_.said += fmt::format("{} {} {:.1f} %: {} | {} | {} | {} | gain {}\n", problem.kind,
                                     problem.pattern, problem.percent, problem.what, problem.where,
                                     problem.who, problem.why, problem.gain.value_or(0));
        for (std::size_t i = before; i < verdict_.falsehoods.size(); ++i)
            verdict_.falsehoods[i] = problem.kind + ": " + verdict_.falsehoods[i];
    }

    static bool isUncertain(const Problem& problem) {
        return problem.why.find("uncertain") != std::string::npos;
    }

    void judgeLostProcessors(const Problem& problem) {
        if (!isBusy_) lie("nobody else used the processors");
        if (problem.percent > 1.02 * percent(program_.starved())) lie("they waited less for processors");
        for (const double said : durationsIn(problem.why))
            if (said > 1.02 * program_.starved()) lie(problem.why);
    }

    void judgeNamed(const Problem& problem, const PlantedFault& fault) {
        const Truth& truth = fault.truth;
        const Effect& effect = effects_[static_cast<std::size_t>(&fault - scene_.faults.data())];
        if (!truth.who.empty() && !problem.locations.empty() && whoOf(problem) != truth.who)
            lie("others are to blame: " + problem.who);
        if (truth.who.empty() && !problem.pattern.empty() && problem.pattern != "in turn" &&
            problem.kind != "large-task")
            lie("nobody is to blame alone: " + problem.who);
        judgeReason(problem, truth);
        if (problem.gain) {
            judgeGain(*problem.gain, effect);
            gains_[static_cast<std::size_t>(&effect - effects_.data())] += *problem.gain;
        }
        costs_[static_cast<std::size_t>(&effect - effects_.data())] += problem.percent;
    }

    void judgeReason(const Problem& problem, const Truth& truth) {
        static const std::regex kReason("[0-9.]+ % of the waiting for them is ([^,;]+), most in ([^;]+)");
        std::smatch match;
        if (!truth.wait.empty() && std::regex_search(problem.why, match, kReason)) {
            if (match[1] != truth.wait) lie("they wait " + truth.wait + ", not " + match[1].str());
            if (!truth.call.empty() && match[2].str().find(truth.call) == std::string::npos)
                lie("they wait in " + truth.call + ", not in " + match[2].str());
        }
        const bool isSleep = problem.what.find("sleep") != std::string::npos;
        if (isSleep != truth.areAsleep) lie(problem.what);
        static const std::regex kPhase("between ([0-9]+) % and ([0-9]+) % of the run");
        if (!std::regex_search(problem.who, match, kPhase)) {
            if (truth.phase && !isBusy_) lie("it is in a part of the run only");
        } else if (!truth.phase || std::stod(match[1]) < 100 * truth.phase->first ||
                   std::stod(match[2]) > 100 * truth.phase->second)
            lie("it is not in that part of the run: " + problem.who);
    }

    /// Not much more than the run is shorter without the fault. On a busy machine others have to be waited
    /// for all the same.
    void judgeGain(double said, const Effect& effect) {
        constexpr double kMore = 0.3;
        const double is = scene_.faults.size() > 1 ? gainOfAll() : effect.gain;
        const double most = (1 + kMore) * (is + effect.chance / threads()) + 0.02 * program_.seconds();
        if (said > most) lie(fmt::format("without it the run is {:.3f} s shorter, not {:.3f}", is, said));
    }

    /// All problems of a fault together cost as much as it. Several faults share what they cost.
    void judgeCosts() {
        const double kPart = isBusy_ ? 0.4 : 0.2, kPoints = 2;
        if (scene_.faults.size() != 1 || !scene_.faults.front().truth.isCostKnown || costs_.empty()) return;
        const Effect& effect = effects_.front();
        const double least = (1 - kPart) * percent(effect.waiting) - kPoints;
        const double most = (1 + kPart) * percent(effect.waiting + effect.chance) + kPoints;
        if (costs_[0] < least || costs_[0] > most)
            lie(fmt::format("it costs {:.1f} %, not {:.1f}", percent(effect.waiting), costs_[0]));
    }

    /// What is said to be gained at most is that much, all problems of a fault together; and those of all
    /// faults bring not much more than the run is shorter without them.
    void judgeGains() {
        constexpr double kMore = 0.3;
        double all = 0, chance = 0;
        for (const auto& [fault, seconds] : gains_) all += seconds;
        for (const Effect& effect : effects_) chance += effect.chance / threads();
        const double most = scene_.faults.size() > 1 ? gainOfAll() : 0;
        if (most > 0 && all > (1 + kMore) * (most + chance) + 0.02 * program_.seconds())
            lie(fmt::format("without all of them the run is {:.3f} s shorter, not {:.3f}", most, all));
        const double kLess = isBusy_ ? 0.4 : 0.1, least = 0.02 * program_.seconds();
        for (std::size_t i = 0; i < effects_.size(); ++i)
            if (gains_.contains(i) && gains_[i] < (1 - kLess) * effects_[i].gain - least)
                lie(fmt::format("{}: without it the run is {:.3f} s shorter, more than {:.3f}",
                                scene_.faults[i].function, effects_[i].gain, gains_[i]));
    }

    /// One fault may hide another.
    double gainOfAll() const {
        double gain = 0;
        for (const Effect& effect : effects_) gain += std::max(0.0, effect.gain);
        return std::max(gain, together_);
    }

    /// Of ranks, or of threads where there is one process; ascending.
    std::vector<unsigned> whoOf(const Problem& problem) const {
        std::set<unsigned> who;
        for (const algebra::LocationId location : problem.locations)
            who.insert(static_cast<unsigned>(program_.processes() > 1 ? location.index() / program_.threads()
                                                                      : location.index()));
        return {who.begin(), who.end()};
    }

    // Numbers in sentences.

    void judgeNumbers(const Problem& problem) {
        std::vector<double> truths;
        std::vector<std::string> functions = functionsOf(problem);
        std::string path;
        for (auto function = functions.rbegin(); function != functions.rend(); ++function) {
            if (*function == "TASKS" || function->starts_with("!$omp task @")) continue;
            path += (path.empty() ? "" : "/") + *function;
            for (const Ledger* ledger : {&program_.worked(), &program_.waited()})
                for (const bool ofThreads : {false, true})
                    addAmounts(problem, ledger->in(path), ofThreads, truths);
        }
        // What others wait on average is a part of what it costs, which is judged by itself.
        std::smatch others;
        if (std::regex_search(problem.who, others, std::regex(R"((\d+) others wait )")))
            truths.push_back(problem.cost / std::stod(others[1]));
        for (const std::string& text : {problem.who, problem.why})
            if (isOfThreads(problem) && !areTrue(durationsIn(text), truths)) lie("numbers of: " + text);
    }

    /// The others say what a message or region takes on average.
    static bool isOfThreads(const Problem& problem) {
        return problem.kind != "small-messages" && problem.kind != "communication" &&
               problem.kind != "collectives" && problem.kind != "small-regions";
    }

    /// Of those who are named and of the others, on average; and the most and least of one.
    void addAmounts(const Problem& problem, const Ledger::Seconds& times, bool ofThreads,
                    std::vector<double>& truths) const {
        double theirs = 0, others = 0, count = 0, all = 0;
        for (std::size_t i = 0; i < times.size(); i += ofThreads ? 1 : program_.threads()) {
            const bool isNamed = std::ranges::count(problem.locations, algebra::LocationId(i)) > 0;
            (isNamed ? theirs : others) += times[i];
            if (isNamed) ++count;
            ++all;
            truths.push_back(times[i]);
        }
        for (std::size_t one = 0; ofThreads && one < program_.processes(); ++one) {
            const auto from = times.begin() + static_cast<std::ptrdiff_t>(one * program_.threads());
            truths.push_back(std::accumulate(from, from + program_.threads(), 0.0) / program_.threads());
        }
        truths.push_back((theirs + others) / all);
        if (count > 0) truths.push_back(theirs / count);
        if (count < all) truths.push_back(others / (all - count));
    }

    static bool areTrue(const std::vector<double>& said, const std::vector<double>& truths) {
        constexpr double kPart = 0.015;
        return std::ranges::all_of(said, [&](double value) {
            return std::ranges::any_of(truths, [&](double is) { return isAbout(value, is, kPart); });
        });
    }

    const Scene& scene_;
    bool isBusy_;
    SimulatedProgram program_;
    Findings found_;
    const Experiment& experiment_;
    std::vector<Effect> effects_;                  ///< by fault
    std::map<std::size_t, double> gains_, costs_;  ///< that are said, by fault
    double together_ = 0;                          ///< seconds that the run is shorter without all of them
    Verdict verdict_;
};

}  // namespace

Verdict judge(const Scene& scene, bool isBusy, std::uint64_t seed) try {
    return Judge(scene, isBusy, seed).run();
} catch (const std::exception& error) {  // such as a broken law
    return {false, {error.what()}, {}};
}

}  // namespace holos::testing::study
