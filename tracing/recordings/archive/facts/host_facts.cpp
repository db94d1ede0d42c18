// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/facts/host_facts.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "base/error.h"
#include "base/secrets.h"
#include "metric-specs/machine_peaks.h"
#include "metric-specs/processor.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace holos::archive {
namespace {

constexpr std::array<std::string_view, 11> kPrefixes = {
    "OMP_", "KMP_", "GOMP_", "OMPI_MCA_", "MPICH_", "I_MPI_", "UCX_", "FI_", "HOLOS_", "SLURM_JOB", "PAPI_"};
/// What launchers tell their own processes, not a choice of the user.
constexpr std::array<std::string_view, 5> kInternal = {"OMPI_MCA_orte_", "OMPI_MCA_ess", "OMPI_MCA_pmix",
                                                       "OMPI_MCA_initial_wdir", "OMPI_MCA_shmem_RUNTIME"};

bool startsWithAny(std::string_view text, const auto& prefixes) {
    return std::ranges::any_of(prefixes, [&](auto prefix) { return text.starts_with(prefix); });
}

/// The value of a variable in `/etc/os-release`; empty where there is none.
std::string distribution() {
    constexpr std::string_view kKey = "PRETTY_NAME=";
    std::ifstream file("/etc/os-release");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(kKey)) continue;
        std::string name = line.substr(kKey.size());
        std::erase(name, '"');
        return name;
    }
    return {};
}

/// How many counters of a hardware thread can count any event, as the processor says: on Intel's by CPUID
/// leaf 0xA (Software Developer's Manual, volume 2A), on AMD's by leaf 0x80000022 (Programmer's Manual,
/// volume 3). 0 where it says nothing, as in many virtual machines.
unsigned counterRegisters([[maybe_unused]] const std::string& vendor) {
#if defined(__x86_64__) || defined(__i386__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (vendor == "GenuineIntel" && __get_cpuid_count(0xA, 0, &a, &b, &c, &d) != 0) return a >> 8 & 0xFF;
    if (vendor == "AuthenticAMD" && __get_cpuid_count(0x80000022, 0, &a, &b, &c, &d) != 0) return b & 0xF;
#endif
    return 0;
}

}  // namespace

measurement::Host thisHost() {
    utsname system{};
    ::uname(&system);
    measurement::Host host{
        .name = system.nodename,
        .processor = specs::thisProcessor(),
        .logicalProcessors = ::sysconf(_SC_NPROCESSORS_ONLN),
        .memoryBytes = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE),
        .system = std::string(system.sysname) + ' ' + system.release,
        .distribution = distribution(),
        .architecture = system.machine};
    host.counterRegisters = counterRegisters(host.processor.vendor);
    if (host.processor.name.empty()) host.processor.name = "unknown";
    try {
        if (const auto peaks = specs::storedPeaks(specs::peaksFile(), specs::machineKind()))
            host.peaks = {peaks->operations, peaks->bandwidth};
    } catch (const Error& error) {
        host.peaksMissing = error.what();
    }
    return host;
}

std::map<std::string, std::string> thisEnvironment() {
    std::map<std::string, std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const auto equals = text.find('=');
        if (equals == std::string_view::npos) continue;
        if (startsWithAny(text, kPrefixes) && !startsWithAny(text, kInternal))
            result[std::string(text.substr(0, equals))] =
                isNameOfSecret(text.substr(0, equals)) ? kMasked : text.substr(equals + 1);
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
