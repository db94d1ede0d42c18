// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/source_highlighter.h"

#include <QFileInfo>
#include <QPalette>

#include "gui/views/parts/color_scale.h"

namespace holos::gui {

namespace {

constexpr const char* kCWords =
    "auto|bool|break|case|catch|char|class|const|constexpr|continue|default|delete|do|double|else|enum|"
    "explicit|extern|false|float|for|friend|goto|if|inline|int|long|namespace|new|nullptr|operator|private|"
    "protected|public|return|short|signed|sizeof|static|struct|switch|template|this|throw|true|try|typedef|"
    "typename|union|unsigned|using|virtual|void|volatile|while";
constexpr const char* kFortranWords =
    "allocatable|allocate|associate|block|call|case|character|close|complex|contains|cycle|deallocate|"
    "dimension|do|double|elemental|else|elseif|elsewhere|end|enddo|endif|exit|external|function|go|goto|if|"
    "implicit|import|in|inout|integer|intent|interface|intrinsic|kind|logical|module|none|only|open|optional|"
    "out|parameter|pointer|precision|print|private|procedure|program|public|pure|read|real|recursive|result|"
    "return|save|select|stop|subroutine|target|then|type|use|where|while|write";
constexpr const char* kPythonWords =
    "and|as|assert|async|await|break|class|continue|def|del|elif|else|except|False|finally|for|from|global|"
    "if|import|in|is|lambda|None|nonlocal|not|or|pass|raise|return|True|try|while|with|yield";

const char* wordsOf(Language language) {
    switch (language) {
        case Language::C:
            return kCWords;
        case Language::Fortran:
            return kFortranWords;
        case Language::Python:
            return kPythonWords;
        case Language::None:
            break;
    }
    return nullptr;
}

}  // namespace

Language languageOf(const QString& file) {
    const QString suffix = QFileInfo(file).suffix().toLower();
    static const QStringList kC{u"c"_qs,   u"h"_qs,  u"cc"_qs,  u"cpp"_qs, u"cxx"_qs,
                                u"hpp"_qs, u"hh"_qs, u"hxx"_qs, u"cu"_qs};
    static const QStringList kFortran{u"f"_qs,   u"for"_qs, u"f77"_qs, u"f90"_qs,
                                      u"f95"_qs, u"f03"_qs, u"f08"_qs, u"inc"_qs};
    return kC.contains(suffix)         ? Language::C
           : kFortran.contains(suffix) ? Language::Fortran
           : suffix == u"py"           ? Language::Python
                                       : Language::None;
}

SourceHighlighter::SourceHighlighter(QTextDocument* document, const QPalette& palette)
    : QSyntaxHighlighter(document) {
    const bool dark = palette.color(QPalette::Base).lightness() < 128;
    const double lightness = dark ? 0.78 : 0.45;
    word_.setForeground(fromOkLch(lightness, 0.12, 265));
    text_.setForeground(fromOkLch(lightness, 0.11, 150));
    directive_.setForeground(fromOkLch(lightness, 0.13, 330));
    comment_.setForeground(palette.color(QPalette::PlaceholderText));
}

void SourceHighlighter::setLanguage(Language language) {
    language_ = language;
    const bool fortran = language == Language::Fortran;
    const auto options =
        fortran ? QRegularExpression::CaseInsensitiveOption : QRegularExpression::NoPatternOption;
    if (const char* words = wordsOf(language))
        words_ = QRegularExpression(u"\\b(?:%1)\\b"_qs.arg(QLatin1String(words)), options);
    texts_ = QRegularExpression(u"\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'"_qs);
    lineComments_ = QRegularExpression(language == Language::C ? u"//"_qs : fortran ? u"!"_qs : u"#"_qs);
    directives_ = QRegularExpression(language == Language::C ? u"^\\s*#.*"_qs
                                     : fortran               ? u"^\\s*[!cC*]\\$(?:omp|acc).*|^#.*"_qs
                                                             : u"^\\s*@.*"_qs,
                                     options);
    rehighlight();
}

void SourceHighlighter::highlightBlock(const QString& text) {
    if (language_ == Language::None) return;
    const auto paint = [&](const QRegularExpression& what, const QTextCharFormat& format) {
        for (auto found = what.globalMatch(text); found.hasNext();) {
            const auto match = found.next();
            setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()),
                      format);
        }
    };
    paint(words_, word_);
    paint(texts_, text_);
    paintComments(text);
    if (previousBlockState() != InComment) paint(directives_, directive_);
}

/// A comment begins where no text is open; those of C may go on in the next line.
void SourceHighlighter::paintComments(const QString& text) {
    setCurrentBlockState(Code);
    const auto length = static_cast<int>(text.size());
    int at = 0;
    bool inside = previousBlockState() == InComment;
    const auto inText = [this](qsizetype place) { return format(static_cast<int>(place)) == text_; };
    while (at < length || inside) {
        if (inside) {
            const auto end = text.indexOf(u"*/"_qs, at);
            setFormat(at, (end < 0 ? length : static_cast<int>(end) + 2) - at, comment_);
            if (end < 0) {
                setCurrentBlockState(InComment);
                return;
            }
            at = static_cast<int>(end) + 2;
            inside = false;
            continue;
        }
        auto line = text.indexOf(lineComments_, at);
        while (line >= 0 && inText(line)) line = text.indexOf(lineComments_, line + 1);
        auto open = language_ == Language::C ? text.indexOf(u"/*"_qs, at) : -1;
        while (open >= 0 && inText(open)) open = text.indexOf(u"/*"_qs, open + 1);
        if (line >= 0 && (open < 0 || line < open)) {
            setFormat(static_cast<int>(line), length - static_cast<int>(line), comment_);
            return;
        }
        if (open < 0) return;
        at = static_cast<int>(open);
        inside = true;
    }
}

}  // namespace holos::gui
