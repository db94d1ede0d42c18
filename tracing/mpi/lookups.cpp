// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/mpi/lookups.h"

#include <dlfcn.h>
#include <strings.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "tracing/mpi/resolve.h"

namespace holos::tracing::mpi {
namespace {

constexpr std::string_view kNames[] = {HOLOS_MPI_NAMES};

struct Place {
    HolosMpiBinding binding;
    int function;
};

bool areEqualInFortran(std::string_view name, std::string_view other) {
    return name.size() == other.size() && strncasecmp(name.data(), other.data(), name.size()) == 0;
}

/// MPI libraries offer a Fortran function in the spellings of several compilers: `mpi_send_`, `MPI_SEND`, ….
/// Those of `use mpi_f08` are the compilers' own affair: nobody looks them up.
std::optional<Place> placeOf(std::string_view name) {
    for (int i = 0; i < kHolosMpiFunctions; ++i)
        if (name == kNames[i]) return Place{kHolosMpiC, i};
    for (int underscores = 0; underscores < 2 && name.ends_with('_'); ++underscores) name.remove_suffix(1);
    for (int i = 0; i < kHolosMpiFunctions; ++i)
        if (areEqualInFortran(name, kNames[i])) return Place{kHolosMpiMpif, i};
    return std::nullopt;
}

const void* baseOf(const void* address) {
    Dl_info info{};
    return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

/// The function that the program would call by that name: a library in the global scope goes before all
/// others.
const void* inFrontOf(void* handle, const char* name) {
    const void* const global = dlsym(RTLD_NEXT, name);
    return global != nullptr ? global : dlsym(handle, name);
}

/// Whether what the adapter and we ask at first is answered by an MPI itself, known by a symbol of its
/// interface. A library in front of one may be looking up what it needs for an answer just now.
bool isAnsweredByMpi(void* handle) {
    const void* mpi = baseOf(dlsym(handle, "ompi_mpi_comm_world"));
    if (mpi == nullptr) mpi = baseOf(dlsym(handle, "MPIR_Dup_fn"));
    const char* const asked[] = {"PMPI_Get_library_version", "PMPI_Initialized", "PMPI_Finalized"};
    return mpi != nullptr && std::all_of(std::begin(asked), std::end(asked), [&](const char* name) {
               return baseOf(inFrontOf(handle, name)) == mpi;
           });
}

/// Whether `found` is also the profiling interface's function, which is all that a wrapper calls.
bool isProfiled(void* handle, const char* name, const void* found) {
    const std::string profiled = (*name == 'M' ? "P" : "p") + std::string(name);
    return dlsym(handle, profiled.c_str()) == found;
}

/// Whether it is known what the wrapper calls, after finding it out where that may be done.
bool isWrapperKnown(void* handle, const char* name, HolosMpiBinding binding, const void* found) {
    if (isResolved(binding)) return true;
    const int error = errno;
    const bool isKnown =
        isProfiled(handle, name, found) && isAnsweredByMpi(handle) && resolveBehind(handle, binding);
    dlerror();  // the program's lookup succeeded, and of that it may ask
    errno = error;
    return isKnown;
}

}  // namespace
}  // namespace holos::tracing::mpi

void* holosMpiLookedUp(void* handle, const char* name, void* found) {
    using namespace holos::tracing::mpi;
    if (found == nullptr || isResolving()) return found;
    const std::optional<Place> place = placeOf(name);
    if (!place || !isWrapperKnown(handle, name, place->binding, found)) return found;
    if (!isCalledByWrapper(place->binding, place->function, found)) return found;
    return reinterpret_cast<void*>(holosMpiTargets[place->binding][place->function]);
}
