// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/source_pane.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QPainter>
#include <QPalette>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBlock>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "algebra/model/source_lines.h"
#include "base/function_name.h"
#include "gui/views/parts/color_scale.h"
#include "gui/views/parts/colors.h"
#include "gui/views/parts/fitting.h"

namespace holos::gui {

using namespace algebra;

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

const char* keywordsOf(Language language) {
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
    if (const char* words = keywordsOf(language))
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

namespace {

constexpr int kColumnGap = 6;
constexpr double kMarkStrength = 0.6;
constexpr int kTabColumns = 4;

}  // namespace

SourceText::SourceText(const Colors& colors, QWidget* parent)
    : QPlainTextEdit(parent), colors_(colors), margin_(new QWidget(this)) {
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(NoWrap);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTabStopDistance(kTabColumns * fontMetrics().horizontalAdvance(u' '));
    margin_->installEventFilter(this);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &SourceText::updateMargin);
    connect(this, &QPlainTextEdit::updateRequest, margin_, qOverload<>(&QWidget::update));
    connect(&colors, &Colors::changed, margin_, qOverload<>(&QWidget::update));
    updateMargin();
}

void SourceText::setValues(std::map<int, double> values, const QuantityFormat& format, bool diverging) {
    values_ = std::move(values);
    format_ = format;
    diverging_ = diverging;
    largest_ = 0.0;
    for (const auto& [line, value] : values_) largest_ = std::max(largest_, std::abs(value));
    updateMargin();
}

QString SourceText::valueAt(int line) const {
    const auto found = values_.find(line);
    if (found == values_.end()) return {};
    const QString number = format_.number(found->second);
    return format_.unit().isEmpty() || found->second == 0.0 ? number : number + u' ' + format_.unit();
}

void SourceText::mark(int line) {
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    marked_ = line > 0 && block.isValid() ? line : 0;
    QList<QTextEdit::ExtraSelection> marks;
    if (marked_ > 0) {
        QTextEdit::ExtraSelection mark;
        QColor ground = palette().color(QPalette::Highlight);
        ground.setAlphaF(kMarkStrength);
        mark.format.setBackground(ground);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        mark.cursor = QTextCursor(block);
        marks << mark;
        setTextCursor(mark.cursor);
        centerCursor();
    }
    setExtraSelections(marks);
    margin_->update();
}

int SourceText::numberWidth() const {
    return fontMetrics().horizontalAdvance(QString::number(std::max(100, blockCount()))) + kColumnGap;
}

int SourceText::valueWidth() const {
    int widest = 0;
    for (const auto& [line, value] : values_)
        widest = std::max(widest, fontMetrics().horizontalAdvance(valueAt(line)));
    return widest == 0 ? 0 : widest + fontMetrics().ascent() + 3 * kColumnGap;
}

void SourceText::updateMargin() {
    const int width = valueWidth() + numberWidth() + kColumnGap;
    setViewportMargins(width, 0, 0, 0);
    const QRect inside = contentsRect();
    margin_->setGeometry(inside.left(), inside.top(), width, inside.height());
    margin_->update();
}

void SourceText::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    updateMargin();
}

bool SourceText::eventFilter(QObject* watched, QEvent* event) {
    if (watched != margin_ || event->type() != QEvent::Paint)
        return QPlainTextEdit::eventFilter(watched, event);
    paintMargin();
    return true;
}

void SourceText::paintMargin() {
    QPainter painter(margin_);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    painter.fillRect(margin_->rect(), palette().color(QPalette::AlternateBase));
    const QPen faint(palette().color(QPalette::PlaceholderText));
    const QPen strong(palette().color(QPalette::Text));
    const int side = fontMetrics().ascent() - 1;
    const int height = fontMetrics().height();
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const int top = qRound(blockBoundingGeometry(block).translated(contentOffset()).top());
        if (top > margin_->height()) break;
        const int line = block.blockNumber() + 1;
        const QRect row(0, top, margin_->width() - kColumnGap, height);
        painter.setPen(line == marked_ ? strong : faint);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
        const auto value = values_.find(line);
        if (value == values_.end()) continue;
        const double share = largest_ > 0.0 ? value->second / largest_ : 0.0;
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors_.on(palette()).color(diverging_ ? share : std::abs(share), diverging_));
        painter.drawRoundedRect(QRectF(kColumnGap, top + (height - side) * 0.5, side, side), 2, 2);
        painter.setPen(strong);
        painter.drawText(row.adjusted(0, 0, -numberWidth(), 0), Qt::AlignRight | Qt::AlignVCenter,
                         valueAt(line));
    }
}

namespace {

/// Nobody writes larger files by hand.
constexpr qint64 kLargestFile = qint64{8} << 20;

}  // namespace

SourcePane::SourcePane(ValueCache& cache, const Colors& colors, QWidget* parent)
    : DetailView(parent),
      cache_(cache),
      title_(new ElidedLabel(this)),
      locate_(new QPushButton(u"Locate…"_qs, this)),
      text_(new SourceText(colors, this)),
      highlighter_(new SourceHighlighter(text_->document(), text_->palette())) {
    setObjectName(u"Source"_qs);
    text_->setAccessibleName(u"Source"_qs);
    locate_->setToolTip(u"Choose the file; others that moved with it are found, too"_qs);
    locate_->hide();
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 6, 4);
    top->addWidget(title_, 1);
    top->addWidget(locate_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(text_, 1);
    connect(locate_, &QPushButton::clicked, this, &SourcePane::askForFile);
}

