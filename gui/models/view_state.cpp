// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/view_state.h"

#include <QRegularExpression>
#include <QUrl>
#include <algorithm>
#include <array>

#include "base/error.h"
#include "gui/models/tree_model.h"

namespace holos::gui {
namespace {

constexpr int kSystemViews = 4;
constexpr std::array kColumns{"inclusive", "exclusive", "share", "visits", "delta"};
constexpr std::array kProgramTabs{"tree", "flame", "callers"};
/// What `first=1` means, which older states have instead of `order`.
constexpr PaneOrder kSystemBeforeProgram{Pane::Metrics, Pane::System, Pane::Program};

QString numbersText(const std::vector<NodeId>& nodes) {
    QStringList words;
    for (const NodeId node : nodes) words << QString::number(node.index());
    return words.join(u'.');
}

[[noreturn]] void refuse(const QString& part) {
    throw Error("not understood: \"" + part.toStdString() + "\"");
}

std::vector<NodeId> nodesFrom(const QString& value, const QString& part) {
    std::vector<NodeId> nodes;
    for (const QString& word : value.split(u'.', Qt::SkipEmptyParts)) {
        bool good = false;
        const int number = word.toInt(&good);
        if (!good || number < 0) refuse(part);
        nodes.emplace_back(static_cast<std::size_t>(number));
    }
    return nodes;
}

int numberFrom(const QString& value, int least, int most, const QString& part) {
    bool good = false;
    const int number = value.toInt(&good);
    if (!good || number < least || number > most) refuse(part);
    return number;
}

std::optional<int> programTabNamed(const QString& name) {
    for (std::size_t at = 0; at < kProgramTabs.size(); ++at)
        if (name == QLatin1String(kProgramTabs[at])) return static_cast<int>(at);
    return std::nullopt;
}

/// `call.visits.metric.share`: each column with its pane in front.
PaneColumns columnsFrom(const QString& value, const QString& part) {
    PaneColumns columns;
    const QStringList words = value.split(u'.', Qt::SkipEmptyParts);
    if (words.size() % 2 != 0) refuse(part);
    for (qsizetype at = 0; at < words.size(); at += 2) {
        const auto pane = paneSetNamed(words[at]);
        const auto known = std::ranges::find_if(
            kColumns, [&](const char* name) { return words[at + 1] == QLatin1String(name); });
        if (!pane || known == kColumns.end()) refuse(part);
        columns[*pane->begin()].insert(TreeModel::InclusiveColumn +
                                       static_cast<int>(known - kColumns.begin()));
    }
    return columns;
}

QString columnsText(const PaneColumns& columns) {
    QStringList words;
    for (const auto& [pane, ofPane] : columns)
        for (const int column : ofPane)
            words << nameOf(PaneSet{pane})
                  << QString::fromLatin1(
                         kColumns[static_cast<std::size_t>(column - TreeModel::InclusiveColumn)]);
    return words.join(u'.');
}

void apply(ViewState& state, const QString& key, const QString& value, const QString& part) {
    if (key == u"metric") {
        state.metric = QUrl::fromPercentEncoding(value.toUtf8());
    } else if (key == u"call") {
        state.calls << value;
    } else if (key == u"system") {
        state.system = value;
    } else if (key == u"zoom") {
        state.zoomed = value;
    } else if (const auto time = partOfTimeFrom(value); key == u"window" && time) {
        state.timeline = time;
    } else if (key == u"look" || key == u"events") {
        static const QRegularExpression form(u"^[\\w:;.%~-]*$"_qs);
        if (!form.match(value).hasMatch()) refuse(part);
        (key == u"look" ? state.look : state.events) = value;
    } else if (key == u"beside") {
        state.against = QUrl::fromPercentEncoding(value.toUtf8());
    } else if (key == u"metrics") {
        state.openMetrics = nodesFrom(value, part);
    } else if (key == u"calls") {
        state.openCalls = nodesFrom(value, part);
    } else if (key == u"systems") {
        state.openSystem = nodesFrom(value, part);
    } else if (key == u"colors") {
        state.colors = value;
    } else if (key == u"topology") {
        static const QRegularExpression form(u"^\\d{1,4}(/[\\d.r@]+(/-?\\d{1,3}\\.\\d{1,3})?)?$"_qs);
        if (!form.match(value).hasMatch()) refuse(part);
        state.topology = value;
    } else if (key == u"detail" && detailNames().contains(value)) {
        state.detail = value;
    } else if (key == u"first") {
        if (value != u"0" && value != u"1") refuse(part);
        state.order = value == u"1" ? kSystemBeforeProgram : kUsualOrder;
    } else if (const auto order = paneOrderNamed(value); key == u"order" && order) {
        state.order = *order;
    } else if (key == u"columns") {
        state.columns = columnsFrom(value, part);
    } else if (const auto panes = paneSetNamed(value); key == u"sorted" && panes) {
        state.largestFirst = *panes;
    } else if (const auto view = menuChoiceNamed(programViews(), value); key == u"program" && view) {
        state.program = *view;
    } else if (const auto tab = programTabNamed(value); key == u"tab" && tab) {
        state.programTab = *tab;
    } else if (const auto colors = menuChoiceNamed(flameColors(), value); key == u"flame" && colors) {
        state.flame = *colors;
    } else if (key == u"view") {
        state.systemView = numberFrom(value, 0, kSystemViews - 1, part);
    } else if (key == u"digits") {
        state.digits = numberFrom(value, kFewestDigits, kMostDigits, part);
    } else if (key == u"names" && value == u"whole") {
        state.wholeNames = true;
    } else if (const auto mode = menuChoiceNamed(valueModes(), value); key == u"mode" && mode) {
        state.mode = *mode;
    } else if (!takeFromLink(state.filter, key, value)) {
        refuse(part);
    }
}

}  // namespace

QStringList detailNames() {
    return {u"summary"_qs,    u"source"_qs,        u"instructions"_qs, u"timeline"_qs,    u"events"_qs,
            u"iterations"_qs, u"communication"_qs, u"roofline"_qs,     u"experiments"_qs, u"scaling"_qs};
}

QString toText(const ViewState& state) {
    QStringList parts = linkOf(state.filter);
    parts << u"metric="_qs + QString::fromLatin1(QUrl::toPercentEncoding(state.metric));
    for (const QString& call : state.calls) parts << u"call="_qs + call;
    if (!state.system.isEmpty()) parts << u"system="_qs + state.system;
    if (!state.openMetrics.empty()) parts << u"metrics="_qs + numbersText(state.openMetrics);
    if (!state.openCalls.empty()) parts << u"calls="_qs + numbersText(state.openCalls);
    if (!state.openSystem.empty()) parts << u"systems="_qs + numbersText(state.openSystem);
    parts << u"mode="_qs + nameOfMenuChoice(valueModes(), state.mode);
    if (state.digits) parts << u"digits="_qs + QString::number(*state.digits);
    if (state.wholeNames) parts << u"names=whole"_qs;
    if (!state.colors.isEmpty()) parts << u"colors="_qs + state.colors;
    if (state.programTab != 0)
        parts << u"tab="_qs + QString::fromLatin1(kProgramTabs[static_cast<std::size_t>(state.programTab)]);
    if (state.flame != FlameColors::Own) parts << u"flame="_qs + nameOfMenuChoice(flameColors(), state.flame);
    if (state.systemView != 0) parts << u"view="_qs + QString::number(state.systemView);
    if (!state.topology.isEmpty()) parts << u"topology="_qs + state.topology;
    if (!state.detail.isEmpty()) parts << u"detail="_qs + state.detail;
    if (!state.zoomed.isEmpty()) parts << u"zoom="_qs + state.zoomed;
    if (state.timeline) parts << u"window="_qs + linkOf(*state.timeline);
    if (!state.look.isEmpty()) parts << u"look="_qs + state.look;
    if (!state.events.isEmpty()) parts << u"events="_qs + state.events;
    if (!state.against.isEmpty())
        parts << u"beside="_qs + QString::fromLatin1(QUrl::toPercentEncoding(state.against));
    if (state.program != ProgramView::CallTree)
        parts << u"program="_qs + nameOfMenuChoice(programViews(), state.program);
    if (state.order != kUsualOrder) parts << u"order="_qs + nameOf(state.order);
    if (const QString columns = columnsText(state.columns); !columns.isEmpty())
        parts << u"columns="_qs + columns;
    if (!state.largestFirst.empty()) parts << u"sorted="_qs + nameOf(state.largestFirst);
    return parts.join(u',');
}

ViewState viewStateFrom(const QString& text) {
    ViewState state;
    for (const QString& part : text.split(u',', Qt::SkipEmptyParts)) {
        const auto equals = part.indexOf(u'=');
        if (equals <= 0) refuse(part);
        apply(state, part.left(equals).trimmed(), part.mid(equals + 1), part);
    }
    return state;
}

namespace {

constexpr std::size_t kRememberedSteps = 200;

}  // namespace

void ViewHistory::add(ViewState now) {
    if (at_ < steps_.size() && steps_[at_] == now) return;
    if (!steps_.empty()) steps_.resize(at_ + 1);
    if (steps_.size() >= kRememberedSteps) steps_.erase(steps_.begin());
    steps_.push_back(std::move(now));
    at_ = steps_.size() - 1;
}

const ViewState* ViewHistory::back() {
    return at_ == 0 ? nullptr : &steps_[--at_];
}

const ViewState* ViewHistory::forward() {
    return at_ + 1 >= steps_.size() ? nullptr : &steps_[++at_];
}

void ViewHistory::changeAll(const std::function<void(ViewState&)>& change) {
    for (ViewState& step : steps_) change(step);
}

}  // namespace holos::gui
