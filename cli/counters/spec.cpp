// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "base/wrong_request.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "metric-specs/formula.h"
#include "metric-specs/hierarchy.h"
#include "metric-specs/library.h"
#include "metric-specs/plan.h"
#include "metric-specs/specification.h"
#include "metric-specs/trace_metrics.h"

namespace holos::cli {

using namespace specs;

namespace {

/// The whole of a specification: hierarchies as trees, ratios, findings, measurement sets as tables.
std::string specificationText(const specs::Specification& specification, const Style& style);

/// One line for each measurement set, with its events.
std::string setList(const specs::Specification& specification, const Style& style);

/// The measurement sets in the manner of the KOJAK paper's appendix A.1: what each derives from its counters.
/// `=` measures, `+` contributes to a sum, `≐` computes; `~` in front of what the set completes only in part.
std::string setTables(const specs::Specification& specification, const Style& style);

/// The runs as measurement sets, which can be put into a specification.
std::string planText(const specs::Plan& plan);

/// The hierarchies with everything measured, as lines of a tree.
class TreeText {
  public:
    explicit TreeText(const Specification& specification)
        : spec_(specification), hierarchy_(resolve(specification, everything(specification), 1.0)) {
        for (const Definition& each : spec_.definitions) definitions_[each.name].push_back(&each);
        children_.resize(hierarchy_.nodes.size());
        for (std::size_t i = 0; i < hierarchy_.nodes.size(); ++i)
            if (hierarchy_.nodes[i].parent) children_[*hierarchy_.nodes[i].parent].push_back(i);
    }

    std::string metrics() {
        for (std::size_t i = 0; i < hierarchy_.nodes.size(); ++i) {
            const HierarchyNode& node = hierarchy_.nodes[i];
            if (!node.parent && node.state != State::Ratio && isMetric(node)) add(i);
        }
        return std::move(text_);
    }

    std::string ratios() {
        for (const HierarchyNode& node : hierarchy_.nodes)
            if (node.state == State::Ratio) line(node, "");
        return std::move(text_);
    }

  private:
    static std::vector<std::string> everything(const Specification& specification) {
        std::vector<std::string> names = specification.events();
        names.insert(names.end(), std::begin(kTraceMetrics), std::end(kTraceMetrics));
        return names;
    }

    bool isMetric(const HierarchyNode& node) const {
        const bool aliased = std::ranges::any_of(
            spec_.aliases, [&node](const Alias& alias) { return alias.name == node.name; });
        return aliased || definitions_.contains(node.name);
    }

    struct Branch {
        std::size_t node;
        std::string lead;   ///< in front of its line
        std::string below;  ///< in front of those of its children
        std::size_t depth;
    };

    /// A metric with those below it. Beyond so many levels nobody reads, and lines only grow.
    void add(std::size_t root) {
        constexpr std::size_t kMostLevels = 100;
        std::vector<Branch> open{{root, "", "", 0}};
        while (!open.empty()) {
            const Branch branch = std::move(open.back());
            open.pop_back();
            line(hierarchy_.nodes[branch.node], branch.lead);
            const auto& children = children_[branch.node];
            if (!children.empty() && branch.depth == kMostLevels) text_ += "  " + branch.below + "└─ …\n";
            if (branch.depth == kMostLevels) continue;
            for (std::size_t i = children.size(); i-- > 0;) {
                const bool last = i + 1 == children.size();
                open.push_back({children[i], branch.below + (last ? "└─ " : "├─ "),
                                branch.below + (last ? "   " : "│  "), branch.depth + 1});
            }
        }
    }

    void line(const HierarchyNode& node, const std::string& branch) {
        text_ += "  " + branch + node.name;
        std::vector<std::string> sources;
        for (const Alias& alias : spec_.aliases)
            if (alias.name == node.name) sources.push_back(alias.event);
        if (const auto found = definitions_.find(node.name); found != definitions_.end())
            for (const Definition* each : found->second)
                if (each->kind != Definition::Kind::Compose || found->second.size() > 1)
                    sources.push_back(sourceOf(*each));
        if (!sources.empty()) text_ += fmt::format(" = {}", fmt::join(sources, " or "));
        if (!node.unit.empty()) text_ += " [" + printable(node.unit) + ']';
        text_ += '\n';
    }

