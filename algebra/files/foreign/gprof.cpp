// SPDX-License-Identifier: BSD-3-Clause
// What gprof prints begins with its flat profile. Functions that were not compiled with -pg have no calls:
//
//     %   cumulative   self              self     total
//    time   seconds   seconds    calls  ms/call  ms/call  name
//    93.75      0.60     0.60    50000     0.01     0.01  dot
//     6.25      0.64     0.04                             memcpy
//
// An empty line or the call graph ends it.
#include "algebra/files/foreign/foreign.h"

namespace holos::algebra {

namespace {

struct FlatRow {
    double seconds = 0.0;
    std::optional<double> calls;
    std::string_view function;
};

/// The number that the next word is, which is taken off the text; nothing, and nothing is taken, for others.
std::optional<double> takeNumber(std::string_view& text) {
    std::string_view rest = text;
    const auto number = asFiniteNumber(takeWord(rest));
    if (number) text = rest;
    return number;
}

std::optional<FlatRow> rowOf(std::string_view line) {
    takeBlanks(line);
    FlatRow row;
    const auto share = takeNumber(line);
    const auto untilHere = takeNumber(line);
    const auto own = takeNumber(line);
    if (!share || !untilHere || !own) return std::nullopt;
    row.seconds = *own;
    row.calls = takeNumber(line);
    if (row.calls) {
        takeNumber(line);  // of one call, itself and with what it calls
        takeNumber(line);
    }
    while (line.ends_with(' ')) line.remove_suffix(1);
    row.function = line;
    return line.empty() ? std::nullopt : std::optional(row);
}

bool isHeading(std::string_view line) {
    takeBlanks(line);
    return line.starts_with("time ") && line.find("name") != std::string_view::npos;
}

}  // namespace

Experiment readGprof(const std::filesystem::path& file) {
    TextLines lines(file);
    ImportedTree tree;
    const MetricId time = tree.metric("on_processors", "sec");  // its samples come with processor time
    const MetricId visits = tree.metric("visits", "occ");
    const LocationId thread = tree.thread(0, "program", 0, "all threads");
    auto line = lines.next();
    while (line && !isHeading(*line)) line = lines.next();
    if (!line) lines.fail("has no flat profile: gprof prints one without -q, and with -p");
    for (line = lines.next(); line && !line->empty() && line->front() != '\f'; line = lines.next()) {
        const auto row = rowOf(*line);
        if (!row) lines.fail("is no line of gprof's flat profile: three numbers and a function are expected");
        const CallPathId path = tree.call(std::nullopt, std::string(row->function), "");
        tree.add(time, path, thread, row->seconds);
        if (row->calls) tree.add(visits, path, thread, *row->calls);
    }
    return tree.take("gprof");
}

}  // namespace holos::algebra
