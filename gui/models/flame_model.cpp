// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/flame_model.h"

#include <QFileInfo>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_set>

#include "gui/models/selection.h"

namespace holos::gui {

using algebra::CallPathId;
using namespace algebra;

namespace {

constexpr std::array kFlameColors{
    MenuChoice<FlameColors>{FlameColors::Own, "own", "Own values",
                            "How much a call path has without what is below it"},
    MenuChoice<FlameColors>{FlameColors::Folders, "folders", "Folders of code",
                            "Where the code of a region is: its folder, MPI, or OpenMP"},
    MenuChoice<FlameColors>{FlameColors::Difference, "difference", "Difference",
                            "How much more or less a call path has than in another open experiment"},
};

}  // namespace

std::span<const MenuChoice<FlameColors>> flameColors() {
    return kFlameColors;
}

FlameGraph::FlameGraph(const algebra::CallTree& tree, const std::vector<double>& own)
    : tree_(&tree), sizes_(tree.size()), depths_(tree.size()) {
    for (std::size_t at = 0; at < tree.size(); ++at)
        if (std::isfinite(own[at])) sizes_[at] = std::abs(own[at]);
    // Callers stand before those whom they call.
    for (std::size_t at = tree.size(); at-- > 0;)
        if (const auto up = tree.parent(CallPathId(at))) sizes_[up->index()] += sizes_[at];
    for (const CallPathId path : tree.ids())
        if (const auto up = tree.parent(path)) depths_[path.index()] = depths_[up->index()] + 1;
    zoom(std::nullopt);
}

double FlameGraph::whole() const {
    if (tree_ == nullptr) return 0.0;
    if (top_) return sizeOf(*top_);
    double sum = 0.0;
    for (const CallPathId root : tree_->roots()) sum += sizeOf(root);
    return sum;
}

void FlameGraph::add(CallPathId path, double start, double width) {
    const auto row = static_cast<std::size_t>(rowOf(path));
    if (rows_.size() <= row) rows_.resize(row + 1);
    places_[path.index()] = static_cast<int>(rows_[row].size());
    rows_[row].push_back({path, start, width});
}

void FlameGraph::zoom(std::optional<CallPathId> top) {
    if (tree_ == nullptr) return;
    top_ = top && sizeOf(*top) > 0.0 ? top : std::nullopt;
    rows_.clear();
    places_.assign(tree_->size(), -1);
    if (!(whole() > 0.0)) return;
    if (!top_) return place(tree_->roots(), 0.0, 1.0 / whole());
    for (std::optional<CallPathId> at = top_; at; at = tree_->parent(*at)) add(*at, 0.0, 1.0);
    place(tree_->children(*top_), 0.0, 1.0 / whole());
}

/// With everything below them.
void FlameGraph::place(const std::vector<CallPathId>& siblings, double start, double scale) {
    struct Open {
        CallPathId path;
        double start;
    };
    std::vector<Open> open;
    const auto push = [&](const std::vector<CallPathId>& paths, double from) {
        const std::size_t first = open.size();
        for (const CallPathId path : paths) {
            if (!(sizeOf(path) > 0.0)) continue;
            open.push_back({path, from});
            from += sizeOf(path) * scale;
        }
        std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
    };
    push(siblings, start);
    while (!open.empty()) {
        const Open next = open.back();
        open.pop_back();
        add(next.path, next.start, sizeOf(next.path) * scale);
        push(tree_->children(next.path), next.start);
    }
}

std::vector<FlameGraph::Piece> FlameGraph::pieces(int row, int pixels) const {
    const auto pixelAt = [pixels](double place) {
        return std::clamp(static_cast<int>(std::ceil(place * pixels - 0.5)), 0, pixels);
    };
    std::vector<Piece> pieces;
    for (const Box& box : this->row(row)) {
        const Piece piece{box.path, pixelAt(box.start), pixelAt(box.start + box.width)};
        if (piece.left < piece.right) pieces.push_back(piece);
    }
    return pieces;
}

std::optional<FlameGraph::Box> FlameGraph::boxOf(CallPathId path) const {
    if (tree_ == nullptr || places_[path.index()] < 0) return std::nullopt;
    return row(rowOf(path))[static_cast<std::size_t>(places_[path.index()])];
}

std::optional<CallPathId> FlameGraph::at(int row, double place) const {
    if (row < 0 || row >= rows()) return std::nullopt;
    const std::vector<Box>& boxes = this->row(row);
    const auto after = std::ranges::upper_bound(boxes, place, {}, &Box::start);
    if (after == boxes.begin()) return std::nullopt;
    const Box& box = *std::prev(after);
    return place < box.start + box.width ? std::optional(box.path) : std::nullopt;
}

std::optional<CallPathId> FlameGraph::widestBelow(CallPathId path) const {
    std::optional<CallPathId> widest;
    for (const CallPathId child : tree_->children(path))
        if (boxOf(child) && (!widest || sizeOf(child) > sizeOf(*widest))) widest = child;
    return widest;
}

std::optional<CallPathId> FlameGraph::beside(CallPathId path, int by) const {
    if (!boxOf(path)) return std::nullopt;
    const std::vector<Box>& boxes = row(rowOf(path));
    const int place = places_[path.index()] + by;
    if (place < 0 || place >= static_cast<int>(boxes.size())) return std::nullopt;
    return boxes[static_cast<std::size_t>(place)].path;
}

double FlameGraph::sizeOfAll(const std::vector<CallPathId>& paths) const {
    const std::unordered_set<CallPathId> all(paths.begin(), paths.end());
    double sum = 0.0;
    for (const CallPathId path : paths) {
        auto up = tree_->parent(path);
        while (up && !all.contains(*up)) up = tree_->parent(*up);
        if (!up) sum += sizeOf(path);
    }
    return sum;
}

namespace {

/// MPI, OpenMP, or the folder of the source or library.
QString folderOfRegion(const Region& region) {
    if (region.paradigm == "mpi") return u"MPI"_qs;
    if (region.paradigm == "openmp") return u"OpenMP"_qs;
    const QString module = QString::fromStdString(region.module);
    if (module.isEmpty()) return u"(unknown source)"_qs;
    return module.contains(u'/') ? QFileInfo(module).path() : module;
}

double largestOf(const std::vector<double>& values) {
    double largest = 0.0;
    for (const double value : values)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    return largest;
}

}  // namespace

FlameModel::FlameModel(const CallModel& calls, ValueCache& cache) : calls_(calls), cache_(cache) {}

FlameModel::~FlameModel() = default;

void FlameModel::setDigits(Digits digits) {
    digits_ = digits;
    updateRanges();
}

void FlameModel::setContext(MetricChoice metric, ChosenLocations locations) {
    if (metric_ && isSame(*metric_, metric) && locations_ == locations && !arePending_) {
        if (isOtherPending_) computeDifferences();
        return;
    }
    metric_ = metric;
    locations_ = std::move(locations);
    own_ = cache_.callPaths(metric, Extent::Exclusive, locations_);
    inclusive_ = cache_.callPaths(metric, Extent::Inclusive, locations_);
    arePending_ = cache_.isReading(metric.metric);
    const auto top = graph_.top();
    const bool sums = isSumOfParts(cache_.experiment().metrics[metric.metric]);
    graph_ = sums ? FlameGraph(cache_.experiment().callTree, *own_) : FlameGraph();
    graph_.zoom(top);
    findFolders();
    computeDifferences();
}

QString FlameModel::reason() const {
    if (!metric_) return u"No metric is selected"_qs;
    const Metric& metric = cache_.experiment().metrics[metric_->metric];
    if (!isSumOfParts(metric))
        return u"Values of %1 cannot be added up: they have no flame graph"_qs.arg(
            QString::fromStdString(metric.displayName));
    return graph_.rows() == 0
               ? cache_.insteadOfValues(metric_->metric, u"No call path has a value of this metric"_qs)
               : QString();
}

/// The largest first.
void FlameModel::findFolders() {
    const Experiment& experiment = cache_.experiment();
    std::map<QString, double> sizes;
    std::vector<QString> regions;
    std::vector<QString> names;
    for (const Region& region : experiment.regions) regions.push_back(folderOfRegion(region));
    for (const CallPathId path : experiment.callTree.ids()) {
        const double own = (*own_)[path.index()];
        names.push_back(regions[experiment.callTree[path].region.index()]);
        sizes[names.back()] += std::isfinite(own) ? std::abs(own) : 0.0;
    }
    folders_.clear();
    for (const auto& [name, size] : sizes) folders_ << name;
    std::ranges::stable_sort(folders_,
                             [&](const QString& a, const QString& b) { return sizes[a] > sizes[b]; });
    std::map<QString, int> numbers;
    for (const QString& name : folders_) numbers.emplace(name, static_cast<int>(numbers.size()));
    folderNumbers_.clear();
    for (const QString& name : names) folderNumbers_.push_back(numbers[name]);
}

void FlameModel::setOther(const NamedExperiment& other) {
    if (other_ && other_->experiment() == other.experiment && other_->name() == other.name) return;
    other_ = other.experiment ? std::make_unique<Counterpart>(cache_.experiment(), other) : nullptr;
    computeDifferences();
}

bool FlameModel::isOtherPending() const {
    return other_ && metric_ && other_->isReading(metric_->metric);
}

void FlameModel::computeDifferences() {
    differences_.clear();
    if (other_ && metric_ && other_->has(metric_->metric)) {
        const std::vector<double> theirs = other_->callPaths(*metric_, Extent::Inclusive, locations_);
        for (std::size_t at = 0; at < inclusive_->size(); ++at)
            differences_.push_back((*inclusive_)[at] - theirs[at]);
    }
    isOtherPending_ = isOtherPending();
    updateRanges();
}

double FlameModel::valueOf(CallPathId path, FlameColors colors) const {
    if (colors == FlameColors::Own) return (*own_)[path.index()];
    if (colors == FlameColors::Folders || differences_.empty())
        return std::numeric_limits<double>::quiet_NaN();
    return differences_[path.index()];
}

/// Of these values; signed where some of them are negative, or always.
ScaleRange FlameModel::rangeOf(const std::vector<double>& values, bool isSigned) const {
    const double largest = largestOf(values);
    const bool diverging = isSigned || std::ranges::any_of(values, [](double value) { return value < 0.0; });
    const Metric& metric = cache_.experiment().metrics[metric_->metric];
    const QuantityFormat format =
        QuantityFormat::absolute(QString::fromStdString(metric.unit), largest, isWhole(metric), digits_);
    return {diverging ? -largest : 0.0, largest, diverging, format};
}

void FlameModel::updateRanges() {
    ownRange_ = own_ ? rangeOf(*own_, cache_.isSigned()) : ScaleRange();
    differenceRange_ = differences_.empty() ? ScaleRange() : rangeOf(differences_, true);
}

ScaleRange FlameModel::range(FlameColors colors) const {
    if (colors == FlameColors::Folders) return {};
    return colors == FlameColors::Own ? ownRange_ : differenceRange_;
}

double FlameModel::share(CallPathId path, FlameColors colors) const {
    const double value = valueOf(path, colors);
    const double largest = colors == FlameColors::Own ? ownRange_.to : differenceRange_.to;
    return std::isfinite(value) && largest > 0.0 ? std::clamp(value / largest, -1.0, 1.0)
                                                 : std::numeric_limits<double>::quiet_NaN();
}

Writing FlameModel::writing(FlameColors colors) const {
    const Metric& metric = cache_.experiment().metrics[metric_->metric];
    const double largest =
        colors == FlameColors::Difference ? largestOf(differences_) : largestOf(*inclusive_);
    return {QuantityFormat::absolute(QString::fromStdString(metric.unit), largest, isWhole(metric), digits_)};
}

QString FlameModel::textOf(CallPathId path, FlameColors colors) const {
    const Writing writing = this->writing(FlameColors::Own);
    const double whole = graph_.whole();
    QStringList lines{calls_.rows().pathOf(nodeOf(path))};
    QString value = writing.text((*inclusive_)[path.index()]);
    if (whole > 0.0)
        value += u", %1 of what is shown"_qs.arg(percentage(graph_.sizeOf(path) / whole, digits_));
    lines << value << u"own: %1"_qs.arg(writing.text((*own_)[path.index()]));
    if (colors == FlameColors::Folders) lines << folders_[folderOf(path)];
    if (colors == FlameColors::Difference && (arePending_ || isOtherPending_))
        lines << u"The difference is still being read"_qs;
    else if (colors == FlameColors::Difference && !differences_.empty())
        lines << u"%1 than in %2"_qs.arg(
            differences_[path.index()] < 0.0
                ? this->writing(colors).text(-differences_[path.index()]) + u" less"_qs
                : this->writing(colors).text(differences_[path.index()]) + u" more"_qs,
            other_->name());
    return lines.join(u'\n');
}

QString FlameModel::foundText() const {
    std::vector<CallPathId> found;
    for (const CallPathId path : cache_.experiment().callTree.ids())
        if (isFound(path) && graph_.boxOf(path)) found.push_back(path);
    const double whole = graph_.whole();
    if (found.empty() || !(whole > 0.0)) return {};
    return u"%1 found"_qs.arg(percentage(std::min(1.0, graph_.sizeOfAll(found) / whole)));
}

}  // namespace holos::gui
