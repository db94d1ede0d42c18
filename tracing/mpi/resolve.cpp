// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <mutex>
#include <string>
#include <string_view>

#include "tracing/core/events.h"
#include "tracing/interpose/loaded_libraries.h"
#include "tracing/mpi/trampolines.h"

HolosMpiFunction* holosMpiTargets[kHolosMpiBindings][kHolosMpiFunctions];

namespace holos::tracing::mpi {
namespace {

using interpose::LoadedLibraries;

constexpr const char* kNames[] = {HOLOS_MPI_NAMES};

/// What an MPI library calls itself begins with `name`; libraries of one family share a binary interface.
struct Family {
    std::string_view name;
    const char* adapter;
};
constexpr Family kFamilies[] = {{"Open MPI", "libholos-mpi-openmpi.so"},
                                {"MPICH", "libholos-mpi-mpich.so"},
                                {"Intel(R) MPI", "libholos-mpi-mpich.so"},
                                {"MVAPICH", "libholos-mpi-mpich.so"},
                                {"CRAY MPICH", "libholos-mpi-mpich.so"}};

const LoadedLibraries& libraries() {
    static const LoadedLibraries kLibraries{"PMPI_Init", "pmpi_init_", "pmpi_init_f08_"};
    return kLibraries;
}

HolosMpiFunction* original(HolosMpiBinding binding, int function) {
    std::string name = kNames[function];
    if (binding != kHolosMpiC) {
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return std::tolower(c); });
        name += binding == kHolosMpiMpif ? "_" : "_f08_";
    }
    const std::string profiled = (binding == kHolosMpiC ? "P" : "p") + name;
    void* address = libraries().find(profiled.c_str());
    if (address == nullptr) address = libraries().find(name.c_str());
    return reinterpret_cast<HolosMpiFunction*>(address);
}

/// What is called where no MPI library has the function: a program that only asks whether there is MPI.
constexpr long kNoMpi = 16;
long missing() {
    return kNoMpi;
}
long missingFlag(int* flag) {
    *flag = 0;
    return 0;
}

HolosMpiFunction* missingFunction(int function) {
    const bool isFlag = function == kMPI_Initialized || function == kMPI_Finalized;
    return isFlag ? reinterpret_cast<HolosMpiFunction*>(&missingFlag)
                  : reinterpret_cast<HolosMpiFunction*>(&missing);
}

/// The first line of what the library says about itself, which it does at any time.
std::string libraryVersion() {
    using Version = int(char*, int*);
    auto* const version = reinterpret_cast<Version*>(libraries().find("PMPI_Get_library_version"));
    constexpr std::size_t kLongest = 1U << 14;  // no MPI's MPI_MAX_LIBRARY_VERSION_STRING is longer
    std::string text(kLongest, '\0');
    int length = 0;
    if (version == nullptr || version(text.data(), &length) != 0) return "an unknown MPI";
    return text.substr(0, text.find_first_of(std::string_view("\n\0", 2)));
}

HolosMpiAdapter* notRecorded(const std::string& version, const std::string& reason) {
    const std::string text = "MPI is not recorded: the program uses " + version + ", " + reason;
    trouble(text.c_str());
    return nullptr;
}

HolosMpiAdapter* loadAdapter() {
    const std::string version = libraryVersion();
    const auto* const family = std::find_if(std::begin(kFamilies), std::end(kFamilies),
                                            [&](const Family& one) { return version.starts_with(one.name); });
    if (family == std::end(kFamilies)) return notRecorded(version, "for which Holos has no adapter");
    const std::string path = interpose::ownFolder() + "/" + family->adapter;
    void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr)
        return notRecorded(version, "whose adapter cannot be loaded (" + std::string(dlerror()) +
                                        "); build Holos where this MPI's compiler wrapper is installed");
    return reinterpret_cast<HolosMpiAdapter*>(dlsym(handle, "holosMpiAdapter"));
}

using Targets = std::array<std::array<HolosMpiFunction*, kHolosMpiFunctions>, kHolosMpiBindings>;

/// The MPI library's own functions, replaced by the adapter's wrappers where there are some.
void findTargets(Targets& found) {
    for (int binding = 0; binding < kHolosMpiBindings; ++binding)
        for (int i = 0; i < kHolosMpiFunctions; ++i)
            found[binding][i] = original(static_cast<HolosMpiBinding>(binding), i);
    HolosMpiFunction** rows[kHolosMpiBindings];
    for (int binding = 0; binding < kHolosMpiBindings; ++binding) rows[binding] = found[binding].data();
    if (HolosMpiAdapter* const adapter = loadAdapter()) adapter(HOLOS_MPI_TABLE_HASH, &original, rows);
    for (auto& row : found)
        for (int i = 0; i < kHolosMpiFunctions; ++i)
            if (row[i] == nullptr) row[i] = missingFunction(i);
}

}  // namespace
}  // namespace holos::tracing::mpi

HolosMpiFunction* holosMpiResolve(HolosMpiBinding binding, int function) {
    using namespace holos::tracing;
    // Until MPI is loaded every call asks again: a program may ask for MPI before it loads it.
    if (!interpose::LoadedLibraries{"PMPI_Init", "pmpi_init_", "pmpi_init_f08_"}.found())
        return mpi::missingFunction(function);
    const Pause pause;
    static std::once_flag once;
    std::call_once(once, [] {
        static mpi::Targets found;
        mpi::findTargets(found);
        for (int b = 0; b < kHolosMpiBindings; ++b)
            for (int i = 0; i < kHolosMpiFunctions; ++i)
                __atomic_store_n(&holosMpiTargets[b][i], found[b][i], __ATOMIC_RELEASE);
    });
    return holosMpiTargets[binding][function];
}
