// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <functional>
#include <vector>

class QAction;
class QKeySequence;
class QMenu;

namespace holos::gui {

class Browser;
class OpenExperiments;

/// Makes the actions of menus. Those that show something of an experiment can be chosen while one is active.
class Actions : public QObject {
  public:
    /// The experiments must outlive the menus.
    explicit Actions(OpenExperiments& experiments, QObject* parent = nullptr);

    /// `help` says what the action does, in tool tips, the status bar and the list of keys.
    QAction* add(QMenu* menu, const QString& text, const QKeySequence& key, const QString& help,
                 const std::function<void()>& act);
    /// For the active experiment.
    QAction* addForBrowser(QMenu* menu, const QString& text, const QKeySequence& key, const QString& help,
                           const std::function<void(Browser&)>& act);
    /// A menu of several ways to show the active experiment. The one that is chosen has a tick.
    QMenu* addChoices(QMenu* menu, const QString& title, const QString& help, const QStringList& choices,
                      const std::function<int(Browser&)>& chosen,
                      const std::function<void(Browser&, int)>& choose);

  private:
    void enable();

    OpenExperiments& experiments_;
    std::vector<QAction*> forBrowser_;
};

}  // namespace holos::gui
