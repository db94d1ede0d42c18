// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/facts/host_facts.h"

#include <fcntl.h>
#include <hwloc.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string_view>
#include <type_traits>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/host_name.h"
#include "base/secrets.h"
#include "metric-specs/machine_peaks.h"
#include "metric-specs/processor.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace holos::archive {
namespace {

constexpr auto kPrefixes =
    std::to_array<std::string_view>({"OMP_", "KMP_", "GOMP_", "OMPI_MCA_", "PRTE_MCA_", "MPICH_", "I_MPI_",
                                     "UCX_", "FI_", "HOLOS_", "SLURM_JOB", "PAPI_"});
/// What launchers tell their own processes, not a choice of the user: those of Open MPI 4, then of 5.
constexpr auto kInternal = std::to_array<std::string_view>(
    {"OMPI_MCA_orte_", "OMPI_MCA_ess", "OMPI_MCA_pmix", "OMPI_MCA_initial_wdir", "OMPI_MCA_shmem_RUNTIME",
     "OMPI_MCA_PREFIXES", "OMPI_MCA_cpu_type", "OMPI_MCA_num_procs", "OMPI_MCA_mca_base_component_path"});

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

namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".hwloc.xml";

struct Destroy {
    void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, Destroy>;

/// A variable of the environment that no program which is started later shall see. What the user said stays.
class Told {
  public:
    Told(const char* variable, const char* value)
        : variable_(variable), isOurs_(std::getenv(variable) == nullptr) {
        if (isOurs_) ::setenv(variable, value, 0);
    }
    ~Told() {
        if (isOurs_) ::unsetenv(variable_);
    }
    Told(Told&&) = delete;

  private:
    const char* variable_;
    bool isOurs_;
};

/// Of the whole machine, also what this process may not use; without devices. Null when hwloc fails.
Topology load(const fs::path& file) {
    // It would say on the standard error output, which is the program's, what it misses, as in a container
    // without /sys. Its plugins find devices, which are left out, by libraries of graphics and others.
    const Told silence("HWLOC_HIDE_ERRORS", "2");
    const Told noPlugins("HWLOC_PLUGINS_PATH", "");
    hwloc_topology_t made = nullptr;
    if (hwloc_topology_init(&made) != 0) return nullptr;
    Topology topology(made);
    hwloc_topology_set_io_types_filter(made, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_flags(made, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (!file.empty() && hwloc_topology_set_xml(made, file.c_str()) != 0) return nullptr;
    return hwloc_topology_load(made) == 0 ? std::move(topology) : nullptr;
}

std::uint32_t numberOf(hwloc_topology_t topology, hwloc_obj_type_t type) {
    return static_cast<std::uint32_t>(std::max(0, hwloc_get_nbobjs_by_type(topology, type)));
}

std::uint32_t numaNodeOf(hwloc_topology_t topology, hwloc_obj_t unit) {
    const int first = unit->nodeset != nullptr ? hwloc_bitmap_first(unit->nodeset) : -1;
    const hwloc_obj_t node =
        first < 0 ? nullptr : hwloc_get_numanode_obj_by_os_index(topology, static_cast<unsigned>(first));
    return node != nullptr ? node->logical_index : 0;
}

/// hwloc's numbers follow the nesting: the units of a core and the cores of a socket stand side by side.
void addPlaces(hwloc_topology_t topology, Hardware& hardware) {
    std::map<unsigned, std::map<unsigned, std::uint32_t>> units;  // by socket and core
    for (hwloc_obj_t unit = nullptr;
         (unit = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, unit)) != nullptr;) {
        const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, unit);
        const hwloc_obj_t socket = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, unit);
        auto& cores = units[socket != nullptr ? socket->logical_index : 0];
        auto& used = cores[core != nullptr ? core->logical_index : unit->logical_index];
        hardware.places[unit->os_index] = {socket != nullptr ? socket->logical_index : 0,
                                           numaNodeOf(topology, unit),
                                           static_cast<std::uint32_t>(cores.size() - 1), used++};
        hardware.unitsOfCore = std::max(hardware.unitsOfCore, used);
        hardware.coresOfSocket = std::max(hardware.coresOfSocket, static_cast<std::uint32_t>(cores.size()));
    }
    hardware.sockets = static_cast<std::uint32_t>(units.size());
    for (const auto& [socket, cores] : units) hardware.cores += static_cast<std::uint32_t>(cores.size());
}

void addCaches(hwloc_topology_t topology, Hardware& hardware) {
    constexpr std::array kCaches = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                    HWLOC_OBJ_L4CACHE};
    for (std::size_t level = 0; level < kCaches.size(); ++level) {
        const hwloc_obj_t first = hwloc_get_obj_by_type(topology, kCaches[level], 0);
        if (first == nullptr) continue;
        hardware.caches.push_back(
            {"L" + std::to_string(level + 1), first->attr->cache.size, numberOf(topology, kCaches[level])});
    }
}

std::string modelOf(hwloc_topology_t topology) {
    const hwloc_obj_t socket = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char* const name =
        hwloc_obj_get_info_by_name(socket != nullptr ? socket : hwloc_get_root_obj(topology), "CPUModel");
    return name != nullptr ? name : "";
}

}  // namespace

void saveHardware(const fs::path& recording) {
    const fs::path file = recording / (hostName() + kSuffix);
    std::error_code ignored;
    if (fs::exists(file, ignored)) return;
    // Of the commands of a node, which begin at the same time, one looks into a hundred files of the kernel.
    const fs::path own = recording / ("hwloc." + hostName() + ".tmp");
    const Descriptor chosen(::open(own.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644));
    if (!chosen) return;
    const Topology topology = load({});
    if (topology == nullptr || hwloc_topology_export_xml(topology.get(), own.c_str(), 0) != 0) return;
    fs::rename(own, file, ignored);
}

std::map<std::string, Hardware> savedHardware(const fs::path& recording) {
    std::map<std::string, Hardware> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(recording, ignored)) {
        const std::string name = entry.path().filename();
        if (!name.ends_with(kSuffix) || !entry.is_regular_file(ignored)) continue;
        try {
            found[name.substr(0, name.size() - std::string_view(kSuffix).size())] =
                readHardware(entry.path());
        } catch (const Error&) {
            continue;
        }
    }
    return found;
}

Hardware readHardware(const fs::path& file) {
    const Topology topology = load(file);
    if (topology == nullptr)
        throw Error("is no description of a machine that hwloc can read", {.file = file.string()});
    Hardware hardware;
    hardware.processor = modelOf(topology.get());
    hardware.numaNodes = numberOf(topology.get(), HWLOC_OBJ_NUMANODE);
    addPlaces(topology.get(), hardware);
    addCaches(topology.get(), hardware);
    return hardware;
}

}  // namespace holos::archive
