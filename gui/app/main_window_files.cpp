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

#include "gui/app/main_window.h"
#include "gui/app/screenshot.h"
#include "gui/views/browser.h"
#include "metric-specs/error.h"

namespace holos::gui {

QString menuText(QString name) {
    return name.replace(u'&', u"&&"_qs);
}

void MainWindow::fillRecent(QMenu* menu) {
    menu->clear();
    for (const QString& file : recentFiles())
        connect(menu->addAction(menuText(file)), &QAction::triggered, this, [this, file] { open(file); });
    menu->setEnabled(!menu->isEmpty());
}

void MainWindow::cancel() {
    if (!loader_) return;
    Loader::abandon(std::move(loader_), this);
    waiting_.clear();
    firstOpened_.clear();
    pages_->setCurrentIndex(browser_ == nullptr ? kWelcomePage : kBrowserPage);
    Q_EMIT opened(false);
}

/// Suggests the experiment's name with the first of these kinds, beside the experiment.
QString MainWindow::askForSaving(const QString& title, const QString& suffix, const QString& kinds) {
    const QFileInfo experiment(path_);
    QFileDialog dialog(this, title, experiment.absolutePath(), kinds);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix);
    dialog.selectFile(experiment.completeBaseName() + u'.' + suffix);
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

void MainWindow::exportView() {
    const QString path =
        askForSaving(u"Export the view"_qs, u"png"_qs, u"Pictures (*.png *.svg *.pdf *.jpg)"_qs);
    if (path.isEmpty()) return;
    try {
        writeView(*this, path);
    } catch (const Error& error) {
        setMessage(QString::fromUtf8(error.what()));
    }
}

void MainWindow::exportTable() {
    const QByteArray table = browser_->activeTable().toUtf8();
    if (table.isEmpty()) return;
    const QString path =
        askForSaving(u"Export the active view"_qs, u"csv"_qs, u"Comma-separated values (*.csv)"_qs);
    if (path.isEmpty()) return;
    try {
        writeFile(path, [&table](QIODevice& file) { file.write(table); });
    } catch (const Error& error) {
        setMessage(QString::fromUtf8(error.what()));
    }
}

void MainWindow::saveState() {
    for (const Opened& one : opened_) saveStateOfFile(one.path, one.browser->state());
    saveWindowGeometry(saveGeometry());
    if (browser_ != nullptr) saveBrowserLayout(browser_->layoutState());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    saveState();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    open(paths);
}

}  // namespace holos::gui
