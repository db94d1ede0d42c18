// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline.h"

#include <QFileInfo>

#include "algebra/operators/history/provenance.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "base/error.h"

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

std::vector<trace::Message> messagesOf(const trace::Definitions& definitions,
                                       const TimelinePicture& picture) {
    std::vector<trace::LocationMessages> told;
    for (const trace::LocationExcerpt& row : picture.rows)
        told.push_back({row.location, row.excerpt.messages});
    return trace::pairMessages(definitions, told, picture.window.from);
}

}  // namespace

QStringList tracesOf(const algebra::Experiment& experiment, const QString& file) {
    QStringList traces;
    const QString folder = QFileInfo(file).absolutePath();
    const auto provenance = algebra::provenanceOf(experiment);
    const bool analyzed = !provenance || provenance->operation == "analyze";
    if (analyzed && QFileInfo::exists(file) && isTrace(folder)) traces << folder;
    if (provenance) addTraces(*provenance, folder, traces);
    traces.removeDuplicates();
    return traces;
}

QString traceLocationName(const trace::Definitions& definitions, trace::LocationId id) {
    const trace::Location& location = definitions[id];
    const trace::Process& process = definitions[location.process];
    const QString first = process.name.empty() ? u"Process %1"_qs.arg(location.process.index())
                                               : QString::fromStdString(process.name);
    const QString second =
        location.name.empty() ? u"Thread %1"_qs.arg(location.rank) : QString::fromStdString(location.name);
    return first + u" / "_qs + second;
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
    switch (activity) {
        case Activity::Nothing:
            return u"nothing"_qs;
        case Activity::User:
            return u"program"_qs;
        case Activity::Mpi:
            return u"MPI"_qs;
        case Activity::OpenMp:
            return u"OpenMP"_qs;
        case Activity::OpenMpWaiting:
            return u"OpenMP synchronization"_qs;
        case Activity::Other:
            return u"other"_qs;
    }
    return {};
}

TimelineReader::TimelineReader(QString archive, QObject* parent)
    : QObject(parent), archive_(std::move(archive)), stopped_(std::make_shared<std::atomic<bool>>(false)) {
    pool_.setMaxThreadCount(1);
}

TimelineReader::~TimelineReader() {
    *stopped_ = true;
    pool_.waitForDone();
}

void TimelineReader::open() {
    pool_.start([this, archive = archive_.toStdString()] {
        DefinitionsPtr definitions;
        QString message;
        try {
            definitions = std::make_shared<const trace::Definitions>(
                analyzer::trace::readDefinitions(analyzer::trace::findAnchor(archive)));
        } catch (const Error& error) {
            message = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(this, [this, definitions, message] {
            definitions_ = definitions;
            if (definitions)
                Q_EMIT opened();
            else
                Q_EMIT failed(message);
        });
    });
}

void TimelineReader::read(const trace::Window& window, std::vector<trace::LocationId> locations) {
    *stopped_ = true;
    stopped_ = std::make_shared<std::atomic<bool>>(false);
    pool_.start([this, archive = archive_.toStdString(), window, locations = std::move(locations),
                 definitions = definitions_, stopped = stopped_] {
        auto picture = std::make_shared<TimelinePicture>();
        picture->window = window;
        try {
            const auto anchor = analyzer::trace::findAnchor(archive);
            for (const trace::LocationId location : locations) {
                if (*stopped) return;
                auto excerpt = analyzer::trace::readExcerpt(anchor, *definitions, location, window, *stopped);
                if (excerpt.problem && picture->problem.isEmpty())
                    picture->problem = QString::fromStdString(*excerpt.problem);
                picture->tooManyMessages |= excerpt.tooManyMessages;
                picture->rows.push_back({location, std::move(excerpt)});
            }
            if (!picture->tooManyMessages) picture->messages = messagesOf(*definitions, *picture);
        } catch (const Error& error) {
            picture->problem = QString::fromUtf8(error.what());
        }
        for (trace::LocationExcerpt& row : picture->rows) row.excerpt.messages = {};
        QMetaObject::invokeMethod(this, [this, picture, stopped] {
            if (!*stopped) Q_EMIT ready(picture);
        });
    });
}

}  // namespace holos::gui
