// SPDX-License-Identifier: BSD-3-Clause
// Views of the active experiment that somebody wants to see again.
#include <QMenu>
#include <algorithm>

#include "gui/app/main_window.h"
#include "gui/views/browser.h"
#include "gui/views/tree_pane.h"

namespace holos::gui {

namespace {

/// `Late Sender – MPI_Recv`
QString nameOf(Browser& browser) {
    QStringList parts;
    for (const TreePane* pane : {browser.metricPane(), browser.callPane()})
        if (pane->current().isValid()) parts << pane->current().data().toString();
    return parts.join(u" – "_qs);
}

}  // namespace

MainWindow::Opened* MainWindow::active() {
    const auto found = std::find_if(opened_.begin(), opened_.end(),
                                    [this](const Opened& one) { return one.browser == browser_; });
    return found == opened_.end() ? nullptr : &*found;
}

void MainWindow::buildBookmarksMenu(QMenu* menu) {
    QAction* add = addAction(menu, u"Add bookmark"_qs, u"Ctrl+D"_qs, u"Keep this view of the experiment"_qs,
                             [this] { addBookmark(); });
    connect(menu, &QMenu::aboutToShow, this, [this, menu, add] {
        for (QAction* action : menu->actions())
            if (action != add) delete action;
        fillBookmarks(menu);
    });
}

void MainWindow::fillBookmarks(QMenu* menu) {
    const Opened* opened = active();
    if (opened == nullptr || opened->bookmarks.empty()) return;
    menu->addSeparator();
    for (const Bookmark& bookmark : opened->bookmarks)
        connect(menu->addAction(menuText(bookmark.name)), &QAction::triggered, this,
                [this, bookmark] { showBookmark(bookmark); });
    menu->addSeparator();
    connect(menu->addAction(u"Remove all"_qs), &QAction::triggered, this, [this] {
        active()->bookmarks.clear();
        saveBookmarksOfFile(path_, {});
    });
}

/// One that shows the same is replaced.
void MainWindow::addBookmark() {
    Opened* opened = active();
    if (opened == nullptr) return;
    const ViewState state = browser_->state();
    std::erase_if(opened->bookmarks, [&state](const Bookmark& known) { return known.state == state; });
    opened->bookmarks.push_back({nameOf(*browser_), state});
    saveBookmarksOfFile(path_, opened->bookmarks);
}

void MainWindow::showBookmark(const Bookmark& bookmark) {
    if (browser_ == nullptr) return;
    browser_->restore(bookmark.state);
    setMode(bookmark.state.mode);
}

}  // namespace holos::gui
