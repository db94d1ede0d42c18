// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/facts/command_file.h"

#include <unistd.h>

#include "base/error.h"
#include "base/secrets.h"
#include "tracing/recordings/archive/facts/host_facts.h"
#include "tracing/recordings/archive/folder/many_files.h"
#include "tracing/recordings/archive/process/loading.h"

namespace holos::archive {
namespace {

using measurement::kCommandFile;
using measurement::RecordSettings;
using measurement::settingsOf;

/// Several wrappers of one run may do so at the same time.
void saveFilter(const fs::path& filter, const fs::path& recording) {
    const fs::path own = recording / ("filter." + std::to_string(::getpid()) + ".tmp");
    std::error_code error;
    fs::copy_file(filter, own, error);
    if (!error) fs::rename(own, recording / "filter", error);
    if (error) throw Error("cannot be copied: " + error.message(), {.file = filter.string()});
}

}  // namespace

filter::Filter savedFilter(const fs::path& recording) {
    const fs::path path = recording / "filter";
    return fs::exists(path) ? filter::readFilter(path) : filter::Filter();
}

void saveCommand(const fs::path& directory, measurement::Command command) {
    const RecordSettings asked = command.settings.value_or(RecordSettings());
    const fs::path recording = recordingOf(directory);
    std::error_code error;
    fs::create_directories(recording, error);
    if (error) throw Error("cannot be made: " + error.message(), {.file = recording.string()});
    if (!asked.filter.empty()) saveFilter(asked.filter, recording);
    saveHardware(recording);
    const fs::path own = recording / ("command." + std::to_string(::getpid()) + ".tmp");
    if (!asked.keepCommand) command.arguments = withoutSecrets(command.arguments);
    command.host = thisHost();
    command.environment = thisEnvironment();
    writePlainFile(own, commandText(command));
    fs::create_hard_link(own, recording / kCommandFile, error);  // fails where another wrapper was first
    if (error && !fs::exists(recording / kCommandFile)) fs::copy_file(own, recording / kCommandFile, error);
    fs::remove(own, error);
}

bool keepsNewest(const fs::path& recording) {
    const RecordSettings asked = settingsOf(recording);
    return asked.buffer != kAll && asked.whenFull == measurement::WhenFull::KeepNewest;
}

bool keepsEvents(const fs::path& recording) {
    return settingsOf(recording).makesTrace();
}

bool keepsSecrets(const fs::path& recording) {
    return settingsOf(recording).keepCommand;
}

void throwThatNothingWasRecorded(const fs::path& recording, bool goesOn) {
    const measurement::Command command = measurement::readCommand(recording);
    if (std::string reason = firstNotRecorded(command.arguments, command.workingDirectory); !reason.empty())
        throw NeverRecorded("nothing was recorded: " + reason);
    if (goesOn)
        throw Error(
            "nothing has been recorded so far: the program has not begun, or did not load the recorder; try "
            "again later");
    throw Error(
        "nothing was recorded: the command ended before a program began (shells, launchers and the like are "
        "not recorded themselves, only what they start), or the program did not load the recorder");
}

std::string missedPeaks(const fs::path& recording) {
    const std::string why = measurement::readCommand(recording).host.peaksMissing;
    return why.empty() ? why : "the measured peaks of this machine are not known to the recording: " + why;
}

}  // namespace holos::archive
