// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QStringList>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "gui/models/counterpart.h"
#include "report/query/iterations.h"

namespace holos::gui {

/// An experiment that is open, and its file, beside which its trace may be; or, without an experiment, a
/// trace.
struct OpenRun {
    QString name;  ///< as the window calls it
    QString path;
    ExperimentPtr experiment;
};

/// What is read of iterations.
enum class IterationDetail : unsigned char {
    Lengths,  ///< when they begin, and how long they are
    Reasons,  ///< where they spend their time, too, which takes longer
};

/// What was found out about the iterations of a run.
struct KnownIterations {
    std::uint64_t trace = 0;  ///< `query::traceMark` of the trace as it was read
    query::IterationTimes times{};
    QString problem{};     ///< why there are none
    QStringList damage{};  ///< what of the trace could not be read
};

/// Reads the iterations of runs in another thread, one run after the other, and keeps them for all views that
/// want them. A trace is read again only when its files have changed.
class IterationReader : public QObject {
    Q_OBJECT
  public:
    using Known = std::shared_ptr<const KnownIterations>;

    explicit IterationReader(IterationDetail detail = IterationDetail::Reasons);
    ~IterationReader() override;

    /// `read` follows, also where nothing has changed.
    void want(const OpenRun& run);
    /// Of the run of this path; null: they were not read, or reading was stopped.
    Known find(const QString& path) const;
    bool isReading(const QString& path) const;
    /// Nothing that is wanted now is read. `read` follows.
    void stop();

  Q_SIGNALS:
    /// How much of its trace was read, from 0 to 1.
    void progressed(const QString& path, double part);
    void read(const QString& path);

  private:
    struct Reading;
    void next();
    void take(const QString& path, const Known& known);

    IterationDetail detail_;
    std::map<QString, Known> known_;
    std::deque<OpenRun> wanted_;  ///< the first one is being read
    std::shared_ptr<Reading> reading_;
    bool isStopping_ = false;  ///< what is being read is not wanted any more
};

/// The iteration that a time lies in.
struct FoundIteration {
    std::size_t number = 0;  ///< from 1
    double from = 0.0;
    double to = 0.0;
};
std::optional<FoundIteration> iterationAt(double time, const query::IterationTimes& iterations);

/// By how much the second run has to be looked at later, so that the iteration in which the first one is at
/// `time` begins at the same place; nothing where one of them has no such iteration.
struct AlignedIteration {
    std::size_t number = 0;  ///< from 1
    double shift = 0.0;      ///< seconds
};
std::optional<AlignedIteration> alignedAt(double time, const std::vector<double>& first,
                                          const std::vector<double>& second);

}  // namespace holos::gui