void SourcePane::setPlaces(std::vector<SourceMapping> mappings, QStringList folders) {
    mappings_ = std::move(mappings);
    folders_ = std::move(folders);
    if (focus_) follow(*focus_);
}

void SourcePane::follow(const Focus& focus) {
    focus_ = focus;
    place_ = focus.path ? sourcePlaceOf(cache_.experiment(), *focus.path) : std::nullopt;
    if (!place_) return tell(u"No source is known for the selection and its callers."_qs, false);
    show(*place_);
    updateValues(focus, place_->file);
}

void SourcePane::show(const SourcePlace& place) {
    const auto found = findSource(place.file, mappings_, folders_);
    if (!found) return tell(u"%1 is not here."_qs.arg(place.file), true);
    if (*found != file_) {
        QFile file(*found);
        if (!file.open(QIODevice::ReadOnly) || file.size() > kLargestFile)
            return tell(u"%1 cannot be shown: %2"_qs.arg(
                            *found, file.isOpen() ? u"it is too large"_qs : file.errorString()),
                        true);
        text_->setPlainText(QString::fromUtf8(file.readAll()));
        highlighter_->setLanguage(languageOf(*found));
        file_ = *found;
    }
    locate_->hide();
    text_->mark(place.line);
    const QString name =
        QString::fromStdString(folded(cache_.experiment().regionOf(place.path).name, Folding::All));
    const QString where = place.line > 0 ? u"%1:%2"_qs.arg(file_).arg(place.line) : file_;
    title_->setText((place.call ? u"%1 is called at %2"_qs : u"%1 begins at %2"_qs).arg(name, where));
}

/// What is selected inclusive is shown with what it calls. Sums over lines mean nothing where values are no
/// sums.
void SourcePane::updateValues(const Focus& focus, const QString& recorded) {
    const Metric& metric = cache_.experiment().metrics[focus.metric.metric];
    std::map<int, double> values;
    if (isSumOfParts(metric) && !metric.isVoid)
        values = lineValues(cache_.experiment(), recorded, inclusiveOf(focus.metric));
    std::erase_if(values, [](const auto& each) { return std::isnan(each.second); });
    if (values.empty()) title_->setText(title_->text() + u"  ·  "_qs + whyNoValues(focus.metric.metric));
    double largest = 0.0;
    bool negative = cache_.isSigned();
    for (const auto& [line, value] : values) {
        largest = std::max(largest, std::abs(value));
        negative = negative || value < 0.0;
    }
    text_->setValues(
        std::move(values),
        QuantityFormat::absolute(QString::fromStdString(metric.unit), largest, isWhole(metric), focus.digits),
        negative);
}

QString SourcePane::whyNoValues(MetricId metric) {
    const Metric& asked = cache_.experiment().metrics[metric];
    const QString name = QString::fromStdString(asked.displayName);
    if (!isSumOfParts(asked)) return u"values of %1 cannot be added up over lines"_qs.arg(name);
    return cache_.insteadOfValues(metric, u"no line of this file has a value of %1"_qs.arg(name));
}

/// By call path. Lines at which samples were taken have their part of the time of the function around them.
std::vector<double> SourcePane::inclusiveOf(MetricChoice metric) {
    const Experiment& experiment = cache_.experiment();
    const auto inclusive = cache_.callPaths(metric, Extent::Inclusive);
    if (!isDividedAmongLines(experiment, metric.metric)) return *inclusive;
    const auto samples =
        cache_.callPaths({*experiment.findMetric(kSamplesMetric), Extent::Inclusive}, Extent::Exclusive);
    return dividedAmongLines(experiment, {*inclusive, *cache_.callPaths(metric, Extent::Exclusive)}, *samples)
        .inclusive;
}

void SourcePane::tell(const QString& message, bool missing) {
    title_->setText(message);
    locate_->setVisible(missing);
    file_.clear();
    text_->setValues({}, {}, false);
    text_->clear();
    text_->mark(0);
}

void SourcePane::askForFile() {
    if (!place_) return;
    const QString name = QFileInfo(place_->file).fileName();
    const QString path = QFileDialog::getOpenFileName(this, u"Where is %1?"_qs.arg(name), {},
                                                      u"%1 (%1);;All files (*)"_qs.arg(name));
    if (!path.isEmpty()) locate(path);
}

void SourcePane::locate(const QString& path) {
    if (!place_) return;
    const auto mapping = mappingBetween(place_->file, path);
    if (!mapping) return tell(u"%1 has another name than %2."_qs.arg(path, place_->file), true);
    mappings_.push_back(*mapping);
    Q_EMIT mappingsChanged();
    follow(*focus_);
}

int SourcePane::line() const {
    return text_->marked();
}

QString SourcePane::valueAt(int line) const {
    return text_->valueAt(line);
}

}  // namespace holos::gui
