// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/code/machine_code_pane.h"

#include <QFileInfo>
#include <QFontDatabase>
#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <filesystem>

#include "algebra/model/source_lines.h"
#include "base/error.h"
#include "gui/models/background.h"
#include "gui/models/csv.h"
#include "gui/models/file_names.h"
#include "gui/views/parts/copying.h"
#include "gui/views/parts/fitting.h"
#include "tracing/recordings/archive/folder/ownership.h"

namespace holos::gui {

using namespace algebra;

namespace {

/// The more samples an instruction has, the warmer it is.
class HeatDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->font.setBold(index.data(MachineCodeModel::IsHeadingRole).toBool());
        const double heat = index.data(MachineCodeModel::HeatRole).toDouble();
        if (heat > 0.0) option->backgroundBrush = QColor(226, 88, 34, 20 + static_cast<int>(140.0 * heat));
    }
};

}  // namespace

/// What was found of a function.
struct MachineCodePane::Read {
    Function function;
    archive::SampledFunctions functions;
    QString problem;
    bool isAround = false;  ///< the instructions are of the function around it
};

std::string functionAround(const Experiment& experiment, CallPathId path) {
    const auto hasNoCode = [&](CallPathId at) {
        const std::string& paradigm = experiment.regionOf(at).paradigm;
        return paradigm == "mpi" || paradigm == "openmp";
    };
    if (!hasNoCode(path)) return {};
    for (auto above = experiment.callTree.parent(path); above; above = experiment.callTree.parent(*above))
        if (!hasNoCode(*above)) return experiment.regionOf(*above).name;
    return {};
}

MachineCodePane::MachineCodePane(const Experiment& experiment, QWidget* parent)
    : DetailView(parent),
      experiment_(experiment),
      title_(new ElidedLabel(this)),
      table_(new QTableView(this)) {
    table_->setObjectName(u"Instructions"_qs);
    table_->setAccessibleName(u"Instructions"_qs);
    table_->setModel(&model_);
    makeTableOfRows(*table_);
    table_->setItemDelegate(new HeatDelegate(table_));
    table_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setWordWrap(false);
    title_->setText(u"Select a function in the program"_qs);
    auto* down = new QVBoxLayout(this);
    down->setContentsMargins(0, 0, 0, 0);
    down->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 6, 4);
    top->addWidget(title_);
    down->addLayout(top);
    down->addWidget(table_, 1);
}

QString MachineCodePane::message() const {
    return title_->text();
}

QString MachineCodePane::asCsv() const {
    return tableAsCsv(model_);
}

void showHottest(QTableView& table, const MachineCodeModel& model) {
    table.doItemsLayout();  // else it scrolls as far as the rows of before let it
    if (const int row = model.hottest(); row >= 0)
        table.scrollTo(model.index(row, 0), QAbstractItemView::PositionAtCenter);
}

/// A line that samples found is of the function that it is in.
void MachineCodePane::follow(const Focus& focus) {
    std::optional<CallPathId> path = focus.path;
    if (path && isSampledLine(experiment_, *path)) path = experiment_.callTree.parent(*path);
    wanted_ =
        path ? Function{experiment_.regionOf(*path).name, functionAround(experiment_, *path)} : Function();
    if (!wanted_.name.empty() && wanted_ != shown_ && !isReading_) read();
}

void MachineCodePane::read() {
    if (const QString machine = machineOf(file_); !machine.isEmpty())
        return title_->setText(u"The samples of instructions are on %1"_qs.arg(machine));
    isReading_ = true;
    title_->setText(u"Reading the machine code of %1 …"_qs.arg(QString::fromStdString(wanted_.name)));
    const QString folder = QFileInfo(file_).absolutePath();
    inBackground(
        this,
        [function = wanted_, folder = folder.toStdString()] {
            Read read{.function = function, .functions = {}, .problem = {}};
            try {
                const auto samples = archive::readSampledInstructions(std::filesystem::path(folder) /
                                                                      "traces" / archive::kSamplesOfEvents);
                if (samples.empty())
                    read.problem =
                        u"No samples of instructions lie beside the experiment: holos record --sample takes "
                        u"them, and they are kept with the trace"_qs;
                else
                    read.functions = archive::sampledFunctions(samples, function.name);
                if (!samples.empty() && read.functions.found.empty() && !function.around.empty()) {
                    read.functions = archive::sampledFunctions(samples, function.around);
                    read.isAround = true;
                }
            } catch (const Error& error) {
                read.problem = QString::fromUtf8(error.what());
            }
            return read;
        },
        [this](const Read& read) { show(read); });
}

void MachineCodePane::show(const Read& read) {
    isReading_ = false;
    shown_ = read.function;
    model_.setFunctions(read.functions);
    QStringList text;
    const QString name = QString::fromStdString(read.function.name);
    const QString around = QString::fromStdString(read.function.around);
    if (!read.problem.isEmpty())
        text << read.problem;
    else if (read.functions.found.empty())
        text << u"No sample was taken in the machine code of %1"_qs.arg(around.isEmpty() ? name : around);
    else
        text << titleOf(read.functions, read.isAround ? read.function.around : read.function.name);
    if (read.isAround && !read.functions.found.empty())
        text << u"no sample was taken in the machine code of %1, which it calls"_qs.arg(name);
    if (read.problem.isEmpty() && !part_.isEmpty())
        text << u"of the whole run, not only "_qs + filterText(part_);
    for (const std::string& note : read.functions.notes) text << QString::fromStdString(note);
    title_->setText(text.join(u" · "_qs));
    for (const int column :
         {MachineCodeModel::SamplesColumn, MachineCodeModel::ShareColumn, MachineCodeModel::AddressColumn})
        table_->resizeColumnToContents(column);
    showHottest(*table_, model_);
    if (!wanted_.name.empty() && wanted_ != shown_) this->read();
}

}  // namespace holos::gui
