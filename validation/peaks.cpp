// SPDX-License-Identifier: BSD-3-Clause
#include "validation/peaks.h"

#include <unistd.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "validation/peak_kernels.h"
#include "validation/processors.h"

namespace holos::validation {
namespace {

using Clock = std::function<double()>;

/// One part of the work in all threads at the same time, several times.
class Race {
  public:
    Race(const PeakWork& work, const Clock& seconds)
        : work_(work), seconds_(seconds), best_(std::numeric_limits<double>::infinity()) {
        for (unsigned i = 0; i < 2 * work.repetitions; ++i) meetings_.emplace_back(work.threads);
    }

    /// The seconds of the fastest repetition. `prepare` makes, in each thread, the function that is repeated.
    template <class Prepare>
    double run(Prepare prepare) {
        for (unsigned i = 0; i < work_.threads; ++i) pinTo(i);  // what cannot be is said before threads wait
        {
            std::vector<std::jthread> threads;
            for (unsigned i = 1; i < work_.threads; ++i)
                threads.emplace_back([this, &prepare, i] { runIn(i, prepare); });
            runIn(0, prepare);
        }
        return best_;
    }

  private:
    template <class Prepare>
    void runIn(unsigned thread, Prepare& prepare) {
        pinTo(thread);
        auto repeat = prepare();
        for (unsigned i = 0; i < work_.repetitions; ++i) {
            meetings_[2 * i].meet();
            const double begin = thread == 0 ? seconds_() : 0;
            repeat();
            meetings_[2 * i + 1].meet();
            if (thread == 0) best_ = std::min(best_, seconds_() - begin);
        }
    }

    const PeakWork& work_;
    const Clock& seconds_;
    double best_;
    std::deque<Meeting> meetings_;
};

/// Of the file's number with its unit, `32768K`; 0 where there is none.
std::size_t kilobytesIn(const std::string& file) {
    std::ifstream in(file);
    std::size_t number = 0;
    in >> number;
    return number;
}

/// How many processors a list such as `0-3,8` has.
std::size_t processorsIn(const std::string& file) {
    std::ifstream in(file);
    std::size_t count = 0, first = 0;
    while (in >> first) {
        std::size_t last = first;
        if (in.peek() == '-') in.ignore() >> last;
        count += last - first + 1;
        if (in.peek() == ',') in.ignore();
    }
    return std::max<std::size_t>(count, 1);
}

/// The bytes of the last-level cache for each of its processors.
std::size_t cacheOfAThread() {
    constexpr std::size_t kUsual = 8U << 20U;
    for (const char* index : {"index3", "index2"}) {
        const std::string folder = std::string("/sys/devices/system/cpu/cpu0/cache/") + index;
        if (const std::size_t kilobytes = kilobytesIn(folder + "/size"); kilobytes != 0)
            return kilobytes * 1024 / processorsIn(folder + "/shared_cpu_list");
    }
    return kUsual;
}

}  // namespace

std::size_t doublesAtATime() {
    return vectorLanes();
}

PeakWork workOfThisMachine() {
    constexpr std::uint64_t kRounds = 20'000'000;
    constexpr unsigned kRepetitions = 10;
    constexpr std::size_t kTimes = 4, kArrays = 3, kPart = 4;
    constexpr std::size_t kLeast = 16U << 20U;
    const unsigned threads = processorCount();
    const std::size_t memory = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
                               static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t most = memory / kPart / kArrays / threads;
    const std::size_t bytes = std::min(std::max(kTimes * cacheOfAThread(), kLeast), most);
    return {threads, kRounds, bytes / sizeof(double), kRepetitions};
}

specs::MachinePeaks measurePeaks(const PeakWork& work, const std::function<double()>& seconds) {
    constexpr double kFactor = 0.999'999, kAddend = 0.000'001;
    const double arithmetic = Race(work, seconds).run([&work] {
        return [&work] {
            volatile const double sum = multiplyAndAdd(work.rounds, kFactor, kAddend);
            static_cast<void>(sum);
        };
    });
    const double copying = Race(work, seconds).run([&work] {
        // Made and first used by the thread, so that its memory is near.
        return [a = std::vector<double>(work.elements), b = std::vector<double>(work.elements, 1.0),
                c = std::vector<double>(work.elements, 2.0)]() mutable { triad(a, b, c, 3.0); };
    });
    const double threads = work.threads;
    const auto lanes = static_cast<double>(vectorLanes() * kChains);
    const auto perElement = static_cast<double>(3 * sizeof(double));
    specs::MachinePeaks peaks;
    peaks.operations = threads * 2 * lanes * static_cast<double>(work.rounds) / arithmetic;
    peaks.bandwidth = threads * perElement * static_cast<double>(work.elements) / copying;
    return peaks;
}

}  // namespace holos::validation
