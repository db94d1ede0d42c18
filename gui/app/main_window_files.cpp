// SPDX-License-Identifier: BSD-3-Clause
// What comes into the window and what goes out of it: files, results of the algebra, pictures, tables.
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QIODevice>
#include <QMenu>
#include <QMimeData>
#include <QStackedWidget>

#include "algebra/operators/diff.h"
#include "algebra/operators/mean.h"
#include "algebra/operators/merge.h"
#include "gui/app/main_window.h"
#include "gui/app/screenshot.h"
#include "gui/app/settings.h"
#include "gui/models/csv.h"
#include "gui/views/browser.h"
#include "gui/views/tree_pane.h"
#include "metric-specs/error.h"

namespace holos::gui {

using algebra::Experiment;

void MainWindow::buildExperimentsMenu(QMenu* menu) {
    addAction(menu, u"Difference to…"_qs, {}, u"The open experiment minus another one"_qs, [this] {
        combineWith(u"Difference to"_qs,
                    [](const Experiment& mine, const Experiment& other) { return diff(mine, other); });
    });
    addAction(menu, u"Mean with…"_qs, {}, u"The mean of the open experiment and another one"_qs, [this] {
        combineWith(u"Mean with"_qs, [](const Experiment& mine, const Experiment& other) {
            return algebra::mean({mine, other});
        });
    });
    addAction(menu, u"Merge with…"_qs, {}, u"What both experiments measured, as one"_qs, [this] {
        combineWith(u"Merge with"_qs, [](const Experiment& mine, const Experiment& other) {
            return algebra::merge({mine, other});
        });
    });
}

void MainWindow::combineWith(const QString& title,
                             const std::function<Experiment(const Experiment&, const Experiment&)>& combine) {
    if (!experiment_) return;
    const QString other = QFileDialog::getOpenFileName(this, title);
    if (other.isEmpty()) return;
    const QString name =
        u"%1 – %2 %3"_qs.arg(QFileInfo(path_).fileName(), title.toLower(), QFileInfo(other).fileName());
    load(name, [mine = experiment_, other, combine] {
        return std::make_shared<const Experiment>(combine(*mine, *loadExperiment(other)));
    });
}

void MainWindow::fillRecent(QMenu* menu) {
    menu->clear();
    for (const QString& file : recentFiles())
        connect(menu->addAction(file), &QAction::triggered, this, [this, file] { open(file); });
    menu->setEnabled(!menu->isEmpty());
}

void MainWindow::cancel() {
    if (!loader_) return;
    Loader::abandon(std::move(loader_), this);
    pages_->setCurrentIndex(browser_ == nullptr ? kWelcomePage : kBrowserPage);
    Q_EMIT opened(false);
}

QString MainWindow::askForSaving(const QString& title, const QString& kinds) {
    return browser_ == nullptr ? QString() : QFileDialog::getSaveFileName(this, title, {}, kinds);
}

void MainWindow::exportView() {
    const QString path = askForSaving(u"Export the view"_qs, u"Pictures (*.png *.jpg *.pdf)"_qs);
    if (path.isEmpty()) return;
    try {
        writeView(*this, path);
    } catch (const Error& error) {
        setMessage(QString::fromUtf8(error.what()));
    }
}

void MainWindow::exportTable() {
    if (browser_ == nullptr || browser_->activePane()->model() == nullptr) return;
    const QByteArray table = visibleRowsAsCsv(*browser_->activePane()->model()).toUtf8();
    const QString path = askForSaving(u"Export the active pane"_qs, u"Comma-separated values (*.csv)"_qs);
    if (path.isEmpty()) return;
    try {
        writeFile(path, [&table](QIODevice& file) { file.write(table); });
    } catch (const Error& error) {
        setMessage(QString::fromUtf8(error.what()));
    }
}

void MainWindow::saveState() {
    if (browser_ != nullptr) saveStateOfFile(path_, browser_->state());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    saveState();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile()) open(urls.front().toLocalFile());
}

}  // namespace holos::gui
