// SPDX-License-Identifier: BSD-3-Clause
#include "gui/menus/palette.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/experiments/open_experiments.h"
#include "gui/menus/actions.h"
#include "gui/menus/bookmarks_menu.h"
#include "gui/models/quantity.h"
#include "gui/views/browser.h"
#include "gui/views/program_views.h"
#include "gui/views/trees/tree_pane.h"

namespace holos::gui {

namespace {

constexpr int kPaletteWidth = 560;
constexpr int kPaletteRows = 14;
constexpr int kPaletteTop = 40;

/// The name on the left, pale behind it where it stands, and what it is on the right.
class EntryDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const bool chosen = option.state.testFlag(QStyle::State_Selected);
        painter->setPen(option.palette.color(chosen ? QPalette::HighlightedText : QPalette::PlaceholderText));
        const QString text = index.data(PaletteModel::KindRole).toString() + u"  "_qs;
        painter->drawText(option.rect, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, text);
        const QFontMetrics& metrics = option.fontMetrics;
        const QRect room =
            option.rect.adjusted(metrics.horizontalAdvance(index.data().toString() + u"MMM"_qs), 0,
                                 -metrics.horizontalAdvance(text + u"M"_qs), 0);
        if (room.width() < metrics.horizontalAdvance(u"MMM"_qs)) return;
        const QString where = index.data(PaletteModel::WhereRole).toString();
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          metrics.elidedText(where, Qt::ElideMiddle, room.width()));
    }
};

}  // namespace

Palette::Palette(QMenu* menu, Actions& actions, OpenExperiments& experiments, BookmarksMenu& bookmarks,
                 QWidget* window)
    : QFrame(window),
      experiments_(experiments),
      bookmarks_(bookmarks),
      line_(new QLineEdit(this)),
      list_(new QListView(this)),
      count_(new QLabel(this)) {
    setObjectName(u"Palette"_qs);
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    line_->setPlaceholderText(u"Go to a metric, call path, place or bookmark, or do something"_qs);
    line_->setAccessibleName(u"Go to"_qs);
    list_->setAccessibleName(u"What matches"_qs);
    list_->setModel(&model_);
    list_->setItemDelegate(new EntryDelegate(list_));
    list_->setUniformItemSizes(true);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setTextElideMode(Qt::ElideMiddle);
    auto* down = new QVBoxLayout(this);
    down->setContentsMargins(6, 6, 6, 6);
    down->addWidget(line_);
    down->addWidget(list_, 1);
    down->addWidget(count_);
    hide();
    line_->installEventFilter(this);
    connect(line_, &QLineEdit::textChanged, this, &Palette::find);
    connect(list_, &QListView::clicked, this, &Palette::accept);
    actions.add(menu, u"Go to…"_qs, u"Ctrl+P"_qs,
                u"Find metrics, call paths, places, bookmarks and commands"_qs, [this] { open(); });
}

void Palette::open() {
    before_ = QApplication::focusWidget();
    model_.setEntries(entries());
    place();
    line_->clear();
    find({});
    show();
    raise();
    line_->setFocus();
}

void Palette::place() {
    const QSize room = parentWidget()->size();
    const int wide = std::min(kPaletteWidth, room.width() - 20);
    const int high = std::min((kPaletteRows + 3) * (fontMetrics().height() + 6), room.height() - kPaletteTop);
    setGeometry((room.width() - wide) / 2, kPaletteTop, wide, high);
}

std::vector<PaletteEntry> Palette::entries() {
    std::vector<PaletteEntry> entries;
    addCommands(entries);
    addOfExperiment(entries);
    return entries;
}

void Palette::addCommands(std::vector<PaletteEntry>& entries) {
    commands_.clear();
    for (QAction* action : parentWidget()->findChildren<QAction*>()) {
        if (!action->isEnabled() || action->statusTip().isEmpty() || action->menu() != nullptr) continue;
        entries.push_back({PaletteEntry::Command, static_cast<int>(commands_.size()),
                           action->text().remove(u'&'), action->statusTip(), nullptr});
        commands_.push_back(action);
    }
}

void Palette::addOfExperiment(std::vector<PaletteEntry>& entries) const {
    const OpenExperiment* active = experiments_.active();
    if (active == nullptr || active->experiment->metrics.empty()) return;
    const auto add = [&entries](PaletteEntry::Kind kind, const RowTree& rows) {
        for (const NodeId node : rows.ids())
            entries.push_back({kind, static_cast<int>(node.index()), rows.nameOf(node), {}, &rows});
    };
    add(PaletteEntry::Metric, active->browser->metricPane()->model()->rows());
    add(PaletteEntry::CallPath, active->browser->programs()->calls().rows());
    add(PaletteEntry::SystemRow, active->browser->systemPane()->model()->rows());
    int number = 0;
    for (const Bookmark& bookmark : bookmarks_.ofActive())
        entries.push_back({PaletteEntry::Bookmark, number++, bookmark.name, {}, nullptr});
}

void Palette::find(const QString& text) {
    model_.setQuery(text);
    const int listed = model_.rowCount();
    count_->setText(model_.matches() == 0 ? u"no match"_qs
                    : listed < model_.matches()
                        ? u"%1 of %2"_qs.arg(listed).arg(model_.matches())
                        : counted(static_cast<std::uint64_t>(model_.matches()), u"match"_qs, u"matches"_qs));
    list_->setCurrentIndex(model_.index(0));
}

/// True for keys that are the list's.
bool Palette::moveBy(int key) {
    const int page = std::max(1, list_->viewport()->height() / std::max(1, list_->sizeHintForRow(0)) - 1);
    const int by = key == Qt::Key_Down       ? 1
                   : key == Qt::Key_Up       ? -1
                   : key == Qt::Key_PageDown ? page
                   : key == Qt::Key_PageUp   ? -page
                                             : 0;
    if (by == 0) return false;
    const int row = std::clamp(list_->currentIndex().row() + by, 0, std::max(0, model_.rowCount() - 1));
    list_->setCurrentIndex(model_.index(row));
    return true;
}

bool Palette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut && !isAncestorOf(QApplication::focusWidget())) hide();
    if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape) return leave(), true;
    if (key == Qt::Key_Return || key == Qt::Key_Enter) return accept(), true;
    return moveBy(key) || QFrame::eventFilter(watched, event);
}

void Palette::hideEvent(QHideEvent* event) {
    model_.setEntries({});
    QFrame::hideEvent(event);
}

void Palette::leave() {
    hide();
    if (before_) before_->setFocus();
}

void Palette::accept() {
    const QModelIndex at = list_->currentIndex();
    if (!at.isValid()) return;
    const PaletteEntry chosen = model_.entry(at);
    leave();
    act(chosen);
}

void Palette::act(const PaletteEntry& entry) {
    if (entry.kind == PaletteEntry::Command)
        return commands_[static_cast<std::size_t>(entry.number)]->trigger();
    Browser& browser = *experiments_.browser();
    switch (entry.kind) {
        case PaletteEntry::Metric:
            return browser.metricPane()->reveal(browser.metricPane()->model()->indexOf(entry.node()));
        case PaletteEntry::CallPath:
            return browser.revealCallPath(algebra::CallPathId(static_cast<std::size_t>(entry.number)));
        case PaletteEntry::SystemRow:
            return browser.systemPane()->reveal(browser.systemPane()->model()->indexOf(entry.node()));
        default:
            return bookmarks_.show(entry.number);
    }
}

}  // namespace holos::gui
