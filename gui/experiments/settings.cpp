// SPDX-License-Identifier: BSD-3-Clause
#include "gui/experiments/settings.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QFileInfo>
#include <QSettings>
#include <optional>

#include "base/error.h"

namespace holos::gui {

namespace {

constexpr int kMostRecent = 10;
constexpr std::size_t kMostMappings = 20;
constexpr const char* kStates = "states";
constexpr const char* kBookmarks = "bookmarks";
constexpr const char* kNotes = "notes";
constexpr const char* kPathNotes = "pathNotes";

bool remembers() {
    return !QCoreApplication::organizationName().isEmpty();
}

/// Other contents under the same name, as the analysis of the next run, change it.
QString contentsOf(const QString& path) {
    const QFileInfo file(path);
    return u"%1 %2"_qs.arg(file.size()).arg(file.lastModified().toMSecsSinceEpoch());
}

/// Other contents have the same names, but not the same numbers. Nothing where another version wrote the
/// view.
std::optional<ViewState> rememberedView(const QString& text, bool ofSameContents) {
    try {
        ViewState state = viewStateFrom(text);
        if (!ofSameContents)
            for (auto* open : {&state.openMetrics, &state.openCalls, &state.openSystem}) open->clear();
        if (!ofSameContents) state.filter = {};  // a time of another run
        return state;
    } catch (const Error&) {
        return std::nullopt;
    }
}

QString keyOf(const char* folder, const QString& path) {
    const QByteArray name = QFileInfo(path).absoluteFilePath().toUtf8();
    const QByteArray digest = QCryptographicHash::hash(name, QCryptographicHash::Sha1);
    return QLatin1String(folder) + u'/' + QString::fromLatin1(digest.toHex());
}

}  // namespace

QStringList recentFiles() {
    QStringList found;
    if (!remembers()) return found;
    for (const QString& file : QSettings().value(u"recent"_qs).toStringList())
        if (QFileInfo::exists(file)) found << file;
    return found;
}

void noteRecent(const QString& path) {
    if (!remembers() || !QFileInfo::exists(path)) return;
    const QString file = QFileInfo(path).absoluteFilePath();
    QStringList recent = recentFiles();
    recent.removeAll(file);
    recent.prepend(file);
    QSettings().setValue(u"recent"_qs, recent.mid(0, kMostRecent));
}

QByteArray windowGeometry() {
    return remembers() ? QSettings().value(u"window"_qs).toByteArray() : QByteArray();
}

void saveWindowGeometry(const QByteArray& geometry) {
    if (remembers()) QSettings().setValue(u"window"_qs, geometry);
}

QByteArray browserLayout() {
    return remembers() ? QSettings().value(u"layout"_qs).toByteArray() : QByteArray();
}

void saveBrowserLayout(const QByteArray& layout) {
    if (remembers()) QSettings().setValue(u"layout"_qs, layout);
}

ViewState stateOfFile(const QString& path) {
    if (!remembers() || !QFileInfo::exists(path)) return {};
    const QStringList words = QSettings().value(keyOf(kStates, path)).toStringList();
    if (words.size() != 2) return {};
    return rememberedView(words[1], words[0] == contentsOf(path)).value_or(ViewState());
}

bool isFirstLook(const QString& path) {
    return remembers() && QFileInfo::exists(path) && stateOfFile(path) == ViewState();
}

void saveStateOfFile(const QString& path, const ViewState& state) {
    if (!remembers() || !QFileInfo::exists(path)) return;
    QSettings().setValue(keyOf(kStates, path), QStringList{contentsOf(path), toText(state)});
}

std::vector<Bookmark> bookmarksOfFile(const QString& path) {
    std::vector<Bookmark> bookmarks;
    if (!remembers() || !QFileInfo::exists(path)) return bookmarks;
    const QStringList words = QSettings().value(keyOf(kBookmarks, path)).toStringList();
    const bool isSame = words.value(0) == contentsOf(path);
    for (qsizetype at = 1; at + 1 < words.size(); at += 2)
        if (auto view = rememberedView(words[at + 1], isSame)) bookmarks.push_back({words[at], *view});
    return bookmarks;
}

void saveBookmarksOfFile(const QString& path, const std::vector<Bookmark>& bookmarks) {
    if (!remembers() || !QFileInfo::exists(path)) return;
    QStringList words{contentsOf(path)};
    for (const Bookmark& bookmark : bookmarks) words << bookmark.name << toText(bookmark.state);
    QSettings().setValue(keyOf(kBookmarks, path), words);
}

namespace {

/// No words: what was there is forgotten.
void saveWords(const QString& key, const QStringList& words) {
    if (words.isEmpty())
        QSettings().remove(key);
    else
        QSettings().setValue(key, words);
}

}  // namespace

PathNotes pathNotesOfFile(const QString& path) {
    PathNotes notes;
    if (!remembers()) return notes;
    const QStringList words = QSettings().value(keyOf(kPathNotes, path)).toStringList();
    for (qsizetype at = 0; at + 1 < words.size(); at += 2) notes[words[at]] = words[at + 1];
    return notes;
}

void savePathNotesOfFile(const QString& path, const PathNotes& notes) {
    if (!remembers()) return;
    QStringList words;
    for (const auto& [key, text] : notes) words << key << text;
    saveWords(keyOf(kPathNotes, path), words);
}

TimelineNotes notesOfFile(const QString& path) {
    TimelineNotes notes;
    if (!remembers()) return notes;
    const QStringList words = QSettings().value(keyOf(kNotes, path)).toStringList();
    for (qsizetype at = 0; at + 2 < words.size(); at += 3)
        notes.push_back({words[at], words[at + 1].toDouble(), words[at + 2]});
    return notes;
}

void saveNotesOfFile(const QString& path, const TimelineNotes& notes) {
    if (!remembers()) return;
    QStringList words;
    for (const TimelineNote& note : notes)
        words << note.location << QString::number(note.seconds, 'g', 17) << note.text;
    saveWords(keyOf(kNotes, path), words);
}

std::vector<SourceMapping> sourceMappings() {
    std::vector<SourceMapping> mappings;
    if (!remembers()) return mappings;
    const QStringList words = QSettings().value(u"sources"_qs).toStringList();
    for (qsizetype at = 0; at + 1 < words.size(); at += 2) mappings.push_back({words[at], words[at + 1]});
    return mappings;
}

void saveSourceMappings(const std::vector<SourceMapping>& mappings) {
    if (!remembers()) return;
    QStringList words;
    const std::size_t first = mappings.size() > kMostMappings ? mappings.size() - kMostMappings : 0;
    for (std::size_t at = first; at < mappings.size(); ++at) words << mappings[at].from << mappings[at].to;
    QSettings().setValue(u"sources"_qs, words);
}

}  // namespace holos::gui
