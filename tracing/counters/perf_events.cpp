// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "metric-specs/error.h"
#include "tracing/counters/perf_event_names.h"
#include "tracing/counters/source.h"
#include "tracing/counters/turns.h"

namespace holos::counters {
namespace {

/// A file number out of the way of those that the program counts on.
int moveAway(int file) {
    constexpr rlim_t kBeginOfFar = 512;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return file;
    const int moved =
        ::fcntl(file, F_DUPFD_CLOEXEC, static_cast<int>(std::min(kBeginOfFar, limit.rlim_cur / 2)));
    if (moved < 0) return file;
    ::close(file);
    return moved;
}

/// Opens the event for the calling thread, in the group of `leader` (-1: a new one). Counts the kernel's part
/// as well where that is allowed. An errno as a negative number when it cannot be counted.
int openEvent(const PerfEvent& event, int leader) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.read_format =
        PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attributes.exclude_hv = 1;
    attributes.disabled = leader < 0 ? 1 : 0;  // all of a group begin when its leader is enabled
    const auto open = [&] {
        const long file = ::syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
        return file >= 0 ? static_cast<int>(file) : -errno;
    };
    int file = open();
    if ((file == -EACCES || file == -EPERM) && !event.kernelOnly) {
        attributes.exclude_kernel = 1;
        file = open();
    }
    return file;
}

std::string paranoidLevel() {
    std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
    std::string level;
    file >> level;
    return level.empty() ? "unknown" : level;
}

std::string reasonFor(int error, const PerfEvent& event) {
    switch (error) {
        case EACCES:
        case EPERM:
            return "not allowed: kernel.perf_event_paranoid is " + paranoidLevel() + ", and " +
                   (event.kernelOnly ? "1" : "2") +
                   " or less is needed (sysctl kernel.perf_event_paranoid=" + (event.kernelOnly ? "1" : "2") +
                   ", or a container that permits perf_event_open)";
        case ENOENT:
        case ENODEV:
        case EOPNOTSUPP:
            return "this processor or virtual machine does not have it";
        case ENOSYS:
            return "this kernel has no perf_event_open";
        case EINVAL:
            return "the kernel does not know it, or cannot count it together with the others";
        case EMFILE:
            return "too many open files";
        default:
            return std::strerror(error);
    }
}

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
        const int file = openEvent(*event, files_.empty() ? -1 : files_.front());
        if (file < 0) throw Error(name + ": " + reasonFor(-file, *event));
        files_.push_back(moveAway(file));
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
            const int file = event ? openEvent(*event, -1) : -ENOENT;
            if (file < 0) {
                close();
                throw Error(name + ": " + (event ? reasonFor(-file, *event) : "not an event of perf"));
            }
            files_.push_back(moveAway(file));
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
    const int file = openEvent(event, -1);
    if (file >= 0)
        ::close(file);
    else
        counter.unavailable = reasonFor(-file, event);
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
