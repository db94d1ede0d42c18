// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/timeline.h"

#include <QFileInfo>
#include <cmath>

#include "algebra/operators/history/provenance.h"
#include "analyzer/trace/anchor.h"
#include "base/error.h"
#include "gui/models/file_names.h"

namespace holos::gui {

namespace {

bool isTrace(const QString& path) {
    try {
        analyzer::trace::findAnchor(path.toStdString());
        return true;
    } catch (const Error&) {
        return false;
    }
}

void addTraces(const algebra::Provenance& step, const QString& folder, QStringList& traces) {
    for (const algebra::Provenance::Input& input : step.inputs) {
        for (const algebra::Provenance& origin : input.origin) addTraces(origin, folder, traces);
        if (step.operation != "analyze") continue;
        const QString name = QString::fromStdString(input.name);
        for (const QString& path : {name, folder + u'/' + name})
            if (isTrace(path)) {
                traces << QFileInfo(path).absoluteFilePath();
                break;
            }
    }
}

}  // namespace

QStringList tracesOf(const algebra::Experiment& experiment, const QString& file) {
    QStringList traces;
    // What has the same name here is another one.
    if (!machineOf(file).isEmpty()) return traces;
    const QFileInfo info(file);
    const QString folder = info.isDir() ? info.absoluteFilePath() : info.absolutePath();
    const auto provenance = algebra::provenanceOf(experiment);
    const bool analyzed = !provenance || provenance->operation == "analyze";
    if (analyzed && QFileInfo::exists(file) && isTrace(folder)) traces << folder;
    if (provenance) addTraces(*provenance, folder, traces);
    traces.removeDuplicates();
    return traces;
}

std::vector<std::filesystem::path> filesOfRun(const algebra::Experiment& experiment, const QString& file) {
    std::vector<std::filesystem::path> files;
    if (!file.isEmpty() && whyNoTrace(file).isEmpty()) files.emplace_back(file.toStdString());
    for (const QString& trace : tracesOf(experiment, file)) files.emplace_back(trace.toStdString());
    return files;
}

QString traceProcessName(const trace::Definitions& definitions, trace::ProcessId id) {
    const trace::Process& process = definitions[id];
    if (process.name.empty()) return u"Process %1"_qs.arg(id.index());
    const QString name = QString::fromStdString(process.name);
    if (!process.accelerator) return name;
    std::size_t number = 0, ofThisName = 0;
    for (std::size_t at = 0; at < definitions.processes.size(); ++at) {
        if (definitions.processes[at].name != process.name) continue;
        ++ofThisName;
        if (at == id.index()) number = ofThisName;
    }
    return ofThisName == 1 ? name : u"%1 (%2)"_qs.arg(name).arg(number);
}

QString traceLocationName(const trace::Definitions& definitions, trace::LocationId id) {
    const trace::Location& location = definitions[id];
    const QString first = traceProcessName(definitions, location.process);
    const QString second =
        location.name.empty() ? u"Thread %1"_qs.arg(location.rank) : QString::fromStdString(location.name);
    return first + u" / "_qs + second;
}

trace::Ticks nearestTick(const trace::Definitions& definitions, double seconds) {
    return std::llround(seconds * static_cast<double>(definitions.clock.ticksPerSecond));
}

std::optional<trace::LocationId> traceLocationNamed(const trace::Definitions& definitions,
                                                    const QString& name) {
    for (std::size_t at = 0; at < definitions.locations.size(); ++at)
        if (traceLocationName(definitions, trace::LocationId(at)) == name) return trace::LocationId(at);
    return std::nullopt;
}

std::optional<trace::LocationId> inTrace(const algebra::Experiment& experiment,
                                         const trace::Definitions& definitions,
                                         algebra::LocationId location) {
    const algebra::Location& wanted = experiment.system[location];
    const auto rank = static_cast<std::size_t>(experiment.system[wanted.process].rank);
    if (rank >= definitions.processes.size()) return std::nullopt;
    for (const trace::LocationId thread : definitions.processes[rank].threads)
        if (definitions[thread].rank == wanted.rank) return thread;
    return std::nullopt;
}

std::optional<algebra::LocationId> inExperiment(const algebra::Experiment& experiment,
                                                const trace::Definitions& definitions,
                                                trace::LocationId location) {
    const auto& locations = experiment.system.locations;
    for (std::size_t at = 0; at < locations.size(); ++at)
        if (inTrace(experiment, definitions, algebra::LocationId(at)) == location)
            return algebra::LocationId(at);
    return std::nullopt;
}

QString nameOf(Activity activity) {
    static constexpr const char* kNames[analyzer::timeline::kActivities] = {
        "nothing", "program", "MPI", "OpenMP", "OpenMP synchronization", "other"};
    return QString::fromLatin1(kNames[static_cast<std::size_t>(activity)]);
}

}  // namespace holos::gui
