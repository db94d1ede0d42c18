// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/metric_texts.h"

#include <QAbstractTextDocumentLayout>
#include <QFontMetrics>
#include <QPainter>
#include <QTabBar>
#include <QTextCursor>
#include <QTextDocument>
#include <QThread>
#include <QVariant>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <string_view>

#include "algebra/model/call_names.h"
#include "base/error.h"
#include "gui/models/insight_text.h"
#include "gui/views/parts/colors.h"

namespace holos::gui {

using algebra::Metric;
using algebra::Origin;

namespace {

constexpr int kPictureProperty = QTextFormat::UserProperty + 1;
constexpr double kTimeSteps = 20.0;
constexpr double kStepWidth = 12.0;  ///< pixels
constexpr double kRowGap = 8.0;
constexpr double kBoxPart = 0.66;  ///< of a lane's height
constexpr double kWaiting = 0.62;  ///< of the scale of colours
constexpr double kDelaying = 0.25;
constexpr double kHead = 5.0;  ///< of an arrow

const algebra::Picture& pictureIn(const QTextFormat& format) {
    return *format.property(kPictureProperty).value<const algebra::Picture*>();
}

}  // namespace

PatternDrawing::PatternDrawing(const Colors& colors, QWidget* owner)
    : QObject(owner), colors_(colors), owner_(*owner) {}

void PatternDrawing::insert(QTextCursor& cursor, const algebra::Picture& picture) {
    QTextCharFormat format;
    format.setObjectType(kObjectType);
    format.setProperty(kPictureProperty, QVariant::fromValue(&picture));
    cursor.insertText(QString(QChar::ObjectReplacementCharacter), format);
}

double PatternDrawing::laneHeight() const {
    return owner_.fontMetrics().height() * 1.6;
}

double PatternDrawing::nameWidth(const algebra::Picture& picture) const {
    int widest = 0;
    for (const algebra::Lane& lane : picture.lanes)
        widest = std::max(widest, owner_.fontMetrics().horizontalAdvance(QString::fromUtf8(lane.who)));
    return widest + kRowGap;
}

QSizeF PatternDrawing::intrinsicSize(QTextDocument* document, int, const QTextFormat& format) {
    const algebra::Picture& picture = pictureIn(format);
    const double room = document->textWidth() - 2 * document->documentMargin();
    const double wanted = nameWidth(picture) + kTimeSteps * kStepWidth;
    return {room > 0.0 ? std::min(room, wanted) : wanted,
            laneHeight() * static_cast<double>(picture.lanes.size())};
}

void PatternDrawing::drawObject(QPainter* painter, const QRectF& rect, QTextDocument*, int,
                                const QTextFormat& format) {
    const algebra::Picture& picture = pictureIn(format);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const double left = rect.left() + nameWidth(picture);
    const auto placeOf = [&](int lane) {
        return QRectF(left, rect.top() + lane * laneHeight(), rect.right() - left, laneHeight());
    };
    for (std::size_t at = 0; at < picture.lanes.size(); ++at) {
        const QRectF place = placeOf(static_cast<int>(at));
        painter->setPen(owner_.palette().color(QPalette::PlaceholderText));
        painter->drawText(QRectF(rect.left(), place.top(), left - kRowGap / 2 - rect.left(), place.height()),
                          Qt::AlignLeft | Qt::AlignVCenter, QString::fromUtf8(picture.lanes[at].who));
        paintLane(*painter, place, picture.lanes[at]);
    }
    for (const algebra::Arrow& arrow : picture.arrows) {
        const QRectF from = placeOf(arrow.fromLane);
        const QRectF to = placeOf(arrow.toLane);
        const bool down = to.top() > from.top();
        const double inset = laneHeight() * (1.0 - kBoxPart) / 2.0;
        const auto x = [&](int step) { return left + from.width() * step / kTimeSteps; };
        paintArrow(*painter, {x(arrow.from), down ? from.bottom() - inset : from.top() + inset},
                   {x(arrow.to), down ? to.top() + inset : to.bottom() - inset});
    }
    painter->restore();
}

/// A line for the time outside of the call, and a box for each run of equal letters in it.
void PatternDrawing::paintLane(QPainter& painter, const QRectF& place, const algebra::Lane& lane) const {
    const std::string_view time(lane.time);
    const QPalette& palette = owner_.palette();
    const ColorScale scale = colors_.on(palette);
    const double step = place.width() / kTimeSteps;
    const double tall = place.height() * kBoxPart;
    const double top = place.center().y() - tall / 2;
    QRectF call;
    for (std::size_t begin = 0; begin < time.size();) {
        const std::size_t end = std::min(time.find_first_not_of(time[begin], begin), time.size());
        const QRectF box(place.left() + step * static_cast<double>(begin), top,
                         step * static_cast<double>(end - begin), tall);
        const char what = time[begin];
        painter.setPen(palette.color(QPalette::PlaceholderText));
        if (what == '-')
            painter.drawLine(QPointF(box.left(), box.center().y()), {box.right(), box.center().y()});
        if (what == 'd')
            painter.fillRect(box.adjusted(0, tall / 4, 0, -tall / 4), scale.sequential(kDelaying));
        if (what == '#') painter.fillRect(box, scale.sequential(kWaiting));
        if (what == '=' || what == '#') {
            painter.drawRect(box);
            const bool touches = !call.isNull() && std::abs(call.right() - box.left()) < 0.5;
            call = touches ? call.united(box) : call.isNull() || box.width() > call.width() ? box : call;
        }
        begin = end;
    }
    painter.setPen(palette.color(QPalette::Text));
    const QString text = QString::fromUtf8(lane.call);
    const double wide = painter.fontMetrics().horizontalAdvance(text);
    if (wide + 4 <= call.width())
        painter.drawText(call, Qt::AlignCenter, text);
    else if (call.right() + wide + kRowGap < place.right())
        painter.drawText(
            QPointF(call.right() + kRowGap / 2, call.top() + painter.fontMetrics().ascent() / 2.0), text);
}

void PatternDrawing::paintArrow(QPainter& painter, QPointF from, QPointF to) const {
    const QColor color = owner_.palette().color(QPalette::Link);
    painter.setPen(QPen(color, 1.4));
    painter.drawLine(from, to);
    const double angle = std::atan2(to.y() - from.y(), to.x() - from.x());
    const auto corner = [&](double turn) {
        return to - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * kHead;
    };
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF{to, corner(0.45), corner(-0.45)});
    painter.setBrush(Qt::NoBrush);
}

