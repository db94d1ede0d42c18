// SPDX-License-Identifier: BSD-3-Clause
#include "cli/serve/other_machine.h"

#include "base/error.h"
#include "base/process.h"
#include "report/far/far_file.h"

namespace holos::cli {

std::optional<OtherMachine> otherMachineOf(const std::vector<std::filesystem::path>& files) {
    std::optional<OtherMachine> other;
    bool isHere = false;
    for (const std::filesystem::path& file : files) {
        const auto there = far::farFile(file.string());
        if (!there) {
            isHere = true;
            continue;
        }
        if (other && other->host != there->host)
            throw Error("on another machine than " + other->host + "; serve one machine at a time",
                        Place{.file = file.string()});
        if (!other) other = OtherMachine{there->host, {}};
        other->files.push_back(there->path);
    }
    if (other && isHere)
        throw Error("some experiments are here, others on " + other->host + "; serve one machine at a time");
    return other;
}

std::vector<std::string> commandFor(const OtherMachine& other, std::uint16_t port, const std::string& program,
                                    const std::vector<std::string>& further) {
    const std::string number = std::to_string(port);
    std::vector<std::string> there{program, "serve", "--port", number};
    there.insert(there.end(), further.begin(), further.end());
    there.emplace_back("--");
    there.insert(there.end(), other.files.begin(), other.files.end());
    const std::string here = "127.0.0.1:" + number;
    // With a terminal, the command there ends when the connection does.
    return {"ssh",      "-tt",           "-o", "ExitOnForwardFailure=yes", "-L", here + ':' + here, "--",
            other.host, shellLine(there)};
}

}  // namespace holos::cli
