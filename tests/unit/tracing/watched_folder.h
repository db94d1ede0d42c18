// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tracing/recordings/archive/facts/host_facts.h"
#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/process_identity.h"
#include "tracing/recordings/format/waiting_notes.h"
#include "tracing/recordings/watch/followed_run.h"

namespace holos::watch {

/// A folder with a recording that goes on. A second is as long as the test says.
class WatchedFolder : public ::testing::Test {
  protected:
    using Folder = std::filesystem::path;
    static constexpr std::uint32_t kMain = 0;

    WatchedFolder() {
        tracing::chooseClock();
        std::filesystem::create_directories(recording());
    }
    Folder recording() const { return directory_.path() / "recording"; }

    /// Of a process of this machine that records now, with a region 1 of each kind of the program.
    testing::RawDefinitions program(std::optional<std::uint32_t> rank = {},
                                    const std::string& boot = archive::bootId(),
                                    std::uint64_t world = 1) const {
        testing::RawDefinitions log;
        log.process("/bin/app", boot, tracing::clockName());
        log.begin(tracing::DefinitionKind::ClockSync)
            .add(start_.ticks)
            .add(start_.monotonic)
            .add(start_.realtime);
        if (rank) log.world(*rank, 4, world);
        location(log, kMain, tracing::LocationKind::Main, 0);
        return log;
    }
    static void location(testing::RawDefinitions& log, std::uint32_t ref, tracing::LocationKind kind,
                         std::uint32_t number) {
        log.begin(tracing::DefinitionKind::Location).add(ref).add(kind);
        log.add(kind == tracing::LocationKind::Place ? kMain : tracing::kNoLocation);
        log.add(std::uint32_t{kind == tracing::LocationKind::Place}).add(number);
        log.text(kind == tracing::LocationKind::Main ? "Master thread" : "Thread " + std::to_string(number));
    }
    static void region(testing::RawDefinitions& log, std::uint32_t ref, const std::string& name,
                       tracing::Paradigm paradigm, tracing::Role role = tracing::Role::Function) {
        log.begin(tracing::DefinitionKind::Region).add(ref).add(paradigm).add(role);
        log.add(std::uint32_t{0}).add(std::uint32_t{0}).text(name).text("");
    }
    static void communicator(testing::RawDefinitions& log, std::uint32_t ref, std::uint32_t size) {
        log.begin(tracing::DefinitionKind::Comm).add(ref).add(std::uint32_t{0}).add(std::uint32_t{0});
        log.text("MPI_COMM_WORLD")
            .add(size)
            .add(std::uint32_t{0})
            .add(std::uint32_t{0})
            .add(std::uint32_t{0});
    }

    /// A process that lives: this one proves it.
    Folder write(const std::string& name, const testing::RawDefinitions& log) const {
        const Folder folder = testing::writeProcess(recording(), name, log, false);
        char text[512];
        const std::size_t bytes = tracing::describeThisProcess(text, sizeof text, "", -1, false);
        std::ofstream(folder / "alive").write(text, static_cast<std::streamsize>(bytes));
        return folder;
    }
    /// One that was killed.
    Folder writeKilled(const std::string& name, const testing::RawDefinitions& log) const {
        return testing::writeProcess(recording(), name, log, false);
    }
    static void setStatus(const Folder& folder, const tracing::Status& status,
                          const std::vector<tracing::WaitingNote>& notes = {}) {
        std::vector<unsigned char> bytes(tracing::kFirstNote + notes.size() * sizeof(tracing::WaitingNote));
        tracing::Status all = status;
        all.waitingNotes = notes.size();
        std::memcpy(bytes.data(), &all, sizeof all);
        if (!notes.empty())
            std::memcpy(bytes.data() + tracing::kFirstNote, notes.data(),
                        notes.size() * sizeof(tracing::WaitingNote));
        std::ofstream(folder / "status", std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    /// Some ticks after the processes began; that was a moment ago.
    std::uint64_t ticks(std::uint64_t later) const { return start_.ticks + later; }

    /// A millisecond after the calls in it began: shorter ones are no waits yet.
    FollowedRun run() {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return FollowedRun(directory_.path(), [this] { return ++seconds_; });
    }

    testing::TemporaryDirectory directory_;
    double seconds_ = 0;

  private:
    tracing::ClockSync start_ = (tracing::chooseClock(), tracing::synchronizeClocks());
};

}  // namespace holos::watch
