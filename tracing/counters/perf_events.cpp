// SPDX-License-Identifier: BSD-3-Clause
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "metric-specs/error.h"
#include "tracing/counters/perf_open.h"
#include "tracing/counters/source.h"
#include "tracing/counters/turns.h"

namespace holos::counters {
namespace {

/// Events that are read together with one system call.
class PerfGroup final : public Group {
  public:
    explicit PerfGroup(std::span<const std::string> names) : buffer_(kHead + names.size()) {
        try {
            for (const auto& name : names) add(name);
            ::ioctl(files_.front(), PERF_EVENT_IOC_ENABLE, 0);
            checkThatItCounts(names);
        } catch (...) {
            close();
            throw;
        }
    }
    ~PerfGroup() override { close(); }

    bool read(std::uint64_t* values) noexcept override {
        if (!fill()) return false;
        std::copy(buffer_.begin() + kHead, buffer_.end(), values);
        return true;
    }

  private:
    static constexpr std::ptrdiff_t kHead = 3;  ///< number of values, time enabled, time running

    void add(const std::string& name) {
        const auto event = findPerfEvent(name);
        if (!event) throw Error(name + ": not an event of perf");
        const int file = openPerfEvent(*event, {.leader = files_.empty() ? -1 : files_.front()});
        if (file < 0) throw Error(name + ": " + reasonNotToOpen(-file, *event));
        files_.push_back(file);
    }

    bool fill() noexcept {
        const auto size = static_cast<ssize_t>(buffer_.size() * sizeof(std::uint64_t));
        return ::read(files_.front(), buffer_.data(), static_cast<std::size_t>(size)) == size;
    }

    /// The kernel accepts groups that fit into no processor, and then never counts them.
    void checkThatItCounts(std::span<const std::string> names) {
        if (!fill()) throw Error(names.front() + ": " + std::strerror(errno));
        const std::uint64_t enabled = buffer_[1];
        const std::uint64_t running = buffer_[2];
        if (enabled > 0 && running == 0)
            throw Error(
                "the processor cannot count these together (too few counter registers): " + join(names) +
                "; 'holos spec plan' says which can be, 'holos campaign' records one set after the "
                "other, and with --multiplex they take turns");
    }

    static std::string join(std::span<const std::string> names) {
        std::string text;
        for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
        return text;
    }

    void close() noexcept {
        for (const int file : files_) ::close(file);
        files_.clear();
    }

    std::vector<int> files_;
    std::vector<std::uint64_t> buffer_;
};

/// Events that the kernel counts in turns where the processor has too few registers for all.
class PerfTurns final : public Group {
  public:
    explicit PerfTurns(std::span<const std::string> names) : turns_(names.size()) {
        for (const auto& name : names) {
            const auto event = findPerfEvent(name);
            const int file = event ? openPerfEvent(*event) : -ENOENT;
            if (file < 0) {
                close();
                throw Error(name + ": " + (event ? reasonNotToOpen(-file, *event) : "not an event of perf"));
            }
            files_.push_back(file);
        }
        for (const int file : files_) ::ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
    }
    ~PerfTurns() override { close(); }

    bool read(std::uint64_t* values) noexcept override {
        std::uint64_t got[4];  // number of values, time enabled, time running, value
        for (std::size_t i = 0; i < files_.size(); ++i) {
            if (::read(files_[i], got, sizeof got) != sizeof got) return false;
            values[i] = turns_[i].estimate(got[3], got[1], got[2]);
        }
        return true;
    }
    double activeShare(std::size_t i) const noexcept override { return turns_[i].activeShare(); }

  private:
    void close() noexcept {
        for (const int file : files_) ::close(file);
    }

    std::vector<int> files_;
    std::vector<Turns> turns_;
};

Counter describe(const PerfEvent& event) {
    Counter counter{event.name, event.description, event.unit, Mode::Accumulated, ""};
    const int file = openPerfEvent(event);
    if (file >= 0)
        ::close(file);
    else
        counter.unavailable = reasonNotToOpen(-file, event);
    return counter;
}

class PerfEvents final : public Source {
  public:
    const char* name() const override { return "perf events"; }

    std::vector<Counter> list() const override {
        std::vector<Counter> all;
        for (const auto& event : namedPerfEvents()) all.push_back(describe(event));
        return all;
    }

    std::unique_ptr<Counter> find(const std::string& name) const override {
        const auto event = findPerfEvent(name);
        return event ? std::make_unique<Counter>(describe(*event)) : nullptr;
    }

    std::unique_ptr<Group> open(std::span<const std::string> names) const override {
        return std::make_unique<PerfGroup>(names);
    }
    std::unique_ptr<Group> openInTurns(std::span<const std::string> names) const override {
        return std::make_unique<PerfTurns>(names);
    }
};

}  // namespace

const Source& perfEvents() {
    static const auto* source = new PerfEvents;
    return *source;
}

}  // namespace holos::counters
