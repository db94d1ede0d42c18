// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/measurement_file.h"

#include "base/json.h"

namespace holos::archive {

using nlohmann::json;

std::string recordedRun(const fs::path& folder) {
    return textIn(readObject(folder / "measurement.json"), "run");
}

std::size_t recordedFurtherJobs(const fs::path& folder) {
    const json facts = readObject(folder / "measurement.json");
    const auto found = facts.find("furtherJobs");
    return found != facts.end() && found->is_number_unsigned() ? found->get<std::size_t>() : 0;
}

}  // namespace holos::archive
