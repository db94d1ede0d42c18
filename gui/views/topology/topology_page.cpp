// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/topology/topology_page.h"

#include <QActionGroup>
#include <QComboBox>
#include <QGridLayout>
#include <QMenu>
#include <QSpinBox>
#include <QToolButton>
#include <array>

#include "gui/views/parts/assistive.h"
#include "gui/views/parts/colors.h"
#include "gui/views/parts/fitting.h"
#include "gui/views/topology/topology_view.h"

namespace holos::gui {

using algebra::LocationId;

namespace {

constexpr std::size_t kAxisButtons = 3;
constexpr int kNameWidth = 64;  ///< pixels of a dimension's name in a button
constexpr int kInARow = 3;
constexpr std::array<std::array<const char*, 2>, kAxisButtons> kArrows{{{"→", "←"}, {"↓", "↑"}, {"↗", "↙"}}};
constexpr std::array kAxisHelp{"The dimension that goes across", "The dimension that goes down",
                               "The dimension of which there are planes"};

}  // namespace

TopologyPage::TopologyPage(std::vector<Grid> grids, const SystemModel& system, const Colors& colors,
                           QWidget* parent)
    : QWidget(parent),
      grids_(std::move(grids)),
      system_(system),
      view_(new TopologyView(system, colors, this)),
      legend_(new ColorLegend(colors, this)),
      text_(new ElidedLabel(this)),
      gridBox_(new QComboBox(this)),
      turn_(new QToolButton(this)),
      stack_(new QToolButton(this)),
      controlsPlace_(new QWidget(this)) {
    for (const Grid& grid : grids_) {
        views_.push_back(GridView::of(grid));
        gridBox_->addItem(grid.name);
    }
    setNameOfBox(*gridBox_, u"Topology"_qs);
    gridBox_->setVisible(grids_.size() > 1);
    gridBox_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    turn_->setText(u"Turn"_qs);
    turn_->setToolTip(u"Show the grid from another side (Ctrl+Shift+D)"_qs);
    stack_->setText(u"Stack"_qs);
    stack_->setToolTip(u"Planes above each other; drag to turn them (Ctrl+Shift+V)"_qs);
    stack_->setCheckable(true);
    legend_->setToolTip({});
    text_->setContentsMargins(8, 2, 8, 5);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 6, 0);
    top->addWidget(gridBox_, 1);
    top->addWidget(turn_);
    top->addWidget(stack_);
    top->addStretch();
    auto* axes = new QVBoxLayout(controlsPlace_);
    axes->setContentsMargins(8, 4, 6, 4);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(controlsPlace_);
    layout->addWidget(view_, 1);
    layout->addWidget(legend_);
    layout->addWidget(text_);
    connect(gridBox_, &QComboBox::activated, this, &TopologyPage::setGrid);
    connect(turn_, &QToolButton::clicked, this, &TopologyPage::turn);
    connect(stack_, &QToolButton::clicked, this, &TopologyPage::toggleStacked);
    connect(view_, &TopologyView::locationsChosen, this, &TopologyPage::locationsChosen);
    connect(view_, &TopologyView::told, this, &TopologyPage::describe);
    connect(view_, &TopologyView::viewChanged, this, [this] {
        views_[static_cast<std::size_t>(gridBox_->currentIndex())] = view_->view();
        showControls();
    });
    setGrid(0);
}

const Grid& TopologyPage::grid() const {
    return grids_[static_cast<std::size_t>(gridBox_->currentIndex())];
}

void TopologyPage::setGrid(int grid) {
    if (grid < 0 || grid >= static_cast<int>(grids_.size())) return;
    gridBox_->setCurrentIndex(grid);
    const auto at = static_cast<std::size_t>(grid);
    view_->setGrid(&grids_[at]);
    setView(views_[at]);
    Q_EMIT changed();
}

void TopologyPage::setView(const GridView& view) {
    views_[static_cast<std::size_t>(gridBox_->currentIndex())] = view;
    view_->setView(view);
    showControls();
}

void TopologyPage::turn() {
    if (grids_.empty()) return;
    GridView view = view_->view();
    view.turn();
    setView(view);
}

void TopologyPage::exchange() {
    if (grids_.empty() || view_->view().axes.size() < 2) return;
    GridView view = view_->view();
    view.put(view.axes[0].dimension, 1);
    setView(view);
}

void TopologyPage::toggleStacked() {
    if (grids_.empty() || view_->view().axes.size() < 3) return;
    GridView view = view_->view();
    view.stacked = !view.stacked;
    setView(view);
}

/// Shows the controls of the grid that is shown, as its view is.
void TopologyPage::showControls() {
    const GridView& view = view_->view();
    turn_->setVisible(view.axes.size() > 1);
    stack_->setVisible(view.axes.size() > 2);
    stack_->setChecked(view.stacked);
    delete controls_;
    controls_ = new QWidget(controlsPlace_);
    controlsPlace_->layout()->addWidget(controls_);
    auto* rows = new QVBoxLayout(controls_);
    rows->setContentsMargins(0, 0, 0, 0);
    auto* buttons = new QHBoxLayout;
    for (std::size_t axis = 0; axis < std::min(kAxisButtons, view.axes.size()); ++axis)
        buttons->addWidget(makeAxisButton(axis));
    buttons->addStretch();
    rows->addLayout(buttons);
    auto* slices = new QGridLayout;
    for (std::size_t axis = 2; axis < view.axes.size(); ++axis)
        slices->addWidget(makeSliceBox(axis), static_cast<int>(axis - 2) / kInARow,
                          static_cast<int>(axis - 2) % kInARow, Qt::AlignLeft);
    slices->setColumnStretch(kInARow, 1);
    rows->addLayout(slices);
    describe({});
}

