// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QRegularExpression>
#include <QSyntaxHighlighter>

namespace holos::gui {

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

}  // namespace holos::gui
