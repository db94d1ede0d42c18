// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/format/record.h"

namespace holos::archive {

/// Who still works on a recording: the processes that are recorded, and the `holos record` commands.

/// What a process's file `status` says, in its folder of the recording. Nothing where there is none, or
/// where its file system lost it.
std::optional<tracing::Status> readStatus(const std::filesystem::path& folder);

/// What a process says of itself (`describeThisProcess`).
struct ProcessNote {
    std::string run;
    std::string host;
    std::string boot;
    std::uint64_t pidNamespace = 0;
    std::uint64_t pid = 0;
    std::uint64_t startTime = 0;
    long rank = -1;         ///< by the launcher
    bool isLocked = false;  ///< the kernel keeps the file locked while the process lives
    bool hasEnded = false;  ///< a command, in order
    fs::path file;          ///< that says all this
    /// How long ago it gave a sign of life (`listenTo`), where that is how it is known to live.
    std::optional<std::chrono::milliseconds> seen = {};
};

/// Name of the note of a recorded process, in its folder.
inline constexpr const char* kNoteOfProcess = "alive";

/// Nothing where there is no such file.
std::optional<ProcessNote> readNote(const fs::path& file);
/// The text of one; `noteIn` says what it means.
std::optional<std::string> readNoteText(const fs::path& file);
ProcessNote noteIn(const std::string& text, const fs::path& file);

enum class Life {
    Ended,
    Living,
    Unknown  ///< of another machine, or of another namespace on a file system without locks
};

/// Of the process that wrote the note.
Life lifeOf(const fs::path& note);

/// Of a recorded process, by its folder. One whose recording ended in order, or that another program replaced
/// (exec), has ended: it records no more.
Life lifeOfRecorded(const fs::path& folder);

/// The folders of all processes of a recording, in the order of their names. Throws `Error` where it cannot
/// be read.
std::vector<fs::path> processFolders(const fs::path& recording);

/// Processes that live, or of which that is not known, of both kinds.
struct Owners {
    std::vector<ProcessNote> living;
    std::vector<ProcessNote> unknown;
    std::vector<ProcessNote> commands;         ///< that live
    std::vector<ProcessNote> unknownCommands;  ///< of which that is not known
    bool anyLives() const { return !living.empty() || !commands.empty(); }
    bool any() const { return anyLives() || !unknown.empty() || !unknownCommands.empty(); }
};
Owners ownersOf(const fs::path& recording);

/// `rank 3 (process 17 on node5), process 18 on node5 (seen 0.8 s ago)`, of some of them.
std::string processesText(const std::vector<ProcessNote>& processes);
/// Names all owners, with what they are.
std::string ownersText(const Owners& owners);

/// Says to others that a `holos record` command works on the recording, until its end is told, or it is
/// destroyed, or the process ends.
class LivingCommand {
  public:
    /// `rank` tells the commands of a job apart; -1 for one that no launcher started. Throws `Error`.
    LivingCommand(const fs::path& recording, long rank, const std::string& run);
    ~LivingCommand();
    LivingCommand(LivingCommand&& other) noexcept;

    /// Says that it does no more: whoever wants to may make the trace.
    void end() noexcept;

    /// True when there is or was a command of that rank.
    static bool existed(const fs::path& recording, long rank);

  private:
    int file_;
};

/// Whether processes live of which this machine cannot tell, as locks do not reach from theirs to this one.
/// Who lives and records changes its files. Where a thread of the recorder writes to them (copies, or
/// `--write-back`), it counts up a number in `status`, too. Two looks are compared by the clock of this
/// machine; what the clocks of others say does not matter.
///
/// A change is a proof, up to what a file server delivers late. That there is none proves nothing: a process
/// may have been stopped, its machine may hang, the network may be cut off.

/// What others see of a process at a moment.
struct Sign {
    std::uint64_t beats = 0;
    std::uint64_t bytes = 0;  ///< of its files
    bool operator==(const Sign&) const = default;
};

/// By the process's folder. Opens its files anew, as network file systems then show what is new.
Sign signOf(const fs::path& folder);

struct Listening {
    /// At most, where no sign comes: a process that lives gives several in that time.
    std::chrono::milliseconds time{10'000};
    /// Called between two looks, with the time to wait. False ends it all.
    std::function<bool(std::chrono::milliseconds)> pause = sleep;

    static bool sleep(std::chrono::milliseconds time);
};

/// As `ownersOf`. Where that is not known of some, and nobody else lives, waits for their signs of life:
/// those that gave one are among the living, with its age, and those that ended in order meanwhile are left
/// out.
Owners listenTo(const fs::path& recording, const Listening& how = {});

}  // namespace holos::archive
