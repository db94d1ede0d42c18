// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "tests/fault/started_command.h"
#include "tests/support/command.h"
#include "tests/support/read_back.h"
#include "tests/support/temporary_directory.h"
#include "tracing/recordings/archive/folder/living.h"

namespace holos::testing {

/// A folder with a recording of `holos_living_program`, which enters 2 × `kRegions` regions, the second half
/// once it may go on.
class RecordingFixture : public ::testing::Test {
  protected:
    static constexpr std::size_t kRegions = 300;

    ~RecordingFixture() override { letGo(); }  // what still runs then ends

    std::filesystem::path file(const std::string& name) const { return directory_.path() / name; }
    std::filesystem::path trace() const { return file("trace"); }
    std::filesystem::path recording() const { return trace() / "recording"; }

    std::vector<std::string> program() const {
        return {LIVING_PROGRAM, std::to_string(kRegions), file("begun"), file("go")};
    }
    /// The program, as a child that the shell does not wait for.
    std::vector<std::string> programInBackground() const {
        std::vector<std::string> words{"/bin/sh", "-c", "\"$@\" & true", "sh"};
        return words + program();
    }
    std::unique_ptr<StartedCommand> record(const std::vector<std::string>& command,
                                           const std::vector<std::string>& options = {}) const {
        const std::vector<std::string> words{HOLOS_PROGRAM, "record", "-o", trace()};
        const std::vector<std::string> behind{"--"};
        return std::make_unique<StartedCommand>(words + options + behind + command, file("output"));
    }
    /// Has done half of its work, and waits.
    void waitUntilBegun() const {
        ASSERT_TRUE(becomesTrue([this] { return std::filesystem::exists(file("begun")); }));
    }
    void letGo() const { std::ofstream(file("go")).flush(); }

    CommandResult analyze(const std::vector<std::string>& options = {}) const {
        const std::vector<std::string> words{HOLOS_PROGRAM, "analyze", trace()};
        return runCommand(words + options);
    }
    /// Once nobody works on the recording any more.
    void analyzeInTheEnd() const {
        CommandResult last{};
        ASSERT_TRUE(becomesTrue([&] {
            last = analyze();
            return last.exitCode == 0 && !std::filesystem::exists(recording());
        })) << last.output;
    }
    /// The contents of all files below the folder, by their names.
    static std::map<std::string, std::string> contentsOf(const std::filesystem::path& folder) {
        std::map<std::string, std::string> contents;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            std::ifstream in(entry.path(), std::ios::binary);
            contents[entry.path().string()] =
                entry.is_regular_file() ? std::string(std::istreambuf_iterator<char>(in), {}) : "";
        }
        return contents;
    }
    /// The numbers of recorded processes.
    std::vector<pid_t> recorded() const {
        std::vector<pid_t> pids;
        for (const auto& folder : archive::processFolders(recording()))
            if (const auto note = archive::readNote(folder / "alive"))
                pids.push_back(static_cast<pid_t>(note->pid));
        return pids;
    }
    void tellProgram(int signal) const {
        for (const pid_t pid : recorded()) ::kill(pid, signal);
    }
    std::size_t regionsInTrace() const {
        const auto events = readBack(trace() / "traces.otf2");
        return static_cast<std::size_t>(std::count_if(
            events.begin(), events.end(), [](const auto& event) { return event.ends_with("enter work"); }));
    }
    /// A recording of a program that ended, without its trace.
    void leaveRecording() const {
        const auto command = record(program());
        waitUntilBegun();
        command->send(SIGKILL);
        command->wait();
        letGo();
        waitUntilNobodyLives();
    }
    /// What was killed takes a moment to end.
    void waitUntilNobodyLives() const {
        for (const auto& entry : std::filesystem::directory_iterator(recording()))
            if (entry.path().extension() == ".0") waitUntilUnlocked(entry.path() / "alive");
        for (const auto& command : std::filesystem::directory_iterator(recording() / "commands"))
            waitUntilUnlocked(command.path());
    }
    void expectTheWholeRun() const {
        EXPECT_EQ(regionsInTrace(), 2 * kRegions);
        EXPECT_EQ(measurement()["lostEvents"], 0);
        EXPECT_EQ(measurement()["notes"], nlohmann::json::array());
        EXPECT_FALSE(std::filesystem::exists(recording()));
    }
    /// What a measurement with its analysis consists of; nothing else is left.
    void expectNothingElse() const {
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(trace()),
                                std::filesystem::directory_iterator()),
                  5);
    }
    nlohmann::json measurement() const {
        std::ifstream in(trace() / "measurement.json");
        return nlohmann::json::parse(in);
    }

    TemporaryDirectory directory_;

  private:
    static void waitUntilUnlocked(const std::filesystem::path& path) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        struct flock lock {};
        lock.l_type = F_RDLCK;
        ::fcntl(file, F_OFD_SETLKW, &lock);
        ::close(file);
    }
};

}  // namespace holos::testing
