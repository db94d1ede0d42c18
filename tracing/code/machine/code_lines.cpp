// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/code_lines.h"

#include <algorithm>

namespace holos::code {
namespace {

using Kind = Instruction::Kind;

}  // namespace

CodeLines::CodeLines(const std::vector<const std::vector<CodeLine>*>& parts,
                     const std::vector<LandingPad>& pads, const JumpTargets& targets) {
    for (const auto* part : parts) lines_.insert(lines_.end(), part->begin(), part->end());
    const std::uint64_t begin = lines_.empty() ? 0 : lines_.front().address;
    std::ranges::sort(lines_, {}, &CodeLine::address);
    entry_ = at(begin).value_or(0);
    const auto add = [&](Number from, std::uint64_t target) {
        if (const auto to = at(target)) jumps_[*to].push_back(from);
    };
    for (Number number = 0; number < lines_.size(); ++number) {
        const CodeLine& line = lines_[number];
        if (line.isJump() && line.instruction.target) add(number, *line.instruction.target);
        const bool isComputed = line.instruction.kind == Kind::JumpAnywhere ||
                                (line.instruction.kind == Kind::Branch && !line.instruction.target);
        const auto known = targets.find(line.address);
        if (known != targets.end())
            for (const std::uint64_t target : known->second) add(number, target);
        else if (isComputed)
            toAnywhere_.push_back(number);
        if (line.instruction.kind != Kind::Call) continue;
        for (const LandingPad& pad : pads)
            if (pad.begin < line.end() && line.end() <= pad.end) add(number, pad.pad);
    }
    findGaps();
}

void CodeLines::findGaps() {
    isGap_.resize(lines_.size());
    for (Number number = 0; number < lines_.size(); ++number)
        isGap_[number] = lines_[number].instruction.kind == Kind::Padding && number != entry_ &&
                         !jumps_.contains(number) && !isBehind(number);
}

std::optional<CodeLines::Number> CodeLines::at(std::uint64_t address) const {
    const auto found = std::ranges::lower_bound(lines_, address, {}, &CodeLine::address);
    if (found == lines_.end() || found->address != address) return {};
    return static_cast<Number>(found - lines_.begin());
}

bool CodeLines::isBehind(Number number) const {
    return number > 0 && lines_[number - 1].end() == lines_[number].address && lines_[number - 1].mayGoOn() &&
           !isGap_[number - 1];
}

std::vector<CodeLines::Number> CodeLines::before(Number number) const {
    std::vector<Number> found;
    if (const auto jumps = jumps_.find(number); jumps != jumps_.end()) found = jumps->second;
    if (isBehind(number)) found.push_back(number - 1);
    return found;
}

/// Compilers jump to where a block begins.
bool CodeLines::isReachedFromAnywhere(Number number) const {
    return !isBehind(number) || lines_[number - 1].endsBlock() || jumps_.contains(number);
}

}  // namespace holos::code
