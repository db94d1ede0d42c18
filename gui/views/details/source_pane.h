// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <map>

#include "gui/models/quantity.h"
#include "gui/models/source_lines.h"
#include "gui/models/value_cache.h"
#include "gui/views/parts/detail_view.h"

class QPushButton;

namespace holos::gui {

class Colors;
class ElidedLabel;

enum class Language : unsigned char { None, C, Fortran, Python };

/// By the suffix of the file's name.
Language languageOf(const QString& file);

/// Words, texts, comments and directives of a language in quiet colours that suit the document's ground.
class SourceHighlighter : public QSyntaxHighlighter {
    Q_OBJECT
  public:
    SourceHighlighter(QTextDocument* document, const QPalette& palette);

    void setLanguage(Language language);

  protected:
    void highlightBlock(const QString& text) override;

  private:
    enum State { Code = -1, InComment = 1 };
    void paintComments(const QString& text);

    QTextCharFormat word_, text_, comment_, directive_;
    Language language_ = Language::None;
    QRegularExpression words_, texts_, lineComments_, directives_;
};

/// Text to read, with numbers of lines, and boxes with values, in a margin.
class SourceText : public QPlainTextEdit {
    Q_OBJECT
  public:
    explicit SourceText(const Colors& colors, QWidget* parent = nullptr);

    /// By line, from 1. Nothing is written in `unit` when the map is empty.
    void setValues(std::map<int, double> values, const QuantityFormat& format, bool diverging);
    QString valueAt(int line) const;
    /// Marks a line and scrolls to it; 0: none.
    void mark(int line);
    int marked() const { return marked_; }

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void paintMargin();
    void updateMargin();
    int valueWidth() const;
    int numberWidth() const;

    const Colors& colors_;
    QWidget* margin_;
    std::map<int, double> values_;
    double largest_ = 0.0;
    bool diverging_ = false;
    QuantityFormat format_;
    int marked_ = 0;
};

/// The source at the selected call path, with the values of lines in the margin.
class SourcePane : public DetailView {
    Q_OBJECT
  public:
    /// The cache and the colours must outlive the pane.
    SourcePane(ValueCache& cache, const Colors& colors, QWidget* parent = nullptr);

    void follow(const Focus& focus) override;

    /// Where sources may be: what was moved, and folders of which recorded names may be relative.
    void setPlaces(std::vector<SourceMapping> mappings, QStringList folders);
    const std::vector<SourceMapping>& mappings() const { return mappings_; }
    const QStringList& folders() const { return folders_; }
    /// Takes `path` for the file that could not be found, and all others that moved with it.
    void locate(const QString& path);

    /// The file that is shown, as it was found; empty: none.
    const QString& file() const { return file_; }
    /// What is marked, from 1; 0: nothing.
    int line() const;
    /// The value in the margin of a line, as it is written; empty: none.
    QString valueAt(int line) const;

  Q_SIGNALS:
    void mappingsChanged();

  private:
    void show(const SourcePlace& place);
    void tell(const QString& message, bool missing);
    void askForFile();
    void updateValues(const Focus& focus, const QString& recorded);
    QString whyNoValues(algebra::MetricId metric);
    std::vector<double> inclusiveOf(algebra::MetricChoice metric);

    ValueCache& cache_;
    std::vector<SourceMapping> mappings_;
    QStringList folders_;
    std::optional<SourcePlace> place_;
    std::optional<Focus> focus_;
    QString file_;
    ElidedLabel* title_;
    QPushButton* locate_;
    SourceText* text_;
    SourceHighlighter* highlighter_;
};

}  // namespace holos::gui
