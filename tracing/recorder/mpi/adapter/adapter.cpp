// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <atomic>
#include <string_view>

#include "tracing/recorder/core/filtering.h"
#include "tracing/recorder/mpi/adapter/wrapper.h"
#include "tracing/recorder/mpi/state/communicators.h"
#include "tracing/recorder/mpi/state/views.h"
#include "tracing/recorder/mpi/state/world.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::mpi {

Function* originals[kHolosMpiBindings][kHolosMpiFunctions];
bool isLeftOut[kHolosMpiFunctions];
bool isRecordedWhenFound[kHolosMpiFunctions];

namespace {

constexpr const char* kNames[] = {HOLOS_MPI_NAMES};
static_assert(sizeof kNames / sizeof *kNames == kHolosMpiFunctions);

Role roles[kHolosMpiFunctions];
int chosenGroups = kEvery;

/// What is being installed.
HolosMpiBinding installed;
HolosMpiFind* findInMpi;
HolosMpiFunction** targets;
HolosMpiFunction** called;

void* data(const char* name) {
    return findInMpi(name, 1);
}

/// A tool's function is called only in front of the MPI that this adapter itself calls.
Function* originalFor(const Wrapper& wrapper) {
    const std::string own = std::string("P") + kNames[wrapper.function];
    const bool isBehind = findInMpi(own.c_str(), 0) == reinterpret_cast<void*>(wrapper.own);
    return isBehind ? targets[wrapper.function] : wrapper.own;
}

void install(const Wrapper& wrapper) {
    const int i = wrapper.function;
    if (installed == kHolosMpiC) originals[kHolosMpiC][i] = originalFor(wrapper);
    called[i] = originals[installed][i];
    if (called[i] != nullptr) targets[i] = wrapper.targets[installed];
}

void noteWrapper(const Wrapper& wrapper) {
    roles[wrapper.function] = wrapper.role;
    const bool isFiltered =
        wrapper.extent != Extent::More && core::isCallFilteredOut(kNames[wrapper.function]);
    isLeftOut[wrapper.function] =
        (wrapper.groups & chosenGroups) == 0 || (isFiltered && wrapper.extent == Extent::Region);
    isRecordedWhenFound[wrapper.function] = isFiltered && wrapper.extent == Extent::Found;
}

void beginWithC() {
    if (const std::string_view groups = core::settings().mpi; !groups.empty())
        chosenGroups = groupsOf(groups).value_or(kEvery);
    forEachWrapper(noteWrapper);
}

/// Of a program that began MPI before its functions were found.
void defineWorldIfBegun() {
    int begun = 0;
    int ended = 0;
    PMPI_Initialized(&begun);
    PMPI_Finalized(&ended);
    if (begun != 0 && ended == 0) defineWorld(worldIdOfLauncher());
}

}  // namespace

std::atomic<RegionRef> regions[kHolosMpiFunctions];

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

extern "C" __attribute__((visibility("default"))) int holosMpiAdapter(unsigned interfaceHash,
                                                                      HolosMpiBinding binding,
                                                                      HolosMpiFind* find,
                                                                      HolosMpiFunction** targets,
                                                                      HolosMpiFunction** called) {
    using namespace holos::tracing;
    if (interfaceHash != HOLOS_MPI_INTERFACE_HASH) return 0;
    if (binding == kHolosMpiBindings) return 1;
    mpi::installed = binding;
    mpi::findInMpi = find;
    mpi::targets = targets;
    mpi::called = called;
    if (binding == kHolosMpiC)
        mpi::beginWithC();
    else
        std::copy_n(targets, kHolosMpiFunctions, mpi::originals[binding]);
    mpi::findFortranSentinels(mpi::data);
    mpi::forEachWrapper(mpi::install);
    if (binding == kHolosMpiC) mpi::defineWorldIfBegun();
    return 1;
}
