// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/installation.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <regex>

#include "base/error.h"
#include "base/process.h"
#include "tracing/recordings/archive/process/loading.h"

namespace holos::launch {

namespace fs = std::filesystem;

std::string thisProgram() {
    return fs::read_symlink("/proc/self/exe").string();
}

/// The build tree has the layout of an installation, but for the name of the folder that plugins are in.
fs::path topFolder() {
    return fs::read_symlink("/proc/self/exe").parent_path().parent_path();
}

fs::path libraryFolder() {
    const fs::path top = topFolder();
    return fs::exists(top / HOLOS_PLUGINDIR) ? top / HOLOS_PLUGINDIR : top / "lib";
}

fs::path adaptersMadeLater(const std::string& chosen) {
    std::error_code none;
    if (!chosen.empty() && !fs::is_directory(chosen, none))
        throw UsageError("--mpi-adapters: there is no folder " + chosen);
    if (!chosen.empty()) return fs::absolute(chosen);
    const char* const data = std::getenv("XDG_DATA_HOME");
    const char* const home = std::getenv("HOME");
    fs::path own;
    if (data != nullptr && *data != '\0')
        own = data;
    else if (home != nullptr && *home != '\0')
        own = fs::path(home) / ".local/share";
    own /= "holos/mpi-adapters";
    return own.is_absolute() && fs::is_directory(own, none) ? own : fs::path();
}

std::vector<fs::path> adapterFolders(const std::string& chosen) {
    std::vector<fs::path> folders{libraryFolder() / "mpi-adapters", libraryFolder()};
    if (const fs::path later = adaptersMadeLater(chosen); !later.empty())
        folders.insert(folders.begin(), later);
    return folders;
}

namespace {

constexpr const char* kTracing = "libholos-tracing.so";
constexpr const char* kExceptions = "libholos-exceptions.so";
constexpr const char* kAllocations = "libholos-allocations.so";
constexpr const char* kAnnotations = "libholos-annotations.so";  // loaded by what the program uses

/// The folder of the recorder's libraries, without links.
fs::path folderOfLibraries() {
    requirePreloads();
    return fs::canonical(libraryFolder() / kTracing).parent_path();
}

bool canBePreloaded(const fs::path& folder) {
    return folder.string().find_first_of(" \t\n:") == std::string::npos;
}

/// Other ranks make the same link at the same time.
fs::path linkIn(const fs::path& folder, const fs::path& libraries) {
    const fs::path link = folder / "libraries";
    if (::symlink(libraries.c_str(), link.c_str()) != 0 && errno != EEXIST)
        throw Error(std::string("cannot link to the recorder's libraries: ") + std::strerror(errno),
                    {.file = link.string()});
    return link;
}

fs::path makeTemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "holos-XXXXXX").string();
    if (!canBePreloaded(name) || ::mkdtemp(name.data()) == nullptr) {
        name = "/tmp/holos-XXXXXX";
        if (::mkdtemp(name.data()) == nullptr)
            throw Error(
                "the recorder's libraries are in a folder with a blank or colon in its name, and no other "
                "folder can be made for a link to them");
    }
    return name;
}

}  // namespace

void requirePreloads() {
    for (const char* name : {kTracing, kExceptions, kAllocations, kAnnotations})
        if (!fs::exists(libraryFolder() / name))
            throw Error(std::string(name) + " is not in " + libraryFolder().string() +
                        ": the installation is incomplete");
}

Preload::Preload(const fs::path& recording, bool followsAllocations)
    : folder_(folderOfLibraries()), followsAllocations_(followsAllocations) {
    if (canBePreloaded(folder_)) return;
    const fs::path shared = fs::absolute(recording);
    if (!canBePreloaded(shared)) own_ = makeTemporaryFolder();
    folder_ = linkIn(own_.empty() ? shared : own_, folder_);
}

Preload::~Preload() {
    std::error_code isLeft;
    if (!own_.empty()) fs::remove_all(own_, isLeft);
}

std::string Preload::value() const {
    std::string names = (folder_ / kExceptions).string() + ':' + (folder_ / kTracing).string();
    // What stands behind the recorder is found behind both.
    if (followsAllocations_) names = (folder_ / kAllocations).string() + ':' + names;
    if (const char* others = std::getenv("LD_PRELOAD"); others != nullptr && *others != '\0')
        names += std::string(":") + others;
    return names;
}

fs::path llvmOpenMpRuntime() {
    for (const char* name : {"libomp.so.5", "libomp.so"}) {
        void* const library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
        if (library == nullptr) continue;
        const link_map* map = nullptr;
        fs::path path;
        if (::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && ::dlsym(library, "GOMP_parallel") != nullptr)
            path = fs::canonical(map->l_name);
        ::dlclose(library);
        if (!path.empty()) return path;
    }
    throw Error(
        "--openmp-runtime llvm: LLVM's libomp.so.5, with the entry points of gcc's runtime, is not among the "
        "libraries of this machine (Debian: package libomp5; elsewhere, add its folder to LD_LIBRARY_PATH)");
}

void offerAsLibgomp(const fs::path& runtime, const fs::path& folder) {
    const fs::path link = folder / "libgomp.so.1";
    std::error_code error;
    fs::create_symlink(runtime, link, error);
    if (error && !fs::is_symlink(link))
        throw Error("cannot be made: " + error.message(), {.file = link.string()});
}

/// The loader itself says what is missing, without running the program: version `GOMP_5.1' not found
/// (required by …).
void checkRuntimeSuits(const fs::path& program, const fs::path& folder) {
    if (!archive::isMachineCode(program)) return;
    const char* const others = std::getenv("LD_LIBRARY_PATH");
    const std::string path =
        folder.string() + (others != nullptr && *others != '\0' ? std::string(":") + others : "");
    const Answer answer = answerOf({"env", "LD_TRACE_LOADED_OBJECTS=1", "LD_WARN=1",
                                    "LD_LIBRARY_PATH=" + path, fs::absolute(program).string()},
                                   ErrorOutput::WithOutput);
    const std::regex missing(
        "libgomp\\.so\\.1: version [`']([A-Z]+_[0-9.]+)' not found \\(required by ([^)]*)\\)");
    std::smatch found;
    if (!std::regex_search(answer.text, found, missing)) return;
    throw Error(
        "--openmp-runtime llvm: needs " + found[1].str() + " of gcc's OpenMP runtime, which LLVM's (" +
            fs::canonical(folder / "libgomp.so.1").string() +
            ") does not have; leave the option out: with its own runtime, the program is recorded, too",
        {.file = found[2].str()});
}

}  // namespace holos::launch
