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

}  // namespace holos::launch
