// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_view.h"

#include <QHelpEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <numeric>

#include "gui/models/plain_text.h"
#include "gui/models/quantity.h"
#include "gui/views/timeline/timeline_texts.h"

namespace holos::gui {

using trace::Ticks;

namespace {

constexpr int kLargestLabel = 220;
constexpr int kLabelMargin = 14;
constexpr int kMeasured = 64;  ///< names, the longest ones
constexpr Ticks kSmallestWindow = 10;

ShortNames namesForReading(const trace::Definitions& definitions) {
    std::vector<std::string> names;
    for (const trace::Region& region : definitions.regions) names.push_back(region.name);
    return ShortNames(names);
}

}  // namespace

TimelineView::TimelineView(QWidget* parent) : QAbstractScrollArea(parent) {
    setObjectName(u"Timeline"_qs);
    setAccessibleName(u"Timeline"_qs);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Times stay where they are when something beside the lines takes room from them.
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setCursor(Qt::CrossCursor);
    labelWidth_ = kLabelMargin;
}

void TimelineView::setTrace(DefinitionsPtr definitions) {
    definitions_ = std::move(definitions);
    shortNames_ = definitions_ ? namesForReading(*definitions_) : ShortNames({});
    layout_.setTrace(definitions_);
    inPart_ = {};
    picture_.reset();
    image_ = {};
    framed_.reset();
    range_.reset();
    waits_.clear();
    selected_.reset();
    colors_.clear();
    rows_ = {};
    linesChanged();
}

void TimelineView::showOnly(ShownLocations shown, CallsInPart calls) {
    layout_.setShown(std::move(shown));
    inPart_ = std::move(calls);
    linesChanged();
}

QString TimelineView::shownOfAllPaths() const {
    if (!picture_ || inPart_.isEverything()) return {};
    if (picture_->colors != TimelineColors::Calls)
        return picture_->isHeatOfPart ? QString() : u"the heat map is of all call paths"_qs;
    if (!rows_.isOfMoreThanPart()) return {};
    return marks_.path && !picture_->areMarksOfPart
               ? u"colours and critical path are of all call paths until you zoom in"_qs
               : u"colours are of all call paths until you zoom in"_qs;
}

void TimelineView::setGrouping(TimelineGrouping grouping) {
    layout_.setGrouping(grouping);
    linesChanged();
    Q_EMIT windowChanged();
}

void TimelineView::setColors(TimelineColors colors, const std::string& metric) {
    heat_ = colors;
    metric_ = metric;
    Q_EMIT windowChanged();
}

/// What was read is of other lines.
void TimelineView::linesChanged() {
    picture_.reset();
    image_ = {};
    updateLabels();
    updateScrolling();
}

void TimelineView::setPicture(TimelinePtr picture) {
    if (picture && picture->lines != layout_.lines()) return;  // of lines that are no more
    if (picture && deepenStacks(*picture)) return;
    picture_ = std::move(picture);
    rows_ = picture_ ? TimelineRows(picture_, inPart_) : TimelineRows();
    drawImage();
    viewport()->update();
}

/// True where a stack has more depth than lines: another picture is asked for.
bool TimelineView::deepenStacks(const TimelinePicture& picture) {
    bool isDeeper = false;
    for (std::size_t row = 0; row < picture.rows.size(); ++row) {
        const TimelineLine& line = (*picture.lines)[picture.lineOf(row)];
        if (line.stackOf && picture.rows[row].stack)
            isDeeper |= layout_.setStackDepth(*line.stackOf, picture.rows[row].stack->depth);
    }
    if (!isDeeper) return false;
    linesChanged();
    Q_EMIT windowChanged();
    return true;
}

void TimelineView::toggleStack(trace::LocationId location) {
    layout_.toggleStack(location);
    linesChanged();
    reveal(location);
    // What was opened stands below its line.
    if (const auto line = lineOf(location); line && layout_.hasStack(location))
        verticalScrollBar()->setValue(layout_.top(*line) - layout_.frozenHeight());
    Q_EMIT windowChanged();
}

void TimelineView::togglePin(trace::LocationId location) {
    PinnedLocations pinned = layout_.pinned();
    if (std::erase(pinned, location.index()) == 0) pinned.push_back(location.index());
    setPinned(std::move(pinned));
}

void TimelineView::setPinned(PinnedLocations pinned) {
    if (definitions_)
        std::erase_if(pinned, [this](std::size_t at) { return at >= definitions_->locations.size(); });
    if (pinned == layout_.pinned()) return;
    layout_.setPinned(std::move(pinned));
    linesChanged();
    Q_EMIT windowChanged();
}

TimelineQuestion TimelineView::question() const {
    TimelineQuestion question;
    question.window = {from_, to_, static_cast<unsigned>(timeWidth())};
    question.lines = layout_.lines();
    question.pinned = layout_.frozen();
    question.firstLine = firstInSight();
    question.endLine = endInSight();
    question.showsCalls = layout_.showsCalls();
    question.colors = heat_;
    question.metric = metric_;
    question.marks = marks_;
    return question;
}

void TimelineView::setWindow(Ticks from, Ticks to) {
    from_ = from;
    to_ = std::max(to, from + 1);
    describe();
    viewport()->update();
}

void TimelineView::setRange(std::optional<TimeRange> range) {
    if (range == range_) return;
    range_ = range;
    describe();
    viewport()->update();
    Q_EMIT rangeChanged();
}

void TimelineView::setWaits(std::vector<TimelineWait> waits) {
    waits_ = std::move(waits);
    viewport()->update();
}

/// What the picture shows, in words.
void TimelineView::describe() {
    if (!definitions_) return setAccessibleDescription({});
    QString text = u"from %1 to %2"_qs.arg(momentText(definitions_->seconds(from_)),
                                           momentText(definitions_->seconds(to_)));
    if (selected_) text += u", selected: "_qs + traceLocationName(*definitions_, *selected_);
    if (framed_)
        text += u", framed: a wait of %1 from %2 on"_qs.arg(
            durationText(definitions_->seconds(framed_->end - framed_->begin), digits_),
            momentText(definitions_->seconds(framed_->begin)));
    if (range_)
        text += u", selected range: %1 from %2 on"_qs.arg(
            durationText(definitions_->seconds(range_->to - range_->from), digits_),
            momentText(definitions_->seconds(range_->from)));
    setAccessibleDescription(text);
}

void TimelineView::setFramed(std::optional<TimelineWait> wait) {
    framed_ = wait;
    if (wait && layout_.makeReadable()) linesChanged();
    describe();
    viewport()->update();
}

void TimelineView::setSelected(std::optional<trace::LocationId> location) {
    selected_ = location;
    describe();
    if (location) reveal(*location);
    viewport()->update();
}

void TimelineView::reveal(trace::LocationId location) {
    const int page = viewport()->height() - axisHeight();
    if (const auto line = lineOf(location); line && !isInSight(*line, page))
        verticalScrollBar()->setValue(layout_.top(*line) - (page + layout_.frozenHeight()) / 2);
}

/// Whole, on a page of so many pixels.
bool TimelineView::isInSight(int line, int page) const {
    if (line < layout_.frozen()) return true;
    const int top = verticalScrollBar()->value();
    return layout_.top(line) >= top + layout_.frozenHeight() && layout_.top(line + 1) <= top + page;
}

void TimelineView::setWholeNames(bool whole) {
    if (whole == wholeNames_) return;
    wholeNames_ = whole;
    viewport()->update();
}

QString TimelineView::nameOf(trace::RegionId id) const {
    const std::string& name = region(id).name;
    return onOneLine(QString::fromStdString(wholeNames_ ? name : shortNames_.of(name)));
}

void TimelineView::changeWindow(double from, double to) {
    if (!definitions_) return;
    const auto length = static_cast<double>(std::max<std::uint64_t>(definitions_->clock.length, 1));
    const double width = std::clamp(to - from, static_cast<double>(kSmallestWindow), length);
    const double begin = std::clamp(from, 0.0, length - width);
    setWindow(static_cast<Ticks>(begin), static_cast<Ticks>(begin + width));
    Q_EMIT windowChanged();
}

void TimelineView::zoom(double factor, Ticks around) {
    const auto centre = static_cast<double>(around);
    changeWindow(centre - (centre - static_cast<double>(from_)) * factor,
                 centre + (static_cast<double>(to_) - centre) * factor);
}

void TimelineView::showAll() {
    if (definitions_) changeWindow(0.0, static_cast<double>(definitions_->clock.length));
}

int TimelineView::axisHeight() const {
    return fontMetrics().height() + 8;
}

int TimelineView::widthOf(const QString& name) const {
    QFont bold = font();
    bold.setBold(true);
    return QFontMetrics(bold).horizontalAdvance(name);
}

void TimelineView::updateLabels() {
    const TimelineLines& lines = *layout_.lines();
    std::vector<int> byLength(static_cast<std::size_t>(lines.count()));
    std::iota(byLength.begin(), byLength.end(), 0);
    const auto measured = std::min<std::ptrdiff_t>(kMeasured, lines.count());
    std::partial_sort(byLength.begin(), byLength.begin() + measured, byLength.end(),
                      [&](int a, int b) { return lines[a].name.size() > lines[b].name.size(); });
    int widest = 0;
    for (std::ptrdiff_t i = 0; i < measured; ++i) {
        const TimelineLine& line = lines[byLength[static_cast<std::size_t>(i)]];
        const int fold = line.group || line.only() ? kArrow : 0;
        widest = std::max(widest, widthOf(line.name) + line.indent * kArrow + fold);
    }
    labelWidth_ = std::min(widest, kLargestLabel) + kLabelMargin;
    viewport()->update();
}

void TimelineView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) updateLabels();
    if (event->type() != QEvent::PaletteChange) return;
    colors_.clear();
    drawImage();
    viewport()->update();
}

