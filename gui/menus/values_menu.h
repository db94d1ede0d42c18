// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <vector>

#include "gui/models/shown_values.h"

class QAction;
class QComboBox;
class QMenu;
class QToolBar;

namespace holos::gui {

class Actions;
class Browser;
class OpenExperiments;

/// How values are written, and which are not worth a row. What is chosen holds for all open experiments that
/// become active.
class ValuesMenu : public QObject {
    Q_OBJECT
  public:
    /// Belongs to the menu.
    ValuesMenu(QMenu* menu, QToolBar* tools, Actions& actions, OpenExperiments& experiments);

    void setMode(ValueMode mode);

  Q_SIGNALS:
    /// The experiment that values are to relate to could not be read.
    void failed(const QString& message);

  private:
    void addModes(QMenu* menu, QToolBar* tools, Actions& actions);
    void addHiding(QMenu* menu, QToolBar* tools, Actions& actions);
    void follow(Browser& browser);
    void chooseMode(ValueMode mode);
    bool askForReference(Browser& browser);
    void applyHiding();

    OpenExperiments& experiments_;
    std::vector<QAction*> modes_;  ///< in the order of `valueModes`
    QComboBox* modeBox_ = nullptr;
    QAction* hideZeros_ = nullptr;
    QAction* hideSmall_ = nullptr;
};

}  // namespace holos::gui
