// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

/// How the processes of a run ended, as they said it themselves, or as those that waited for them did.
namespace holos::archive {

/// How a process ended, as far as anybody knows.
struct ProcessEnd {
    enum class How {
        NotKnown,
        Exit,      ///< `main` returned, or `exit`
        AtOnce,    ///< `_exit`
        Quickly,   ///< `quick_exit`
        Unseen,    ///< with an exit code, by a call that the recorder does not see
        Signal,    ///< by a signal
        Replaced,  ///< by another program of the same process (exec)
        GoesOn     ///< it has not ended
    };
    How how = How::NotKnown;
    std::optional<int> code = {};  ///< of its exit
    int signal = 0;                ///< only of `Signal`
    /// Nanoseconds of its host's CLOCK_MONOTONIC_RAW, where others say it; of `Replaced` when the program
    /// ended that left no recording.
    std::optional<std::int64_t> at = {};
    bool calledAbort = false;  ///< its last call was MPI_Abort

    bool isOrderly() const { return how == How::Exit || how == How::AtOnce || how == How::Quickly; }
    bool operator==(const ProcessEnd&) const = default;
};

/// The word for it in `measurement.json`: `exit`, `_exit`, `quick_exit`, `unseen exit`, `signal`, `replaced`,
/// `goes on`, `not known`.
const char* wordOf(ProcessEnd::How how);

/// In words, behind "it", or behind "they" of `several`: `was ended by signal 9 (SIGKILL)`, `exited with code
/// 3`.
std::string endText(const ProcessEnd& end, bool several = false);

/// `SIGKILL`; `signal 77` of one without a name.
std::string signalName(int signal);

/// What the ledger of a recording says (`tracing/recordings/format/ledger.h`).
class LifeRecords {
  public:
    struct Step {
        enum class What {
            Command,  ///< the command that was recorded
            Forked,
            Execs,  ///< is about to run the program
            Stays,  ///< could not
            Runs    ///< the program, which has the recorder
        };
        What what = What::Runs;
        std::uint64_t parent = 0;
        std::int64_t at = 0;
        int kind = 0;  ///< of `Runs`: one of `StartKind`, or the error that kept it from being recorded
        bool hasRecorder = true;  ///< of `Execs`: in its environment
        std::string program = {};
    };
    /// What is known of a process from its start to its end.
    struct Life {
        std::string boot;  ///< of its kernel
        std::uint64_t process = 0;
        std::vector<Step> steps;  ///< by time; empty where only its end is known
        std::optional<ProcessEnd> end;
    };

    LifeRecords() = default;  ///< nothing is known

    /// Of all kernels. Lines that are not whole are left out.
    explicit LifeRecords(const std::filesystem::path& recording);

    /// The first end of that number, on the kernel of that boot, that was told of after a moment.
    std::optional<ProcessEnd> endOf(const std::string& boot, std::uint64_t process, std::int64_t after) const;
    /// Of all processes. Of one of which only the end is known, it is left out where numbers may be those of
    /// another namespace.
    std::vector<Life> lives() const;

  private:
    struct End {
        std::int64_t at = 0;
        ProcessEnd end;
    };
    /// Processes whose numbers differ.
    struct Numbered {
        std::string boot;
        std::string space;  ///< of process numbers
        bool operator<(const Numbered& other) const {
            return std::tie(boot, space) < std::tie(other.boot, other.space);
        }
    };
    void read(const std::filesystem::path& file, const Numbered& from);
    bool areOfOneSpace(const std::string& boot) const;

    std::map<Numbered, std::map<std::uint64_t, std::vector<Step>>> steps_;  ///< by process
    std::map<Numbered, std::map<std::uint64_t, std::vector<ProcessEnd>>> endsOf_;
    std::map<std::string, std::multimap<std::uint64_t, End>> ends_;
};

/// Keeps in the recording what this command started.
void keepCommand(const std::filesystem::path& recording, pid_t process,
                 const std::filesystem::path& program) noexcept;

/// Keeps in the recording how a process ended that this command waited for; `status`: as `waitpid` gives it.
/// Leaves out what cannot be written.
void keepEnd(const std::filesystem::path& recording, pid_t process, int status) noexcept;

}  // namespace holos::archive