int TimelineView::timeWidth() const {
    return std::max(1, viewport()->width() - labelWidth());
}

double TimelineView::xOf(Ticks time) const {
    return labelWidth() + static_cast<double>(time - from_) / static_cast<double>(to_ - from_) * timeWidth();
}

Ticks TimelineView::timeAt(double x) const {
    return from_ + static_cast<Ticks>((x - labelWidth()) / timeWidth() * static_cast<double>(to_ - from_));
}

std::optional<int> TimelineView::lineOf(trace::LocationId location) const {
    return layout_.lines()->lineOf(location);
}

QRect TimelineView::lineRect(int line) const {
    const int top = layout_.top(line);
    const int height = std::max(1, layout_.top(line + 1) - top - layout_.gap(line));
    const QRect place(labelWidth(), axisHeight() + top, timeWidth(), height);
    if (line < layout_.frozen()) return place;
    const QRect scrolled = place.translated(0, -verticalScrollBar()->value());
    if (layout_.frozen() == 0 || scrolled.top() >= headHeight()) return scrolled;
    // Behind those that are pinned: what is drawn to it ends at these.
    return {scrolled.left(), headHeight(), timeWidth(), std::max(0, scrolled.bottom() + 1 - headHeight())};
}

std::optional<int> TimelineView::lineAt(int y) const {
    if (y < axisHeight()) return std::nullopt;
    return layout_.lineAt(y - axisHeight() + (y < headHeight() ? 0 : verticalScrollBar()->value()));
}

