// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::far {

/// A file or folder on another machine, named as for `scp`: `me@login1:run`.
struct FarFile {
    std::string host;
    std::string path;  ///< as that machine knows it

    std::string name() const { return host + ':' + path; }
};

/// Nothing for a file of this machine, which also is one with a colon in its name that is here. Throws
/// `holos::Error` for a host that programs would take for an option.
std::optional<FarFile> farFile(const std::string& name);

/// The command that answers questions about the experiment there. `program`: how holos is called there.
std::vector<std::string> commandThere(const FarFile& file, const std::string& program);

/// The experiment there, whose values stay there until they are asked for. `program`: how holos is called
/// there. Who stops ends the connection; values that nobody asked for before then cannot be read. Throws
/// `holos::Error` when there is no such experiment, or nobody who tells of it.
algebra::Experiment openFar(const FarFile& file, const std::string& program, std::stop_token stopped = {});

}  // namespace holos::far
