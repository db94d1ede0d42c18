// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QThreadPool>
#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "analyzer/timeline/time_grid.h"
#include "analyzer/trace/curves.h"
#include "gui/models/timeline/calls_in_part.h"
#include "gui/models/timeline/timeline_lines.h"

namespace holos::gui {

/// Calls `add(part, ticks)` for each of equal parts of a stretch of time in which something lies.
template <class Add>
void spreadOver(trace::Ticks from, trace::Ticks to, std::size_t parts, trace::Ticks begin, trace::Ticks end,
                Add add) {
    begin = std::max(begin, from);
    end = std::min(end, to);
    if (begin >= end || parts == 0) return;
    const double width = static_cast<double>(to - from) / static_cast<double>(parts);
    const double first = static_cast<double>(begin - from), last = static_cast<double>(end - from);
    for (auto part = std::min(parts - 1, static_cast<std::size_t>(first / width)); part < parts; ++part) {
        const double edge = width * static_cast<double>(part);
        if (edge >= last) break;
        if (const double ticks = std::min(last, edge + width) - std::max(first, edge); ticks > 0)
            add(part, ticks);
    }
}

/// When the threads of a trace were in the call paths that are shown, where these are not all, and for what
/// they spent this time. Read once from all events and samples of these threads.
///
/// Thread safety: safe to read.
class TimesInPart {
  public:
    struct Piece {
        trace::Ticks begin = 0;
        trace::Ticks end = 0;
        Activity activity = Activity::Nothing;
    };
    struct Question {
        std::filesystem::path anchor = {};
        DefinitionsPtr definitions = {};
        CallsInPart calls = {};
        ShownLocations shown = {};  ///< empty: all
        /// Of all threads together; beyond this only sums are kept.
        std::size_t mostPieces = 1U << 22U;
    };
    /// Null when `stopped` became true. `progress` is told the part that is done.
    static std::shared_ptr<const TimesInPart> read(const Question& question, const std::atomic<bool>& stopped,
                                                   const std::function<void(double)>& progress = {});

    /// Ticks by activity, also where parts are shorter than a tick.
    using Times = std::array<double, analyzer::timeline::kActivities>;
    /// What these locations spent their time in the part for, together, by equal parts of a stretch of time.
    std::vector<Times> times(const std::vector<LocationRange>& locations, trace::Ticks from, trace::Ticks to,
                             std::size_t parts) const;
    /// Whether it is known exactly when the threads were in the part; else only for how long in parts of the
    /// run.
    bool isExact() const { return isExact_; }
    /// In their order. Empty for threads that are not shown.
    const std::vector<Piece>& pieces(trace::LocationId location) const {
        return locations_[location.index()].pieces;
    }
    /// When a thread was there, in whatever it did; where it is exact.
    trace::Stretches stretches(trace::LocationId location) const;
    /// When a thread was there within a stretch; where it is exact.
    trace::Stretches within(trace::LocationId location, trace::Ticks begin, trace::Ticks end) const;
    /// How much of this stretch a thread was there; where it is exact.
    trace::Ticks overlap(trace::LocationId location, trace::Ticks begin, trace::Ticks end) const;

  private:
    struct Location {
        std::vector<Piece> pieces;
        std::vector<analyzer::timeline::ActivityTimes> sums;  ///< by bin, instead of too many pieces
    };
    class Follower;

    analyzer::timeline::TimeGrid grid_;
    std::vector<Location> locations_;
    bool isExact_ = true;
};
using TimesInPartPtr = std::shared_ptr<const TimesInPart>;

/// Reads them in a thread of its own. Signals come in the owner's thread. Destruction waits for the thread,
/// which stops at its next event.
class TimesInPartReader : public QObject {
    Q_OBJECT
  public:
    /// `archive`: of the question's trace. What the calls in part are of must outlive it.
    TimesInPartReader(QString archive, TimesInPart::Question question, QObject* parent = nullptr);
    ~TimesInPartReader() override;

    void start();
    /// Null before `ready`.
    const TimesInPartPtr& times() const { return times_; }
    bool isBusy() const { return busy_; }

  Q_SIGNALS:
    void progress(double part);
    /// Or why they cannot be read.
    void ready(const QString& problem);

  private:
    QString archive_;
    TimesInPart::Question question_;
    QThreadPool pool_;
    std::atomic<bool> stopped_ = false;
    TimesInPartPtr times_;
    bool busy_ = false;
};

}  // namespace holos::gui
