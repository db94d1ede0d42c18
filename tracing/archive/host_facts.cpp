// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/host_facts.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "metric-specs/processor.h"

namespace holos::archive {
namespace {

/// What `--spec auto` and seconds of cycles need to know; absent where the system does not tell.
nlohmann::json describeProcessor(const specs::Processor& processor) {
    nlohmann::json described = nlohmann::json::object();
    if (!processor.vendor.empty()) described["vendor"] = processor.vendor;
    if (processor.family) described["family"] = *processor.family;
    if (processor.model) described["model"] = *processor.model;
    if (processor.stepping) described["stepping"] = *processor.stepping;
    if (processor.hertz) described["hertz"] = *processor.hertz;
    return described;
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
    const specs::Processor processor = specs::thisProcessor();
    return {{"name", system.nodename},
            {"processor", processor.name.empty() ? "unknown" : processor.name},
            {"processorKind", describeProcessor(processor)},
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
