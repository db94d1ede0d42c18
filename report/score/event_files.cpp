// SPDX-License-Identifier: BSD-3-Clause
#include "report/score/event_files.h"

#include <string>

#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"

namespace holos::score {

std::vector<std::uint64_t> bytesOfEventFiles(const std::filesystem::path& archiveOrDirectory) {
    const std::filesystem::path anchor = analyzer::trace::findAnchor(archiveOrDirectory);
    const analyzer::trace::Definitions definitions = analyzer::trace::readDefinitions(anchor);
    const std::filesystem::path folder = anchor.parent_path() / anchor.stem();
    std::vector<std::uint64_t> bytes;
    bool anyFile = false;
    for (const analyzer::trace::Location& location : definitions.locations) {
        std::error_code error;
        const auto size =
            std::filesystem::file_size(folder / (std::to_string(location.reference) + ".evt"), error);
        anyFile = anyFile || !error;
        bytes.push_back(error ? 0 : size);
    }
    return anyFile ? bytes : std::vector<std::uint64_t>();
}

}  // namespace holos::score
