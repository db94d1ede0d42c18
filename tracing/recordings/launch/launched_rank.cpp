// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/launched_rank.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "tracing/recordings/format/process_identity.h"

namespace holos::launch {
namespace {

struct Launcher {
    const char* rank;
    const char* size;
    std::array<const char*, 2> job;  ///< together its name, which may come again
    const char* key;                 ///< random bits of the job, or null
};

constexpr std::array<Launcher, 3> kLaunchers{{
    {"OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_SIZE",
     {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"},
     "OMPI_MCA_orte_precondition_transports"},
    {"PMI_RANK", "PMI_SIZE", {"PMI_JOBID", "HYDI_CONTROL_FD"}, nullptr},
    {"SLURM_PROCID", "SLURM_NTASKS", {"SLURM_JOB_ID", "SLURM_STEP_ID"}, nullptr},
}};

/// What starts ranks on a machine, as the kernel calls it: 15 letters at most.
constexpr std::array<std::string_view, 9> kStarters{
    "mpirun", "mpiexec", "orterun", "orted", "prterun", "prted", "prte", "hydra_pmi_proxy", "slurmstepd"};

std::string variable(const char* name) {
    const char* value = name != nullptr ? std::getenv(name) : nullptr;
    return value != nullptr ? value : "";
}

struct Ancestor {
    std::string name;
    std::uint64_t parent = 0;
};

/// From /proc/PID/stat: `PID (NAME) STATE PARENT …`.
Ancestor ancestor(std::uint64_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string stat;
    std::getline(file, stat);
    const auto begin = stat.find('(');
    const auto end = stat.rfind(')');
    if (begin == std::string::npos || end == std::string::npos) return {};
    Ancestor found{stat.substr(begin + 1, end - begin - 1), 0};
    std::istringstream rest(stat.substr(end + 1));
    std::string state;
    rest >> state >> found.parent;
    return found;
}

/// The process that started the ranks of this machine; where none is seen, the namespace of processes.
std::string originOf(const tracing::ProcessIdentity& self) {
    const std::string origin = "namespace " + std::to_string(self.pidNamespace);
    for (auto pid = static_cast<std::uint64_t>(::getppid()); pid > 1;) {
        const Ancestor one = ancestor(pid);
        const auto isThis = [&one](std::string_view starter) { return one.name.starts_with(starter); };
        if (std::ranges::any_of(kStarters, isThis))
            return origin + ", " + one.name + ' ' + std::to_string(pid) + " of " +
                   std::to_string(tracing::startTimeOf(pid));
        pid = one.parent;
    }
    return origin;
}

archive::Job jobOf(const Launcher& launcher) {
    const tracing::ProcessIdentity self = tracing::thisProcess();
    archive::Job job{"", false, self.boot, originOf(self)};
    for (const char* part : launcher.job) job.name += variable(part);
    const std::string key = variable(launcher.key);
    if (!key.empty()) {
        job.name += ' ' + key;
        job.isUnique = true;
    }
    return job;
}

}  // namespace

std::optional<LaunchedRank> launchedRank() {
    for (const auto& launcher : kLaunchers) {
        const std::string rank = variable(launcher.rank);
        if (rank.empty()) continue;
        return LaunchedRank{std::atol(rank.c_str()), std::atol(variable(launcher.size).c_str()),
                            jobOf(launcher)};
    }
    return std::nullopt;
}

}  // namespace holos::launch
