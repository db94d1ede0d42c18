// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <atomic>
#include <map>
#include <memory>

#include "gui/experiments/loader.h"

namespace holos::gui {

class Browser;
class OpenExperiments;
struct OpenExperiment;
enum class ShownPart : unsigned char;
struct TimelineState;

/// Shows a range of time of an experiment in all of its panes: analyzes that part of the trace in the
/// background, puts the result in the place of the whole run, and brings that back.
class RangeFilter : public QObject {
    Q_OBJECT
  public:
    explicit RangeFilter(OpenExperiments& experiments, QObject* parent = nullptr);
    ~RangeFilter() override;

    bool isBusy() const { return loader_ != nullptr; }

  Q_SIGNALS:
    void failed(const QString& message);

  private:
    void connectTo(const OpenExperiment& one);
    void showRange(const QString& path, const TimelineState& state);
    void showWhole(const QString& path);
    void save(const QString& path);
    void rangeReady(const QString& path, const TimelineState& state, const ExperimentPtr& experiment);
    void putInPlace(const QString& path, const TimelineState& state, const ExperimentPtr& experiment,
                    ShownPart extent);
    const OpenExperiment* find(const QString& path) const;

    OpenExperiments& experiments_;
    std::map<QString, ExperimentPtr> whole_;      ///< by path, of those that show a range
    std::shared_ptr<std::atomic<bool>> stopped_;  ///< with this object
    std::unique_ptr<Loader> loader_;
};

}  // namespace holos::gui
