// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/counters/spec_text.h"
#include "metric-specs/library.h"

namespace holos::cli {
namespace {

using specs::Specification;

constexpr const char* kFileHelp = "Platform name or file";

void addFileCommand(Command& spec, const std::string& name, const char* summary,
                    void (*run)(const Specification&)) {
    auto file = std::make_shared<std::string>();
    Command command = spec.command(name, summary);
    command.option("file", *file, kFileHelp).required();
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
    command.option("file", *files, kFileHelp).required();
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
    command.option("file", options->file, kFileHelp).required();
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
