// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <mutex>
#include <string>

#include "tracing/core/events.h"
#include "tracing/interpose/loaded_libraries.h"
#include "tracing/mpi/trampolines.h"

HolosMpiFunction* holosMpiTargets[kHolosMpiBindings][kHolosMpiFunctions];

namespace holos::tracing::mpi {
namespace {

using interpose::LoadedLibraries;

constexpr const char* kNames[] = {HOLOS_MPI_NAMES};

/// A symbol that only one family of MPI libraries has, and the adapter for that family.
struct Family {
    const char* symbol;
    const char* adapter;
};
constexpr Family kFamilies[] = {{"ompi_mpi_comm_world", "libholos-mpi-openmpi.so"},
                                {"MPIR_Version_string", "libholos-mpi-mpich.so"}};

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

HolosMpiAdapter* loadAdapter() {
    for (const Family& family : kFamilies) {
        if (libraries().find(family.symbol) == nullptr) continue;
        const std::string path = interpose::ownFolder() + "/" + family.adapter;
        void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle != nullptr) return reinterpret_cast<HolosMpiAdapter*>(dlsym(handle, "holosMpiAdapter"));
    }
    return nullptr;
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
