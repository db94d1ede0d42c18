// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace holos::cli {

/// Experiments on another machine, named as for `scp`: `me@login1:run`.
struct OtherMachine {
    std::string host;
    std::vector<std::string> files;
};

/// Nothing where all of them are here. A file of this name that is here is meant itself. Throws
/// `holos::Error` for files of several machines.
std::optional<OtherMachine> otherMachineOf(const std::vector<std::filesystem::path>& files);

/// The command that serves them there, and leads this machine's port of that number to the same port there.
/// `program`: how holos is called there. `further`: its options.
std::vector<std::string> commandFor(const OtherMachine& other, std::uint16_t port, const std::string& program,
                                    const std::vector<std::string>& further);

}  // namespace holos::cli
