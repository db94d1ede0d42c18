// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/quiet_finder.h"

#include <algorithm>

namespace holos::analyzer::timeline {

using trace::RegionId;
using trace::Ticks;

namespace {

/// Nothing but time passes between its enter and its leave.
bool isPlain(const trace::Region& region, const trace::RegionClass& known) {
    const bool isOfProgram =
        region.paradigm == trace::Paradigm::Compiler || region.paradigm == trace::Paradigm::User;
    return isOfProgram && known.call == trace::CallKind::NotMpi && known.special == trace::Special::None;
}

}  // namespace

QuietFinder::QuietFinder(const trace::Definitions& definitions,
                         const std::vector<trace::RegionClass>& classes)
    : isPlain_(definitions.regions.size(), false) {
    if (definitions.attributeOfCallPaths || !definitions.callingContexts.empty()) return;
    for (std::size_t i = trace::kShortageRegion.index() + 1; i < isPlain_.size(); ++i)
        isPlain_[i] = isPlain(definitions.regions[i], classes[i]);
}

bool QuietFinder::goesOn(std::uint64_t events, RegionId region) {
    const bool isNext = isQuiet_ && events == now_.end + 1;
    if (!isNext || events - now_.first > kMost || now_.left.size() >= kMostLeft) end();
    const bool isFirst = events == 1;  // it tells when the location begins
    if (isFirst || !isPlain_[region.index()]) {
        end();
        return false;
    }
    if (!isQuiet_) now_ = {events - 1, events - 1, latest_, latest_, {}, {}, {}, {}};
    isQuiet_ = true;
    return true;
}

void QuietFinder::see(std::uint64_t events, Ticks time) {
    latest_ = std::max(latest_, time);
    now_.end = events;
    now_.latest = latest_;
}

void QuietFinder::end() {
    if (isQuiet_ && now_.end - now_.first >= kFewest) found_.push_back(std::move(now_));
    now_ = {};
    isQuiet_ = false;
}

bool QuietFinder::push(RegionId region) {
    const std::uint64_t key = std::uint64_t{stack_.back()} << 32U | region.index();
    const auto [path, isNew] = paths_.try_emplace(key, static_cast<std::uint32_t>(paths_.size() + 1));
    stack_.push_back(path->second);
    return isNew;
}

void QuietFinder::pop() {
    if (stack_.size() > 1) stack_.pop_back();
}

void QuietFinder::enter(std::uint64_t events, Ticks time, RegionId region) {
    const bool isNew = push(region);
    if (!goesOn(events, region)) return other(time);
    now_.entered.push_back(region);
    if (isNew && now_.entered.size() > kDeepest) {
        now_.entered.pop_back();
        return other(time);
    }
    if (isNew) now_.met.push_back({static_cast<std::uint32_t>(now_.left.size()), now_.entered});
    see(events, time);
}

void QuietFinder::leave(std::uint64_t events, Ticks time, RegionId region) {
    pop();
    if (!goesOn(events, region)) return other(time);
    if (!now_.entered.empty() && now_.entered.back() != region) return other(time);  // told of as damage
    if (now_.entered.empty())
        now_.left.push_back(region);
    else
        now_.entered.pop_back();
    see(events, time);
}

void QuietFinder::other(Ticks time) {
    latest_ = std::max(latest_, time);
    end();
}

}  // namespace holos::analyzer::timeline
