// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/preloaded/resolve.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/mpi/preloaded/loading.h"
#include "tracing/recordings/format/settings.h"

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
constexpr Family kFamilies[] = {{"Open MPI", "openmpi"},   {"MPICH", "mpich"},
                                {"Intel(R) MPI", "mpich"}, {"MVAPICH", "mpich"},
                                {"CRAY MPICH", "mpich"},   {"MPItrampoline", "mpitrampoline"}};

/// By what a library that has the functions of a binding is known. MPICH's for mpi_f08 have no profiling
/// names.
constexpr std::initializer_list<const char*> kKnownBy[kHolosMpiBindings] = {
    {"PMPI_Init"}, {"pmpi_init_", "mpi_init_"}, {"pmpi_init_f08_", "mpi_init_f08_"}};
/// A library that has MPI's functions for C without profiling names is called where there is no other.
constexpr std::initializer_list<const char*> kUnprofiled = {"MPI_Init"};

// What follows belongs to the thread that resolves; the functions called by wrappers to all, once they are
// known.
std::mutex resolving;
const LoadedLibraries* libraries = nullptr;
HolosMpiAdapter* adapter = nullptr;
HolosMpiFunction* calledByWrapper[kHolosMpiBindings][kHolosMpiFunctions];

/// Set when all of a binding is known, for good.
std::atomic<bool> isKnown[kHolosMpiBindings];
/// Set for good when there is an MPI, but no adapter for it: each caller gets what it would have without us.
std::atomic<bool> isUnadapted{false};
/// This thread holds `resolving`. What MPI does meanwhile is not waited for.
thread_local bool isResolvingHere __attribute__((tls_model("initial-exec"))) = false;

void* findInLibraries(const char* symbol, int isData = 0) {
    return isData != 0 ? libraries->findData(symbol) : libraries->find(symbol);
}

std::string nameOf(HolosMpiBinding binding, int function) {
    std::string name = kNames[function];
    if (binding == kHolosMpiC) return name;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name + (binding == kHolosMpiMpif ? "_" : "_f08_");
}

