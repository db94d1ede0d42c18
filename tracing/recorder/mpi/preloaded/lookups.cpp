// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/preloaded/lookups.h"

#include <dlfcn.h>
#include <strings.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/mpi/preloaded/resolve.h"

namespace holos::tracing::mpi {
namespace {

using interpose::areOfOneLibrary;

constexpr std::string_view kNames[] = {HOLOS_MPI_NAMES};

struct Place {
    HolosMpiBinding binding;
    int function;
};

bool areEqualInFortran(std::string_view name, std::string_view other) {
    return name.size() == other.size() && strncasecmp(name.data(), other.data(), name.size()) == 0;
}

/// MPI libraries offer a Fortran function in the spellings of several compilers: `mpi_send_`, `MPI_SEND`, ….
/// The functions of `use mpi_f08` are the compilers' own affair: nobody looks them up.
std::optional<Place> placeOf(std::string_view name) {
    for (int i = 0; i < kHolosMpiFunctions; ++i)
        if (name == kNames[i]) return Place{kHolosMpiC, i};
    for (int underscores = 0; underscores < 2 && name.ends_with('_'); ++underscores) name.remove_suffix(1);
    for (int i = 0; i < kHolosMpiFunctions; ++i)
        if (areEqualInFortran(name, kNames[i])) return Place{kHolosMpiMpif, i};
    return std::nullopt;
}

/// The function that the program would call by that name: a library in the global scope goes before all
/// others.
const void* inFrontOf(void* handle, const char* name) {
    const void* const global = dlsym(RTLD_NEXT, name);
    return global != nullptr ? global : dlsym(handle, name);
}

/// By which an MPI library is known, or MPItrampoline, which hands all calls on to one.
constexpr const char* kMpitrampoline = "mpitrampoline_version";
constexpr const char* kSymbolsOfMpi[] = {"ompi_mpi_comm_world", "MPIR_Dup_fn", kMpitrampoline};

/// A symbol of the MPI library.
const void* placeInMpi(void* handle) {
    for (const char* symbol : kSymbolsOfMpi)
        if (const void* const place = dlsym(handle, symbol); place != nullptr) return place;
    return nullptr;
}

/// Whether what the adapter and we ask at first is answered by an MPI itself, known by a symbol of its
/// interface. A library in front of one may be looking up what it needs for an answer just now.
bool isAnsweredByMpi(void* handle) {
    const void* const mpi = placeInMpi(handle);
    const char* const asked[] = {"PMPI_Get_library_version", "PMPI_Initialized", "PMPI_Finalized"};
    return mpi != nullptr && std::all_of(std::begin(asked), std::end(asked), [&](const char* name) {
               return areOfOneLibrary(inFrontOf(handle, name), mpi);
           });
}

/// The profiling interface's function where `found` is the same, which is all that a wrapper calls; otherwise
/// null. MPItrampoline has two functions for each, which do the same.
const void* profiledTwin(void* handle, const char* name, const void* found) {
    const std::string profiled = (*name == 'M' ? "P" : "p") + std::string(name);
    const void* const twin = dlsym(handle, profiled.c_str());
    const bool isSame = twin == found || (areOfOneLibrary(twin, found) &&
                                          areOfOneLibrary(dlsym(handle, kMpitrampoline), found));
    return isSame ? twin : nullptr;
}

/// Whether the wrapper calls what was found, after finding out what it calls where that may be done.
bool isWrapped(void* handle, const char* name, const Place& place, const void* found) {
    const auto [binding, function] = place;
    if (isResolved(binding) && isCalledByWrapper(binding, function, found)) return true;
    const int error = errno;
    const void* const twin = profiledTwin(handle, name, found);
    const bool isKnown = twin != nullptr &&
                         (isResolved(binding) || (isAnsweredByMpi(handle) && resolveBehind(handle, binding)));
    dlerror();  // the program's lookup succeeded, and of that it may ask
    errno = error;
    return isKnown && isCalledByWrapper(binding, function, twin);
}

}  // namespace
}  // namespace holos::tracing::mpi

void* holosMpiLookedUp(void* handle, const char* name, void* found) {
    using namespace holos::tracing::mpi;
    if (found == nullptr || isResolving()) return found;
    const std::optional<Place> place = placeOf(name);
    if (!place || !isWrapped(handle, name, *place, found)) return found;
    return reinterpret_cast<void*>(holosMpiTargets[place->binding][place->function]);
}
