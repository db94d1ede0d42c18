// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "tracing/recordings/archive/conversion.h"
#include "tracing/recordings/launch/program.h"
#include "tracing/recordings/launch/waiting.h"

namespace holos::launch {

/// A folder that somebody may move to another place.
class FollowedFolder {
  public:
    /// Throws `Error` where it cannot be opened.
    explicit FollowedFolder(std::filesystem::path folder);

    /// Where it is now: as it was given at first, where it is still there, or else its new path. Throws
    /// `Error` where it was removed, or copied to another disk and removed.
    std::filesystem::path now() const;

    /// A path that leads to it wherever it is, for processes of this machine as long as this one lives.
    std::string link() const;

  private:
    std::filesystem::path folder_;
    Descriptor descriptor_;
};

/// What has become of a recording whose program ended.
struct RecordingEnd {
    std::filesystem::path folder;          ///< where it was last; empty where that is not known
    std::optional<archive::Result> trace;  ///< what was made of it
    std::string trouble;                   ///< why it could not be made; empty where a signal came before
    bool stays = false;                    ///< the recording is still there, to make the trace later
    /// How the command that recorded shall end: as the program, but for a trace that cannot be made, which is
    /// a failure where the program itself had none.
    Ending command;
};

/// How a recording is ended, as far as that is its command's business.
struct EndingSteps {
    Announce announce;                 ///< what is waited for
    archive::MakeProfile makeProfile;  ///< see `archive::finish`
    /// What to say of a folder where a signal ends the command while the trace is made.
    std::function<std::string(const std::filesystem::path&)> lastWords;
};

/// A launcher may have bound this rank to one processor. Those of the other ranks have nothing to do any
/// more.
void useAllProcessors();

/// Makes the trace once no recorded process lives any more. SIGINT and the like end that and leave the
/// recording. A recording that no process wrote to is removed where the program failed, or is never recorded.
RecordingEnd finishRecording(const FollowedFolder& folder, const Ending& ofProgram, const EndingSteps& steps);

}  // namespace holos::launch
