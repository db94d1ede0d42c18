// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/iterations.h"

#include <fmt/format.h>

#include <memory>

#include "base/csv.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"

namespace holos::cli {

using namespace query;

namespace {

struct IterationOptions {
    std::filesystem::path first;
    std::filesystem::path second;
    std::size_t top = 10;
    Format format = Format::Text;
    unsigned threads = 0;
};

IterationTimes timesOf(const std::filesystem::path& file, const IterationOptions& options) {
    RunOptions reading;
    reading.threads = options.threads;
    reading.recordFolder = placeOfTemporaries();
    Run run(file, reading);
    IterationTimes times = readIterationTimes(run);
    for (const std::string& missing : run.damage()) complain("note: the times are not complete: " + missing);
    return times;
}

std::string percentText(double before, double after) {
    return before > 0 ? fmt::format(" ({:+.1f} %)", 100 * (after / before - 1)) : std::string();
}

std::string because(const std::vector<IterationReason>& reasons) {
    return reasons.empty() ? std::string() : "because of " + printable(reasonText(reasons));
}

void printOdd(const IterationComparison& all, std::size_t top) {
    if (all.odd.empty())
        return print(
            "No iteration differs from the others by more than 5 % and by more than they do by chance.\n");
    print(fmt::format(
        "{} from the others by more than these do by chance:\n",
        all.odd.size() == 1 ? "1 iteration differs" : counted(all.odd.size(), "iteration") + " differ"));
    const bool isOfTwo = !all.before.empty();
    print(fmt::format("{:>9}  {:>10}  {:>10}  {:>10}\n", "iteration", isOfTwo ? "before" : "median",
                      isOfTwo ? "after" : "seconds", "excess"));
    for (std::size_t i = 0; i < std::min(top, all.odd.size()); ++i) {
        const OddIteration& one = all.odd[i];
        print(fmt::format("{:>9}  {:>10.4g}  {:>10.4g}  {:>+10.3g}  {}\n", one.number, one.before, one.after,
                          one.excess, because(one.reasons)));
    }
    if (all.odd.size() > top) print(fmt::format("… {} more (--top)\n", all.odd.size() - top));
}

void printText(const IterationTimes& after, const IterationComparison& all, std::size_t top) {
    print(fmt::format("Iterations of {}, in seconds, as the mean of the processes' first threads\n",
                      printable(after.loop)));
    if (all.before.empty()) {
        print(fmt::format("{}, median {:.4g} s\n", counted(all.after.size(), "iteration"), all.medianAfter));
    } else {
        print(all.before.size() == all.after.size()
                  ? counted(all.after.size(), "iteration")
                  : fmt::format("{} before and {} after, of which those with equal numbers are compared",
                                counted(all.before.size(), "iteration"), all.after.size()));
        print(fmt::format("; median {:.4g} s before, {:.4g} s after{}\n", all.medianBefore, all.medianAfter,
                          percentText(all.medianBefore, all.medianAfter)));
        if (!all.typical.empty()) print("Most of them changed " + because(all.typical) + '\n');
    }
    printOdd(all, top);
}

/// Of each iteration.
struct Line {
    std::size_t number;
    std::optional<double> before, after;
    const OddIteration* odd = nullptr;
};
std::vector<Line> linesOf(const IterationComparison& all) {
    std::vector<Line> lines;
    for (std::size_t i = 0; i < std::max(all.before.size(), all.after.size()); ++i) {
        Line line{i + 1, std::nullopt, std::nullopt};
        if (i < all.before.size()) line.before = all.before[i];
        if (i < all.after.size()) line.after = all.after[i];
        lines.push_back(line);
    }
    for (const OddIteration& odd : all.odd) lines[odd.number - 1].odd = &odd;
    return lines;
}

void printCsv(const IterationComparison& all) {
    print("iteration,before,after,excess,because\n");
    const auto field = [](const std::optional<double>& value) { return value ? csvField(*value) : ""; };
    for (const Line& line : linesOf(all))
        print(fmt::format("{},{},{},{},{}\n", line.number, field(line.before), field(line.after),
                          line.odd == nullptr ? "" : csvField(line.odd->excess),
                          line.odd == nullptr ? "" : csvField(reasonText(line.odd->reasons))));
}

nlohmann::ordered_json jsonOf(const std::vector<IterationReason>& reasons) {
    auto all = nlohmann::ordered_json::array();
    for (const IterationReason& each : reasons)
        all.push_back({{"part", each.part}, {"seconds", each.seconds}});
    return all;
}

void printJson(const IterationTimes& after, const IterationComparison& all) {
    nlohmann::ordered_json object{{"loop", after.loop},
                                  {"median_before", all.medianBefore},
                                  {"median_after", all.medianAfter},
                                  {"typical", jsonOf(all.typical)}};
    auto& iterations = object["iterations"] = nlohmann::ordered_json::array();
    for (const Line& line : linesOf(all)) {
        nlohmann::ordered_json one{{"iteration", line.number}};
        if (line.before) one["before"] = *line.before;
        if (line.after) one["after"] = *line.after;
        if (line.odd != nullptr) {
            one["excess"] = line.odd->excess;
            one["because"] = jsonOf(line.odd->reasons);
        }
        iterations.push_back(std::move(one));
    }
    print(jsonText(object) + '\n');
}

void runIterations(const IterationOptions& options) {
    const IterationTimes first = timesOf(options.first, options);
    std::optional<IterationTimes> second;
    if (!options.second.empty()) second = timesOf(options.second, options);
    if (second)
        if (const auto other = otherLoopText({"the first run", first}, {"the second", *second}))
            complain("note: " + printable(*other));
    const IterationComparison all = second ? compareIterations(first, *second) : compareIterations(first);
    inFormat(
        options.format, [&] { printText(second ? *second : first, all, options.top); },
        [&] { printCsv(all); }, [&] { printJson(second ? *second : first, all); });
}

}  // namespace

void addIterations(Command& app) {
    const auto options = std::make_shared<IterationOptions>();
    Command command =
        app.command("iterations", "Which iterations of a run, or between two, are slower, and why");
    command.option("run", options->first, "Folder of a recording, or its trace (.otf2)").required();
    command.option(
        "other", options->second,
        "Another run: its iterations are compared with those of the first one that have the same numbers");
    command.option("--top N", options->top, "How many iterations to list").between(1, 100'000).showDefault();
    addFormat(command, options->format, "How to print it; csv and json have all iterations");
    command
        .option("-j,--threads N", options->threads,
                "Threads that read the trace; 0: as many as the machine has processors")
        .showDefault();
    command.footer(
        "An iteration is listed if it differs from the others by more than 5 % and by more than they differ\n"
        "by chance. What it is because of are call paths, without waiting, and waits, with what those did\n"
        "who were waited for.\n"
        "Examples:\n"
        "  holos iterations run\n"
        "  holos iterations old new --top 20");
    command.action([options] { runIterations(*options); });
}

}  // namespace holos::cli
