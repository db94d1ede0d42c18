// SPDX-License-Identifier: BSD-3-Clause
// `holos._holos`: experiments and their values as columns and arrays of numbers. What makes data frames and
// pictures of them is Python: `holos/__init__.py`, whose docstrings say what each function promises.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "algebra/insight/findings/findings.h"
#include "algebra/insight/summary/result_laws.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/model/call_names.h"
#include "algebra/model/communication.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/rows/regroup.h"
#include "analyzer/library/python/questions.h"
#include "holos/algebra.h"
#include "holos/analyze.h"

namespace holos::python {
namespace {

namespace py = pybind11;
using namespace algebra;

using Shared = std::shared_ptr<Experiment>;
using Array = py::array_t<double, py::array::c_style>;

Shared shared(Experiment experiment) {
    return std::make_shared<Experiment>(std::move(experiment));
}

Extent extentOf(bool inclusive) {
    return inclusive ? Extent::Inclusive : Extent::Exclusive;
}

template <class Id>
py::object numberOr(const std::optional<Id>& id) {
    return id ? py::cast(id->index()) : py::none();
}

/// A numpy array that takes the numbers over, without a copy.
Array arrayOf(std::vector<double> values, std::vector<py::ssize_t> shape) {
    auto* owned = new std::vector<double>(std::move(values));
    py::capsule free(owned, [](void* numbers) { delete static_cast<std::vector<double>*>(numbers); });
    return Array(std::move(shape), owned->data(), free);
}
Array arrayOf(std::vector<double> values) {
    const auto size = static_cast<py::ssize_t>(values.size());
    return arrayOf(std::move(values), {size});
}

MetricId metricNamed(const Experiment& experiment, const std::string& name) {
    if (const auto metric = experiment.findMetric(name)) return *metric;
    throw py::key_error("there is no metric " + name);
}

/// Rows of values that files have, without evaluating anything.
std::vector<double> storedValues(const Experiment& experiment, MetricId metric) {
    const std::size_t locations = experiment.system.locations.size();
    const RowsPtr rows = experiment.severities.rows(metric);
    std::vector<double> values(experiment.callTree.size() * locations, rows->missing());
    std::vector<double> scratch(locations);
    for (const CallPathId path : experiment.callTree.ids())
        if (rows->hasRow(path)) {
            const auto row = rows->row(path, scratch);
            std::copy(row.begin(), row.end(),
                      values.begin() + static_cast<std::ptrdiff_t>(path.index() * locations));
        }
    return values;
}

bool isSum(const Metric& metric) {
    return metric.valueType != ValueType::MinDouble && metric.valueType != ValueType::MaxDouble;
}

/// One value for each call path and location.
std::vector<double> valuesOf(const Experiment& experiment, MetricChoice choice, Extent calls) {
    const Metric& metric = experiment.metrics[choice.metric];
    const std::size_t locations = experiment.system.locations.size();
    if (metric.hasValues() && isSum(metric) && choice.extent == Extent::Inclusive &&
        metric.valueType != ValueType::Compound) {
        std::vector<double> values = storedValues(experiment, choice.metric);
        if (calls == Extent::Inclusive)
            for (std::size_t path = experiment.callTree.size(); path-- > 0;)
                if (const auto caller = experiment.callTree.parent(CallPathId(path)))
                    for (std::size_t at = 0; at < locations; ++at)
                        values[caller->index() * locations + at] += values[path * locations + at];
        return values;
    }
    std::vector<double> values;
    values.reserve(experiment.callTree.size() * locations);
    for (const CallPathId path : experiment.callTree.ids()) {
        const std::vector<double> row = perLocation(experiment, choice, {CallPathChoice{path, calls}});
        values.insert(values.end(), row.begin(), row.end());
    }
    return values;
}

py::dict metricColumns(const Experiment& experiment) {
    py::list names, displayNames, units, parents, descriptions, incomplete, groups;
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        const auto parent = experiment.metrics.parent(id);
        names.append(metric.uniqueName);
        displayNames.append(metric.displayName);
        units.append(metric.unit);
        parents.append(parent ? py::cast(experiment.metrics[*parent].uniqueName) : py::none());
        descriptions.append(metric.description);
        incomplete.append(metric.incomplete);
        groups.append(metric.isVoid);
    }
    py::dict columns;
    columns["metric"] = names;
    columns["display_name"] = displayNames;
    columns["unit"] = units;
    columns["parent"] = parents;
    columns["description"] = descriptions;
    columns["incomplete"] = incomplete;
    columns["is_group"] = groups;
    return columns;
}

py::dict callPathColumns(const Experiment& experiment) {
    py::list parents, texts, regions, modules, begins, lines, paradigms, roles, depths;
    std::vector<std::size_t> depth(experiment.callTree.size());
    for (const CallPathId id : experiment.callTree.ids()) {
        const Region& region = experiment.regionOf(id);
        const auto parent = experiment.callTree.parent(id);
        depth[id.index()] = parent ? depth[parent->index()] + 1 : 0;
        parents.append(numberOr(parent));
        texts.append(callText(experiment, id));
        regions.append(region.name);
        modules.append(region.module);
        begins.append(region.beginLine);
        lines.append(experiment.callTree[id].line);
        paradigms.append(region.paradigm);
        roles.append(region.role);
        depths.append(depth[id.index()]);
    }
    py::dict columns;
    columns["parent"] = parents;
    columns["call"] = texts;
    columns["region"] = regions;
    columns["file"] = modules;
    columns["begin_line"] = begins;
    columns["call_line"] = lines;
    columns["paradigm"] = paradigms;
    columns["role"] = roles;
    columns["depth"] = depths;
    return columns;
}

const char* kindOf(const Location& location) {
    switch (location.type) {
        case Location::Type::Thread:
            return "thread";
        case Location::Type::Metric:
            return "metric";
        case Location::Type::AcceleratorStream:
            return "accelerator stream";
    }
    return "";
}

py::dict locationColumns(const Experiment& experiment) {
    py::list names, threads, processes, ranks, nodes, kinds;
    for (const Location& location : experiment.system.locations) {
        const Process& process = experiment.system[location.process];
        names.append(location.name);
        threads.append(location.rank);
        processes.append(process.name);
        ranks.append(process.rank);
        nodes.append(experiment.system.nodes[process.node].name);
        kinds.append(kindOf(location));
    }
    py::dict columns;
    columns["location"] = names;
    columns["thread"] = threads;
    columns["process"] = processes;
    columns["rank"] = ranks;
    columns["node"] = nodes;
    columns["kind"] = kinds;
    return columns;
}

py::dict trafficColumns(const Experiment& experiment) {
    const std::vector<Traffic> traffic = communicationOf(experiment);
    py::list senders, receivers;
    for (const Traffic& pair : traffic) {
        senders.append(experiment.system[pair.sender].name);
        receivers.append(experiment.system[pair.receiver].name);
    }
    py::dict columns;
    columns["sender"] = senders;
    columns["receiver"] = receivers;
    for (const TrafficNumber& number : kTrafficNumbers) {
        std::vector<double> values;
        for (const Traffic& pair : traffic) values.push_back(pair.*number.number);
        columns[number.name] = arrayOf(std::move(values));
    }
    return columns;
}

py::list findingsOf(const Experiment& experiment) {
    py::list list;
    for (const FindingResult& found : findings(experiment).found) {
        py::dict entry;
        entry["name"] = found.name;
        entry["title"] = found.title;
        entry["explanation"] = found.explanation;
        entry["time"] = found.time;
        entry["percent"] = found.percent;
        py::list values, paths;
        for (const FindingValue& value : found.values) {
            py::dict one;
            one["name"] = value.name;
            one["condition"] = value.condition;
            one["unit"] = value.unit;
            one["value"] = value.value;
            values.append(one);
        }
        for (const FindingPlace& place : found.places) paths.append(place.path.index());
        entry["values"] = values;
        entry["call_paths"] = paths;
        list.append(entry);
    }
    return list;
}

py::dict problemColumns(const Experiment& experiment, const Summary& summary, const Problem& problem) {
    py::dict entry;
    entry["kind"] = problem.kind;
    entry["what"] = problem.what;
    entry["where"] = problem.where;
    entry["who"] = problem.who;
    entry["why"] = problem.why;
    entry["helps"] = problem.remedy;
    entry["gain"] = gainText(summary, problem);
    entry["but"] = problem.chance;
    entry["cost"] = problem.cost;
    entry["percent"] = problem.percent;
    entry["call_path"] = problem.path ? py::cast(callPathText(experiment, *problem.path)) : py::none();
    return entry;
}

py::object summaryOf(const Experiment& experiment) {
    const std::optional<Summary> summary = summarize(experiment);
    if (!summary) return py::none();
    py::list problems, doubts;
    for (const Problem& problem : summary->problems)
        problems.append(problemColumns(experiment, *summary, problem));
    for (const Doubt& doubt : summary->doubts) doubts.append(doubt.text);
    py::dict result;
    result["first"] = summary->first;
    result["run"] = summary->run;
    result["healthy"] = summary->isHealthy;
    result["seconds"] = summary->seconds;
    result["percent_lost"] = summary->percentLost;
    result["problems"] = problems;
    result["notes"] = summary->notes;
    result["doubts"] = doubts;
    return result;
}

using Released = py::call_guard<py::gil_scoped_release>;

/// Named as the command that does it, so that what is said of its result is what is said of that of the
/// command.
Shared madeBy(const char* operation, const Inputs& inputs, Experiment result) {
    Provenance provenance{operation, HOLOS_VERSION, {}, {}};
    for (const Experiment& input : inputs) {
        Provenance::Input one{"an experiment in memory", {}};
        if (auto origin = provenanceOf(input)) one.origin.push_back(std::move(*origin));
        provenance.inputs.push_back(std::move(one));
    }
    setProvenance(result, provenance);
    return shared(std::move(result));
}

Shared madeBy(const char* operation, const Experiment& input, Experiment result) {
    return madeBy(operation, Inputs{std::cref(input)}, std::move(result));
}

/// An operator of several experiments that match by ranks and names.
template <Experiment (*combine)(const Inputs&, const Matching&)>
auto combined(const char* operation) {
    return [operation](const std::vector<Shared>& experiments) {
        Inputs inputs;
        for (const Shared& experiment : experiments) inputs.push_back(std::cref(*experiment));
        return madeBy(operation, inputs, combine(inputs, {}));
    };
}

std::vector<std::string> textsOf(const std::vector<BrokenResultLaw>& broken) {
    std::vector<std::string> texts;
    for (const BrokenResultLaw& law : broken) texts.push_back(contradictionText(law));
    return texts;
}

Experiment mergeAll(const Inputs& inputs, const Matching& matching) {
    return merge(inputs, nullptr, matching);
}

CollapseTo collapseTo(const std::string& level) {
    if (level == "processes") return CollapseTo::Processes;
    if (level == "nodes") return CollapseTo::Nodes;
    if (level == "one") return CollapseTo::One;
    throw py::value_error("collapse to 'processes', 'nodes' or 'one', not to '" + level + "'");
}

std::pair<Shared, std::vector<std::string>> analyzeTrace(const std::filesystem::path& trace, unsigned threads,
                                                         bool causes, const std::string& specification) {
    AnalyzeOptions options;
    options.threads = threads;
    options.causes = causes;
    options.specification = specification;
    Analysis analysis = analyze(trace, options);
    return {shared(std::move(analysis.experiment)), std::move(analysis.problems)};
}

void defineExperiment(py::module_& module) {
    py::class_<Experiment, Shared>(module, "Experiment")
        .def("metrics", &metricColumns)
        .def("call_paths", &callPathColumns)
        .def("locations", &locationColumns)
        .def("attributes", [](const Experiment& experiment) { return experiment.attributes; })
        .def("summary", &summaryOf)
        .def("findings", &findingsOf)
        .def("traffic", &trafficColumns)
        .def("call_path_text",
             [](const Experiment& experiment, std::size_t path) {
                 if (path >= experiment.callTree.size()) throw py::index_error("there is no such call path");
                 return callPathText(experiment, CallPathId(path));
             })
        .def("values",
             [](const Experiment& experiment, const std::string& metric, bool parts, bool calls) {
                 const MetricChoice choice{metricNamed(experiment, metric), extentOf(parts)};
                 const auto locations = static_cast<py::ssize_t>(experiment.system.locations.size());
                 const auto paths = static_cast<py::ssize_t>(experiment.callTree.size());
                 return arrayOf(valuesOf(experiment, choice, extentOf(calls)), {paths, locations});
             })
        .def("per_call_path",
             [](const Experiment& experiment, const std::string& metric, bool parts, bool calls) {
                 const MetricChoice choice{metricNamed(experiment, metric), extentOf(parts)};
                 return arrayOf(perCallPath(experiment, choice, extentOf(calls)));
             })
        .def("per_location",
             [](const Experiment& experiment, const std::string& metric, bool parts) {
                 return arrayOf(perLocation(experiment, {metricNamed(experiment, metric), extentOf(parts)}));
             })
        .def("total",
             [](const Experiment& experiment, const std::string& metric, bool parts) {
                 return aggregate(experiment, {metricNamed(experiment, metric), extentOf(parts)});
             })
        .def("why_not_evaluated",
             [](const Experiment& experiment, const std::string& metric) {
                 return whyNotEvaluated(experiment, metricNamed(experiment, metric));
             })
        .def(
            "write",
            [](const Experiment& experiment, const std::filesystem::path& file) {
                return textsOf(writeAndTest(experiment, file));
            },
            Released())
        .def(
            "contradictions",
            [](const Experiment& experiment) { return textsOf(brokenResultLaws(experiment)); }, Released());
}

void defineOperators(py::module_& module) {
    module.def("merge", combined<mergeAll>("merge"), Released());
    module.def("mean", combined<mean>("mean"), Released());
    module.def("sum", combined<sum>("sum"), Released());
    module.def("minimum", combined<minimum>("min"), Released());
    module.def("maximum", combined<maximum>("max"), Released());
    module.def("standard_deviation", combined<standardDeviation>("stddev"), Released());
    module.def(
        "diff",
        [](const Experiment& a, const Experiment& b) {
            return madeBy("diff", Inputs{std::cref(a), std::cref(b)}, diff(a, b));
        },
        Released());
    module.def(
        "flatten", [](const Experiment& of) { return madeBy("flatten", of, flatten(copyOf(of))); },
        Released());
    module.def("collapse", [](const Experiment& of, const std::string& level) {
        return madeBy("collapse", of, collapse(copyOf(of), collapseTo(level)));
    });
    module.def(
        "scale",
        [](const Experiment& of, double factor, const std::string& unit) {
            return madeBy("scale", of, scale(copyOf(of), {.factor = factor, .metrics = kAll, .unit = unit}));
        },
        Released());
    module.def(
        "cut",
        [](const Experiment& of, std::vector<std::string> roots, std::vector<std::string> prune,
           std::optional<std::size_t> depth) {
            const Cut how{.roots = std::move(roots), .prune = std::move(prune), .depth = depth};
            return madeBy("cut", of, cut(copyOf(of), how));
        },
        Released());
}

}  // namespace

PYBIND11_MODULE(_holos, module) {
    py::register_exception<Error>(module, "Error", PyExc_RuntimeError);
    module.attr("__version__") = HOLOS_VERSION;
    defineExperiment(module);
    defineOperators(module);
    defineQuestions(module);
    module.def(
        "read", [](const std::filesystem::path& file) { return shared(readExperiment(experimentAt(file))); },
        Released());
    module.def("analyze", &analyzeTrace, Released());
}

}  // namespace holos::python