namespace {

constexpr QChar kPictureMark(0xE000);  ///< of private use: stands where the picture goes

QString originText(const Metric& metric) {
    switch (metric.origin) {
        case Origin::Measured:
            return u"measured"_qs;
        case Origin::Composed:
            return u"composed: the sum of its terms"_qs;
        case Origin::Computed:
            return u"computed from measured metrics"_qs;
        case Origin::Ratio:
            return u"ratio, evaluated on aggregated values and never summed"_qs;
    }
    return {};
}

QString escaped(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped().replace(u'\n', u"<br>"_qs);
}

}  // namespace

DescriptionPane::DescriptionPane(const Colors& colors, const algebra::MetricGuide& guide, QWidget* parent)
    : QTextBrowser(parent), guide_(guide) {
    setObjectName(u"Description"_qs);
    setAccessibleName(u"Description of the metric"_qs);
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    document()->setDocumentMargin(8);
    document()->documentLayout()->registerHandler(PatternDrawing::kObjectType,
                                                  new PatternDrawing(colors, this));
    connect(&colors, &Colors::changed, viewport(), qOverload<>(&QWidget::update));
}

void DescriptionPane::describe(const Metric& metric, const QString& reason, const QString& lack) {
    QString html = u"<b>%1</b>"_qs.arg(escaped(metric.displayName));
    QStringList facts{escaped(metric.uniqueName)};
    if (!metric.unit.empty()) facts << escaped(metric.unit);
    facts << originText(metric);
    const QColor faint = palette().color(QPalette::PlaceholderText);
    html += u"<br><span style='color:%1'>%2</span>"_qs.arg(faint.name(), facts.join(u" · "_qs));
    const algebra::Picture* picture = guide_.pictureOf(metric.uniqueName);
    if (picture != nullptr) html += u"<p>%1</p>"_qs.arg(kPictureMark);
    if (!lack.isEmpty()) html += u"<p>Incomplete: %1.</p>"_qs.arg(lack.toHtmlEscaped());
    if (!reason.isEmpty()) html += u"<p>Not evaluated: %1</p>"_qs.arg(reason.toHtmlEscaped());
    if (!metric.description.empty()) html += u"<p>%1</p>"_qs.arg(escaped(metric.description));
    if (!metric.expression.empty()) html += u"<p><code>%1</code></p>"_qs.arg(escaped(metric.expression));
    setHtml(html);
    if (picture == nullptr) return;
    QTextCursor cursor = document()->find(QString(kPictureMark));
    PatternDrawing::insert(cursor, *picture);
}

