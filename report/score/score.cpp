// SPDX-License-Identifier: BSD-3-Clause
#include "report/score/score.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

#include "algebra/model/queries.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "base/error.h"

namespace holos::score {
namespace {

using algebra::CallPathId;

/// What recording a visit takes: a region's enter and leave; a call of MPI with its message or operation; an
/// empty parallel region of two threads, by thread. All with their call paths, in programs, whose data take
/// the caches: about twice what loops of nothing else need (docs/performance.md).
constexpr double kSecondsOfRegion = 100e-9;
constexpr double kSecondsOfMpiCall = 100e-9;
constexpr double kSecondsOfParallelRegion = 350e-9;

/// Processor time besides: of `holos record` itself, of each process that starts and ends, and of each visit
/// to make the trace; and of each function that is known from stacks of calls, which is named then.
constexpr double kSecondsOfRun = 0.03;
constexpr double kSecondsOfProcess = 0.02;
constexpr double kSecondsToMakeVisit = 140e-9;
constexpr double kSecondsToNameFunction = 300e-6;

/// What a file of events has besides: its head, and, of a process, the program's start and end.
constexpr double kBytesOfFile = 19;
constexpr double kBytesOfProgram = 32;

double secondsOf(const algebra::Region& region, RegionKind kind) {
    if (region.role == "parallel") return kSecondsOfParallelRegion;
    return kind == RegionKind::Mpi || kind == RegionKind::Files ? kSecondsOfMpiCall : kSecondsOfRegion;
}

class Adding {
  public:
    Adding(const algebra::Experiment& experiment, const ScoreOptions& options)
        : experiment_(experiment),
          kinds_(kindsOf(experiment)),
          recorded_(recordedPaths(options.excluded)),
          model_(experiment, options.counters, recorded_),
          bare_(experiment, 0, recorded_),
          measured_(options.measured) {
        result_.ofCounters = EventModel::ofCounters(options.counters);
        result_.ofCallPath = model_.ofCallPath();
        result_.isMeasured = measured_.size() == experiment.system.locations.size();
    }

    Score run() {
        locations_.assign(experiment_.system.locations.size(), {});
        if (result_.isMeasured) measure();
        const auto times = perPath("time"), visits = perPath("visits");
        for (std::size_t i = 0; i < experiment_.callTree.size(); ++i)
            if (visits[i] > 0 || times[i] > 0) add(CallPathId(i), visits[i], times[i]);
        addFiles();
        addProcesses();
        result_.startAndEnd =
            kSecondsOfRun + kSecondsOfProcess * static_cast<double>(result_.processes.size()) +
            kSecondsToMakeVisit * result_.all.visits +
            kSecondsToNameFunction * static_cast<double>(std::ranges::count(kinds_, RegionKind::NotRecorded));
        for (auto& [key, region] : regions_)
            if (region.totals.bytes.trace > 0) result_.regions.push_back(std::move(region));
        std::ranges::stable_sort(result_.regions, [](const auto& a, const auto& b) {
            return a.totals.bytes.trace > b.totals.bytes.trace;
        });
        return std::move(result_);
    }

  private:
    RegionKind kindOf(CallPathId path) const { return kinds_[experiment_.callTree[path].region.index()]; }
    /// Regions of the recorder, such as the program as a whole, stand for no visits that it would record.
    bool isOfEvents(CallPathId path) const {
        const RegionKind kind = kindOf(path);
        return kind != RegionKind::NotRecorded && kind != RegionKind::Measurement &&
               kind != RegionKind::Starvation;
    }
    bool hasEvents(CallPathId path) const { return recorded_[path.index()]; }

    std::vector<bool> recordedPaths(const std::set<std::string, std::less<>>& excluded) const {
        std::vector<bool> recorded;
        for (const CallPathId path : experiment_.callTree.ids())
            recorded.push_back(isOfEvents(path) &&
                               (excluded.empty() || !excluded.contains(nameForFilter(
                                                        kindOf(path), experiment_.regionOf(path).name))));
        return recorded;
    }

    /// How much of its real size a location's model explains.
    void measure() {
        factors_.assign(measured_.size(), 0);
        const std::vector<bool> all = recordedPaths({});  // also what is left out now is in the files
        const EventModel model(experiment_, 0, all);
        for (std::size_t i = 0; i < experiment_.callTree.size(); ++i) {
            if (!all[i]) continue;
            const auto bytes = model.bytesOf(CallPathId(i));
            for (std::size_t l = 0; l < bytes.size(); ++l) factors_[l] += bytes[l].trace;
        }
        for (std::size_t l = 0; l < factors_.size(); ++l) {
            const double ofEvents = std::max(0.0, static_cast<double>(measured_[l]) - bytesOfFile(l));
            factors_[l] = factors_[l] > 0 ? ofEvents / factors_[l] : 0;
        }
    }

