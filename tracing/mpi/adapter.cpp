// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <cstdlib>

#include "tracing/mpi/communicators.h"
#include "tracing/mpi/views.h"
#include "tracing/mpi/wrapper.h"

#include <dlfcn.h>

namespace holos::tracing::mpi {

Function* fortranOriginals[kHolosMpiBindings][kHolosMpiFunctions];
thread_local bool insideMpi = false;
bool isLeftOut[kHolosMpiFunctions];

namespace {

constexpr const char* kNames[] = {HOLOS_MPI_NAMES};
static_assert(sizeof kNames / sizeof *kNames == kHolosMpiFunctions);

Role roles[kHolosMpiFunctions];
std::atomic<RegionRef> regions[kHolosMpiFunctions];
HolosMpiFunction** const* targets;
int chosenGroups = kEvery;

/// The program itself was linked against this MPI, or loaded it: its symbols are found from here.
void* symbol(const char* name) {
    return dlsym(RTLD_DEFAULT, name);
}

void install(const Wrapper& wrapper) {
    const int i = wrapper.function;
    roles[i] = wrapper.role;
    isLeftOut[i] = (wrapper.groups & chosenGroups) == 0;
    for (int binding = 0; binding < kHolosMpiBindings; ++binding)
        if (binding == kHolosMpiC || fortranOriginals[binding][i] != nullptr)
            targets[binding][i] = wrapper.targets[binding];
}

}  // namespace

RegionRef regionOf(int function) noexcept {
    const RegionRef known = regions[function].load(std::memory_order_relaxed);
    if (known != 0) return known;
    RegionDefinition definition{};
    definition.name = kNames[function];
    definition.file = "MPI";
    definition.paradigm = Paradigm::Mpi;
    definition.role = roles[function];
    const RegionRef made = defineRegion(definition);
    regions[function].store(made, std::memory_order_relaxed);
    return made;
}

}  // namespace holos::tracing::mpi

extern "C" __attribute__((visibility("default"))) int holosMpiAdapter(unsigned tableHash,
                                                                      HolosMpiOriginal* original,
                                                                      HolosMpiFunction** const* targets) {
    using namespace holos::tracing::mpi;
    if (tableHash != HOLOS_MPI_TABLE_HASH) return 0;
    for (const HolosMpiBinding binding : {kHolosMpiMpif, kHolosMpiF08})
        for (int i = 0; i < kHolosMpiFunctions; ++i) fortranOriginals[binding][i] = original(binding, i);
    findFortranSentinels(symbol);
    holos::tracing::mpi::targets = targets;
    if (const char* groups = std::getenv("HOLOS_MPI"); groups != nullptr)
        chosenGroups = groupsOf(groups).value_or(kEvery);
    forEachWrapper(install);
    int begun = 0;
    int ended = 0;
    PMPI_Initialized(&begun);
    PMPI_Finalized(&ended);
    if (begun != 0 && ended == 0) defineWorld();
    return 1;
}