    static std::string sourceOf(const Definition& definition) {
        std::string text = formulaText(definition.formula);
        if (definition.kind == Definition::Kind::Seconds)
            text = "seconds of " + text +
                   (definition.hertz ? " at " + exactText(*definition.hertz) + " Hz" : "") +
                   (definition.within.empty() ? "" : " in " + definition.within);
        if (definition.kind != Definition::Kind::Ratio) return text;
        const auto part = [](const Formula& formula) {
            return formula.steps.size() == 1 ? formulaText(formula) : "( " + formulaText(formula) + " )";
        };
        text = part(definition.formula) + " / " + part(definition.denominator);
        return definition.minimum == 0.0 ? text : text + " minimum " + exactText(definition.minimum);
    }

    const Specification& spec_;
    Hierarchy hierarchy_;
    std::map<std::string, std::vector<const Definition*>, std::less<>> definitions_;
    std::vector<std::vector<std::size_t>> children_;
    std::string text_;
};

std::string registersText(const Registers& registers) {
    if (!registers.limited) return "any number of events at a time";
    return fmt::format("{} ({})", counted(registers.count, "register"),
                       registers.restricted        ? "restricted assignment"
                       : registers.allowed.empty() ? "unrestricted assignment"
                                                   : "some events on some of them only");
}

std::string findingText(const Specification& specification, const Finding& finding) {
    std::string text = "  " + finding.name + ": " +
                       printable(specification.descriptions.at(finding.name).front()) + "\n    ";
    for (std::size_t i = 0; i < finding.conditions.size(); ++i)
        text += (i > 0 ? " and " : "") + finding.conditions[i].text();
    return text + '\n';
}

std::string section(const std::string& title, const std::string& body, const Style& style) {
    return body.empty() ? std::string() : '\n' + style.strong(title) + '\n' + body;
}

std::string specificationText(const Specification& specification, const Style& style) {
    std::string text = style.strong(printable(specification.title())) + '\n' + printable(specification.file) +
                       ", " + registersText(specification.registers) + '\n';
    text += section("Metrics", TreeText(specification).metrics(), style);
    text += section("Ratios", TreeText(specification).ratios(), style);
    std::string findings;
    for (const Finding& each : specification.findings) findings += findingText(specification, each);
    text += section("Findings", findings, style);
    std::string trust;
    for (const auto& [event, known] : specification.trust)
        trust += "  " + event + ": " + printable(known) + '\n';
    text += section("Accuracy of the counters", trust, style);
    return text + section("Measurement sets", setTables(specification, style), style);
}

std::string setList(const Specification& specification, const Style& style) {
    if (specification.sets.empty()) return printable(specification.file) + " has no measurement sets\n";
    std::size_t width = 0;
    for (const MeasurementSet& set : specification.sets) width = std::max(width, set.name.size());
    std::string text;
    for (const MeasurementSet& set : specification.sets)
        text += style.strong(fmt::format("{:<{}}", set.name, width)) +
                fmt::format("  {}\n", fmt::join(set.events, " "));
    return text;
}

std::string planText(const Plan& plan) {
    std::string text = fmt::format("# {}, ", counted(plan.runs.size(), "run"));
    text += plan.atLeast == plan.runs.size() ? "the fewest possible\n"
                                             : fmt::format("at least {} are needed\n", plan.atLeast);
    for (std::size_t i = 0; i < plan.runs.size(); ++i)
        text += fmt::format("aggroup PLAN_{} = {}\n", i + 1, fmt::join(plan.runs[i], " "));
    for (const Uncovered& each : plan.uncovered)
        text += fmt::format("# not covered: {}: {}\n", each.metric, each.why);
    return text;
}

struct Row {
    std::string derived;
    std::string sign;
    std::string counters;
};

/// What one measurement set derives from its counters.
class SetTable {
  public:
    SetTable(const Specification& specification, const MeasurementSet& set)
        : spec_(specification), set_(set), hierarchy_(resolve(specification, set.events, 1.0)) {}

    std::vector<Row> rows() {
        for (std::size_t i = 0; i < hierarchy_.nodes.size(); ++i)
            if (!hierarchy_.nodes[i].parent) tree(i);
        partialComputations();
        return std::move(rows_);
    }

