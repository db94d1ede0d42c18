// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QLineEdit>
#include <memory>

#include "gui/models/timeline/timeline_search.h"

namespace holos::gui {

class TimelineTrack;

/// Finds calls and messages in a timeline: Enter goes to the next one, behind the last or from the start of
/// what is in sight on.
class TimelineFindBox : public QLineEdit {
    Q_OBJECT
  public:
    /// The track must outlive the box.
    explicit TimelineFindBox(TimelineTrack& track, QWidget* parent = nullptr);
    ~TimelineFindBox() override;

    bool isBusy() const { return busy_; }

    /// The next call of a region of this name, whatever stood in the box.
    void findNextOf(const QString& region, double leastSeconds = 0.0);

  Q_SIGNALS:
    void told(const QString& message);

  private:
    void findNext();
    void show(const std::optional<TimelineFind>& found, const TimelineQuery& query);

    TimelineTrack& track_;
    std::optional<TimelineFind> last_;
    TimelineQuery lastQuery_;
    trace::Ticks lastWindow_ = -1;  ///< where it began then
    bool busy_ = false;
    std::shared_ptr<std::atomic<bool>> stopped_;
};

}  // namespace holos::gui
