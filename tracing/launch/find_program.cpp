// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/launch/find_program.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace holos::launch {
namespace {

namespace fs = std::filesystem;

bool isExecutable(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

/// The path itself, or the first one in PATH; empty where there is none.
fs::path search(const std::string& name) {
    if (name.find('/') != std::string::npos) return name;
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
        if (isExecutable(candidate)) return candidate;
    }
    return {};
}

/// The loader that the file asks for, which is what loads the recorder; empty where it asks for none.
std::string loaderOf(std::ifstream& file, const Elf64_Ehdr& header) {
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr part{};
        file.seekg(static_cast<std::streamoff>(header.e_phoff + std::uint64_t{i} * header.e_phentsize));
        if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) return "";
        if (part.p_type != PT_INTERP) continue;
        constexpr std::uint64_t kLongest = 4096;
        std::string loader(std::min<std::uint64_t>(part.p_filesz, kLongest), '\0');
        file.seekg(static_cast<std::streamoff>(part.p_offset));
        file.read(loader.data(), static_cast<std::streamsize>(loader.size()));
        return file ? loader.substr(0, loader.find('\0')) : "";
    }
    return "";
}

/// The program that a script's first line names; empty where there is no such line.
std::string interpreterOf(const fs::path& script) {
    std::ifstream file(script, std::ios::binary);
    std::string line;
    if (file.get() != '#' || file.get() != '!' || !std::getline(file, line)) return "";
    const std::size_t begin = line.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : line.substr(begin, line.find_first_of(" \t", begin) - begin);
}

void checkScript(const fs::path& path) {
    std::string interpreter = interpreterOf(path);
    if (interpreter.empty() || fs::exists(interpreter)) return;
    const bool isOfWindows = interpreter.back() == '\r';
    if (isOfWindows) interpreter.pop_back();
    throw Error("its first line asks for " + interpreter +
                    (isOfWindows ? " and ends with a carriage return, as on Windows: remove that"
                                 : ", which does not exist"),
                {.file = path.string()});
}

void checkLoader(const fs::path& loader, const fs::path& program) {
    if (loader.filename().string().starts_with("ld-musl"))
        throw Error(
            "is linked to musl, and the recorder to another C library, so that it cannot be loaded into it; "
            "link it to glibc",
            {.file = program.string()});
}

bool readHeader(std::ifstream& file, Elf64_Ehdr& header) {
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
}

/// `mpirun.openmpi`, too.
bool isLauncher(const fs::path& program) {
    const std::string name = program.filename().string();
    constexpr const char* kLaunchers[] = {"mpirun", "mpiexec", "orterun", "prun", "prterun", "srun"};
    return std::ranges::find(kLaunchers, name.substr(0, name.find('.'))) != std::end(kLaunchers);
}

/// As `ld-linux-x86-64.so.2 ./app`: it loads the recorder like any other library.
bool isLoader(const fs::path& program) {
    return program.filename().string().starts_with("ld-linux");
}

void checkLoadable(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    Elf64_Ehdr header{};
    if (!readHeader(file, header)) return checkScript(path);
    if (header.e_ident[EI_CLASS] != ELFCLASS64)
        throw Error("is a 32-bit program: only 64-bit programs can be recorded", {.file = path.string()});
    const std::string loader = file ? loaderOf(file, header) : "";
    if (loader.empty() && isLoader(path)) return;
    if (loader.empty())
        throw Error("is statically linked: the recorder cannot be loaded into it; link it dynamically",
                    {.file = path.string()});
    checkLoader(loader, path);
    struct stat facts {};
    if (::stat(path.c_str(), &facts) == 0 && (facts.st_mode & S_ISUID) != 0 && facts.st_uid != ::geteuid())
        throw Error("runs as another user (set-uid): the system does not load the recorder into it",
                    {.file = path.string()});
}

}  // namespace

fs::path findProgram(const std::string& name) {
    const fs::path path = search(name);
    if (path.empty())
        throw Error(name + ": no such program in PATH (for one in this folder, write ./" + name + ')');
    if (!fs::exists(path)) throw Error("no such program", {.file = name});
    if (fs::is_directory(path)) throw Error("is a folder, not a program", {.file = name});
    if (!isExecutable(path)) throw Error("is not executable (chmod +x makes it so)", {.file = name});
    checkLoadable(path);
    return path;
}

void checkLaunchedPrograms(std::span<const std::string> command) {
    if (!isLauncher(command.front())) return;
    for (const std::string& word : command.subspan(1)) {
        const fs::path path = search(word);
        if (!isExecutable(path)) continue;
        std::ifstream file(path, std::ios::binary);
        Elf64_Ehdr header{};
        if (readHeader(file, header)) checkLoader(loaderOf(file, header), path);
    }
}

}  // namespace holos::launch
