// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "gui/models/code/machine_code_model.h"
#include "gui/views/parts/detail_view.h"

class QTableView;

namespace holos::gui {

class ElidedLabel;

/// The nearest caller with code in the program, of a call of MPI or a construct of OpenMP, which samples find
/// in the function around it; empty: the call path is of a function itself.
std::string functionAround(const algebra::Experiment& experiment, algebra::CallPathId path);

/// Scrolls to the instruction with the most samples, also if the table has just got other rows.
void showHottest(QTableView& table, const MachineCodeModel& model);

/// The machine code of the function that is selected in the program, with the samples that were taken at its
/// instructions and source lines. It is read in the background.
class MachineCodePane : public DetailView {
    Q_OBJECT
  public:
    /// The experiment must outlive the pane.
    explicit MachineCodePane(const algebra::Experiment& experiment, QWidget* parent = nullptr);

    /// The experiment's file, beside which its trace may be.
    void setFile(const QString& file) { file_ = file; }
    /// The part of the run that the other views show; samples of instructions are known of whole runs only.
    void setPart(const Filter& part) { part_ = part; }
    void follow(const Focus& focus) override;
    bool isBusy() const override { return isReading_; }
    QString asCsv() const override;

    QTableView* table() const { return table_; }
    QString message() const;

  private:
    struct Function {
        std::string name;    ///< empty: none
        std::string around;  ///< `functionAround`; empty: it is one itself
        bool operator==(const Function&) const = default;
    };
    struct Read;
    void read();
    void show(const Read& read);

    const algebra::Experiment& experiment_;
    QString file_;
    Filter part_;
    MachineCodeModel model_;
    ElidedLabel* title_;
    QTableView* table_;
    Function wanted_;
    Function shown_;
    bool isReading_ = false;
};

}  // namespace holos::gui
