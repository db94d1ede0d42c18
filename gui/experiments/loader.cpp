// SPDX-License-Identifier: BSD-3-Clause
#include "gui/experiments/loader.h"

#include <QThread>
#include <stop_token>

#include "algebra/files/experiment_file.h"
#include "algebra/insight/scaling/study_folder.h"
#include "base/error.h"
#include "report/far/far_experiment.h"

namespace holos::gui {

using namespace algebra;

QString experimentFile(const QString& path) {
    try {
        return QString::fromStdString(experimentAt(path.toStdString()).string());
    } catch (const Error&) {
        return path;
    }
}

QStringList experimentFiles(const QString& path) {
    QStringList files;
    for (const auto& file : scaling::experimentsOfSizes(path.toStdString()))
        files << QString::fromStdString(file.string());
    return files.isEmpty() ? QStringList{experimentFile(path)} : files;
}

void readFirstValues(const Experiment& experiment) {
    for (const MetricId root : experiment.metrics.roots()) experiment.severities.tableIfSmall(root);
}

namespace {

std::stop_source& endOfConnections() {
    static std::stop_source end;
    return end;
}

}  // namespace

void endConnections() {
    endOfConnections().request_stop();
}

ExperimentPtr loadExperiment(const QString& path) {
    if (const auto there = far::farFile(path.toStdString()))
        return std::make_shared<const Experiment>(
            far::openFar(*there, qEnvironmentVariable("HOLOS_VIEW_THERE", u"holos"_qs).toStdString(),
                         endOfConnections().get_token()));
    auto experiment = std::make_shared<const Experiment>(readExperiment(path.toStdString()));
    readFirstValues(*experiment);
    return experiment;
}

Loader::Loader(QString name, Work work, QObject* parent)
    : QObject(parent), name_(std::move(name)), work_(std::move(work)) {}

void Loader::abandon(std::unique_ptr<Loader> loader, QObject* parent) {
    Loader* left = loader.release();
    disconnect(left, nullptr, nullptr, nullptr);
    left->setParent(parent);
    connect(left, &Loader::loaded, left, &QObject::deleteLater);
    connect(left, &Loader::failed, left, &QObject::deleteLater);
}

Loader::~Loader() {
    if (thread_) thread_->wait();
}

void Loader::start() {
    thread_.reset(QThread::create([this] {
        ExperimentPtr experiment;
        QString message;
        try {
            experiment = work_();
        } catch (const Error& error) {
            message = QString::fromUtf8(error.what());
        } catch (const std::bad_alloc&) {
            message = name_ + u": not enough memory for this experiment"_qs;
        }
        QMetaObject::invokeMethod(this, [this, experiment, message] {
            if (experiment)
                Q_EMIT loaded(experiment);
            else
                Q_EMIT failed(message);
        });
    }));
    thread_->start();
}

}  // namespace holos::gui
