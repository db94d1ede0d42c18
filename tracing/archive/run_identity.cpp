// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/run_identity.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "metric-specs/error.h"

namespace holos::archive {
namespace {

using nlohmann::json;

std::string randomId() {
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

fs::path fileOf(const fs::path& recording) {
    return recording / "run";
}

}  // namespace

RunIdentity newRun(const Job& job) {
    return {randomId(), job.name, {{job.boot, job.origin}}};
}

bool belongs(const Job& job, const RunIdentity& run) {
    if (job.name.empty() || job.name != run.job) return false;
    const auto origin = run.origins.find(job.boot);
    return job.isUnique || origin == run.origins.end() || origin->second == job.origin;
}

std::optional<RunIdentity> readRun(const fs::path& recording) {
    std::ifstream file(fileOf(recording));
    const json all = json::parse(file, nullptr, false);
    if (!all.is_object()) return std::nullopt;
    try {
        return RunIdentity{all.at("id"), all.at("job"), all.at("origins")};
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

void writeRun(const fs::path& recording, const RunIdentity& run) {
    const fs::path own = recording / "run.new";
    errno = 0;
    std::ofstream file(own);
    file << json{{"id", run.id}, {"job", run.job}, {"origins", run.origins}}.dump(
                2, ' ', false, json::error_handler_t::replace)
         << '\n';
    if (!file.flush())
        throw Error("cannot be written: " + std::generic_category().message(errno), {.file = own.string()});
    fs::rename(own, fileOf(recording));
}

}  // namespace holos::archive
