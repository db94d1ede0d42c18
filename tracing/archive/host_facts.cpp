// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/host_facts.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

namespace holos::archive {
namespace {

std::string processorModel() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const auto colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

constexpr std::array<std::string_view, 11> kPrefixes = {
    "OMP_", "KMP_", "GOMP_", "OMPI_MCA_", "MPICH_", "I_MPI_", "UCX_", "FI_", "HOLOS_", "SLURM_JOB", "PAPI_"};
/// What launchers tell their own processes, not a choice of the user.
constexpr std::array<std::string_view, 5> kInternal = {"OMPI_MCA_orte_", "OMPI_MCA_ess", "OMPI_MCA_pmix",
                                                       "OMPI_MCA_initial_wdir", "OMPI_MCA_shmem_RUNTIME"};

bool startsWithAny(std::string_view text, const auto& prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](auto prefix) { return text.starts_with(prefix); });
}

}  // namespace

nlohmann::json describeHost() {
    utsname system{};
    ::uname(&system);
    return {{"name", system.nodename},
            {"processor", processorModel()},
            {"logicalProcessors", ::sysconf(_SC_NPROCESSORS_ONLN)},
            {"memoryBytes", static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE)},
            {"system", std::string(system.sysname) + ' ' + system.release},
            {"architecture", system.machine}};
}

nlohmann::json describeEnvironment() {
    nlohmann::json result = nlohmann::json::object();
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const auto equals = text.find('=');
        if (equals == std::string_view::npos) continue;
        if (startsWithAny(text, kPrefixes) && !startsWithAny(text, kInternal))
            result[std::string(text.substr(0, equals))] = text.substr(equals + 1);
    }
    return result;
}

std::string bootId() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(file, id);
    return id;
}

}  // namespace holos::archive
