// SPDX-License-Identifier: BSD-3-Clause
#include "report/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "algebra/insight/findings/efficiencies.h"
#include "algebra/insight/findings/findings.h"
#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "algebra/operators/history/metric_names.h"
#include "analyzer/metric_guide.h"
#include "base/error.h"
#include "base/markup.h"
#include "metric-specs/formula.h"
#include "metric-specs/specification.h"
#include "metric-specs/trace_metrics.h"
#include "report/formats.h"
#include "report/query/iterations.h"
#include "report/tables/value_tree.h"

namespace holos::report {

using namespace algebra;

namespace {

Union uniteAll(const std::vector<Subject>& subjects) {
    Inputs inputs;
    std::vector<MetricView> views;
    for (const Subject& each : subjects) {
        inputs.emplace_back(each.experiment);
        views.push_back(everything(each.experiment));
    }
    Matching matching;
    matching.loosely = true;  // versions and platforms are compiled by different compilers
    return unite(inputs, views, matching);
}

}  // namespace

Subjects::Subjects(std::vector<Subject> subjects)
    : subjects_(std::move(subjects)), united_(uniteAll(subjects_)) {}

void Subjects::shortenNames() {
    for (Subject& each : subjects_) tables::shortenNames(each.experiment);
    tables::shortenNames(united_.result);
}

std::optional<MetricId> Subjects::metricOf(std::size_t at, MetricId metric) const {
    for (const Contribution& each : united_.contributions[metric.index()])
        if (each.input == at) return each.metric;
    return std::nullopt;
}

std::optional<CallPathId> Subjects::pathOf(std::size_t at, CallPathId path) const {
    return united_.inputs[at]->sources[path.index()];
}

std::optional<MetricId> Subjects::find(const std::string& uniqueName) const {
    return united_.result.findMetric(uniqueName);
}

double Subjects::total(std::size_t at, MetricId metric) const {
    const auto own = metricOf(at, metric);
    return own ? aggregate(experiment(at), {*own, Extent::Inclusive}) : kNothing;
}

std::vector<double> Subjects::perPath(std::size_t at, MetricId metric) const {
    std::vector<double> values(structure().callTree.size(), kNothing);
    const auto own = metricOf(at, metric);
    if (!own) return values;
    const auto ofExperiment = perCallPath(experiment(at), {*own, Extent::Inclusive}, Extent::Exclusive);
    const auto& places = united_.inputs[at]->callPaths;
    std::ranges::fill(values, 0.0);
    for (std::size_t path = 0; path < places.size(); ++path)
        values[places[path].index()] += ofExperiment[path];
    return values;
}

Comparison compare(const Subjects& subjects, const Wishes& wishes) {
    Comparison all;
    for (std::size_t at = 0; at < subjects.size(); ++at) all.names.push_back(subjects.name(at));
    all.change = changeOf(subjects, wishes.before);
    all.introductions = introductionsOf(subjects);
    all.configuration = configurationOf(subjects);
    all.sections = metricSections(subjects);
    const auto addSection = [&all](Section section) {
        if (!section.rows.empty()) all.sections.push_back(std::move(section));
    };
    for (Section& section : callPathSections(subjects, wishes.callPaths)) addSection(std::move(section));
    addSection(efficiencies(subjects));
    addSection(waitStates(subjects, wishes.top));
    addSection(hottestPaths(subjects, wishes.top));
    all.spreads = spreadsOf(subjects);
    all.rooflines = rooflinesOf(subjects, wishes.roofs);
    all.findings = findingsOf(subjects);
    all.differences = differencesOf(subjects);
    all.notes = notesOf(subjects);
    return all;
}

// Summaries of runs in plain words, which stand first.

using algebra::Doubt;
using algebra::Problem;
using algebra::Summary;

namespace {

using Lines = std::vector<std::pair<const char*, std::string>>;

/// What is said of a problem, each with a word in front; what is not known is left out.
Lines linesOf(const Summary& summary, const Problem& problem) {
    Lines lines{{"where", problem.where},
                {"who", problem.who},
                {"why", problem.why},
                {"helps", problem.remedy},
                {"gain", gainText(summary, problem)},
                {"but", problem.chance}};
    std::erase_if(lines, [](const auto& line) { return line.second.empty(); });
    return lines;
}

std::string cardHtml(const Summary& summary, const Problem& problem) {
    std::string text = fmt::format("<article style=\"--part:{:.1f}%\"><h3>{}</h3><dl>",
                                   algebra::costPercent(summary, problem), escaped(problem.what));
    text += fmt::format("<dt>costs</dt><dd>{}</dd>", escaped(algebra::costText(summary, problem)));
    for (const auto& [word, said] : linesOf(summary, problem))
        text += fmt::format("<dt>{}</dt><dd>{}</dd>", word, escaped(said));
    return text + "</dl></article>\n";
}

/// What must be known first, and the run as a whole.
std::string beginOf(const Summary& summary) {
    std::string text;
    for (const std::string& sentence : summary.first) text += sentence + ". ";
    return text + summary.run;
}

/// What is known beside problems.
std::vector<std::string> remarksOf(const Summary& summary) {
    std::vector<std::string> remarks;
    for (const std::string& note : summary.notes) remarks.push_back("Counters: " + note);
    for (const Doubt& doubt : summary.doubts)
        remarks.push_back(doubt.text + (doubt.command.empty() ? "" : " (" + doubt.command + ")"));
    return remarks;
}

}  // namespace

std::vector<Introduction> introductionsOf(const Subjects& subjects) {
    std::vector<Introduction> all;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        if (auto summary = algebra::summarize(subjects.experiment(at)))
            all.push_back({subjects.name(at), std::move(*summary)});
    return all;
}

std::string introductionsHtml(const std::vector<Introduction>& introductions) {
    if (introductions.empty()) return {};
    std::string text;
    for (const auto& [name, summary] : introductions) {
        text += "<div><p><b>" + escaped(name) + "</b>: " + escaped(beginOf(summary)) + "</p>\n";
        for (const Problem& problem : summary.problems) text += cardHtml(summary, problem);
        for (const std::string& remark : remarksOf(summary))
            text += "<p><small>" + escaped(remark) + "</small></p>\n";
        text += "</div>\n";
    }
    return text;
}

std::string introductionsMarkdown(const std::vector<Introduction>& introductions) {
    if (introductions.empty()) return {};
    std::string text = "\n## Summary\n";
    for (const auto& [name, summary] : introductions) {
        text += "\n**" + escapedMarkdown(name) + "**: " + escapedMarkdown(beginOf(summary)) + "\n";
        std::size_t number = 0;
        for (const Problem& problem : summary.problems) {
            text += fmt::format("\n{}. **{}** ({})\n", ++number, escapedMarkdown(problem.what),
                                algebra::costText(summary, problem));
            for (const auto& [word, said] : linesOf(summary, problem))
                text += fmt::format("   - {}: {}\n", word, escapedMarkdown(said));
        }
        for (const std::string& remark : remarksOf(summary)) text += "\n" + escapedMarkdown(remark) + "\n";
    }
    return text;
}

// What is not the same under the same name.

namespace {

using Specifications = std::vector<std::optional<specs::Specification>>;

std::optional<specs::Specification> specificationOf(const Experiment& experiment) {
    const auto file = experiment.files.find(algebra::kSpecificationFile);
    if (file == experiment.files.end()) return std::nullopt;
    try {
        return specs::parse(file->second, algebra::kSpecificationFile);
    } catch (const Error&) {
        return std::nullopt;  // the configuration table says so
    }
}

/// What a metric counts: an event, or a formula of its specification.
std::string meaningOf(const Metric& metric, const std::optional<specs::Specification>& specification) {
    if (metric.origin == Origin::Measured) return eventName(metric);
    if (!specification) return {};
    for (const auto& definition : specification->definitions)
        if (definition.name == metric.displayName && definition.kind != specs::Definition::Kind::Ratio)
            return specs::textOf(definition.formula);
    return {};
}

/// Which experiments say which of several things; nothing where all say the same.
using Sayings = std::map<std::string, std::vector<std::string>>;
template <class SayingOf>
std::string different(const Subjects& subjects, MetricId id, SayingOf sayingOf) {
    Sayings sayings;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        if (const auto own = subjects.metricOf(at, id))
            if (auto saying = sayingOf(at, subjects.experiment(at).metrics[*own]); !saying.empty())
                sayings[std::move(saying)].push_back(subjects.name(at));
    if (sayings.size() < 2) return {};
    std::vector<std::string> parts;
    for (const auto& [saying, names] : sayings)
        parts.push_back(fmt::format("{} on {}", saying, fmt::join(names, ", ")));
    return fmt::format("{}", fmt::join(parts, "; "));
}

void addNotes(const Subjects& subjects, MetricId id, const Specifications& specifications,
              std::vector<std::string>& notes) {
    const Metric& metric = subjects.metrics()[id];
    const std::string& name = metric.displayName;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        if (const auto own = subjects.metricOf(at, id);
            own && subjects.experiment(at).metrics[*own].incomplete)
            notes.push_back(fmt::format("{} is incomplete on {}: some of its terms were not measured", name,
                                        subjects.name(at)));
    const std::string meanings = different(
        subjects, id, [&](std::size_t at, const Metric& own) { return meaningOf(own, specifications[at]); });
    if (!meanings.empty()) notes.push_back(fmt::format("{} is not the same everywhere: {}", name, meanings));
    // Tools describe times in words of their own; counters differ by platform.
    if (metric.unit == "sec" || specs::isTraceMetric(metric.uniqueName)) return;
    const std::string descriptions = different(subjects, id, [](std::size_t, const Metric& own) {
        return own.description.empty() ? "" : '"' + own.description + '"';
    });
    if (!descriptions.empty()) notes.push_back(fmt::format("{} means: {}", name, descriptions));
}

}  // namespace

std::vector<std::string> notesOf(const Subjects& subjects) {
    Specifications specifications;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        specifications.push_back(specificationOf(subjects.experiment(at)));
    std::vector<std::string> notes;
    for (const MetricId id : subjects.metrics().ids()) addNotes(subjects, id, specifications, notes);
    return notes;
}

namespace {

Row rowOf(std::string name, std::size_t runs, const query::IterationComparison& all, double before,
          double after) {
    Row row{std::move(name), 0, "sec", std::vector<Cell>(runs, Cell{kNothing, std::nullopt, false})};
    row.cells.back() = {after, std::nullopt, true};
    if (!all.before.empty()) row.cells.front() = {before, std::nullopt, true};
    return row;
}

std::string because(const std::vector<query::IterationReason>& reasons) {
    return reasons.empty() ? "" : ": " + query::reasonText(reasons);
}

}  // namespace

Section iterationsOf(const std::vector<query::IterationTimes>& runs, std::size_t top) {
    Section section{"Iterations", {}, {}};
    if (runs.empty()) return section;
    const query::IterationComparison all = runs.size() == 1
                                               ? query::compareIterations(runs.front())
                                               : query::compareIterations(runs.front(), runs.back());
    const std::string which =
        fmt::format("Iterations of {}, as the mean of the processes' first threads{}. ", runs.back().loop,
                    runs.size() == 1 ? "" : ", compared by their numbers between the first and the last run");
    const auto other = query::otherLoopText({"the first run", runs.front()}, {"the last one", runs.back()});
    section.explanation =
        which + (other ? "But " + *other + ". " : "") +
        (all.odd.empty()
             ? "None differs from the others by more than 5 % and by more than they do by chance."
             : "Listed are those that differ from the others by more than 5 % and by more than they do by "
               "chance, with the call paths (without waiting) and waits that make the difference.");
    section.rows.push_back(
        rowOf("Median" + because(all.typical), runs.size(), all, all.medianBefore, all.medianAfter));
    for (std::size_t i = 0; i < std::min(top, all.odd.size()); ++i) {
        const query::OddIteration& odd = all.odd[i];
        section.rows.push_back(rowOf(fmt::format("Iteration {}{}", odd.number, because(odd.reasons)),
                                     runs.size(), all, odd.before, odd.after));
    }
    return section;
}

// What is good and what is not: efficiencies and the findings of specifications.

using algebra::Efficiencies;

namespace {

constexpr std::size_t kMostFindings = 5;  // of one experiment

/// Nothing for an experiment that has none: without a trace, or of one thread alone.
std::optional<Efficiencies> efficienciesOf(const Experiment& experiment) {
    if (numberOfThreads(experiment.system) < 2) return std::nullopt;
    try {
        return algebra::efficiencies(experiment, analyzer::metricGuide());
    } catch (const Error&) {
        return std::nullopt;
    }
}

struct Level {
    const char* name;
    std::size_t depth;
    std::optional<double> (*value)(const Efficiencies&);  ///< nothing: there is no such level
};

template <auto Member>
std::optional<double> ofMpi(const Efficiencies& values) {
    return values.mpi ? std::optional((*values.mpi).*Member) : std::nullopt;
}
template <auto Member>
std::optional<double> ofOpenMp(const Efficiencies& values) {
    return values.openMp ? std::optional((*values.openMp).*Member) : std::nullopt;
}

constexpr Level kLevels[] = {
    {"Parallel efficiency", 0, [](const Efficiencies& values) { return std::optional(values.parallel); }},
    {"MPI", 1, ofMpi<&Efficiencies::Mpi::parallel>},
    {"Load balance", 2, ofMpi<&Efficiencies::Mpi::loadBalance>},
    {"Communication", 2, ofMpi<&Efficiencies::Mpi::communication>},
    {"Serialisation", 3, ofMpi<&Efficiencies::Mpi::serialisation>},
    {"Transfer", 3, ofMpi<&Efficiencies::Mpi::transfer>},
    {"OpenMP", 1, ofOpenMp<&Efficiencies::OpenMp::parallel>},
    {"Serial regions", 2, ofOpenMp<&Efficiencies::OpenMp::serialRegions>},
    {"Parallel regions", 2, ofOpenMp<&Efficiencies::OpenMp::parallelRegions>},
    {"Has CPU", 1, [](const Efficiencies& values) { return values.processors; }},
};

std::string sentence(const Experiment& experiment, const FindingResult& finding) {
    std::string text = finding.title;
    if (finding.percent) text += fmt::format(", in call paths with {:.1f} % of the time", *finding.percent);
    if (!finding.places.empty())
        text += fmt::format("{} in {}", finding.percent ? ", most of it" : ", most of all",
                            algebra::callPathText(experiment, finding.places.front().path));
    return text;
}

}  // namespace

Section efficiencies(const Subjects& subjects) {
    std::vector<std::optional<Efficiencies>> all;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        all.push_back(efficienciesOf(subjects.experiment(at)));
    Section section{"Efficiencies", "As POP defines them: each is the product of those below it.", {}};
    for (const Level& level : kLevels) {
        Row row{level.name, level.depth, "%", {}};
        bool any = false;
        for (const auto& each : all) {
            const auto value = each ? level.value(*each) : std::nullopt;
            const double percent = 100.0 * value.value_or(kNothing);
            row.cells.push_back({percent, {}, !std::isnan(percent)});
            any = any || value;
        }
        if (any) section.rows.push_back(std::move(row));
    }
    return section;
}

std::vector<std::string> findingsOf(const Subjects& subjects) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < subjects.size(); ++at) {
        const Experiment& experiment = subjects.experiment(at);
        if (!experiment.files.contains(algebra::kSpecificationFile)) continue;
        try {
            const FindingReport report = findings(experiment);
            for (std::size_t i = 0; i < std::min(report.found.size(), kMostFindings); ++i)
                lines.push_back(subjects.name(at) + ": " + sentence(experiment, report.found[i]));
        } catch (const Error& error) {
            lines.push_back(subjects.name(at) + ": no findings: " + error.what());
        }
    }
    return lines;
}