    double bytesOfFile(std::size_t location) const {
        const bool isMaster = experiment_.system.locations[location].rank == 0;
        return kBytesOfFile + (isMaster ? kBytesOfProgram : 0);
    }

    /// What belongs to no region.
    void addFiles() {
        Totals& own = result_.kinds[static_cast<std::size_t>(RegionKind::Measurement)];
        for (std::size_t l = 0; l < locations_.size(); ++l) {
            if (!(locations_[l].trace > 0)) continue;
            Totals file;
            file.bytes.trace = bytesOfFile(l);
            locations_[l].trace += file.bytes.trace;
            own += file;
            result_.all += file;
        }
    }

    void add(CallPathId path, double visits, double time) {
        const algebra::Region& region = experiment_.regionOf(path);
        Totals totals{{}, 0, time};
        if (hasEvents(path)) {
            totals.visits = visits;
            totals.bytes = addLocations(path);
            result_.overhead += visits * secondsOf(region, kindOf(path));
        }
        result_.all += totals;
        result_.kinds[static_cast<std::size_t>(kindOf(path))] += totals;
        auto& known = regions_[{region.name, kindOf(path)}];
        known.name = region.name;
        known.kind = kindOf(path);
        known.totals += totals;
    }

    /// Counters come on top of what was measured without them.
    EventBytes addLocations(CallPathId path) {
        EventBytes sum;
        const auto bytes = model_.bytesOf(path);
        const auto bare = result_.isMeasured ? bare_.bytesOf(path) : bytes;
        for (std::size_t l = 0; l < bytes.size(); ++l) {
            EventBytes one = bytes[l];
            if (result_.isMeasured) one.trace += (factors_[l] - 1) * bare[l].trace;
            locations_[l].trace += one.trace;
            locations_[l].recording += one.recording;
            sum.trace += one.trace;
            sum.recording += one.recording;
        }
        return sum;
    }

    void addProcesses() {
        const algebra::SystemTree& system = experiment_.system;
        std::vector<ProcessScore> processes(system.processes.size());
        for (std::size_t l = 0; l < system.locations.size(); ++l) {
            ProcessScore& process = processes[system.locations[l].process.index()];
            process.bytes.trace += locations_[l].trace;
            process.bytes.recording += locations_[l].recording;
            process.largestThread = std::max(process.largestThread, locations_[l].recording);
        }
        for (std::size_t p = 0; p < processes.size(); ++p) {
            if (!(processes[p].bytes.trace > 0)) continue;
            processes[p].name = system.processes[p].name;
            result_.processes.push_back(std::move(processes[p]));
        }
    }

    std::vector<double> perPath(const char* name) const {
        const auto metric = experiment_.findMetric(name);
        if (!metric) return std::vector<double>(experiment_.callTree.size(), 0);
        return algebra::perCallPath(experiment_, {*metric}, algebra::Extent::Exclusive);
    }

