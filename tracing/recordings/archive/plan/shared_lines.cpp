// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/plan/shared_lines.h"

#include <algorithm>

namespace holos::archive {

void SharedLines::Users::add(std::uint32_t thread, bool isStore) {
    areSeveral |= first != kNobody && first != thread;
    if (first == kNobody) first = thread;
    isWritten |= isStore;
}

void SharedLines::add(std::uint32_t thread, std::uint64_t address, std::uint32_t block, bool isStore) {
    Line& line = lines_[{address / kLineBytes, block}];
    line.all.add(thread, isStore);
    line.words[address % kLineBytes / kWordBytes].add(thread, isStore);
}

SharedLines::Use SharedLines::of(std::uint64_t address, std::uint32_t block) const {
    const auto found = lines_.find({address / kLineBytes, block});
    if (found == lines_.end() || !found->second.all.share()) return Use::Own;
    const auto& words = found->second.words;
    const bool isTrue = std::ranges::any_of(words, &Users::share);
    return isTrue ? Use::Shared : Use::Falsely;
}

}  // namespace holos::archive