// What differs between experiments, in words.

namespace {

constexpr double kTwice = 2.0;
constexpr double kWorthSaying = 0.5;  // percent of the time, in at least one experiment
constexpr double kPoints = 5.0;       // percentage points by which parts of a counter differ
constexpr std::size_t kMostSentences = 12;

struct Extremes {
    std::size_t smallest = 0, largest = 0;
};

/// Where the shares are smallest and largest, among the experiments that have any.
std::optional<Extremes> extremesOf(const std::vector<double>& shares) {
    std::optional<Extremes> found;
    for (std::size_t at = 0; at < shares.size(); ++at) {
        if (!std::isfinite(shares[at])) continue;
        if (!found) found = Extremes{at, at};
        if (shares[at] < shares[found->smallest]) found->smallest = at;
        if (shares[at] > shares[found->largest]) found->largest = at;
    }
    return found;
}

struct Sentence {
    double weight;
    std::string text;
};

/// Whether two call paths end with the same calls; one that is shorter differs.
bool endAlike(const Experiment& structure, CallPathId first, CallPathId second, std::size_t regions) {
    std::optional<CallPathId> one = first, other = second;
    for (; regions > 0 && one && other; --regions) {
        if (structure.regionOf(*one).name != structure.regionOf(*other).name ||
            callSiteText(structure.callTree[*one]) != callSiteText(structure.callTree[*other]))
            return false;
        one = structure.callTree.parent(*one);
        other = structure.callTree.parent(*other);
    }
    return regions == 0 || (!one && !other);
}

/// The region with the one that calls it, or as many as tell it from other call paths: `glblmax
/// MPI_Allreduce`.
std::string shortPath(const Experiment& structure, CallPathId path) {
    const auto& paths = structure.callTree.ids();
    const auto isAmbiguous = [&](std::size_t regions) {
        return std::ranges::any_of(paths, [&](CallPathId other) {
            return other != path && endAlike(structure, path, other, regions);
        });
    };
    std::string text = callText(structure, path);
    std::size_t regions = 1;
    for (auto up = structure.callTree.parent(path); up && (regions < 2 || isAmbiguous(regions)); ++regions) {
        text.insert(0, callText(structure, *up) + ' ');
        up = structure.callTree.parent(*up);
    }
    return text;
}

std::string times(double more, double less) {
    return less == 0.0 ? "only" : fmt::format("{:.1f} ×", more / less);
}

class Words {
  public:
    explicit Words(const Subjects& subjects) : subjects_(subjects) {
        if (const auto time = subjects.find("time"))
            for (std::size_t at = 0; at < subjects.size(); ++at) wholes_.push_back(subjects.total(at, *time));
    }

