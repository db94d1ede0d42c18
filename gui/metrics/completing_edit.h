// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QPlainTextEdit>
#include <QStringList>
#include <vector>

#include "gui/metrics/metric_trial.h"

class QCompleter;
class QStringListModel;

namespace holos::gui {

/// A text in which words are completed, from their second letter on or by Ctrl+Space, and mistakes
/// underlined.
class CompletingEdit : public QPlainTextEdit {
  public:
    explicit CompletingEdit(QWidget* parent = nullptr);

    void setWords(const QStringList& words);
    /// What is wrong stands in the tool tip of its place, too.
    void setProblems(const std::vector<DraftProblem>& problems);
    QCompleter* completer() const { return completer_; }

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QTextCursor wordBefore() const;
    void complete(const QString& word);
    void offer(bool asked);

    QCompleter* completer_;
    QStringListModel* model_;  ///< the words, those first that begin with what is typed
    QStringList words_;
};

}  // namespace holos::gui
