// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/system_views.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTreeView>

#include "gui/views/distribution_view.h"
#include "gui/views/parts/copying.h"
#include "gui/views/parts/value_delegate.h"
#include "gui/views/topology/topology_page.h"
#include "gui/views/trees/tree_pane.h"

namespace holos::gui {

using algebra::LocationId;

namespace {

/// Sorts without a detour over roles.
class SortedLocations : public QSortFilterProxyModel {
  public:
    SortedLocations(const LocationModel& locations, QObject* parent)
        : QSortFilterProxyModel(parent), locations_(locations) {}

  protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        return locations_.isBefore(left.column(), left.row(), right.row());
    }

  private:
    const LocationModel& locations_;
};

}  // namespace

SystemViews::SystemViews(ValueCache& cache, SystemModel& system, const Colors& colors, QWidget* parent)
    : QTabWidget(parent),
      system_(system),
      locations_(cache, system),
      tree_(new TreePane(u"System"_qs, false, colors, this)),
      distribution_(new DistributionView(system, colors, this)),
      table_(new QTableView(this)),
      sorted_(new SortedLocations(locations_, this)),
      topology_(new TopologyPage(
          cache.experiment().metrics.empty() ? std::vector<Grid>() : gridsOf(cache.experiment()), system,
          colors, this)) {
    setDocumentMode(true);
    setAccessibleName(u"Views of the system"_qs);
    setTabPosition(QTabWidget::South);
    makeTable();
    addTab(tree_, u"Tree"_qs);
    addTab(distribution_, u"Distribution"_qs);
    addTab(table_, u"Table"_qs);
    addTab(topology_, u"Topology"_qs);
    connect(&system, &QAbstractItemModel::dataChanged, this, &SystemViews::updateLater);
    connect(tree_, &TreePane::choiceChanged, this, &SystemViews::updateLater);
    connect(this, &QTabWidget::currentChanged, this, &SystemViews::updateLater);
    connect(distribution_, &DistributionView::locationChosen, this, &SystemViews::reveal);
    connect(topology_, &TopologyPage::changed, this, &SystemViews::updateLater);
    connect(topology_, &TopologyPage::locationsChosen, this, [this](const std::vector<LocationId>& chosen) {
        tree_->reveal(system_.indexOfLocations(chosen));
    });
}

void SystemViews::makeTable() {
    sorted_->setSourceModel(&locations_);
    sorted_->setDynamicSortFilter(false);
    table_->setObjectName(u"Locations"_qs);
    table_->setAccessibleName(u"Values of all locations"_qs);
    table_->setModel(sorted_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(LocationModel::ValueColumn, Qt::DescendingOrder);
    makeTableOfRows(*table_);
    table_->horizontalHeader()->setStretchLastSection(true);
    for (const int column : {LocationModel::ValueColumn, LocationModel::DeviationColumn})
        table_->setItemDelegateForColumn(column, new NumberDelegate(table_));
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SystemViews::tableChosen);
}

void SystemViews::reveal(LocationId location) {
    tree_->reveal(system_.indexOfLocation(location));
}

std::optional<LocationId> SystemViews::selected() const {
    const QModelIndex at = tree_->current();
    if (tree_->model() == nullptr || !at.isValid()) return std::nullopt;
    const auto below = system_.locationsAt(at);
    return below.size() == 1 ? std::optional(below.front()) : std::nullopt;
}

/// Only the view that is seen follows, when everything else has been decided.
void SystemViews::sortAs(const SystemViews& other) {
    const QHeaderView& theirs = *other.table_->horizontalHeader();
    table_->sortByColumn(theirs.sortIndicatorSection(), theirs.sortIndicatorOrder());
}

void SystemViews::updateLater() {
    if (updating_) return;
    updating_ = true;
    QMetaObject::invokeMethod(this, &SystemViews::update, Qt::QueuedConnection);
}

void SystemViews::update() {
    updating_ = false;
    if (tree_->model() == nullptr) return;
    if (currentIndex() == DistributionTab) distribution_->update(selected());
    if (currentIndex() == TopologyTab)
        topology_->update(tree_->current().isValid() ? system_.locationsAt(tree_->current())
                                                     : std::vector<LocationId>());
    if (currentIndex() != TableView) return;
    const bool first = locations_.rowCount() == 0;
    locations_.update();
    if (first) table_->resizeColumnsToContents();
    growColumns(*table_, {LocationModel::ValueColumn, LocationModel::DeviationColumn});
    if (first) table_->setColumnHidden(LocationModel::NodeColumn, !locations_.hasSeveralNodes());
    sorted_->sort(sorted_->sortColumn(), sorted_->sortOrder());
    const auto location = selected();
    if (!location) return;
    const QModelIndex row = sorted_->mapFromSource(locations_.index(static_cast<int>(location->index()), 0));
    table_->setCurrentIndex(row);
    table_->scrollTo(row);
}

void SystemViews::tableChosen() {
    const QModelIndexList rows = table_->selectionModel()->selectedRows();
    if (rows.isEmpty()) return;
    const LocationId location(static_cast<std::size_t>(sorted_->mapToSource(rows.front()).row()));
    if (selected() != location) reveal(location);
}

}  // namespace holos::gui