/// Says which dimension lies along an axis; its menu has all of them, and the axis' direction.
QToolButton* TopologyPage::makeAxisButton(std::size_t axis) {
    const GridView& view = view_->view();
    const GridView::Axis& shown = view.axes[axis];
    auto* button = new QToolButton(controls_);
    const QString& name = grid().dimensions[shown.dimension].name;
    button->setText(QString::fromUtf8(kArrows[axis][shown.mirrored ? 1 : 0]) + u' ' +
                    fontMetrics().elidedText(name, Qt::ElideRight, kNameWidth));
    button->setObjectName(u"axis %1"_qs.arg(axis));
    button->setToolTip(QString::fromLatin1(kAxisHelp[axis]));
    button->setFocusPolicy(Qt::StrongFocus);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    auto* group = new QActionGroup(menu);
    for (std::size_t dimension = 0; dimension < grid().dimensions.size(); ++dimension) {
        const Grid::Dimension& offered = grid().dimensions[dimension];
        QAction* action =
            group->addAction(menu->addAction(u"%1 (%2)"_qs.arg(offered.name).arg(offered.size)));
        action->setCheckable(true);
        action->setChecked(dimension == shown.dimension);
        connect(
            action, &QAction::triggered, this,
            [this, dimension, axis] {
                GridView changed = view_->view();
                changed.put(dimension, axis);
                setView(changed);
            },
            Qt::QueuedConnection);  // the menu goes
    }
    menu->addSeparator();
    QAction* mirrored = menu->addAction(u"Mirrored"_qs);
    mirrored->setCheckable(true);
    mirrored->setChecked(shown.mirrored);
    connect(
        mirrored, &QAction::triggered, this,
        [this, axis](bool on) {
            GridView changed = view_->view();
            changed.axes[axis].mirrored = on;
            setView(changed);
        },
        Qt::QueuedConnection);
    button->setMenu(menu);
    return button;
}

/// One place of a dimension, or all of them.
QWidget* TopologyPage::makeSliceBox(std::size_t axis) {
    const GridView::Axis& shown = view_->view().axes[axis];
    const Grid::Dimension& dimension = grid().dimensions[shown.dimension];
    const QString name = fontMetrics().elidedText(dimension.name, Qt::ElideRight, kNameWidth);
    auto* box = new QSpinBox(controls_);
    box->setObjectName(u"slice %1"_qs.arg(axis));
    setTip(*box, u"All places of %1, or one of them alone"_qs.arg(dimension.name));
    box->setRange(-1, static_cast<int>(dimension.size) - 1);
    box->setPrefix(name + u" = "_qs);
    box->setSpecialValueText(name + u": all"_qs);
    box->setValue(shown.slice ? static_cast<int>(*shown.slice) : -1);
    connect(box, &QSpinBox::valueChanged, this, [this, axis](int place) {
        GridView changed = view_->view();
        changed.axes[axis].slice = place < 0 ? std::nullopt : std::optional<std::size_t>(place);
        views_[static_cast<std::size_t>(gridBox_->currentIndex())] = changed;
        view_->setView(changed);
        describe({});
    });
    return box;
}

void TopologyPage::update(const std::vector<LocationId>& selected) {
    view_->update(selected);
    legend_->setRange(view_->range());
    describe({});
}

/// What is below the pointer, or else what is selected.
void TopologyPage::describe(const QString& text) {
    const std::size_t leftOut = view_->planes().leftOut;
    const QString more = counted(leftOut, u"more plane"_qs, u"more planes"_qs);
    text_->setText(!text.isEmpty() ? text
                   : leftOut > 0   ? more + u": choose slices"_qs
                                   : view_->selectedText());
    view_->setAccessibleDescription(text_->text().isEmpty() ? overview() : text_->text());
}

/// The size of the grid and of its values.
QString TopologyPage::overview() const {
    if (grids_.empty()) return {};
    QStringList sizes;
    for (const Grid::Dimension& dimension : grid().dimensions)
        sizes << u"%1: %2"_qs.arg(dimension.name).arg(dimension.size);
    return sizes.join(u", "_qs) + u"; "_qs +
           (view_->isEmpty() ? system_.whyNothingIsCompared() : legend_->accessibleDescription());
}

QString TopologyPage::state() const {
    if (grids_.empty()) return {};
    const int grid = gridBox_->currentIndex();
    if (grid == 0 && view_->view() == GridView::of(grids_.front())) return {};
    return u"%1/%2"_qs.arg(grid).arg(toText(view_->view()));
}

std::optional<std::pair<int, GridView>> TopologyPage::viewFrom(const QString& state) const {
    bool good = false;
    const auto number = state.section(u'/', 0, 0).toUInt(&good);
    if (!good || number >= grids_.size()) return std::nullopt;
    const QString side = state.section(u'/', 1);
    const auto view =
        side.isEmpty() ? std::optional(GridView::of(grids_[number])) : gridViewFrom(side, grids_[number]);
    return view ? std::optional(std::pair(static_cast<int>(number), *view)) : std::nullopt;
}

bool TopologyPage::has(const QString& state) const {
    return state.isEmpty() || viewFrom(state);
}

void TopologyPage::restore(const QString& state) {
    if (grids_.empty()) return;
    const auto [grid, view] = viewFrom(state).value_or(std::pair(0, GridView::of(grids_.front())));
    views_[static_cast<std::size_t>(grid)] = view;
    setGrid(grid);
}

}  // namespace holos::gui
