// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/folder/run_identity.h"

#include <sys/random.h>

#include <array>
#include <cstdio>

#include "base/error.h"
#include "base/json.h"
#include "tracing/recordings/archive/folder/many_files.h"

namespace holos::archive {
namespace {

using nlohmann::json;

fs::path fileOf(const fs::path& recording) {
    return recording / "run";
}

}  // namespace

std::string newRunId() {
    std::array<unsigned char, 16> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw Error("the system has no random numbers");
    std::string text;
    for (const unsigned char byte : bytes) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", byte);
        text += digits;
    }
    return text;
}

bool isRunId(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

RunIdentity newRun(const Job& job) {
    return {newRunId(), job.name, {{job.boot, job.origin}}};
}

bool belongs(const Job& job, const RunIdentity& run) {
    if (job.name.empty() || job.name != run.job) return false;
    const auto origin = run.origins.find(job.boot);
    return job.isUnique || origin == run.origins.end() || origin->second == job.origin;
}

std::optional<RunIdentity> readRun(const fs::path& recording) {
    constexpr JsonLimits kLimits{1U << 20, 3, 100'000};
    try {
        const json all = readJson(fileOf(recording), kLimits);
        return RunIdentity{all.at("id"), all.at("job"), all.at("origins")};
    } catch (const std::exception&) {  // there is none, or no longer
        return std::nullopt;
    }
}

void writeRun(const fs::path& recording, const RunIdentity& run) {
    const fs::path own = recording / "run.new";
    const json all{{"id", run.id}, {"job", run.job}, {"origins", run.origins}};
    writePlainFile(own, jsonText(all, 2) + '\n');
    fs::rename(own, fileOf(recording));
}

}  // namespace holos::archive
