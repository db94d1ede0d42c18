// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/settings.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QFileInfo>
#include <QSettings>

#include "metric-specs/error.h"

namespace holos::gui {

namespace {

constexpr int kMostRecent = 10;
constexpr std::size_t kMostMappings = 20;
constexpr const char* kStates = "states";
constexpr const char* kBookmarks = "bookmarks";

bool remembers() {
    return !QCoreApplication::organizationName().isEmpty();
}

/// Another file, or other contents, under the same name is looked at anew.
QString keyOf(const char* folder, const QString& path) {
    const QFileInfo file(path);
    const QString identity = u"%1 %2 %3"_qs.arg(file.absoluteFilePath())
                                 .arg(file.size())
                                 .arg(file.lastModified().toMSecsSinceEpoch());
    const QByteArray digest = QCryptographicHash::hash(identity.toUtf8(), QCryptographicHash::Sha1);
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

ViewState stateOfFile(const QString& path) {
    if (!remembers() || !QFileInfo::exists(path)) return {};
    try {
        return viewStateFrom(QSettings().value(keyOf(kStates, path)).toString());
    } catch (const Error&) {
        return {};  // written by another version
    }
}

void saveStateOfFile(const QString& path, const ViewState& state) {
    if (remembers() && QFileInfo::exists(path)) QSettings().setValue(keyOf(kStates, path), toText(state));
}

std::vector<Bookmark> bookmarksOfFile(const QString& path) {
    std::vector<Bookmark> bookmarks;
    if (!remembers() || !QFileInfo::exists(path)) return bookmarks;
    const QStringList words = QSettings().value(keyOf(kBookmarks, path)).toStringList();
    for (qsizetype at = 0; at + 1 < words.size(); at += 2) {
        try {
            bookmarks.push_back({words[at], viewStateFrom(words[at + 1])});
        } catch (const Error&) {
            continue;  // written by another version
        }
    }
    return bookmarks;
}

void saveBookmarksOfFile(const QString& path, const std::vector<Bookmark>& bookmarks) {
    if (!remembers() || !QFileInfo::exists(path)) return;
    QStringList words;
    for (const Bookmark& bookmark : bookmarks) words << bookmark.name << toText(bookmark.state);
    QSettings().setValue(keyOf(kBookmarks, path), words);
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
