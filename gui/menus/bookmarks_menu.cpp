// SPDX-License-Identifier: BSD-3-Clause
#include "gui/menus/bookmarks_menu.h"

#include <QMenu>
#include <QUrl>
#include <algorithm>

#include "gui/experiments/open_experiments.h"
#include "gui/menus/actions.h"
#include "gui/models/filter.h"
#include "gui/models/plain_text.h"
#include "gui/models/quantity.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/timeline/timeline_notebook.h"
#include "gui/views/timeline/timeline_pane.h"
#include "gui/views/trees/tree_pane.h"
#include "gui/views/view_keeper.h"

namespace holos::gui {

namespace {

/// `Late Sender – MPI_Recv (0.5 s to 1.25 s)`
QString bookmarkName(Browser& browser) {
    QStringList parts;
    for (const TreePane* pane : {browser.metricPane(), browser.callPane()})
        if (pane->current().isValid()) parts << pane->current().data().toString();
    const QString part = filterText(browser.filter());
    return parts.join(u" – "_qs) + (part.isEmpty() ? QString() : u" ("_qs + part + u')');
}

/// `place: text`, as long as a menu may be wide.
QString entryOf(const QString& place, const QString& note) {
    constexpr qsizetype kLongest = 60;
    QString text = onOneLine(note);
    if (text.size() > kLongest) text = text.left(kLongest) + u'…';
    return place + u": "_qs + text;
}

}  // namespace

BookmarksMenu::BookmarksMenu(QMenu* menu, Actions& actions, OpenExperiments& experiments)
    : QObject(menu), menu_(menu), experiments_(experiments) {
    QAction* first = actions.add(menu, u"Add bookmark"_qs, u"Ctrl+D"_qs,
                                 u"Keep this view of the experiment"_qs, [this] { add(); });
    connect(menu, &QMenu::aboutToShow, this, [this, first] {
        for (QAction* action : menu_->actions())
            if (action != first) delete action;
        list();
    });
    connect(&experiments, &OpenExperiments::added, this,
            [this](const OpenExperiment& added) { look(added.path); });
}

/// Where nothing is remembered, those of this session stay while another part of the run is shown.
void BookmarksMenu::look(const QString& path) {
    std::vector<Bookmark> remembered = bookmarksOfFile(path);
    if (!remembered.empty()) bookmarks_[path] = std::move(remembered);
}

std::vector<Bookmark> BookmarksMenu::ofActive() const {
    const OpenExperiment* active = experiments_.active();
    const auto known = active == nullptr ? bookmarks_.end() : bookmarks_.find(active->path);
    return known == bookmarks_.end() ? std::vector<Bookmark>() : known->second;
}

void BookmarksMenu::show(int bookmark) {
    experiments_.browser()->views().restore(ofActive()[static_cast<std::size_t>(bookmark)].state);
}

/// Lists the notes at call paths, and those of the timeline by the time at which they are.
void BookmarksMenu::listNotes() {
    Browser* browser = experiments_.browser();
    if (browser == nullptr) return;
    TimelineNotes notes = browser->details()->timeline()->notebook()->notes();
    std::ranges::stable_sort(notes, {}, &TimelineNote::seconds);
    if (!notes.empty() || !browser->notes().empty()) menu_->addSeparator();
    for (const auto& [key, text] : browser->notes()) {
        const QString name = QUrl::fromPercentEncoding(key.section(u'/', -1).section(u';', 0, 0).toUtf8());
        connect(menu_->addAction(menuText(entryOf(name, text))), &QAction::triggered, this,
                [this, key = key] { experiments_.browser()->revealNote(key); });
    }
    for (const TimelineNote& note : notes) {
        connect(menu_->addAction(menuText(entryOf(momentText(note.seconds), note.text))), &QAction::triggered,
                this, [this, note] {
                    DetailViews* details = experiments_.browser()->details();
                    details->open(u"timeline"_qs);
                    details->timeline()->notebook()->showNote(note);
                });
    }
}

void BookmarksMenu::list() {
    listNotes();
    const std::vector<Bookmark> known = ofActive();
    if (known.empty()) return;
    menu_->addSeparator();
    for (int at = 0; at < static_cast<int>(known.size()); ++at)
        connect(menu_->addAction(menuText(known[static_cast<std::size_t>(at)].name)), &QAction::triggered,
                this, [this, at] { show(at); });
    menu_->addSeparator();
    connect(menu_->addAction(u"Remove all"_qs), &QAction::triggered, this, &BookmarksMenu::removeAll);
}

/// One that shows the same is replaced.
void BookmarksMenu::add() {
    const OpenExperiment* active = experiments_.active();
    if (active == nullptr) return;
    const ViewState state = active->browser->views().state();
    std::vector<Bookmark>& bookmarks = bookmarks_[active->path];
    std::erase_if(bookmarks, [&state](const Bookmark& known) { return known.state == state; });
    bookmarks.push_back({bookmarkName(*active->browser), state});
    saveBookmarksOfFile(active->path, bookmarks);
}

void BookmarksMenu::removeAll() {
    const QString& path = experiments_.active()->path;
    bookmarks_[path].clear();
    saveBookmarksOfFile(path, {});
}

}  // namespace holos::gui
