// SPDX-License-Identifier: BSD-3-Clause
#include "gui/metrics/metric_editor.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStringListModel>
#include <QTableWidget>
#include <QTextBlock>
#include <QVBoxLayout>
#include <algorithm>

#include "algebra/operators/history/recorded_run.h"
#include "gui/views/parts/assistive.h"

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
    // While a list is offered, Enter, Escape and Tab are for it.
    if (isOffering && (isEnter || key == Qt::Key_Escape || key == Qt::Key_Tab)) return event->ignore();
    const bool asked = key == Qt::Key_Space && event->modifiers() == Qt::ControlModifier;
    if (!asked) QPlainTextEdit::keyPressEvent(event);
    const bool writes = !event->text().isEmpty() && event->text().front().isPrint();
    if (asked || writes || (isOffering && key == Qt::Key_Backspace)) offer(asked);
}

namespace {

constexpr QSize kSize(760, 520);

constexpr const char* kSpecificationHelp =
    "One definition a line, such as  ratio MPI_SHARE = 100 * mpi / time  or  compute OTHER = time - comp - "
    "mpi. The text takes the place of the experiment's specification.";
constexpr const char* kExpressionHelp =
    "An expression in CubePL, such as  100 * metric::mpi() / metric::time()";

}  // namespace

MetricEditor::MetricEditor(const ExperimentPtr& experiment, const KeptIn& kept, QWidget* parent)
    : QDialog(parent),
      experiment_(experiment),
      trial_(experiment),
      language_(new QComboBox(this)),
      help_(new QLabel(this)),
      text_(new CompletingEdit(this)),
      problem_(new QLabel(this)),
      values_(new QTableWidget(0, 2, this)),
      keep_(new QCheckBox(this)) {
    setWindowTitle(u"Derive metrics"_qs);
    resize(kSize);
    build(kept);
    text_->setPlainText(specificationOf(*experiment_));
    chooseLanguage();
    connect(language_, &QComboBox::currentIndexChanged, this, &MetricEditor::chooseLanguage);
    connect(text_, &QPlainTextEdit::textChanged, this, &MetricEditor::draftChanged);
    connect(name_, &QLineEdit::textChanged, this, &MetricEditor::draftChanged);
    connect(unit_, &QLineEdit::textChanged, this, &MetricEditor::draftChanged);
    connect(evaluated_, &QComboBox::currentIndexChanged, this, &MetricEditor::draftChanged);
    text_->setFocus();
    connect(&trial_, &MetricTrial::tried, this, &MetricEditor::showResult);
    connect(text_, &QPlainTextEdit::cursorPositionChanged, this, &MetricEditor::showWritten);
}

QWidget* MetricEditor::buildExpressionFields() {
    auto* fields = new QWidget(this);
    name_ = new QLineEdit(fields);
    name_->setPlaceholderText(u"Name"_qs);
    name_->setAccessibleName(u"Name of the metric"_qs);
    unit_ = new QLineEdit(fields);
    unit_->setPlaceholderText(u"Unit, such as sec"_qs);
    unit_->setAccessibleName(u"Unit of the metric"_qs);
    evaluated_ = new QComboBox(fields);
    setNameOfBox(*evaluated_, u"When the expression is evaluated"_qs);
    evaluated_->addItems({u"on sums, for quotients"_qs, u"for each call path and thread, then added up"_qs});
    auto* across = new QHBoxLayout(fields);
    across->setContentsMargins(0, 0, 0, 0);
    across->addWidget(name_, 2);
    across->addWidget(unit_, 1);
    across->addWidget(evaluated_);
    return fields;
}

