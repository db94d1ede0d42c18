// SPDX-License-Identifier: BSD-3-Clause
#include "gui/experiments/loader.h"

#include <sys/stat.h>

#include <QFile>
#include <QThread>
#include <stop_token>
#include <utility>

#include "algebra/files/experiment_file.h"
#include "algebra/insight/scaling/study.h"
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

FileVersion versionOf(const QString& path) {
    struct stat facts {};
    if (::stat(QFile::encodeName(path).constData(), &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
    constexpr std::int64_t kSecond = 1'000'000'000;
    return {facts.st_dev, facts.st_ino, facts.st_size,
            facts.st_mtim.tv_sec * kSecond + facts.st_mtim.tv_nsec};
}

void FileOpening::open(const QString& path) {
    const QStringList files = experimentFiles(path);
    if (files.size() > 1) return open(files);
    load(files.front(), [file = files.front()] { return loadExperiment(file); });
}

void FileOpening::open(const QStringList& paths) {
    Q_EMIT wanted();
    waiting_.clear();
    for (const QString& path : paths) waiting_ << experimentFiles(path);
    first_ = waiting_.value(0);
    openNext();
}

void FileOpening::load(const QString& name, const Loader::Work& work) {
    if (loader_) Loader::abandon(std::move(loader_), this);
    loader_ = std::make_unique<Loader>(name, work);
    const FileVersion version = versionOf(name);
    connect(loader_.get(), &Loader::loaded, this, [this, name, version](const ExperimentPtr& experiment) {
        loader_.release()->deleteLater();
        Q_EMIT loaded(name, experiment, version);
        end(true);
    });
    connect(loader_.get(), &Loader::failed, this, [this](const QString& message) {
        loader_.release()->deleteLater();
        Q_EMIT failed(message);
        end(false);
    });
    if (first_.isEmpty()) Q_EMIT wanted();
    Q_EMIT started(name);
    loader_->start();
}

void FileOpening::end(bool well) {
    Q_EMIT ended(well);
    openNext();
}

void FileOpening::openNext() {
    if (!waiting_.isEmpty()) return open(waiting_.takeFirst());
    if (first_.isEmpty()) return;
    Q_EMIT allEnded(std::exchange(first_, {}));
}

void FileOpening::cancel() {
    if (!loader_) return;
    Loader::abandon(std::move(loader_), this);
    waiting_.clear();
    first_.clear();
    Q_EMIT ended(false);
}

}  // namespace holos::gui
