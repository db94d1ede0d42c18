// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_notebook.h"

#include <algorithm>
#include <utility>

#include "gui/models/timeline/timeline.h"
#include "gui/views/parts/note_dialog.h"
#include "gui/views/timeline/timeline_tracks.h"
#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {

TimelineNotebook::TimelineNotebook(TimelineTrack& track, QObject* parent) : QObject(parent), track_(track) {
    const TimelineView* view = track_.view();
    const auto numberOf = [this](int placed) { return placed_[static_cast<std::size_t>(placed)]; };
    connect(view, &TimelineView::noteWanted, this, [this](trace::LocationId location, trace::Ticks time) {
        const trace::Definitions& definitions = *track_.definitions();
        write(traceLocationName(definitions, location), definitions.seconds(time));
    });
    connect(view, &TimelineView::noteChangeWanted, this,
            [this, numberOf](int placed) { change(numberOf(placed)); });
    connect(view, &TimelineView::noteRemovalWanted, this,
            [this, numberOf](int placed) { remove(numberOf(placed)); });
}

void TimelineNotebook::write(const QString& location, double seconds) {
    const auto text = askForNote(&track_, {});
    if (!text || text->isEmpty()) return;
    TimelineNotes notes = notes_;
    notes.push_back({location, seconds, *text});
    setChanged(std::move(notes));
}

void TimelineNotebook::change(std::size_t at) {
    const auto text = askForNote(&track_, notes_[at].text);
    if (!text) return;
    if (text->isEmpty()) return remove(at);
    TimelineNotes notes = notes_;
    notes[at].text = *text;
    setChanged(std::move(notes));
}

void TimelineNotebook::remove(std::size_t at) {
    TimelineNotes notes = notes_;
    notes.erase(notes.begin() + static_cast<std::ptrdiff_t>(at));
    setChanged(std::move(notes));
}

void TimelineNotebook::setChanged(TimelineNotes notes) {
    setNotes(std::move(notes));
    Q_EMIT changed(notes_);
}

void TimelineNotebook::setNotes(TimelineNotes notes) {
    notes_ = std::move(notes);
    place();
}

void TimelineNotebook::traceOpened() {
    place();
    if (const auto note = std::exchange(wanted_, std::nullopt)) showNote(*note);
}

void TimelineNotebook::place() {
    const DefinitionsPtr definitions = track_.definitions();
    if (!definitions) return;
    std::vector<PlacedNote> placed;
    placed_.clear();
    for (std::size_t at = 0; at < notes_.size(); ++at)
        if (const auto location = traceLocationNamed(*definitions, notes_[at].location)) {
            placed.push_back({*location, nearestTick(*definitions, notes_[at].seconds), notes_[at].text});
            placed_.push_back(at);
        }
    track_.view()->setNotes(std::move(placed));
}

/// A tenth of the run around it, or what is in sight, if that is less.
void TimelineNotebook::showNote(const TimelineNote& note) {
    const DefinitionsPtr definitions = track_.definitions();
    if (!definitions) {
        wanted_ = note;
        return;
    }
    const auto location = traceLocationNamed(*definitions, note.location);
    if (!location) return Q_EMIT told(u"This trace has no %1."_qs.arg(note.location));
    TimelineView* view = track_.view();
    const auto length = static_cast<double>(definitions->clock.length);
    const double half = std::min(length / 20.0, static_cast<double>(view->to() - view->from()) / 2.0);
    const auto middle = static_cast<double>(nearestTick(*definitions, note.seconds));
    view->changeWindow(std::max(0.0, middle - half), std::min(length, middle + half));
    view->reveal(*location);
}

}  // namespace holos::gui