    std::vector<std::string> take() {
        if (subjects_.size() < 2) return {};
        if (!wholes_.empty()) {
            compareTimes();
            compareWaits();
        }
        compareParts();
        std::ranges::stable_sort(sentences_, std::ranges::greater(), &Sentence::weight);
        std::vector<std::string> texts;
        for (const Sentence& each : sentences_)
            if (texts.size() < kMostSentences) texts.push_back(each.text);
        return texts;
    }

  private:
    std::vector<double> shares(const std::vector<double>& values) const {
        std::vector<double> result;
        for (std::size_t at = 0; at < values.size(); ++at) result.push_back(100.0 * values[at] / wholes_[at]);
        return result;
    }

    std::vector<double> totals(MetricId metric) const {
        std::vector<double> values;
        for (std::size_t at = 0; at < subjects_.size(); ++at) values.push_back(subjects_.total(at, metric));
        return values;
    }

    void compareTimes() {
        for (const char* name : {"mpi", "omp_time", "execution"}) {
            const auto metric = subjects_.find(name);
            if (!metric) continue;
            const auto part = shares(totals(*metric));
            const auto ends = extremesOf(part);
            if (!ends || part[ends->largest] < kWorthSaying) continue;
            const double more = part[ends->largest], less = part[ends->smallest];
            if (more < kTwice * less && more - less < kPoints) continue;
            sentences_.push_back(
                {more - less,
                 fmt::format("{} takes {:.1f} % of the time on {} and {:.1f} % on {}",
                             subjects_.metrics()[*metric].displayName, more, subjects_.name(ends->largest),
                             less, subjects_.name(ends->smallest))});
        }
    }