/// MPI's own function, by its profiling name, or that of a tool that comes before it: one in another library.
HolosMpiFunction* original(HolosMpiBinding binding, int function) {
    const std::string name = nameOf(binding, function);
    const std::string profiled = (binding == kHolosMpiC ? "P" : "p") + name;
    void* const own = findInLibraries(profiled.c_str());
    void* const next = findInLibraries(name.c_str());
    const bool isOfTool = next != nullptr && next != own && !interpose::areOfOneLibrary(next, own);
    return reinterpret_cast<HolosMpiFunction*>(own == nullptr || isOfTool ? next : own);
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

/// The first line of what the library says about itself, which it does at any time; MPItrampoline only where
/// it found an MPI to hand calls on to.
std::string libraryVersion() {
    if (findInLibraries("mpitrampoline_version") != nullptr) return "MPItrampoline";
    using Version = int(char*, int*);
    auto* const version = reinterpret_cast<Version*>(findInLibraries("PMPI_Get_library_version"));
    constexpr std::size_t kLongest = 1U << 14;  // no MPI's MPI_MAX_LIBRARY_VERSION_STRING is longer
    std::string text(kLongest, '\0');
    int length = 0;
    if (version == nullptr || version(text.data(), &length) != 0) return "an unknown MPI";
    return text.substr(0, text.find_first_of(std::string_view("\n\0", 2)));
}

/// The library has the standard binary interface of MPI 5. A family that has one of its own, too, has it in
/// another library, which says of itself just the same. MPItrampoline is not asked.
bool hasStandardInterface() {
    if (findInLibraries("mpitrampoline_version") != nullptr) return false;
    using Version = int(int*, int*);
    auto* const version = reinterpret_cast<Version*>(findInLibraries("PMPI_Abi_get_version"));
    int major = -1;
    int minor = -1;
    return version != nullptr && version(&major, &minor) == 0 && major >= 1;
}

HolosMpiAdapter* notRecorded(const std::string& version, const std::string& reason) {
    const std::string text = "MPI is not recorded: the program uses " + version + ", " + reason;
    trouble(text.c_str());
    return nullptr;
}

std::string fileOf(const void* address) {
    const char* const file = code::fileOf(address);
    return file != nullptr ? file : "a library";
}

/// What an adapter for just this version is called by, as in standalone/CMakeLists.txt: `Open-MPI-v4.1.4`.
std::string nameInFiles(std::string_view version) {
    std::string name;
    for (const char c : version.substr(0, version.find(','))) {
        const bool isUsual = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.';
        if (isUsual || name.empty() || name.back() != '-') name += isUsual ? c : '-';
    }
    while (name.ends_with('-')) name.pop_back();
    return name;
}

/// Where adapters may be, the most special ones first: those for one version that were made later, then the
/// installation's for a family.
std::vector<std::string> adaptersFor(const std::string& version) {
    const std::string own = interpose::ownFolder();
    const std::string made = "/libholos-mpi-" + nameInFiles(version) + ".so";
    std::vector<std::string> files;
    if (const std::string_view chosen = core::settings().mpiAdapters; !chosen.empty())
        files.push_back(std::string(chosen) + made);
    files.push_back(own + "/mpi-adapters" + made);
    for (const Family& family : kFamilies)
        if (version.starts_with(family.name))
            files.push_back(own + "/libholos-mpi-" + family.adapter + ".so");
    return files;
}

/// Null where the file has none for this recorder; `reason` then says why.
HolosMpiAdapter* adapterIn(const std::string& file, std::string& reason) {
    void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return reason = dlerror(), nullptr;
    auto* const found = reinterpret_cast<HolosMpiAdapter*>(dlsym(handle, "holosMpiAdapter"));
    if (found != nullptr &&
        found(HOLOS_MPI_INTERFACE_HASH, kHolosMpiBindings, nullptr, nullptr, nullptr) != 0)
        return found;
    return reason = file + " was made for another Holos", nullptr;
}

HolosMpiAdapter* loadAdapter() {
    if (findInLibraries("PMPI_Init") == nullptr)
        return notRecorded(fileOf(findInLibraries("MPI_Init")),
                           "which has no profiling interface (functions PMPI_*)");
    const std::string version = libraryVersion();
    if (hasStandardInterface())
        return notRecorded(
            version, "with MPI's standard binary interface (libmpi_abi), for which there is no adapter yet");
    std::string reason;
    for (const std::string& file : adaptersFor(version))
        if (access(file.c_str(), F_OK) == 0)
            if (HolosMpiAdapter* const found = adapterIn(file, reason); found != nullptr)
                return mpiLibrary(version.c_str()), found;
    return notRecorded(version, (reason.empty() ? "for which Holos has no adapter"
                                                : "whose adapter cannot be loaded (" + reason + ")") +
                                    "; make one with its compiler wrapper: holos-mpi-adapter mpicc");
}

/// The MPI library's own functions, replaced by the adapter's wrappers where there are some.
void findTargets(HolosMpiBinding binding) {
    static HolosMpiFunction* found[kHolosMpiFunctions];
    for (int i = 0; i < kHolosMpiFunctions; ++i) found[i] = original(binding, i);
    adapter(HOLOS_MPI_INTERFACE_HASH, binding, &findInLibraries, found, calledByWrapper[binding]);
    for (int i = 0; i < kHolosMpiFunctions; ++i)
        __atomic_store_n(&holosMpiTargets[binding][i], found[i] != nullptr ? found[i] : missingFunction(i),
                         __ATOMIC_RELEASE);
}

/// Who looks up functions by `dlsym` may do so here: in a library in the global scope, which goes before all
/// others.
bool isInGlobalScope(HolosMpiBinding binding) {
    return std::ranges::any_of(kKnownBy[binding],
                               [](const char* symbol) { return dlsym(RTLD_NEXT, symbol) != nullptr; });
}

LoadedLibraries librariesOf(HolosMpiBinding binding, void* handle) {
    const link_map* library = nullptr;
    if (handle != nullptr && !isInGlobalScope(binding))
        if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&library)) != 0) library = nullptr;
    LoadedLibraries found(kKnownBy[binding], library != nullptr ? library->l_ld : nullptr);
    const bool isLast = found.found() || binding != kHolosMpiC || handle != nullptr;
    return isLast ? found : LoadedLibraries(kUnprofiled);
}

