// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/palette_model.h"

#include <QStringList>
#include <algorithm>
#include <array>
#include <optional>

namespace holos::gui {

namespace {

enum Quality { BeginsWith, HasWord, Contains, kQualities };

bool beginsWord(const QString& name, qsizetype at) {
    return at == 0 || !name[at - 1].isLetterOrNumber();
}

/// How well a name matches all of the words; nothing: it does not.
std::optional<Quality> qualityOf(const QString& name, const QStringList& words) {
    Quality worst = BeginsWith;
    for (const QString& word : words) {
        const qsizetype at = name.indexOf(word, 0, Qt::CaseInsensitive);
        if (at < 0) return std::nullopt;
        const bool isFirst = &word == &words.front();
        const Quality here = at == 0 && isFirst ? BeginsWith : beginsWord(name, at) ? HasWord : Contains;
        // Later words need not begin the name.
        worst = std::max(worst, isFirst || here == Contains ? here : worst);
    }
    return worst;
}

}  // namespace

QString PaletteEntry::where() const {
    const auto up = rows == nullptr ? std::nullopt : rows->parentOf(node());
    return up ? rows->pathOf(*up) : help;
}

void PaletteModel::setEntries(std::vector<PaletteEntry> entries) {
    entries_ = std::move(entries);
    std::ranges::stable_sort(entries_, {}, &PaletteEntry::kind);
    setQuery({});
}

void PaletteModel::setQuery(const QString& query) {
    const QStringList words = query.split(u' ', Qt::SkipEmptyParts);
    std::array<std::vector<std::size_t>, kQualities> found;
    matches_ = 0;
    for (std::size_t at = 0; at < entries_.size(); ++at) {
        const auto quality = qualityOf(entries_[at].name, words);
        if (!quality) continue;
        ++matches_;
        if (found[*quality].size() < kMostListed) found[*quality].push_back(at);
    }
    beginResetModel();
    listed_.clear();
    for (const auto& some : found) listed_.insert(listed_.end(), some.begin(), some.end());
    if (listed_.size() > kMostListed) listed_.resize(kMostListed);
    endResetModel();
}

const PaletteEntry& PaletteModel::entry(const QModelIndex& index) const {
    return entries_[listed_[static_cast<std::size_t>(index.row())]];
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(listed_.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const PaletteEntry& here = entry(index);
    switch (role) {
        case Qt::DisplayRole:
            return here.name;
        case Qt::ToolTipRole:
        case WhereRole:
            return here.where();
        case KindRole:
            return nameOf(here.kind);
        case Qt::AccessibleTextRole:
            return here.name + u", "_qs + nameOf(here.kind) + u", "_qs + here.where();
        default:
            return {};
    }
}

QString PaletteModel::nameOf(PaletteEntry::Kind kind) {
    static constexpr std::array kNames{"command", "metric", "call path", "system", "bookmark"};
    return QString::fromLatin1(kNames[static_cast<std::size_t>(kind)]);
}

}  // namespace holos::gui
