// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <functional>

#include "gui/models/value_cache.h"

class QMenu;

namespace holos::gui {

class FileOpening;
class OpenExperiments;

/// What the algebra makes of the active experiment and another one: a menu of the open ones for each
/// operator.
class CombiningMenus : public QObject {
  public:
    /// Belongs to the menu.
    CombiningMenus(QMenu* menu, OpenExperiments& experiments, FileOpening& opening);

  private:
    struct Operand {
        QString name;
        const algebra::Experiment& experiment;
    };
    using Operator = std::function<algebra::Experiment(const Operand& mine, const Operand& other)>;
    static algebra::Experiment difference(const Operand& mine, const Operand& other);

    void add(QMenu* menu, const QString& title, const QString& help, const Operator& combine);
    void list(QMenu* others, const Operator& combine);
    void combineWithFile(const QString& title, const Operator& combine);
    void combine(const QString& title, const QString& other, const Operator& combine,
                 const std::function<ExperimentPtr()>& loadOther);

    OpenExperiments& experiments_;
    FileOpening& opening_;
};

}  // namespace holos::gui
