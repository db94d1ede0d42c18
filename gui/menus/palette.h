// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QFrame>
#include <QPointer>
#include <vector>

#include "gui/models/palette_model.h"

class QAction;
class QLabel;
class QLineEdit;
class QListView;
class QMenu;

namespace holos::gui {

class Actions;
class BookmarksMenu;
class OpenExperiments;

/// Finds metrics, call paths, places of the system, bookmarks and commands by their names: a line to type
/// into, above what matches. Enter goes there or does it, Escape closes.
class Palette : public QFrame {
    Q_OBJECT
  public:
    /// Lies over the window, which it belongs to. All must outlive it.
    Palette(QMenu* menu, Actions& actions, OpenExperiments& experiments, BookmarksMenu& bookmarks,
            QWidget* window);

    void open();
    QLineEdit* line() const { return line_; }
    const PaletteModel& model() const { return model_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    /// Experiments may close while it is not seen.
    void hideEvent(QHideEvent* event) override;

  private:
    std::vector<PaletteEntry> entries();
    void addCommands(std::vector<PaletteEntry>& entries);
    void addOfExperiment(std::vector<PaletteEntry>& entries) const;
    void find(const QString& text);
    void place();
    bool moveBy(int key);
    void accept();
    void leave();
    void act(const PaletteEntry& entry);

    OpenExperiments& experiments_;
    BookmarksMenu& bookmarks_;
    PaletteModel model_;
    QLineEdit* line_;
    QListView* list_;
    QLabel* count_;
    std::vector<QAction*> commands_;
    QPointer<QWidget> before_;  ///< that had the keyboard
};

}  // namespace holos::gui
