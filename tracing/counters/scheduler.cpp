// SPDX-License-Identifier: BSD-3-Clause
// How long threads ran, and how long they could have run and waited for a processor (Linux's
// Documentation/scheduler/sched-stats.rst).
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "tracing/counters/files.h"

namespace holos::counters {
namespace {

constexpr const char* kOfThread = "/proc/thread-self/schedstat";

struct SchedulerField {
    const char* name;
    const char* description;
    const char* unit;
};
/// In the order of the file's numbers.
constexpr std::array<SchedulerField, 3> kSchedulerFields{{
    {"sched_run", "Time on a processor", "ns"},
    {"sched_wait", "Time in which the thread could run and waited for a processor", "ns"},
    {"sched_turns", "How often the thread got a processor", "occ"},
}};

using Numbers = std::array<std::uint64_t, kSchedulerFields.size()>;

std::optional<Numbers> numbersOf(int file) noexcept {
    char text[128];
    const ssize_t size = ::pread(file, text, sizeof text, 0);
    Numbers numbers{};
    for (unsigned i = 0; i < numbers.size(); ++i) {
        const auto number = numberIn({text, size > 0 ? static_cast<std::size_t>(size) : 0}, i);
        if (!number) return std::nullopt;
        numbers[i] = *number;
    }
    return numbers;
}

/// Keeps the thread's file open, so that a reading is one system call.
class SchedulerGroup final : public Group {
  public:
    SchedulerGroup(int file, std::vector<std::size_t> fields) : file_(file), fields_(std::move(fields)) {}
    ~SchedulerGroup() override { ::close(file_); }

    bool read(std::uint64_t* values) noexcept override {
        const auto numbers = numbersOf(file_);
        for (std::size_t i = 0; numbers && i < fields_.size(); ++i) values[i] = (*numbers)[fields_[i]];
        return numbers.has_value();
    }

  private:
    int file_;
    std::vector<std::size_t> fields_;
};

/// A thread that asks has got a processor, though its time there may not be counted yet: without a turn, the
/// kernel does not count.
std::string reasonAgainst(const std::string& file) {
    constexpr unsigned kTurns = 2;
    const auto turns = valueOf({.counter = {}, .file = file, .field = kTurns});
    if (!turns) return file + ": " + std::strerror(errno != 0 ? errno : EINVAL);
    return *turns == 0 ? "this kernel does not count it (CONFIG_SCHED_INFO, kernel.sched_schedstats)" : "";
}

class Scheduler final : public Source {
  public:
    const char* name() const override { return "scheduler"; }

    std::vector<Counter> list() const override {
        std::vector<Counter> all;
        const std::string reason = reasonAgainst(kOfThread);
        for (const auto& field : kSchedulerFields)
            all.push_back({field.name, field.description, field.unit, Mode::Accumulated, reason});
        return all;
    }

    std::unique_ptr<Counter> find(const std::string& name) const override {
        for (auto& counter : list())
            if (counter.name == name) return std::make_unique<Counter>(std::move(counter));
        return nullptr;
    }

    std::unique_ptr<Group> open(std::span<const std::string> names) const override {
        return openScheduler(kOfThread, names);
    }
};

}  // namespace

std::unique_ptr<Group> openScheduler(const std::string& file, std::span<const std::string> names) {
    std::vector<std::size_t> fields;
    for (const auto& name : names) {
        const auto* at = std::find_if(kSchedulerFields.begin(), kSchedulerFields.end(),
                                      [&](const SchedulerField& field) { return field.name == name; });
        if (at == kSchedulerFields.end()) throw Refusal(name, "not a counter of the scheduler");
        fields.push_back(static_cast<std::size_t>(at - kSchedulerFields.begin()));
    }
    const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) throw Error(file + ": " + std::strerror(errno));
    return std::make_unique<SchedulerGroup>(moveToHighDescriptor(opened), std::move(fields));
}

const Source& scheduler() {
    static const auto* source = new Scheduler;
    return *source;
}

}  // namespace holos::counters
