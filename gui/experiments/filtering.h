// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <atomic>
#include <functional>
#include <map>
#include <memory>

#include "gui/experiments/loader.h"
#include "gui/models/filter.h"

namespace holos::gui {

class OpenExperiments;
struct OpenExperiment;

/// Shows a part of an experiment in all of its views: makes the values of a range of time from the trace in
/// the background, takes threads and call paths out of them, puts the result in the place of the whole run,
/// and brings that back.
class Filtering : public QObject {
    Q_OBJECT
  public:
    using Then = std::function<void()>;

    explicit Filtering(OpenExperiments& experiments, QObject* parent = nullptr);
    ~Filtering() override;

    bool isBusy() const { return loader_ != nullptr; }
    /// Shows this part of the experiment of this path, which is open. `then` follows, also where that is not
    /// possible, which `failed` tells before.
    void want(const QString& path, const Filter& filter, const Then& then = {});

    /// Behind what is shown of this path stands another whole run from now on. Views show the same part of it
    /// as before; a range of time stays what it is, because its trace does.
    void renewWhole(const QString& path, const ExperimentPtr& experiment);

  Q_SIGNALS:
    void failed(const QString& message);

  private:
    void connectTo(const OpenExperiment& one);
    struct ValuesOfRange {
        PartOfTime range;
        ExperimentPtr experiment;
    };
    ExperimentPtr wholeOf(const OpenExperiment& one) const;
    void make(const OpenExperiment& one, const Filter& filter, const QString& archive, const Then& then);
    void tellProgress(const QString& path, const Filter& filter, double done);
    void made(const QString& path, const Filter& filter, const ExperimentPtr& experiment);
    void notMade(const QString& path, const QString& message);
    void showPartOf(const ExperimentPtr& base, const QString& path, const Filter& filter);
    void putInPlace(const QString& path, const Filter& filter, const ExperimentPtr& experiment);
    void save(const QString& path);
    const OpenExperiment* find(const QString& path) const;

    OpenExperiments& experiments_;
    std::map<QString, ExperimentPtr> whole_;      ///< by path, of those that show a part
    std::map<QString, ValuesOfRange> ranges_;     ///< by path: what was made last
    std::shared_ptr<std::atomic<bool>> stopped_;  ///< with this object
    std::unique_ptr<Loader> loader_;
};

}  // namespace holos::gui
