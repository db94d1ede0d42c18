// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "algebra/model/wait_files.h"
#include "gui/models/filter.h"
#include "gui/models/timeline/timeline.h"
#include "gui/models/timeline/timeline_lines.h"
#include "gui/models/timeline/timeline_names.h"
#include "gui/models/timeline/timeline_picture.h"
#include "gui/views/parts/detail_view.h"
#include "gui/views/timeline/timeline_state.h"

class QBoxLayout;
class QComboBox;
class QPushButton;

namespace holos::gui {

class ElidedLabel;
class TimelineChoices;
class TimelineComparison;
class TimelineFindBox;
class TimelineLegend;
class TimelineNotebook;
class TimelineRangeBar;
class TimelineTrack;
class TimelineTracks;
class TimelineView;
class TimelineWaits;
struct TimelineWait;

/// Something that happens at a location of a trace.
struct TimelineMoment {
    std::size_t location = 0;
    PartOfTime time;
};

/// The trace around a severe wait, beside the list of the longest waits. Archives are opened when the pane is
/// first seen, and read in the background.
class TimelinePane : public DetailView {
    Q_OBJECT
  public:
    /// The experiment must outlive the pane.
    explicit TimelinePane(const algebra::Experiment& experiment, QWidget* parent = nullptr);
    ~TimelinePane() override;

    /// The experiment's file, beside which its trace may be.
    void setFile(const QString& file) { file_ = file; }
    /// The part of the run that the experiment is of.
    void setPart(const Filter& part) { part_ = part; }
    void follow(const Focus& focus) override;
    bool isBusy() const override;
    /// The longest waits.
    QString asCsv() const override;

    TimelineView* view() const;
    TimelineTrack* track() const { return track_; }
    /// The run below, and iterations.
    TimelineComparison* comparison() const { return comparison_; }
    /// Notes at moments of this run.
    TimelineNotebook* notebook() const { return notebook_; }
    TimelineTrack* otherTrack() const;
    TimelineWaits* instances() const { return waits_; }
    QString message() const;
    /// Shows this archive.
    void openTrace(const QString& archive);

    TimelineState state() const;
    /// Shows a part of an archive, as soon as it is open.
    void show(const TimelineState& state);
    using DetailView::show;
    /// What of the run is in sight, where that is a part of it.
    std::optional<PartOfTime> window() const;
    /// Has this in sight, as soon as the archive is open.
    void showWindow(const PartOfTime& window);
    /// Has this in sight and marked, as soon as the archive is open.
    void showMoment(const TimelineMoment& moment);
    /// Selects this range, and has it in sight, as soon as the archive is open.
    void selectRange(const PartOfTime& range);
    /// How it looks, apart from that, for links (`lookOf`).
    QString look() const;
    void setLook(const QString& look);
    /// Which range is selected or shown.
    TimelineRangeBar* rangeBar() const { return rangeBar_; }
    TimelineLegend* legend() const { return legend_; }

    /// Of both runs.
    void setGrouping(TimelineGrouping grouping);
    void setColors(TimelineColors colors, const std::string& metric = {});
    /// What is drawn over the lines. Where it is not known yet, the trace is analyzed.
    void setMarks(TimelineMarks marks);
    const TimelineMarks& marks() const;
    void toggleMarks(TimelineMark mark);

  Q_SIGNALS:
    /// All panes are to show the range that is selected.
    void onlyRangeWanted();
    void wholeRunWanted();
    void savingWanted();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    void findTraces();
    void tell(const QString& message);
    void tellFound(const QString& found);
    void traceOpened();
    void connectCalls();
    void applyLook(const TimelineState& state);
    void showLengths(trace::RegionId region);
    void stackRead(trace::LocationId location, trace::Ticks time, const std::vector<trace::StackBar>& stack);
    void showPartIn(TimelineTrack& track) const;
    void offerMetrics();
    trace::Ticks ticks(double seconds) const;
    void showWaits();
    void waitChosen(const algebra::WaitInstance& instance, bool follows);
    void jumpTo(const algebra::WaitInstance& instance);
    void jumpTo(const TimelineWait& wait);
    void askForTrace();
    void placeTitle();

    const algebra::Experiment& experiment_;
    TimelineNames names_;
    QString file_;
    Filter part_;
    bool searched_ = false;
    std::optional<Focus> focus_;
    std::vector<algebra::CallPathId> clicked_;  ///< by a click in the timeline, which moves nothing
    std::optional<trace::LocationId> selected_;
    TimelineWaits* waits_;
    TimelineTracks* tracks_;
    TimelineTrack* track_;  ///< the first of them
    TimelineRangeBar* rangeBar_;
    std::optional<TimelineState> wanted_;  ///< what is shown when the archive is open
    std::optional<PartOfTime> wantedWindow_;
    std::optional<TimelineMoment> wantedMoment_;
    std::optional<PartOfTime> wantedRange_;
    QString wantedLook_;
    QComboBox* archives_;
    TimelineChoices* choices_;
    ElidedLabel* title_;
    QBoxLayout* footer_;
    QPushButton* choose_;
    TimelineLegend* legend_;
    TimelineFindBox* find_;
    QString found_;  ///< what it says
    TimelineComparison* comparison_;
    TimelineNotebook* notebook_;
};

}  // namespace holos::gui