    /// A run that lacks a call path, as one of another program does, does not wait less there.
    void compareWaits() {
        for (const MetricId id : analyzer::metricGuide().outermostWaitStates(subjects_.structure())) {
            std::vector<std::vector<double>> values;
            for (std::size_t at = 0; at < subjects_.size(); ++at) values.push_back(subjects_.perPath(at, id));
            for (const CallPathId path : subjects_.structure().callTree.ids()) {
                std::vector<double> here;
                for (std::size_t at = 0; at < values.size(); ++at)
                    here.push_back(subjects_.pathOf(at, path) ? values[at][path.index()] : kNothing);
                compareWait(id, path, shares(here));
            }
        }
    }

    void compareWait(MetricId metric, CallPathId path, const std::vector<double>& part) {
        const auto ends = extremesOf(part);
        if (!ends) return;
        const double more = part[ends->largest], less = part[ends->smallest];
        if (more < kWorthSaying || more < kTwice * less) return;
        const std::string where = shortPath(subjects_.structure(), path);
        const std::string& what = subjects_.metrics()[metric].displayName;
        const std::string &most = subjects_.name(ends->largest), &least = subjects_.name(ends->smallest);
        sentences_.push_back(
            {more - less,
             less == 0.0 ? fmt::format("{} waits on {} and not on {} ({}: {:.2f} % of the time)", where, most,
                                       least, what, more)
                         : fmt::format("{} waits {} longer on {} than on {}, relative to time ({}: {:.2f} % "
                                       "against {:.2f} %)",
                                       where, times(more, less), most, least, what, more, less)});
    }

