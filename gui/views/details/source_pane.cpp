// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/source_pane.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "algebra/model/source_lines.h"
#include "base/short_name.h"
#include "gui/views/details/source_highlighter.h"
#include "gui/views/details/source_text.h"
#include "gui/views/parts/colors.h"
#include "gui/views/parts/elided_label.h"

namespace holos::gui {

using namespace algebra;

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
    if (isSummable(metric) && !metric.isVoid)
        values = lineValues(cache_.experiment(), recorded, inclusiveOf(focus.metric));
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
