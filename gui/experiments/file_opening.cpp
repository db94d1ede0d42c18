// SPDX-License-Identifier: BSD-3-Clause
#include "gui/experiments/file_opening.h"

#include <utility>

namespace holos::gui {

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