/// Another thread loads a library, and the adapter cannot be loaded meanwhile.
std::atomic<bool> isHeldUp{false};

bool canLoadAdapter() {
    const bool can = canLoadNow();
    if (!can && !isHeldUp.exchange(true))
        trouble(
            "the first calls of MPI are not recorded: meanwhile another thread was loading a library, and may "
            "have waited for the thread that made them");
    return can;
}

/// Unless no library has the binding's functions.
void resolveHere(HolosMpiBinding binding, void* handle) {
    if (isResolved(binding) || isUnadapted.load(std::memory_order_acquire)) return;
    LoadedLibraries found = librariesOf(binding, handle);
    if (!found.found()) return;
    if (binding == kHolosMpiC && !canLoadAdapter()) return found.close();
    libraries = &found;
    if (binding == kHolosMpiC) adapter = loadAdapter();
    if (adapter != nullptr)
        findTargets(binding);
    else
        found.close();
    libraries = nullptr;
    isKnown[binding].store(adapter != nullptr, std::memory_order_release);
    isUnadapted.store(adapter == nullptr, std::memory_order_release);
}

/// The caller holds `resolving`. A null handle: all libraries.
void resolveAlone(HolosMpiBinding binding, void* handle) {
    isResolvingHere = true;
    resolveHere(kHolosMpiC, handle);
    if (binding != kHolosMpiC && isResolved(kHolosMpiC)) resolveHere(binding, handle);
    isResolvingHere = false;
}

/// Set while the thread that resolves needs what one holds that gave up waiting for it.
std::atomic<bool> isStuck{false};

bool lockInTime() {
    using namespace std::chrono_literals;
    const auto end = std::chrono::steady_clock::now() + (isStuck ? 0s : 5s);
    while (!resolving.try_lock()) {
        if (std::chrono::steady_clock::now() >= end) return isStuck = true, false;
        std::this_thread::sleep_for(1ms);
    }
    isStuck = false;
    return true;
}

HolosMpiFunction* unadapted(HolosMpiBinding binding, int function, const void* caller) {
    const void* const key = &holosMpiTargets[binding][function];
    void* found = interpose::remembered(key, caller);
    if (found == nullptr) found = interpose::findLikeCaller(key, nameOf(binding, function).c_str(), caller);
    return found != nullptr ? reinterpret_cast<HolosMpiFunction*>(found) : missingFunction(function);
}

/// A library that MPI loads while it is asked for its version, or the adapter with it, may call MPI.
HolosMpiFunction* unresolved(HolosMpiBinding binding, int function) {
    HolosMpiFunction* const own = libraries != nullptr ? original(binding, function) : nullptr;
    return own != nullptr ? own : missingFunction(function);
}

}  // namespace

bool isResolved(HolosMpiBinding binding) noexcept {
    return isKnown[binding].load(std::memory_order_acquire);
}

bool isResolving() noexcept {
    return isResolvingHere;
}

bool resolveBehind(void* handle, HolosMpiBinding binding) {
    const Pause pause;  // the lock is no lock of the program
    if (!lockInTime()) return false;
    const std::lock_guard lock(resolving, std::adopt_lock);
    resolveAlone(binding, handle);
    return isResolved(binding);
}

bool isCalledByWrapper(HolosMpiBinding binding, int function, const void* address) noexcept {
    return address != nullptr && reinterpret_cast<const void*>(calledByWrapper[binding][function]) == address;
}

}  // namespace holos::tracing::mpi

HolosMpiFunction* holosMpiResolve(HolosMpiBinding binding, int function, const void* caller) {
    using namespace holos::tracing::mpi;
    if (isResolving()) return unresolved(binding, function);
    if (isUnadapted.load(std::memory_order_acquire)) return unadapted(binding, function, caller);
    const holos::tracing::Pause pause;
    if (!lockInTime()) return unadapted(binding, function, caller);
    const std::lock_guard lock(resolving, std::adopt_lock);
    resolveAlone(binding, nullptr);
    if (isUnadapted.load(std::memory_order_acquire)) return unadapted(binding, function, caller);
    // Until MPI is loaded every call asks again: a program may ask for MPI before it loads it.
    return isResolved(binding) ? holosMpiTargets[binding][function] : unadapted(binding, function, caller);
}
