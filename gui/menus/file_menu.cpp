// SPDX-License-Identifier: BSD-3-Clause
#include "gui/menus/file_menu.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QToolBar>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/process.h"
#include "gui/experiments/loader.h"
#include "gui/experiments/open_experiments.h"
#include "gui/experiments/settings.h"
#include "gui/menus/actions.h"
#include "gui/models/filter.h"
#include "gui/models/plain_text.h"
#include "gui/views/browser.h"
#include "gui/views/pictures.h"
#include "gui/views/view_keeper.h"

namespace holos::gui {

namespace {
constexpr const char* kFileKinds = "Experiments (*.cubex *.cube *.cube.gz);;All files (*)";
}

QString askForExperiment(QWidget* window, const QString& title) {
    return QFileDialog::getOpenFileName(window, title, {}, QString::fromLatin1(kFileKinds));
}

FileMenu::FileMenu(QMenu* menu, QToolBar* tools, Actions& actions, OpenExperiments& experiments,
                   FileOpening& opening)
    : QObject(menu), experiments_(experiments), opening_(opening) {
    tools->addAction(actions.add(menu, u"Open…"_qs, QKeySequence::Open, u"Open an experiment"_qs,
                                 [this] { askForFile(); }));
    tools->addSeparator();
    actions.add(menu, u"Watch…"_qs, {},
                u"See a program while it is recorded: choose the folder of its measurement"_qs,
                [this] { askForFolder(); });
    QMenu* recent = menu->addMenu(u"Open recent"_qs);
    connect(menu, &QMenu::aboutToShow, this, [this, recent] { listRecent(recent); });
    menu->addSeparator();
    actions.addForBrowser(menu, u"Export view…"_qs, u"Ctrl+E"_qs, u"The window as a picture, PDF or SVG"_qs,
                          [this](Browser&) { exportView(); });
    actions.addForBrowser(menu, u"Export table…"_qs, u"Ctrl+T"_qs,
                          u"What the view with the keyboard focus shows, as CSV"_qs,
                          [this](Browser&) { exportTable(); });
    actions.addForBrowser(menu, u"Copy link"_qs, u"Ctrl+L"_qs, u"The command that shows this view again"_qs,
                          [this](Browser&) { copyLink(); });
    menu->addSeparator();
    actions.add(menu, u"Quit"_qs, QKeySequence::Quit, u"Close the browser"_qs,
                [&experiments] { experiments.window()->close(); });
}

void FileMenu::askForFile() {
    const QString path = askForExperiment(experiments_.window(), u"Open an experiment"_qs);
    if (!path.isEmpty()) opening_.open(path);
}

void FileMenu::askForFolder() {
    const QString folder = QFileDialog::getExistingDirectory(experiments_.window(), u"Watch a program"_qs);
    if (!folder.isEmpty()) Q_EMIT watchWanted(folder);
}

void FileMenu::listRecent(QMenu* recent) {
    recent->clear();
    for (const QString& file : recentFiles())
        connect(recent->addAction(menuText(file)), &QAction::triggered, this,
                [this, file] { opening_.open(file); });
    recent->setEnabled(!recent->isEmpty());
}

/// Suggests the experiment's name with the first of these kinds, beside the experiment.
QString FileMenu::askForSaving(const QString& title, const QString& suffix, const QString& kinds) {
    const QFileInfo experiment(experiments_.active()->path);
    QFileDialog dialog(experiments_.window(), title, experiment.absolutePath(), kinds);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix);
    const QString part = nameForFiles(experiments_.browser()->filter());
    dialog.selectFile(experiment.completeBaseName() + (part.isEmpty() ? QString() : u" ("_qs + part + u')') +
                      u'.' + suffix);
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

void FileMenu::exportView() {
    const QString path =
        askForSaving(u"Export the view"_qs, u"png"_qs, u"Pictures (*.png *.svg *.pdf *.jpg)"_qs);
    if (path.isEmpty()) return;
    try {
        writeView(*experiments_.window(), path);
    } catch (const Error& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
    }
}

void FileMenu::exportTable() {
    QByteArray table = experiments_.browser()->activeTable().toUtf8();
    if (table.isEmpty()) return;
    if (const QString part = filterText(experiments_.browser()->filter()); !part.isEmpty())
        table.prepend("# only " + part.toUtf8() + '\n');
    const QString path =
        askForSaving(u"Export the active view"_qs, u"csv"_qs, u"Comma-separated values (*.csv)"_qs);
    if (path.isEmpty()) return;
    try {
        writeFile(path, [&table](QIODevice& file) { file.write(table); });
    } catch (const Error& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
    }
}

void FileMenu::copyLink() {
    const OpenExperiment& active = *experiments_.active();
    const ViewState state = active.browser->views().state();
    std::vector<std::string> words{"holos", "view", active.path.toStdString()};
    if (!state.filter.experiments.isEmpty())
        for (const OpenExperiment& one : experiments_.all())
            if (one.browser != active.browser && experiments_.isShown(one))
                words.push_back(one.path.toStdString());
    words.insert(words.end(), {"--state", toText(state).toStdString()});
    QApplication::clipboard()->setText(QString::fromStdString(shellLine(words)));
}

}  // namespace holos::gui
