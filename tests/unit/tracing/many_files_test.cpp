// SPDX-License-Identifier: BSD-3-Clause
// A trace is made of many processes while each call that waits for the disk lasts until others are under way.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <mutex>

#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tracing/recordings/archive/conversion.h"
#include "tracing/recordings/archive/folder/many_files.h"

namespace holos::testing {
namespace {

using archive::kFilesAtOnce;

/// Lets nobody go on before as many calls are under way as are wanted; that was once so, or never will be.
class Meeting {
  public:
    void begin() {
        const std::lock_guard lock(mutex_);
        isWatched_ = true;
        most_ = 0;
    }
    std::size_t end() {
        const std::lock_guard lock(mutex_);
        isWatched_ = false;
        return most_;
    }
    void wait() {
        constexpr std::chrono::seconds kHangs{120};
        std::unique_lock lock(mutex_);
        if (!isWatched_) return;
        most_ = std::max(most_, ++inside_);
        changed_.notify_all();
        if (!changed_.wait_for(lock, kHangs, [this] { return most_ >= kFilesAtOnce; })) isWatched_ = false;
        --inside_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool isWatched_ = false;
    std::size_t inside_ = 0;
    std::size_t most_ = 0;
};

Meeting syncing;
Meeting removing;

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace
}  // namespace holos::testing

// The library finds these before those of the C library.
extern "C" {

__attribute__((visibility("default"))) int fsync(int file) {
    holos::testing::syncing.wait();
    return holos::testing::next<decltype(fsync)>("fsync")(file);
}

__attribute__((visibility("default"))) int remove(const char* path) noexcept {
    if (std::strstr(path, "/recording.done.") != nullptr) holos::testing::removing.wait();
    return holos::testing::next<int(const char*)>("remove")(path);
}
}

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using tracing::RecordKind;

void writeRecording(const fs::path& directory, std::size_t processes) {
    for (std::uint32_t rank = 0; rank < processes; ++rank) {
        RawDefinitions log;
        log.process("/bin/app").sync(1'000, 500);
        log.begin(tracing::DefinitionKind::Location).add(0U).add(tracing::LocationKind::Main);
        log.add(tracing::kNoLocation).add(0U).add(0U).text("Master thread");
        log.region(1, "work").world(rank, static_cast<std::uint32_t>(processes)).sync(3'000'000, 1'500'000);
        RawEvents events;
        events.add(RecordKind::Enter, 2'000, {1}).add(RecordKind::Leave, 2'001, {1});
        events.write(
            writeProcess(archive::recordingOf(directory), "host." + std::to_string(rank) + ".0", log));
    }
}

/// Whatever the number of processors.
TEST(ManyFiles, traceOfManyProcesses_isWrittenAndTheRecordingRemovedManyFilesAtATime) {
    const TemporaryDirectory directory;
    writeRecording(directory.path(), kFilesAtOnce);
    syncing.begin();
    removing.begin();
    archive::finish(directory.path());
    EXPECT_EQ(syncing.end(), kFilesAtOnce);
    EXPECT_EQ(removing.end(), kFilesAtOnce);
    EXPECT_TRUE(archive::isFinished(directory.path()));
}

TEST(ManyFiles, removed_areAllInTheFolderButNotWhatLinksLeadTo) {
    const TemporaryDirectory directory;
    const fs::path folder = directory.path() / "folder";
    const fs::path other = directory.path() / "other";
    fs::create_directories(folder / "a" / "b" / "c");
    fs::create_directory(other);
    for (const fs::path& file : {folder / "1", folder / "a" / "2", folder / "a" / "b" / "3", other / "4"})
        std::ofstream(file) << "text";
    fs::create_directory_symlink(other, folder / "a" / "link");
    archive::removeAll(folder);
    EXPECT_FALSE(fs::exists(folder));
    EXPECT_TRUE(fs::exists(other / "4"));
    fs::create_directory_symlink(other, folder);
    archive::removeAll(folder);
    EXPECT_FALSE(fs::exists(fs::symlink_status(folder)));
    EXPECT_TRUE(fs::exists(other / "4"));
    archive::removeAll(folder);  // nothing is there
}

TEST(ManyFiles, aCallThatFails_endsAllAndIsSaid) {
    std::atomic<std::size_t> calls{0};
    const auto work = [&](std::size_t i) {
        ++calls;
        if (i == 3) throw Error("no disk");
    };
    constexpr std::size_t kMany = 1'000'000;
    EXPECT_THROW(archive::forManyFiles(kMany, work), Error);
    EXPECT_GE(calls, 4U);
    archive::forManyFiles(0, work);
}

}  // namespace
}  // namespace holos::testing
