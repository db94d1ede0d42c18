// SPDX-License-Identifier: BSD-3-Clause
#include "cli/serve/other_machine.h"

#include "base/error.h"
#include "base/process.h"

namespace holos::cli {

std::optional<OtherMachine> otherMachineOf(const std::vector<std::filesystem::path>& files) {
    std::optional<OtherMachine> other;
    bool isHere = false;
    for (const std::filesystem::path& file : files) {
        const std::string name = file.string();
        const std::size_t colon = name.find(':');
        std::error_code none;
        if (colon == std::string::npos || colon == 0 || name.find('/') < colon ||
            std::filesystem::exists(file, none)) {
            isHere = true;
            continue;
        }
        const std::string host = name.substr(0, colon);
        if (host.front() == '-') throw Error("no name of a machine", Place{.file = name});
        if (other && other->host != host)
            throw Error("on another machine than " + other->host + "; serve one machine at a time",
                        Place{.file = name});
        if (!other) other = OtherMachine{host, {}};
        other->files.push_back(colon + 1 == name.size() ? "." : name.substr(colon + 1));
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
