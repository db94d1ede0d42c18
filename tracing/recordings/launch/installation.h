// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace holos::launch {

/// The program `holos` itself.
std::string thisProgram();

/// The folder of this installation, or build tree.
std::filesystem::path topFolder();

/// Where it has its libraries.
std::filesystem::path libraryFolder();

/// Where `holos-mpi-adapter` put adapters to MPIs beside those of the installation: `chosen`, or the user's
/// own folder for them. Empty where there is none; throws `UsageError` where `chosen` is no folder.
std::filesystem::path adaptersMadeLater(const std::string& chosen);

/// Where the libraries for an MPI may be, those made later before those of the installation.
std::vector<std::filesystem::path> adapterFolders(const std::string& chosen);

/// Throws `Error` where the installation lacks one of the recorder's libraries.
void requirePreloads();

/// The recorder's libraries, as `LD_PRELOAD` can name them: it ends names at blanks and colons. Below a
/// folder whose name has some, they are named through a link: in the recording, which goes away when the
/// trace is made and which all hosts see, or where that has such a name, too, in a folder of its own that
/// goes with this.
class Preload {
  public:
    /// `recording`: the folder of the recording, which exists. Throws `Error` when a library is missing, or
    /// there is no place for the link. `followsAllocations`: with what accesses to memory need.
    explicit Preload(const std::filesystem::path& recording, bool followsAllocations = false);
    ~Preload();
    Preload(Preload&&) = delete;

    /// In front of what the program is to preload anyway.
    std::string value() const;

  private:
    std::filesystem::path folder_;  ///< of the libraries
    std::filesystem::path own_;     ///< to be removed; empty: none
    bool followsAllocations_;
};

/// LLVM's OpenMP runtime on this machine. Throws `Error` that says what to install when there is none.
std::filesystem::path llvmOpenMpRuntime();

/// Puts a runtime into a folder under the name by which programs of gcc ask for theirs. A program that finds
/// that folder first (`LD_LIBRARY_PATH`) runs with it. Several ranks may do so at the same time. Throws
/// `Error`.
void offerAsLibgomp(const std::filesystem::path& runtime, const std::filesystem::path& folder);

/// Throws `Error` where a program, or a library that it is linked with, needs a function of its OpenMP
/// runtime that the runtime in this folder (`offerAsLibgomp`) does not have: the system would not run it.
void checkRuntimeSuits(const std::filesystem::path& program, const std::filesystem::path& folder);

}  // namespace holos::launch
