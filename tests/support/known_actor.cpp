// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/known_actor.h"

namespace holos::testing {
namespace {

bool isComputation(const std::string& region) {
    return !region.starts_with("MPI_") &&
           (!region.starts_with("!$omp") || region.starts_with("!$omp parallel"));
}

}  // namespace

std::string Actor::path(const std::string& region) const {
    const std::string above = path();
    return above.empty() ? region : above + '/' + region;
}

void Actor::enter(Tick time, const std::string& region) {
    script_->enter(time, region);
    open_.push_back({path(region), region, time, 0});
    count("visits");
}

void Actor::leave(Tick time) {
    script_->leave(time, open_.back().region);
    abandon(time);
}

void Actor::abandon(Tick time) {
    const Open closed = open_.back();
    open_.pop_back();
    const Tick length = time - closed.begin;
    if (isComputation(closed.region)) addTime("comp", closed.path, length - closed.inner);
    if (!open_.empty()) give(length);
}

void Actor::call(Tick begin, Tick end, const std::string& region, const std::function<void()>& record) {
    enter(begin, region);
    record();
    leave(end);
}

void Actor::addTime(const std::string& metric, const std::string& path, Tick time) {
    addSeconds(metric, path, static_cast<double>(time) / kKnownTicksPerSecond);
}

void Actor::addSeconds(const std::string& metric, const std::string& path, double seconds) {
    values_.add(metric, path, rank_, thread_, seconds);
}

void Actor::count(const std::string& metric, std::uint64_t number) {
    values_.add(metric, path(), rank_, thread_, static_cast<double>(number));
}

}  // namespace holos::testing
