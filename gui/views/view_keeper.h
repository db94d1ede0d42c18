// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QStringList>

#include "gui/models/view_state.h"

namespace holos::gui {

class Browser;

/// What one sees of an open experiment, to be told and to be brought back.
class ViewKeeper : public QObject {
  public:
    /// Belongs to the browser.
    explicit ViewKeeper(Browser& browser);

    ViewState state() const;
    /// As far as the experiment has what the state names. Where the state is of another part of the run, the
    /// browser asks for that.
    void restore(const ViewState& state);
    /// Shows what another browser shows, whose experiment may be larger or smaller.
    void takeFrom(const Browser& other);
    /// The parts of a restored state that the experiment does not have.
    QStringList missing(const ViewState& state) const;
    /// What a state selects and the experiment does not have, for reading; empty where it has everything.
    QString lost(const ViewState& state) const;

    /// Everything that one action changes is one step.
    void rememberLater();
    /// Takes back, or does again, what was selected and expanded last.
    void undo();
    void redo();

  private:
    bool isEmpty() const;
    void restoreHere(const ViewState& state);
    void restoreRows(const ViewState& state);
    void goTo(const ViewState* step);

    Browser& browser_;
    ViewHistory history_;
    bool remembering_ = false;  ///< a step is added with the next events
    bool restoring_ = false;
};

}  // namespace holos::gui