int TimelineView::firstInSight() const {
    return layout_.lineAt(layout_.frozenHeight() + verticalScrollBar()->value()).value_or(layout_.frozen());
}

int TimelineView::endInSight() const {
    const int last = verticalScrollBar()->value() + viewport()->height() - axisHeight();
    return std::max(layout_.lineAt(last).value_or(layout_.count() - 1) + 1, layout_.frozen());
}

/// Not where it would cover the name of the next one.
std::optional<int> TimelineView::pinnedGroup() const {
    if (!definitions_ || !layout_.lines()) return std::nullopt;
    const int first = firstInSight();
    for (int line = first + 1; line < layout_.count() && lineRect(line).top() <= pinnedRect().bottom();
         ++line)
        if ((*layout_.lines())[line].group) return std::nullopt;
    for (int line = first; line >= 0; --line)
        if ((*layout_.lines())[line].group)
            return layout_.top(line) < layout_.frozenHeight() + verticalScrollBar()->value()
                       ? std::optional(line)
                       : std::nullopt;
    return std::nullopt;
}

QRect TimelineView::pinnedRect() const {
    return {0, headHeight(), labelWidth() - 2, fontMetrics().height() + 2};
}

const TimelineRow* TimelineView::contentOf(int line) const {
    return picture_ ? picture_->contentOf(line) : nullptr;
}

