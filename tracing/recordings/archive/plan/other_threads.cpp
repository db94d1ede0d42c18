// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/plan/other_threads.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "base/text.h"
#include "tracing/code/loaded/runtimes.h"
#include "tracing/recordings/archive/plan/processor_use.h"

namespace holos::archive {
namespace {

using tracing::ThreadOrigin;

constexpr double kNanoseconds = 1e9;

std::string secondsOf(std::int64_t nanoseconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f s", static_cast<double>(nanoseconds) / kNanoseconds);
    return text;
}

/// Some that have one reason.
struct OtherThreads {
    std::size_t count = 0;
    std::int64_t on = 0;  ///< nanoseconds on processors, of those of which that is known
    std::set<std::string> names;

    void add(const RecordedOtherThread& thread) {
        ++count;
        on += std::max<std::int64_t>(thread.time.on, 0);
        if (!thread.name.empty()) names.insert(thread.name);
    }
    /// In words: `2 threads are not in the trace (solver, pool), 1.25 s on processors`.
    std::string text() const {
        constexpr std::size_t kFew = 4;
        std::string text = counted(count, "thread") + of(" is", " are") + " not in the trace";
        std::string list;
        std::size_t listed = 0;
        for (const std::string& name : names)
            if (listed++ < kFew) list += (list.empty() ? "" : ", ") + name;
        if (!list.empty()) text += " (" + list + (names.size() > kFew ? ", …)" : ")");
        return text + ", " + secondsOf(on) + " on processors";
    }
    /// One of the two, by how many there are.
    std::string of(const char* one, const char* several) const { return count == 1 ? one : several; }
};

/// A thread of OpenMP works for the program. What it does is recorded of its place in a team.
bool hadNoPlace(const RecordedOtherThread& thread) {
    return thread.origin == ThreadOrigin::Runtime && code::isOpenMp(thread.starter.c_str());
}

const char* reasonFor(const RecordedOtherThread& thread) {
    switch (thread.origin) {
        case ThreadOrigin::Runtime:
            return hadNoPlace(thread) ? "was in no parallel region that was recorded"
                                      : "a runtime system's own";
        case ThreadOrigin::Earlier:
            return "began before the recording";
        case ThreadOrigin::Silent:
            return "nothing was recorded while it was there";
        case ThreadOrigin::Recorder:
            return "the recorder's own";
        case ThreadOrigin::Unknown:
            break;
    }
    return "its start was not seen";
}

}  // namespace

std::vector<std::string> notesOfOtherThreads(const RecordedProcess& process) {
    std::map<ThreadOrigin, OtherThreads> byOrigin;
    std::map<std::string, OtherThreads> byRuntime;
    for (const auto& [id, thread] : process.otherThreads)
        (thread.origin == ThreadOrigin::Runtime ? byRuntime[thread.starter] : byOrigin[thread.origin])
            .add(thread);
    std::vector<std::string> notes;
    if (const auto early = byOrigin.find(ThreadOrigin::Earlier); early != byOrigin.end())
        notes.push_back(": " + early->second.text() + ": " + early->second.of("it", "they") +
                        " began before the recording");
    if (const auto unseen = byOrigin.find(ThreadOrigin::Unknown); unseen != byOrigin.end())
        notes.push_back(": " + unseen->second.text() + ": " + unseen->second.of("its", "their") +
                        " start was not seen, as of threads that the C library starts itself (aio, "
                        "timers), that a "
                        "library starts which was loaded by dlmopen, or that are started by a system call");
    constexpr std::int64_t kShare = 50;  // the reciprocal of what is worth a sentence
    constexpr std::int64_t kLong = 100'000'000;
    for (const auto& [starter, threads] : byRuntime) {
        if (threads.on <= std::max(onProcessors(process) / kShare, kLong)) continue;
        const std::string text = ": " + threads.text() + ": ";
        if (code::isOpenMp(starter.c_str()))
            notes.push_back(text + starter +
                            threads.of(" started it, and it was", " started them, and they were") +
                            " in no parallel region that was recorded");
        else
            notes.push_back(text + (starter.empty() ? "a runtime system" : starter) +
                            threads.of(" started it, and it is", " started them, and they are") +
                            " not the program's");
    }
    return notes;
}

std::vector<measurement::OtherThread> otherThreadsOf(const RecordedProcess& process) {
    std::vector<measurement::OtherThread> all;
    for (const auto& [id, thread] : process.otherThreads) {
        if (thread.origin == ThreadOrigin::Recorder) continue;
        measurement::OtherThread one{
            .reason = reasonFor(thread), .name = thread.name, .startedBy = thread.starter};
        if (thread.time.on >= 0) one.nanosecondsOnProcessors = thread.time.on;
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace holos::archive
