// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/instrumentation/control_flow.h"

namespace holos::instrumentation {

ControlFlow::Block ControlFlow::newBlock() {
    next_.emplace_back();
    return static_cast<Block>(next_.size() - 1);
}

ControlFlow::Block ControlFlow::blockOf(std::string_view label) {
    const auto [found, isNew] = labels_.try_emplace(std::string(label), 0);
    if (isNew) found->second = newBlock();
    return found->second;
}

void ControlFlow::beginPart() {
    here_ = newBlock();
    isReached_ = true;
}

void ControlFlow::label(std::string_view name) {
    const Block block = blockOf(name);
    if (isReached_) next_[here_].push_back(block);
    here_ = block;
    isReached_ = true;
}

void ControlFlow::jump(std::string_view label) {
    const Block target = blockOf(label);
    if (isReached_) next_[here_].push_back(target);
}

bool ControlFlow::hasLoops() const {
    if (mayRepeat_) return true;
    enum class State : std::uint8_t { New, Open, Done };
    struct Step {
        Block block;
        std::size_t taken;
    };
    std::vector<State> states(next_.size(), State::New);
    for (Block begin = 0; begin < next_.size(); ++begin) {
        if (states[begin] != State::New) continue;
        std::vector<Step> path{{begin, 0}};
        states[begin] = State::Open;
        while (!path.empty()) {
            Step& step = path.back();
            if (step.taken == next_[step.block].size()) {
                states[step.block] = State::Done;
                path.pop_back();
                continue;
            }
            const Block target = next_[step.block][step.taken++];
            if (states[target] == State::Open) return true;
            if (states[target] == State::Done) continue;
            states[target] = State::Open;
            path.push_back({target, 0});
        }
    }
    return false;
}

}  // namespace holos::instrumentation
