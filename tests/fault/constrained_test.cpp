// SPDX-License-Identifier: BSD-3-Clause
// `constrained_program.c` finds the same surroundings with the recorder as without, and does and ends the
// same, whatever it may not have. What cannot be recorded then is counted.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/fault/started_command.h"
#include "tests/support/command.h"
#include "tests/support/read_back.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Limits of a resource, and from when on.
struct Constraint {
    const char* when;
    const char* resource;
    const char* most;
};
void PrintTo(const Constraint& one, std::ostream* out) {
    *out << one.when << ' ' << one.resource << ' ' << one.most;
}

class Constrained : public ::testing::TestWithParam<Constraint> {
  protected:
    static constexpr std::size_t kRegions = 40'000;  // of more than two chunks

    struct Run {
        int status;  ///< as waitpid(2) says it
        std::string output;
        std::string complaints;
    };
    /// With surroundings that are not the usual ones, and no descriptors but the first three.
    Run run(const Words& command, const fs::path& output) const {
        const Words shell{"/bin/sh", "-c",
                          "umask 027; trap '' PIPE USR2; cd /; exec \"$@\" 2>\"$0\" "
                          "3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-",
                          output.string() + ".err"};
        StartedCommand started(place_ + shell + command, output);
        const int status = started.wait();
        return {status, started.output(), textOf(output.string() + ".err")};
    }
    Run runPlain() const { return run(program(), file("plain")); }
    /// `storage`: how the recorder keeps events.
    Run runRecorded(const std::string& storage) {
        trace_ = file(storage);
        const Words recorder{
            "/usr/bin/env", "HOLOS_STORAGE=" + storage, HOLOS_PROGRAM, "record", "-o", trace_, "--"};
        return run(recorder + program(), file(storage + ".output"));
    }
    Words program() const {
        return {CONSTRAINED_PROGRAM, std::to_string(kRegions), GetParam().when, GetParam().resource,
                GetParam().most};
    }
    /// In the trace, and lost.
    std::size_t recordedEvents() const {
        const auto events = readBack(trace_ / "traces.otf2");
        return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [](const auto& event) {
            return event.ends_with("enter work") || event.ends_with("leave work");
        }));
    }
    nlohmann::json measurement() const { return nlohmann::json::parse(textOf(trace_ / "measurement.json")); }
    fs::path file(const std::string& name) const { return directory_.path() / name; }
    static std::string textOf(const fs::path& path) {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    void expectAllRecordedOrCounted(const Run& recorded) const {
        if (!fs::exists(trace_ / "measurement.json")) {
            EXPECT_THAT(recorded.complaints, ::testing::HasSubstr("nothing was recorded"));
            return;
        }
        const auto facts = measurement();
        EXPECT_THAT(facts["notes"].dump(), ::testing::Not(::testing::HasSubstr("undefined")));
        if (WIFEXITED(recorded.status) && facts["lostEvents"] == 0) {
            EXPECT_GE(recordedEvents(), 2 * kRegions);
        }
    }

  private:
    TemporaryDirectory directory_;
    fs::path trace_;

  protected:
    Words place_;  ///< what the shell is started by
};

TEST_P(Constrained, program_findsAndDoesTheSame) {
    const Run plain = runPlain();
    for (const char* storage : {"mapped", "copied"}) {
        SCOPED_TRACE(storage);
        const Run recorded = runRecorded(storage);
        EXPECT_EQ(recorded.output, plain.output);
        EXPECT_EQ(recorded.status, plain.status);
        expectAllRecordedOrCounted(recorded);
    }
}

/// Without a limit, and with each of them.
constexpr Constraint kConstraints[] = {
    {"later", "none", "0"},        {"later", "traps", "0"},       {"before", "NOFILE", "4"},
    {"before", "NOFILE", "5"},     {"before", "NOFILE", "6"},     {"before", "NOFILE", "8"},
    {"later", "NOFILE", "4"},      {"before", "AS", "40000000"},  {"later", "AS", "40000000"},
    {"before", "FSIZE", "4096"},   {"before", "FSIZE", "300000"}, {"later", "FSIZE", "0"},
    {"before", "STACK", "65536"},  {"later", "STACK", "65536"},   {"before", "DATA", "20000000"},
    {"later", "DATA", "20000000"}, {"later", "NPROC", "0"},       {"before", "MEMLOCK", "0"},
    {"later", "MEMLOCK", "0"},     {"before", "SIGPENDING", "0"}, {"later", "CORE", "0"},
    {"later", "MSGQUEUE", "0"},    {"later", "RSS", "0"},
};

INSTANTIATE_TEST_SUITE_P(By, Constrained, ::testing::ValuesIn(kConstraints), [](const auto& one) {
    return std::string(one.param.resource) + one.param.most + one.param.when;
});

constexpr Constraint kNone[] = {{"later", "none", "0"}};

/// A namespace of process numbers of its own, as a container has.
class InContainer : public Constrained {
  protected:
    void SetUp() override {
        place_ = {"/usr/bin/unshare", "--pid", "--fork", "--mount-proc"};
        if (runCommand(place_ + Words{"true"}).exitCode != 0) GTEST_SKIP() << "no namespace can be made here";
    }
};
INSTANTIATE_TEST_SUITE_P(By, InContainer, ::testing::ValuesIn(kNone));

TEST_P(InContainer, program_findsAndDoesTheSame) {
    const Run plain = runPlain();
    const Run recorded = runRecorded("mapped");
    EXPECT_EQ(recorded.output, plain.output);
    EXPECT_EQ(recorded.status, plain.status);
    expectAllRecordedOrCounted(recorded);
}

/// A second is the least that the system knows.
constexpr Constraint kProcessorTime[] = {{"later", "CPU", "1"}};
class OfProcessorTime : public Constrained {};
INSTANTIATE_TEST_SUITE_P(By, OfProcessorTime, ::testing::ValuesIn(kProcessorTime));

TEST_P(OfProcessorTime, program_isEndedByTheSameSignal) {
    const Run recorded = runRecorded("mapped");
    EXPECT_TRUE(WIFSIGNALED(recorded.status));
    EXPECT_EQ(WTERMSIG(recorded.status), SIGXCPU);
    EXPECT_THAT(measurement()["notes"].dump(), ::testing::HasSubstr("did not end normally"));
}

}  // namespace
}  // namespace holos::testing
