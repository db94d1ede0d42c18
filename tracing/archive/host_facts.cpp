// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/host_facts.h"

#include <sys/utsname.h>
#include <unistd.h>

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

constexpr std::array<std::string_view, 12> kPrefixes = {"OMP_",   "KMP_",   "GOMP_",     "OMPI_MCA_",
                                                        "MPICH_", "I_MPI_", "PMIX_MCA_", "UCX_",
                                                        "HOLOS_", "SLURM_", "PBS_",      "PAPI_"};

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
        for (const auto prefix : kPrefixes)
            if (text.starts_with(prefix))
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
