// SPDX-License-Identifier: BSD-3-Clause
// What a pane does while something is searched for.
#include <QLineEdit>
#include <algorithm>
#include <utility>

#include "gui/views/parts/elided_label.h"
#include "gui/views/trees/tree_pane.h"

namespace holos::gui {

namespace {
constexpr std::size_t kMostOpened = 200;  ///< matches
}

void TreePane::search(const QString& text) {
    if (model_ == nullptr) return;
    matches_ = model_->find(text);
    match_ = 0;
    hiding_.setFound(Chosen<int>::orAll(matches_), *model_);
    if (text.isEmpty())
        closeAfterSearch();
    else
        openToMatches();
    showSubject();
    valuesChanged();
}

/// Of very many matches nobody looks at all, and Enter opens the tree to each.
void TreePane::openToMatches() {
    if (!openBefore_) openBefore_ = model_->rows().expanded();
    if (matches_.size() > kMostOpened) return;
    std::vector<int> above;
    for (const int node : matches_)
        for (auto up = model_->rows().parentOf(node); up; up = model_->rows().parentOf(*up))
            if (!model_->rows().isExpanded(*up)) above.push_back(*up);
    std::ranges::sort(above);
    above.erase(std::unique(above.begin(), above.end()), above.end());
    expandTogether(above);
}

/// What was found and selected stays in sight.
void TreePane::closeAfterSearch() {
    if (!openBefore_) return;
    std::vector<int> open = *std::exchange(openBefore_, std::nullopt);
    for (const QModelIndex& row : chosen())
        for (auto up = model_->rows().parentOf(model_->nodeOf(row)); up; up = model_->rows().parentOf(*up))
            open.push_back(*up);
    std::ranges::sort(open);
    open.erase(std::unique(open.begin(), open.end()), open.end());
    if (open == model_->rows().expanded()) return;
    setExpanded(open);
    Q_EMIT choiceChanged();
}

bool TreePane::nextMatch() {
    const bool isThere = match_ < matches_.size();
    if (isThere) reveal(model_->indexOf(matches_[match_]));
    match_ = isThere ? match_ + 1 : 0;
    showSubject();
    return isThere;
}

void TreePane::previousMatch() {
    if (matches_.empty()) return;
    match_ = match_ <= 1 ? matches_.size() : match_ - 1;
    reveal(model_->indexOf(matches_[match_ - 1]));
    showSubject();
}

void TreePane::reroot() {
    if (model_ == nullptr || !current().isValid()) return;
    const int node = model_->nodeOf(current());
    const bool back = model_->rows().isRerooted();
    model_->reroot(back ? std::nullopt : std::optional(node));
    matches_.clear();
    match_ = 0;
    openBefore_.reset();
    hiding_.forget();
    if (!search_->text().isEmpty()) search(search_->text());
    reveal(model_->indexOf(node));
}

/// While something is searched for, which of the matches one is at.
void TreePane::showSubject() {
    if (search_->text().isEmpty() || model_ == nullptr) return subject_->setText(of_);
    if (matches_.empty()) return subject_->setText(u"no match"_qs);
    subject_->setText(match_ == 0 ? u"%1 found"_qs.arg(matches_.size())
                                  : u"%1 of %2"_qs.arg(match_).arg(matches_.size()));
}

}  // namespace holos::gui
