// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <span>
#include <string>

/// The program that a command starts, and why the system does not load the recorder into it, by its file.
namespace holos::archive {

bool isExecutableFile(const std::filesystem::path& path);

/// The program that a command names in a folder: by its path, or the first one in PATH; empty where none is
/// there.
std::filesystem::path programOf(const std::string& word, const std::filesystem::path& folder);

/// Whether it is a program of machine code, and not a script.
bool isMachineCode(const std::filesystem::path& program);

/// A part of a sentence about the program, with what to do: `is statically linked: …`. Empty where there is
/// no reason that can be seen, as for a file that cannot be read.
std::string whyNotLoaded(const std::filesystem::path& program);

/// Why the recorder is not loaded where the program does not even run with the recorder, as its C library is
/// another one.
std::string whyItFailsWithRecorder(const std::filesystem::path& program);

/// Why a program is not recorded, also of programs that have the recorder and are not recorded.
std::string whyNotRecorded(const std::filesystem::path& program);

/// Of the programs that the words of a command name, also in a line for a shell, the first one that is not
/// recorded: a sentence with the reason; empty where there is none. `folder`: where the command was started.
std::string firstNotRecorded(std::span<const std::string> command, const std::filesystem::path& folder);

}  // namespace holos::archive
