// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QDialog>
#include <QPlainTextEdit>
#include <QStringList>
#include <array>
#include <vector>

#include "gui/metrics/metric_trial.h"

class QCompleter;
class QStringListModel;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

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

/// Where an experiment is kept.
struct KeptIn {
    QString file = {};    ///< empty: nowhere
    QString whyNot = {};  ///< why nothing can be written to it now; empty: it can
};

/// Writes metrics that are derived from others, with their values as one types. `Accepted` where there are
/// some.
class MetricEditor : public QDialog {
    Q_OBJECT
  public:
    MetricEditor(const ExperimentPtr& experiment, const KeptIn& kept, QWidget* parent = nullptr);

    /// The experiment with the new metrics; null while there are none.
    const ExperimentPtr& result() const { return result_.experiment; }
    /// Whether they are wanted in the file, too.
    bool isKept() const;
    /// Begins an expression with this metric.
    void beginWith(const QString& metric);

    CompletingEdit* text() const { return text_; }
    QComboBox* languageBox() const { return language_; }
    QLineEdit* nameBox() const { return name_; }
    QPushButton* addButton() const { return add_; }
    QTableWidget* values() const { return values_; }
    QString message() const;

  private:
    void build(const KeptIn& kept);
    QWidget* buildExpressionFields();
    void chooseLanguage();
    void draftChanged();
    void showResult(const DraftResult& result);
    void showWritten();
    MetricDraft::Language language() const;

    ExperimentPtr experiment_;
    MetricTrial trial_;
    DraftResult result_;
    std::array<QString, 2> texts_;  ///< by language
    int shown_ = 0;                 ///< language of the text
    QComboBox* language_;
    QLabel* help_;
    QWidget* fields_ = nullptr;
    QLineEdit* name_ = nullptr;
    QLineEdit* unit_ = nullptr;
    QComboBox* evaluated_ = nullptr;
    CompletingEdit* text_;
    QLabel* problem_;
    QTableWidget* values_;
    QCheckBox* keep_;
    QPushButton* add_ = nullptr;
};

}  // namespace holos::gui
