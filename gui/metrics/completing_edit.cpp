// SPDX-License-Identifier: BSD-3-Clause
#include "gui/metrics/completing_edit.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>
#include <algorithm>

namespace holos::gui {

namespace {

constexpr int kLettersToOffer = 2;

bool isOfWord(QChar letter) {
    return letter.isLetterOrNumber() || letter == u'_' || letter == u':' || letter == u'$';
}

}  // namespace

CompletingEdit::CompletingEdit(QWidget* parent)
    : QPlainTextEdit(parent), completer_(new QCompleter(this)), model_(new QStringListModel(this)) {
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTabChangesFocus(true);
    completer_->setModel(model_);
    completer_->setWidget(this);
    completer_->setCaseSensitivity(Qt::CaseInsensitive);
    completer_->setFilterMode(Qt::MatchContains);
    connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, &CompletingEdit::complete);
}

void CompletingEdit::setWords(const QStringList& words) {
    words_ = words;
    model_->setStringList(words);
}

void CompletingEdit::setProblems(const std::vector<DraftProblem>& problems) {
    QList<QTextEdit::ExtraSelection> marks;
    for (const DraftProblem& problem : problems) {
        const QTextBlock line = document()->findBlockByNumber(problem.line - 1);
        if (!line.isValid()) continue;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(line);
        const int column = std::clamp(problem.column - 1, 0, std::max(0, line.length() - 1));
        mark.cursor.setPosition(line.position() + column);
        mark.cursor.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
        // At the end of a line there is no word to underline.
        if (!mark.cursor.hasSelection()) mark.cursor.select(QTextCursor::LineUnderCursor);
        mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        mark.format.setUnderlineColor(Qt::red);
        mark.format.setToolTip(problem.message);
        marks << mark;
    }
    setExtraSelections(marks);
}

QTextCursor CompletingEdit::wordBefore() const {
    QTextCursor word = textCursor();
    const QString line = word.block().text();
    int begin = word.positionInBlock();
    while (begin > 0 && isOfWord(line[begin - 1])) --begin;
    word.setPosition(word.block().position() + begin, QTextCursor::KeepAnchor);
    return word;
}

void CompletingEdit::complete(const QString& word) {
    QTextCursor before = wordBefore();
    before.insertText(word);
    setTextCursor(before);
}

void CompletingEdit::offer(bool asked) {
    const QString word = wordBefore().selectedText();
    if (!asked && word.size() < kLettersToOffer) return completer_->popup()->hide();
    QStringList ordered = words_;
    std::stable_partition(ordered.begin(), ordered.end(), [&word](const QString& known) {
        return known.section(u"::"_qs, -1).startsWith(word, Qt::CaseInsensitive);
    });
    model_->setStringList(ordered);
    completer_->setCompletionPrefix(word);
    const bool isThere = completer_->completionCount() == 1 && completer_->currentCompletion() == word;
    if (completer_->completionCount() == 0 || isThere) return completer_->popup()->hide();
    QRect place = cursorRect();
    place.setWidth(completer_->popup()->sizeHintForColumn(0) +
                   completer_->popup()->verticalScrollBar()->sizeHint().width());
    completer_->complete(place);
}

void CompletingEdit::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool isOffering = completer_->popup()->isVisible();
    const bool isEnter = key == Qt::Key_Enter || key == Qt::Key_Return;
    // Nothing of the list was chosen: the line ends.
    if (isOffering && isEnter && !completer_->popup()->currentIndex().isValid()) {
        completer_->popup()->hide();
        return QPlainTextEdit::keyPressEvent(event);
    }
    // These keys are for the list of completions.
    if (isOffering && (isEnter || key == Qt::Key_Escape || key == Qt::Key_Tab)) return event->ignore();
    const bool asked = key == Qt::Key_Space && event->modifiers() == Qt::ControlModifier;
    if (!asked) QPlainTextEdit::keyPressEvent(event);
    const bool writes = !event->text().isEmpty() && event->text().front().isPrint();
    if (asked || writes || (isOffering && key == Qt::Key_Backspace)) offer(asked);
}

}  // namespace holos::gui
