// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/call_names.h"
#include "report/query/listed_table.h"
#include "report/query/tables.h"

namespace holos::query {

namespace {

namespace trace = analyzer::trace;

const char* kindOf(trace::Location::Kind kind) {
    switch (kind) {
        case trace::Location::Kind::Thread:
            return "thread";
        case trace::Location::Kind::Accelerator:
            return "accelerator";
        case trace::Location::Kind::Metric:
            return "metric";
    }
    return "";
}

const char* kindOf(algebra::Location::Type type) {
    switch (type) {
        case algebra::Location::Type::Thread:
            return "thread";
        case algebra::Location::Type::Metric:
            return "metric";
        case algebra::Location::Type::AcceleratorStream:
            return "accelerator";
    }
    return "";
}

bool locationRow(Run& run, std::size_t at, std::vector<Kept>& row) {
    if (run.hasTrace()) {
        const trace::Definitions& all = run.records().definitions();
        if (at >= all.locations.size()) return false;
        const trace::Location& one = all.locations[at];
        const trace::Process& process = all[one.process];
        row = {whole(at),
               whole(one.process.index()),
               whole(one.rank),
               textOrNothing(one.name),
               textOrNothing(process.name),
               textOrNothing(process.node ? all.systemNodes[process.node->index()].name : ""),
               std::string(kindOf(one.kind))};
        return true;
    }
    const algebra::SystemTree& all = run.experiment().system;
    if (at >= all.locations.size()) return false;
    const algebra::Location& one = all.locations[at];
    row = {whole(at),
           whole(one.process.index()),
           whole(one.rank),
           textOrNothing(one.name),
           textOrNothing(all[one.process].name),
           textOrNothing(all.nodes[all[one.process].node].name),
           std::string(kindOf(one.type))};
    return true;
}

bool regionRow(Run& run, std::size_t at, std::vector<Kept>& row) {
    if (run.hasTrace()) {
        const auto& all = run.records().definitions().regions;
        if (at >= all.size()) return false;
        const trace::Region& one = all[at];
        row = {one.name, textOrNothing(one.file), one.beginLine != 0 ? whole(one.beginLine) : Kept(),
               textOrNothing(one.paradigmName), textOrNothing(one.roleName)};
        return true;
    }
    const auto& all = run.experiment().regions;
    if (at >= all.size()) return false;
    const algebra::Region& one = all[at];
    row = {one.name, textOrNothing(one.module), one.beginLine > 0 ? whole(one.beginLine) : Kept(),
           textOrNothing(one.paradigm), textOrNothing(one.role)};
    return true;
}

/// Of the experiment, whose analysis may know more paths than events tell; else of the trace.
bool pathRow(Run& run, std::size_t at, std::vector<Kept>& row) {
    const algebra::CallPathId path(at);
    if (run.hasExperiment()) {
        const algebra::Experiment& all = run.experiment();
        if (at >= all.callTree.size()) return false;
        const auto parent = all.callTree.parent(path);
        const algebra::CallPath& one = all.callTree[path];
        row = {algebra::callPathText(all, path), parent ? algebra::callPathText(all, *parent) : Kept(),
               all.regionOf(path).name, textOrNothing(one.module), one.line > 0 ? whole(one.line) : Kept()};
        return true;
    }
    const analyzer::paths::MergedTree& all = run.records().tree();
    if (at >= all.tree.size()) return false;
    const std::vector<std::string>& texts = run.records().pathTexts();
    const auto parent = all.tree.parent(path);
    const algebra::CallPath one = analyzer::paths::callPathOf(all.tree[path], run.records().definitions());
    row = {texts[at], parent ? Kept(texts[parent->index()]) : Kept(), all.regions[one.region.index()].name,
           textOrNothing(one.module), one.line > 0 ? whole(one.line) : Kept()};
    return true;
}

}  // namespace

void addDefinitionTables(Run& run, Tables& tables) {
    const auto bound = [&run](auto make) {
        return [&run, make](std::size_t at, std::vector<Kept>& row) { return make(run, at, row); };
    };
    tables.push_back(std::make_unique<ListedTable>(
        "locations", "threads, and what else has events or values of its own",
        std::vector<Column>{
            {"location", Kind::Integer, Gain::None, "number, from 0"},
            {"process", Kind::Integer, Gain::None, "number of its process, from 0: the MPI rank"},
            {"thread", Kind::Integer, Gain::None, "number in its process, from 0"},
            {"name", Kind::Text, Gain::None, "such as OMP thread 1"},
            {"process_name", Kind::Text, Gain::None, "such as MPI Rank 3"},
            {"node", Kind::Text, Gain::None, "the host"},
            {"kind", Kind::Text, Gain::None, "thread, accelerator or metric"}},
        bound(locationRow)));
    tables.push_back(std::make_unique<ListedTable>(
        "regions", "functions, MPI calls, OpenMP constructs, and regions of the user",
        std::vector<Column>{{"region", Kind::Text, Gain::None, "name"},
                            {"file", Kind::Text, Gain::None, "source file or module"},
                            {"line", Kind::Integer, Gain::None, "where it begins"},
                            {"paradigm", Kind::Text, Gain::None, "mpi, openmp, compiler, user, …"},
                            {"role", Kind::Text, Gain::None, "function, barrier, point2point, …"}},
        bound(regionRow)));
    tables.push_back(std::make_unique<ListedTable>(
        "call_paths", "chains of regions from the program's root",
        std::vector<Column>{{"call_path", Kind::Text, Gain::None, "names from the root, between /"},
                            {"parent", Kind::Text, Gain::None, "the call path above it"},
                            {"region", Kind::Text, Gain::None, "its last one"},
                            {"file", Kind::Text, Gain::None, "where the call stands"},
                            {"line", Kind::Integer, Gain::None, "where the call stands"}},
        bound(pathRow)));
}

}  // namespace holos::query
