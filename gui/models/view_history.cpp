// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/view_history.h"

namespace holos::gui {

namespace {
constexpr std::size_t kRememberedSteps = 200;
}

void ViewHistory::add(ViewState now) {
    if (at_ < steps_.size() && steps_[at_] == now) return;
    if (!steps_.empty()) steps_.resize(at_ + 1);
    if (steps_.size() >= kRememberedSteps) steps_.erase(steps_.begin());
    steps_.push_back(std::move(now));
    at_ = steps_.size() - 1;
}

const ViewState* ViewHistory::back() {
    return at_ == 0 ? nullptr : &steps_[--at_];
}

const ViewState* ViewHistory::forward() {
    return at_ + 1 >= steps_.size() ? nullptr : &steps_[++at_];
}

void ViewHistory::changeAll(const std::function<void(ViewState&)>& change) {
    for (ViewState& step : steps_) change(step);
}

}  // namespace holos::gui
