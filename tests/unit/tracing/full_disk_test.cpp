// SPDX-License-Identifier: BSD-3-Clause
// A trace is made while one of OTF2's calls for files fails, whichever it is.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <set>

#include "base/error.h"
#include "tests/support/read_back.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tracing/recordings/archive/conversion.h"

namespace holos::testing {
namespace {

/// Counts calls for files that are written, and lets some of them fail as on a full disk.
class Disk {
  public:
    void failFrom(int call, bool forGood) {
        calls_ = 0;
        first_ = call;
        forGood_ = forGood;
        isWatched_ = true;
    }
    int stop() {
        isWatched_ = false;
        return calls_;
    }
    bool isWatched() const { return isWatched_; }
    bool fails() {
        if (!isWatched_) return false;
        const int call = calls_++;
        const bool isFull = forGood_ ? call >= first_ : call == first_;
        if (isFull) errno = ENOSPC;
        return isFull;
    }
    void opened(std::FILE* file) {
        const std::lock_guard lock(mutex_);
        written_.insert(file);
    }
    bool closed(std::FILE* file) {
        const std::lock_guard lock(mutex_);
        return written_.erase(file) != 0;
    }
    bool isWritten(std::FILE* file) {
        const std::lock_guard lock(mutex_);
        return written_.contains(file);
    }

  private:
    std::atomic<int> calls_ = 0;
    int first_ = 0;
    bool forGood_ = false;
    std::atomic<bool> isWatched_ = false;
    std::mutex mutex_;
    std::set<std::FILE*> written_;
};

Disk disk;

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::FILE* opened(const char* function, const char* path, const char* mode) {
    const bool isWritten = disk.isWatched() && *mode == 'w';
    if (isWritten && disk.fails()) return nullptr;
    std::FILE* const file = next<decltype(::fopen)>(function)(path, mode);
    if (isWritten && file != nullptr) disk.opened(file);
    return file;
}

}  // namespace
}  // namespace holos::testing

using holos::testing::disk;

// The library finds these before those of the C library.
extern "C" {

__attribute__((visibility("default"))) std::FILE* fopen(const char* path, const char* mode) {
    return holos::testing::opened("fopen", path, mode);
}

/// What streams of the C++ library use up to gcc 13.
__attribute__((visibility("default"))) std::FILE* fopen64(const char* path, const char* mode) {
    return holos::testing::opened("fopen64", path, mode);
}

__attribute__((visibility("default"))) std::size_t fwrite(const void* data, std::size_t size,
                                                          std::size_t count, std::FILE* file) {
    if (disk.isWatched() && disk.isWritten(file) && disk.fails()) return 0;
    return holos::testing::next<decltype(fwrite)>("fwrite")(data, size, count, file);
}

__attribute__((visibility("default"))) int fclose(std::FILE* file) {
    const bool isFull = disk.isWatched() && disk.closed(file) && disk.fails();
    const int result = holos::testing::next<decltype(fclose)>("fclose")(file);
    if (!isFull) return result;
    errno = ENOSPC;
    return EOF;
}
}

namespace holos::testing {
namespace {

using archive::fs::path;
using tracing::RecordKind;

/// More events than OTF2 keeps in memory before it writes, and a second process.
class FullDisk : public ::testing::Test {
  protected:
    static constexpr std::uint64_t kVisits = 200'000;

    FullDisk() {
        const path recording = archive::recordingOf(directory_.path());
        for (const std::uint32_t rank : {0U, 1U}) {
            RawDefinitions log;
            log.process("/bin/app").sync(1'000, 500);
            log.begin(tracing::DefinitionKind::Location).add(0U).add(tracing::LocationKind::Main);
            log.add(tracing::kNoLocation).add(0U).add(0U).text("Master thread");
            log.region(1, "work").world(rank, 2).sync(3'000'000, 1'500'000);
            const path folder = writeProcess(recording, "host." + std::to_string(rank) + ".0", log);
            RawEvents events;
            for (std::uint64_t i = 0; i < (rank == 0 ? kVisits : 1); ++i)
                events.add(RecordKind::Enter, 2'000 + i, {1}).add(RecordKind::Leave, 2'000 + i, {1});
            events.write(folder);
        }
    }

    /// Where it fails, the recording is as before and there is no part of a trace; then it is done again.
    void expectSafe(int call, bool forGood) {
        const std::string where = "call " + std::to_string(call) + (forGood ? " and later ones" : "");
        disk.failFrom(call, forGood);
        try {
            archive::finish(directory_.path());
            calls_ = disk.stop();
        } catch (const Error& error) {
            disk.stop();
            EXPECT_THAT(error.what(), ::testing::HasSubstr("No space left on device")) << where;
            EXPECT_TRUE(archive::needsFinish(directory_.path())) << where;
            EXPECT_FALSE(archive::fs::exists(directory_.path() / "traces.otf2")) << where;
            EXPECT_FALSE(archive::fs::exists(archive::recordingOf(directory_.path()) / "trace.tmp")) << where;
            return;
        }
        EXPECT_GE(call, calls_) << where << ": the trace was taken to be whole";
    }

    std::size_t events() const { return readBack(directory_.path() / "traces.otf2").size(); }

    TemporaryDirectory directory_;
    int calls_ = 0;
};

TEST_F(FullDisk, fromAnyCallOn_recordingStays_andTheTraceIsMadeLater) {
    for (int call = 0; archive::needsFinish(directory_.path()); ++call) expectSafe(call, true);
    EXPECT_EQ(events(), 2 * (kVisits + 1) + 4);
}

TEST_F(FullDisk, atOneCall_recordingStays_andTheTraceIsMadeLater) {
    for (int call = 0; archive::needsFinish(directory_.path()); ++call) expectSafe(call, false);
    EXPECT_EQ(events(), 2 * (kVisits + 1) + 4);
}

TEST_F(FullDisk, error_saysHowMuchRoomIsNeeded) {
    disk.failFrom(2, true);
    try {
        archive::finish(directory_.path());
        FAIL() << "the disk is full";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(),
                    ::testing::MatchesRegex(".*: the trace cannot be written: No space left on "
                                            "device; it needs about 6\\.[5-9] MB, and .* are free.*"));
    }
    disk.stop();
}

}  // namespace
}  // namespace holos::testing