  private:
    bool isMeasuredHere(const HierarchyNode& node) const {
        return node.state == State::Measured &&
               std::ranges::find(set_.events, node.event) != set_.events.end();
    }

    std::size_t rootOf(std::size_t i) const {
        while (hierarchy_.nodes[i].parent) i = *hierarchy_.nodes[i].parent;
        return i;
    }

    /// The root, unless it is a counter itself; then counters, then what is computed.
    void tree(std::size_t root) {
        const HierarchyNode& top = hierarchy_.nodes[root];
        if (top.state == State::Unavailable || top.state == State::Ratio) return;
        if (top.state == State::Composed) rows_.push_back({shown(top), "", ""});
        for (std::size_t i = root; i < hierarchy_.nodes.size(); ++i)
            if (rootOf(i) == root && isMeasuredHere(hierarchy_.nodes[i])) counter(hierarchy_.nodes[i]);
        for (std::size_t i = root; i < hierarchy_.nodes.size(); ++i)
            if (rootOf(i) == root && hierarchy_.nodes[i].state == State::Computed)
                rows_.push_back({shown(hierarchy_.nodes[i]), "≐", formulaText(hierarchy_.nodes[i].formula)});
    }

    void counter(const HierarchyNode& node) {
        if (node.event != node.name) {
            rows_.push_back({node.name, "=", node.event});
        } else if (node.parent) {
            const HierarchyNode& sum = hierarchy_.nodes[*node.parent];
            const bool alone =
                sum.state == State::Composed && !sum.incomplete && sum.formula.terms.size() == 1;
            rows_.push_back({shown(sum), alone ? "=" : "+", node.event});
        } else {
            rows_.push_back({"", "", node.event});
        }
    }

    /// Computations of which the set has a part only: other sets bring the rest.
    void partialComputations() {
        for (const Definition& each : spec_.definitions) {
            if (each.kind != Definition::Kind::Compute) continue;
            const auto node = hierarchy_.find(each.name);
            if (!node || hierarchy_.nodes[*node].state != State::Unavailable) continue;
            const auto& terms = each.formula.terms;
            if (std::ranges::any_of(terms, [this](const std::string& term) {
                    return std::ranges::find(set_.events, term) != set_.events.end();
                }))
                rows_.push_back({"~" + each.name, "≐", formulaText(each.formula)});
        }
    }

    static std::string shown(const HierarchyNode& node) { return (node.incomplete ? "~" : "") + node.name; }