    const algebra::Experiment& experiment_;
    std::vector<RegionKind> kinds_;
    std::vector<bool> recorded_;  ///< by call path: has events
    EventModel model_;
    EventModel bare_;  ///< without counters
    const std::vector<std::uint64_t>& measured_;
    std::vector<double> factors_;
    std::vector<EventBytes> locations_;
    std::map<std::pair<std::string, RegionKind>, RegionScore> regions_;
    Score result_;
};

}  // namespace

Totals& Totals::operator+=(const Totals& other) {
    bytes.trace += other.bytes.trace;
    bytes.recording += other.bytes.recording;
    visits += other.visits;
    time += other.time;
    return *this;
}

Score scoreOf(const algebra::Experiment& experiment, const ScoreOptions& options) {
    if (!experiment.findMetric("visits")) throw Error("has no visits, from which sizes are estimated");
    return Adding(experiment, options).run();
}

std::vector<std::uint64_t> bytesOfEventFiles(const std::filesystem::path& archiveOrDirectory) {
    const std::filesystem::path anchor = analyzer::trace::findAnchor(archiveOrDirectory);
    const analyzer::trace::Definitions definitions = analyzer::trace::readDefinitions(anchor);
    const std::filesystem::path folder = anchor.parent_path() / anchor.stem();
    std::vector<std::uint64_t> bytes;
    bool anyFile = false;
    for (const analyzer::trace::Location& location : definitions.locations) {
        std::error_code error;
        const auto size =
            std::filesystem::file_size(folder / (std::to_string(location.reference) + ".evt"), error);
        anyFile = anyFile || !error;
        bytes.push_back(error ? 0 : size);
    }
    return anyFile ? bytes : std::vector<std::uint64_t>();
}

namespace {

/// Bytes for each second of the program's time that is no longer seen apart.
double bytesPerLostTime(const RegionScore& region) {
    constexpr double kLeast = 1e-9;
    return region.totals.bytes.trace / std::max(region.totals.time, kLeast);
}

/// The program's own first, what leads to MPI, OpenMP or threads last.
int order(RegionKind kind) {
    return kind == RegionKind::User ? 0 : kind == RegionKind::Common ? 2 : 1;
}

bool goesBefore(const RegionScore& a, const RegionScore& b) {
    if (order(a.kind) != order(b.kind)) return order(a.kind) < order(b.kind);
    return bytesPerLostTime(a) > bytesPerLostTime(b);
}

/// A filter has one name for regions of both kinds.
std::vector<RegionScore> candidatesOf(const Score& score) {
    std::vector<RegionScore> candidates;
    for (const RegionScore& region : score.regions) {
        if (!canBeFiltered(region.kind, region.name)) continue;
        const std::string_view name = nameForFilter(region.kind, region.name);
        const auto same = std::ranges::find(candidates, name, &RegionScore::name);
        if (same == candidates.end())
            candidates.push_back({std::string(name), region.kind, region.totals});
        else
            same->totals += region.totals;
    }
    std::ranges::stable_sort(candidates, goesBefore);
    return candidates;
}

/// The shortest beginning of the choice that is enough, where the whole of it is.
void shorten(FilterChoice& choice, double mostBytes, const BytesWithout& bytesWithout) {
    const auto without = [&](std::size_t number) {
        const auto end = choice.excluded.begin() + static_cast<std::ptrdiff_t>(number);
        return bytesWithout({choice.excluded.begin(), end});
    };
    std::size_t tooFew = 0, enough = choice.excluded.size();
    choice.bytesLeft = without(enough);
    choice.isEnough = choice.bytesLeft <= mostBytes;
    while (choice.isEnough && enough - tooFew > 1) {
        const std::size_t middle = tooFew + (enough - tooFew) / 2;
        const double left = without(middle);
        (left <= mostBytes ? enough : tooFew) = middle;
        if (left <= mostBytes) choice.bytesLeft = left;
    }
    if (choice.isEnough) choice.excluded.resize(enough);
}

}  // namespace

FilterChoice chooseFilter(const Score& score, double mostBytes, const BytesWithout& bytesWithout) {
    FilterChoice choice{{}, score.all.bytes.trace, false};
    for (RegionScore& region : candidatesOf(score)) {
        if (choice.bytesLeft <= mostBytes) break;
        choice.bytesLeft -= region.totals.bytes.trace;
        choice.excluded.push_back(std::move(region));
    }
    choice.isEnough = choice.bytesLeft <= mostBytes;
    if (!choice.isEnough) {
        if (bytesWithout && !choice.excluded.empty()) shorten(choice, mostBytes, bytesWithout);
        return choice;
    }
    for (std::size_t i = choice.excluded.size(); i-- > 0;) {
        const double bytes = choice.excluded[i].totals.bytes.trace;
        if (choice.bytesLeft + bytes > mostBytes) continue;
        choice.bytesLeft += bytes;
        choice.excluded.erase(choice.excluded.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return choice;
}

std::string filterPattern(const std::string& name) {
    constexpr std::string_view kSpecial = "*?[]\\";
    const bool isKeyword = name == "EXCLUDE" || name == "INCLUDE" || name == "MANGLED" ||
                           name.starts_with("SCOREP_") || name.starts_with('#');
    std::string pattern = isKeyword ? "\\" : "";
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::iscntrl(byte) != 0) {
            pattern += '?';  // a line's end cannot be written
            continue;
        }
        if (std::isspace(byte) != 0 || kSpecial.find(c) != std::string_view::npos) pattern += '\\';
        pattern += c;
    }
    return pattern;
}

std::string filterText(const FilterChoice& choice) {
    std::string text = "SCOREP_REGION_NAMES_BEGIN\n";
    for (const RegionScore& region : choice.excluded)
        text += "  EXCLUDE " + filterPattern(region.name) + '\n';
    return text + "SCOREP_REGION_NAMES_END\n";
}

}  // namespace holos::score