    /// Parts of counters, relative to the root of their hierarchy.
    void compareParts() {
        for (const MetricId root : subjects_.metrics().roots()) {
            const Metric& whole = subjects_.metrics()[root];
            if (whole.unit == "sec" || !whole.hasValues()) continue;
            const auto all = totals(root);
            for (const MetricId id : subjects_.metrics().subtree(root)) {
                if (id == root || subjects_.metrics()[id].unit != whole.unit) continue;
                std::vector<double> part = totals(id);
                for (std::size_t at = 0; at < part.size(); ++at) part[at] *= 100.0 / all[at];
                const auto ends = extremesOf(part);
                if (!ends || part[ends->largest] - part[ends->smallest] < kPoints) continue;
                sentences_.push_back({(part[ends->largest] - part[ends->smallest]) / 10.0,
                                      fmt::format("{} is {:.1f} % of {} on {} and {:.1f} % on {}",
                                                  subjects_.metrics()[id].displayName, part[ends->largest],
                                                  whole.displayName, subjects_.name(ends->largest),
                                                  part[ends->smallest], subjects_.name(ends->smallest))});
            }
        }
    }

    const Subjects& subjects_;
    std::vector<double> wholes_;
    std::vector<Sentence> sentences_;
};

}  // namespace

std::vector<std::string> differencesOf(const Subjects& subjects) {
    return Words(subjects).take();
}

}  // namespace holos::report