    const Specification& spec_;
    const MeasurementSet& set_;
    Hierarchy hierarchy_;
    std::vector<Row> rows_;
};

std::string setTables(const Specification& specification, const Style& style) {
    std::size_t setWidth = 0, derivedWidth = 0;
    std::vector<std::vector<Row>> tables;
    for (const MeasurementSet& set : specification.sets) {
        setWidth = std::max(setWidth, set.name.size());
        tables.push_back(SetTable(specification, set).rows());
        for (const Row& row : tables.back()) derivedWidth = std::max(derivedWidth, row.derived.size());
    }
    std::string text;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        std::string name = specification.sets[i].name;
        for (const Row& row : tables[i]) {
            const std::string sign = row.sign.empty() ? " " : row.sign;
            std::string line = fmt::format("  {:<{}}  {} {}", row.derived, derivedWidth, sign, row.counters);
            line.erase(line.find_last_not_of(' ') + 1);
            text += "  " + style.strong(fmt::format("{:<{}}", name, setWidth)) + line + '\n';
            name.clear();
        }
    }
    return text;
}

using specs::Specification;

constexpr const char* kFileHelp = "Platform name or file";

void addFileCommand(Command& spec, const std::string& name, const char* summary,
                    void (*run)(const Specification&)) {
    auto file = std::make_shared<std::string>();
    Command command = spec.command(name, summary);
    command.option("file", *file, kFileHelp).required().ofFiles();
    command.footer("Example: holos spec " + name + " linux-software");
    command.action([file, run] { run(specs::find(*file)); });
}

void list() {
    const specs::Processor here = specs::thisProcessor();
    const auto chosen = specs::findFor(here);
    const Style style = styleOfOutput();
    std::string text;
    std::vector<std::string> mistakes;
    for (const std::string& name : specs::platforms()) {
        try {
            const Specification each = specs::find(name);
            const bool isChosen = chosen && chosen->file == each.file;
            text += style.strong(fmt::format("{} {:<20}", isChosen ? "*" : " ", name)) +
                    fmt::format(" {:3} sets  {}\n", each.sets.size(), printable(each.title()));
        } catch (const Error& error) {
            mistakes.emplace_back(error.what());
        }
    }
    const std::string processor = here.name.empty() ? "unknown" : printable(here.name);
    print(text +
          (chosen ? "* is for this processor (" + processor + "): '--spec auto' takes it for its recordings\n"
                  : "None is for this processor (" + processor +
                        "): '--spec auto' takes the one that knows most of the recorded counters\n"));
    if (mistakes.empty()) return;
    for (const std::string& mistake : mistakes) complain(mistake);
    throw Exit{1};
}

/// All mistakes of all files; exit code 1 when there is any.
void check(const std::vector<std::string>& files) {
    bool wrong = false;
    for (const std::string& file : files) {
        try {
            const Specification spec = specs::find(file);
            print(fmt::format("{}: no mistakes; {} definitions, {} measurement sets, {} findings\n",
                              printable(spec.file), spec.definitions.size() + spec.aliases.size(),
                              spec.sets.size(), spec.findings.size()));
        } catch (const WrongRequest&) {
            throw;
        } catch (const Error& error) {
            std::fputs((printableLines(error.what()) + '\n').c_str(), stderr);
            wrong = true;
        }
    }
    if (wrong) throw Exit{1};
}

void addCheckSpec(Command& spec) {
    auto files = std::make_shared<std::vector<std::string>>();
    Command command = spec.command("check", "Report all mistakes of specifications");
    command.option("file", *files, kFileHelp).required().ofFiles();
    command.footer("Example: holos spec check my.spec other.spec");
    command.action([files] { check(*files); });
}

void addPlanSpec(Command& spec) {
    struct Options {
        std::string file;
        specs::PlanRequest request;
        std::vector<std::string> wanted;
        bool split = false;
        bool splitAll = false;
    };
    using Split = specs::PlanRequest::Split;
    auto options = std::make_shared<Options>();
    Command command = spec.command("plan", "Find the fewest runs that measure what is wanted");
    command.option("file", options->file, kFileHelp).required().ofFiles();
    command
        .option("--want", options->wanted,
                "Metrics or events, separated by ','; NAME/ for NAME and everything below (default: all)")
        .separatedBy(',');
    command
        .option("--registers", options->request.registers,
                "Plan for N hardware counters, instead of the file's number")
        .between(1, 64);
    const Option split = command.flag(
        "--split", options->split,
        "Measure a computed metric in several runs where no single run can count all its events");
    command.flag("--split-all", options->splitAll, "Measure any computed metric in several runs")
        .excludes(split);
    command.footer("Example: holos spec plan niagara2 --want INSTRUCTION/,DATA_ACCESS --registers 2");
    command.action([options] {
        options->request.wanted = Chosen<std::string>::orAll(options->wanted);
        options->request.split = options->splitAll ? Split::Any
                                 : options->split  ? Split::TooLarge
                                                   : Split::None;
        print(planText(specs::plan(specs::find(options->file), options->request)));
    });
}

}  // namespace

void addSpec(Command& app) {
    Command spec = app.command("spec", "Show and check platform specifications, and plan runs by them");
    spec.requireCommand();
    spec.footer("Example: holos spec show linux-software");
    Command all = spec.command("list", "List the platform files, and which one is for this processor");
    all.footer("Example: holos spec list");
    all.action([] { list(); });
    addFileCommand(spec, "show", "Print a specification: metrics as a tree, measurement sets as tables",
                   [](const Specification& file) { print(specificationText(file, styleOfOutput())); });
    addFileCommand(spec, "sets", "List the measurement sets for 'holos record --set'",
                   [](const Specification& file) { print(setList(file, styleOfOutput())); });
    addCheckSpec(spec);
    addPlanSpec(spec);
}

}  // namespace holos::cli
