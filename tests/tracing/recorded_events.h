// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace holos::testing {

/// The events of each location of an archive, in order, one text per event, as `otf2-print` sees them but
/// without times: `ENTER MPI_Send`, `MPI_SEND to 1 tag 5 bytes 12`, `MPI_COLLECTIVE_END BCAST root 1 sent 24
/// received 8`, `THREAD_ACQUIRE_LOCK 0 order 1`, `THREAD_TASK_CREATE #0.1`, `THREAD_WAIT 1`, `LEAVE
/// MPI_File_set_view of a file`. Request numbers count from 1 in each location. Start and end of the program
/// are left out, and pauses in which the recorder made room, and, unless asked for, functions of the system
/// that the thread slept in, which depends on the machine. Fails the test when `otf2-print` complains.
std::map<std::uint64_t, std::vector<std::string>> recordedEvents(const std::filesystem::path& archive,
                                                                 bool withSleep = false);

/// Records a program into a new archive below `directory`; fails the test when the program or the recorder
/// does. `launched`: the words of an MPI launcher, up to the program's; `options`: those of `holos record`;
/// `arguments`: those of the program.
std::filesystem::path record(const std::filesystem::path& directory, const std::string& program,
                             const std::vector<std::string>& launched = {},
                             const std::vector<std::string>& options = {},
                             const std::vector<std::string>& arguments = {});

/// The file of a library that a program is linked with; fails the test when it is not. `name`: without `.so`.
std::string libraryOf(const std::string& program, const std::string& name);

/// The events that contain one of the words.
std::vector<std::string> with(const std::vector<std::string>& events, const std::vector<std::string>& words);

}  // namespace holos::testing
