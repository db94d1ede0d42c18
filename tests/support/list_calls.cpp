// SPDX-License-Identifier: BSD-3-Clause
// Lists the calls of a trace that have to do with other threads or processes, one by one, each with its call
// path: `scripts/compare_call_paths.py` compares those of two builds of a program.
#include <cstdio>
#include <string>

#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/read_trace.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "base/error.h"

namespace {

using namespace holos;
using namespace holos::analyzer;

/// `main/solve/MPI_Barrier`, without the program.
std::string namesOf(const paths::MergedTree& merged, algebra::CallPathId path) {
    const auto& node = merged.tree[path];
    const auto parent = merged.tree.parent(path);
    const std::string& name = merged.regions[node.region.index()].name;
    return parent && merged.tree.parent(*parent) ? namesOf(merged, *parent) + '/' + name : name;
}

/// A line for each: the location's name, a tabulator, the call path.
void listCalls(const std::filesystem::path& archiveOrDirectory) {
    const auto anchor = trace::findAnchor(archiveOrDirectory);
    const trace::Definitions definitions = trace::readDefinitions(anchor);
    const auto classes = trace::classifyRegions(definitions);
    workers::Alone alone;
    const workers::Shares shares(definitions, 1);
    const auto workers = workers::makeThreads(0);
    const std::function<void(const AnalysisProgress&)> silent;
    ProgressMeter meter(silent, definitions, shares.of(0), 1);
    Replay replay = readTrace({anchor, alone, shares, *workers, meter}, definitions, classes);
    const replay::ReplayedCalls calls{definitions, classes, std::move(replay.calls), {}};
    const paths::MergedTree merged = paths::mergeCallTrees(calls, *workers);
    for (std::size_t location = 0; location < replay.traces.size(); ++location)
        for (const replay::Call& call : replay.traces[location].messages.calls)
            if (const auto path = merged.pathOf[location][call.node.index()])
                std::printf("%zu\t%s\n", location, namesOf(merged, *path).c_str());
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 2) return std::fprintf(stderr, "usage: holos_list_calls TRACE\n"), 2;
    listCalls(argv[1]);
    return 0;
} catch (const std::exception& error) {
    return std::fprintf(stderr, "holos_list_calls: %s\n", error.what()), 1;
}