void TimelineView::updateScrolling() {
    const int page = viewport()->height() - axisHeight();
    verticalScrollBar()->setRange(0, std::max(0, layout_.total() - page));
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setSingleStep(std::max(1, static_cast<int>(layout_.lineHeight())));
}

void TimelineView::scrollContentsBy(int, int) {
    viewport()->update();
    Q_EMIT windowChanged();
}

/// A framed wait that is in sight stays there, and the lines do not move for one that is not.
void TimelineView::resizeEvent(QResizeEvent* event) {
    const auto line = framed_ ? lineOf(framed_->location) : std::nullopt;
    const bool wasInSight =
        line && (!event->oldSize().isValid() || isInSight(*line, event->oldSize().height() - axisHeight()));
    const auto before = layout_.lines();
    layout_.setHeight(viewport()->height() - axisHeight());
    if (layout_.lines() != before) linesChanged();
    updateScrolling();
    if (wasInSight) reveal(framed_->location);
    Q_EMIT windowChanged();
}

/// Of what is in sight. The trace is open.
TimelineTexts TimelineView::texts() const {
    return {*definitions_,  *layout_.lines(),
            picture_.get(), [this](trace::RegionId id) { return nameOf(id); },
            metricNames_,   digits_};
}

QString TimelineView::waitText(trace::LocationId location, Ticks time) const {
    const auto line = lineOf(location);
    if (!line || !picture_ || !definitions_) return {};
    return texts().waitAt(*line, time);
}

bool TimelineView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), asToolTip(textAt(help->pos())), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::setNotes(std::vector<PlacedNote> notes) {
    notes_ = std::move(notes);
    viewport()->update();
}

/// The flag stands on the upper edge of its line.
QRectF TimelineView::flagRect(const PlacedNote& note) const {
    const auto line = lineOf(note.location);
    const double x = xOf(note.time);
    if (!line || x < labelWidth() || x > viewport()->width()) return {};
    constexpr double kWide = 9.0, kTall = 8.0;
    return {x, lineRect(*line).top() + 1.0, kWide, kTall};
}

std::optional<int> TimelineView::noteAt(const QPoint& place) const {
    for (std::size_t at = notes_.size(); at-- > 0;)
        if (flagRect(notes_[at]).adjusted(-2, -1, 2, 2).contains(place)) return static_cast<int>(at);
    return std::nullopt;
}

QString TimelineView::textAt(const QPoint& place) const {
    if (definitions_)
        if (const auto note = noteAt(place)) return notes_[static_cast<std::size_t>(*note)].text;
    const auto line = lineAt(place.y());
    if (!line || place.x() < labelWidth() || !definitions_) return {};
    return texts().at(*line, timeAt(place.x()));
}

}  // namespace holos::gui