void MetricEditor::build(const KeptIn& kept) {
    fields_ = buildExpressionFields();
    language_->addItems({u"Specification"_qs, u"CubePL"_qs});
    setNameOfBox(*language_, u"Language"_qs);
    help_->setWordWrap(true);
    help_->setForegroundRole(QPalette::PlaceholderText);
    text_->setAccessibleName(u"Definitions"_qs);
    problem_->setObjectName(u"Problem"_qs);
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    const auto part = algebra::partOfRun(*experiment_);
    const QString whole = part ? QString::fromStdString(*part) : u"Whole run"_qs;
    values_->setAccessibleName(u"Values: "_qs + whole);
    values_->setHorizontalHeaderLabels({u"Metric"_qs, whole});
    values_->verticalHeader()->hide();
    values_->horizontalHeader()->setStretchLastSection(true);
    values_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    values_->setShowGrid(false);
    values_->setSelectionBehavior(QAbstractItemView::SelectRows);
    keep_->setObjectName(u"Keep"_qs);
    const QString name = QFileInfo(kept.file).fileName();
    keep_->setText(kept.whyNot.isEmpty() ? u"Write them to %1, too"_qs.arg(name)
                                         : u"They are not written to %1: %2"_qs.arg(name, kept.whyNot));
    keep_->setEnabled(kept.whyNot.isEmpty());
    keep_->setVisible(!kept.file.isEmpty());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    add_ = buttons->addButton(u"Add to the experiment"_qs, QDialogButtonBox::AcceptRole);
    add_->setEnabled(false);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* top = new QHBoxLayout;
    top->addWidget(language_);
    top->addWidget(help_, 1);
    auto* down = new QVBoxLayout(this);
    down->addLayout(top);
    down->addWidget(fields_);
    down->addWidget(text_, 3);
    down->addWidget(problem_);
    down->addWidget(values_, 2);
    down->addWidget(keep_);
    down->addWidget(buttons);
}

MetricDraft::Language MetricEditor::language() const {
    return static_cast<MetricDraft::Language>(language_->currentIndex());
}

void MetricEditor::chooseLanguage() {
    const bool isCubePl = language() == MetricDraft::Language::CubePl;
    texts_[static_cast<std::size_t>(shown_)] = text_->toPlainText();
    shown_ = language_->currentIndex();
    text_->setPlainText(texts_[static_cast<std::size_t>(shown_)]);
    fields_->setVisible(isCubePl);
    help_->setText(QString::fromLatin1(isCubePl ? kExpressionHelp : kSpecificationHelp));
    text_->setWords(wordsFor(*experiment_, language()));
    draftChanged();
}

void MetricEditor::beginWith(const QString& metric) {
    language_->setCurrentIndex(static_cast<int>(MetricDraft::Language::CubePl));
    text_->setPlainText(u"metric::%1()"_qs.arg(metric));
    text_->moveCursor(QTextCursor::End);
    name_->setFocus();
}

void MetricEditor::draftChanged() {
    add_->setEnabled(false);
    trial_.setDraft({language(), text_->toPlainText(), name_->text(), unit_->text(),
                     static_cast<MetricDraft::Evaluated>(evaluated_->currentIndex())});
}

void MetricEditor::showResult(const DraftResult& result) {
    result_ = result;
    text_->setProblems(result.problems);
    QStringList lines;
    for (const DraftProblem& problem : result.problems)
        lines << (problem.line == 0
                      ? problem.message
                      : u"%1:%2: %3"_qs.arg(problem.line).arg(problem.column).arg(problem.message));
    problem_->setText(lines.mid(0, 3).join(u'\n'));
    values_->setRowCount(static_cast<int>(result.metrics.size()));
    for (int row = 0; row < values_->rowCount(); ++row) {
        const DraftMetric& metric = result.metrics[static_cast<std::size_t>(row)];
        values_->setItem(row, 0, new QTableWidgetItem(metric.name));
        values_->setItem(row, 1, new QTableWidgetItem(metric.value));
    }
    values_->resizeColumnToContents(0);
    add_->setEnabled(result.experiment != nullptr);
    showWritten();
}

/// The value of the metric that the line with the cursor defines or speaks of comes into sight.
void MetricEditor::showWritten() {
    static const QRegularExpression kWord(u"[\\w.:]+"_qs);
    QStringList words;
    for (auto found = kWord.globalMatch(text_->textCursor().block().text()); found.hasNext();)
        words << found.next().captured();
    for (const QString& word : words)
        for (int row = 0; row < values_->rowCount(); ++row)
            if (values_->item(row, 0)->text() == word) {
                values_->selectRow(row);
                return values_->scrollToItem(values_->item(row, 0));
            }
}

QString MetricEditor::message() const {
    return problem_->text();
}

bool MetricEditor::isKept() const {
    return keep_->isChecked();
}

}  // namespace holos::gui
