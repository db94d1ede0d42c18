// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <cstddef>
#include <optional>
#include <vector>

#include "gui/models/timeline/timeline.h"

namespace holos::gui {

class TimelineTrack;

/// The notes of a run in its timeline: shown at their places, and written, changed and removed there.
class TimelineNotebook : public QObject {
    Q_OBJECT
  public:
    /// The track must outlive the notebook.
    explicit TimelineNotebook(TimelineTrack& track, QObject* parent = nullptr);

    void setNotes(TimelineNotes notes);
    const TimelineNotes& notes() const { return notes_; }
    /// Has it in sight, as soon as the archive is open.
    void showNote(const TimelineNote& note);
    /// The archive is open: notes have places in it.
    void traceOpened();

  Q_SIGNALS:
    /// Somebody wrote, changed or removed one.
    void changed(const TimelineNotes& notes);
    /// Why a note cannot be shown.
    void told(const QString& message);

  private:
    void write(const QString& location, double seconds);
    void change(std::size_t at);
    void remove(std::size_t at);
    void setChanged(TimelineNotes notes);
    void place();

    TimelineTrack& track_;
    TimelineNotes notes_;
    std::vector<std::size_t> placed_;  ///< notes that this trace has a place for
    std::optional<TimelineNote> wanted_;
};

}  // namespace holos::gui
