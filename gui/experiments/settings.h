// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QByteArray>
#include <QStringList>

#include "gui/models/call_model.h"
#include "gui/models/source_lines.h"
#include "gui/models/timeline/timeline.h"
#include "gui/models/view_state.h"

/// What the browser remembers from one start to the next, in the user's settings. Nothing is remembered, or
/// looked up, before the application has an organisation name.
namespace holos::gui {

/// The files opened last, the newest first, without those that are gone.
QStringList recentFiles();
void noteRecent(const QString& path);

/// Where the window was last, and how the panes in it shared their room; empty: not known.
QByteArray windowGeometry();
void saveWindowGeometry(const QByteArray& geometry);
QByteArray browserLayout();
void saveBrowserLayout(const QByteArray& layout);

/// How the file of this path was looked at last; the default when it was not. Of a file that was written anew
/// since, what is expanded is forgotten, and what is selected is looked for by its name.
ViewState stateOfFile(const QString& path);
/// Whether views are remembered, and this file was not looked at before.
bool isFirstLook(const QString& path);
void saveStateOfFile(const QString& path, const ViewState& state);

/// A view of a file that somebody wants to see again.
struct Bookmark {
    QString name;
    ViewState state;
};
std::vector<Bookmark> bookmarksOfFile(const QString& path);
void saveBookmarksOfFile(const QString& path, const std::vector<Bookmark>& bookmarks);

/// Notes at call paths of a file; they stay when it is analyzed anew.
PathNotes pathNotesOfFile(const QString& path);
void savePathNotesOfFile(const QString& path, const PathNotes& notes);

/// Notes in the timeline of a file; they stay when it is analyzed anew.
TimelineNotes notesOfFile(const QString& path);
void saveNotesOfFile(const QString& path, const TimelineNotes& notes);

/// Where sources are that were moved, the newest last.
std::vector<SourceMapping> sourceMappings();
void saveSourceMappings(const std::vector<SourceMapping>& mappings);

}  // namespace holos::gui
