// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/attach/thread_counters.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "tracing/counters/perf_open.h"
#include "tracing/counters/source.h"

namespace holos::attach {
namespace {

/// An event that could be counted for a part of the time only, as others wanted its register, is scaled up.
std::uint64_t valueOf(int file, double factor) {
    std::uint64_t got[3] = {};  // value, time enabled, time running
    if (::read(file, got, sizeof got) != sizeof got) return 0;
    double value = static_cast<double>(got[0]);
    if (got[2] != 0 && got[2] < got[1]) value *= static_cast<double>(got[1]) / static_cast<double>(got[2]);
    const bool isExact = factor == 1 && got[1] == got[2];
    return isExact ? got[0] : static_cast<std::uint64_t>(value * factor);
}

}  // namespace

ThreadCounters::~ThreadCounters() {
    for (auto& [thread, counted] : threads_) close(counted);
}

void ThreadCounters::close(Counted& counted) {
    for (const int file : counted.files) ::close(file);
    counted.files.clear();
}

bool ThreadCounters::open(pid_t thread, bool inherited, Counted& counted) {
    for (const auto& event : events_) {
        const int file = counters::openPerfEvent(event, {.thread = thread, .isInherited = inherited});
        if (file < 0) {
            close(counted);
            if (file == -ESRCH) return false;
            throw counters::Refusal(event.name, counters::reasonNotToOpen(-file, event));
        }
        counted.files.push_back(file);
        if (isOn_) ::ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
    }
    counted.last.assign(events_.size(), 0);
    return true;
}

void ThreadCounters::addFirst(pid_t thread) {
    Counted counted{{}, {}, thread};
    if (open(thread, true, counted)) threads_.insert_or_assign(thread, std::move(counted));
}

void ThreadCounters::add(pid_t thread, pid_t parent) {
    const auto known = threads_.find(parent);
    if (known == threads_.end() || threads_.contains(thread)) return;
    Counted counted{{}, {}, known->second.first};
    if (open(thread, false, counted)) threads_.emplace(thread, std::move(counted));
}

void ThreadCounters::enable(bool isOn) {
    isOn_ = isOn;
    for (const auto& [thread, counted] : threads_)
        for (const int file : counted.files)
            ::ioctl(file, isOn ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

void ThreadCounters::readLater(Counted& counted) {
    for (std::size_t i = 0; i < counted.files.size(); ++i)
        counted.last[i] = std::max(counted.last[i], valueOf(counted.files[i], events_[i].factor));
}

/// One of the start counts on for what it started.
std::vector<std::uint64_t> ThreadCounters::end(pid_t thread) {
    const auto known = threads_.find(thread);
    if (known == threads_.end()) return {};
    if (known->second.first == thread) return read().at(thread);
    readLater(known->second);
    close(known->second);
    return known->second.last;
}

/// The later ones first, so that no more is taken off than the first ones have. Values never fall.
std::map<pid_t, std::vector<std::uint64_t>> ThreadCounters::read() {
    std::map<pid_t, std::vector<std::uint64_t>> values;
    std::map<pid_t, std::vector<std::uint64_t>> later;  // by thread of the start: sums of what it started
    for (auto& [thread, counted] : threads_) {
        if (thread == counted.first) continue;
        readLater(counted);
        auto& sums = later.try_emplace(counted.first, events_.size(), 0).first->second;
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += counted.last[i];
        values.emplace(thread, counted.last);
    }
    for (auto& [thread, counted] : threads_) {
        if (thread != counted.first) continue;
        const auto sums = later.find(thread);
        for (std::size_t i = 0; i < counted.files.size(); ++i) {
            const std::uint64_t all = valueOf(counted.files[i], events_[i].factor);
            const std::uint64_t others = sums != later.end() ? sums->second[i] : 0;
            counted.last[i] = std::max(counted.last[i], all - std::min(all, others));
        }
        values.emplace(thread, counted.last);
    }
    return values;
}

}  // namespace holos::attach