FindingsPane::FindingsPane(ExperimentPtr experiment, QWidget* parent)
    : QTextBrowser(parent), experiment_(std::move(experiment)) {
    setObjectName(u"Findings"_qs);
    setAccessibleName(u"Findings"_qs);
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    document()->setDocumentMargin(8);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (const auto path = callPathOfLink(link.toString(), *experiment_)) Q_EMIT callPathActivated(*path);
    });
}

FindingsPane::~FindingsPane() {
    wait();
}

void FindingsPane::wait() {
    if (thread_) thread_->wait();
}

void FindingsPane::showEvent(QShowEvent* event) {
    QTextBrowser::showEvent(event);
    if (thread_) return;
    setPlainText(u"Evaluating …"_qs);
    thread_.reset(QThread::create([this] {
        std::optional<algebra::FindingReport> report;
        QString problem;
        try {
            report = algebra::findings(*experiment_);
        } catch (const Error& error) {
            problem = QString::fromStdString(error.message()).toHtmlEscaped();
        }
        QMetaObject::invokeMethod(
            this,
            [this, report = std::move(report), problem] {
                report_ = report;
                problem_ = problem;
                showReport();
            },
            Qt::QueuedConnection);
    }));
    thread_->start(QThread::LowPriority);
}

void FindingsPane::setWholeNames(bool whole) {
    wholeNames_ = whole;
    if (report_) showReport();
}

void FindingsPane::showReport() {
    const ShortNames names = wholeNames_ ? ShortNames({}) : algebra::shortNamesOf(*experiment_);
    setHtml(report_ ? findingsText(*experiment_, *report_, names) : problem_);
}

namespace {
constexpr int kLeastTexts = 20;  ///< in a small window the panes need the room more
}

MetricTexts::MetricTexts(const ExperimentPtr& experiment, const Colors& colors,
                         const algebra::MetricGuide& guide, QWidget* parent)
    : QTabWidget(parent), description_(new DescriptionPane(colors, guide, this)) {
    setDocumentMode(true);
    setMinimumHeight(kLeastTexts);
    setAccessibleName(u"Texts"_qs);
    addTab(description_, u"Description"_qs);
    tabBar()->setAutoHide(true);
    if (!experiment->files.contains(algebra::kSpecificationFile)) return;
    findings_ = new FindingsPane(experiment, this);
    addTab(findings_, u"Findings"_qs);
    connect(findings_, &FindingsPane::callPathActivated, this, &MetricTexts::callPathWanted);
}

void MetricTexts::describe(ValueCache& cache, algebra::MetricId metric) {
    description_->describe(cache.experiment().metrics[metric], cache.reasonOf(metric),
                           cache.incompletenessOf(metric));
}

void MetricTexts::setWholeNames(bool whole) {
    if (findings_ != nullptr) findings_->setWholeNames(whole);
}

}  // namespace holos::gui
