// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <map>
#include <vector>

#include "gui/experiments/settings.h"

class QMenu;

namespace holos::gui {

class Actions;
class OpenExperiments;

/// Views of the open experiments that somebody wants to see again.
class BookmarksMenu : public QObject {
  public:
    /// Belongs to the menu.
    BookmarksMenu(QMenu* menu, Actions& actions, OpenExperiments& experiments);

    /// The bookmarks of the active experiment.
    std::vector<Bookmark> ofActive() const;
    /// Shows the one of this number among them.
    void show(int bookmark);

  private:
    void look(const QString& path);
    void list();
    void listNotes();
    void add();
    void removeAll();

    QMenu* menu_;
    OpenExperiments& experiments_;
    std::map<QString, std::vector<Bookmark>> bookmarks_;  ///< by path
};

}  // namespace holos::gui
