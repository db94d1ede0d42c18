// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/process/loading.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "tracing/code/debug/debug_files.h"

namespace holos::archive {
namespace {

namespace fs = std::filesystem;

bool readHeader(std::ifstream& file, Elf64_Ehdr& header) {
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
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

/// As `ld-linux-x86-64.so.2 ./app`: it loads the recorder like any other library.
bool isLoader(const fs::path& program) {
    return program.filename().string().starts_with("ld-linux");
}

std::string whyNotWithLoader(const fs::path& loader) {
    if (!loader.filename().string().starts_with("ld-musl")) return "";
    return "is linked to musl, and the recorder to another C library, so that it cannot be loaded into it; "
           "link it to glibc";
}

/// Of a script; the program itself where it is none.
fs::path interpreterOf(const fs::path& program) {
    constexpr std::size_t kLongest = 256;  // as the kernel reads it
    std::ifstream file(program, std::ios::binary);
    std::string line(kLongest, '\0');
    file.read(line.data(), kLongest);
    line.resize(static_cast<std::size_t>(file.gcount()));
    if (!line.starts_with("#!")) return program;
    std::istringstream words(line.substr(2, line.find('\n') - 2));
    std::string interpreter;
    words >> interpreter;
    return interpreter;
}

/// The words of a command, which may be a line for a shell.
std::vector<std::string> wordsIn(const std::string& text) {
    constexpr const char* kBetween = " \t\n;&|()<>\"'`";
    std::vector<std::string> words;
    for (std::size_t at = 0; (at = text.find_first_not_of(kBetween, at)) != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

}  // namespace

bool isExecutableFile(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

fs::path programOf(const std::string& word, const fs::path& folder) {
    if (word.find('/') != std::string::npos) return folder / word;
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string one; std::getline(folders, one, ':');) {
        const fs::path candidate = fs::path(one.empty() ? "." : one) / word;
        if (isExecutableFile(candidate)) return candidate;
    }
    return {};
}

bool isMachineCode(const fs::path& program) {
    std::ifstream file(program, std::ios::binary);
    Elf64_Ehdr header{};
    return readHeader(file, header);
}

std::string whyNotLoaded(const fs::path& program) {
    std::ifstream file(program, std::ios::binary);
    Elf64_Ehdr header{};
    if (!readHeader(file, header)) return "";
    if (header.e_ident[EI_CLASS] != ELFCLASS64)
        return "is a 32-bit program: only 64-bit programs can be recorded";
    const std::string loader = file ? loaderOf(file, header) : "";
    if (loader.empty())
        return isLoader(program)
                   ? ""
                   : "is statically linked: the recorder cannot be loaded into it; link it dynamically";
    if (std::string reason = whyNotWithLoader(loader); !reason.empty()) return reason;
    struct stat facts {};
    if (::stat(program.c_str(), &facts) == 0 && (facts.st_mode & S_ISUID) != 0 && facts.st_uid != ::geteuid())
        return "runs as another user (set-uid): the system does not load the recorder into it";
    return "";
}

std::string whyItFailsWithRecorder(const fs::path& program) {
    std::ifstream file(program, std::ios::binary);
    Elf64_Ehdr header{};
    return readHeader(file, header) ? whyNotWithLoader(loaderOf(file, header)) : "";
}

std::string whyNotRecorded(const fs::path& called) {
    const fs::path program = interpreterOf(called);
    if (std::string reason = whyNotLoaded(program); !reason.empty()) return reason;
    return code::sharesSymbol(program, "__tsan_init")
               ? "is built with -fsanitize=thread, with which programs are not recorded"
               : "";
}

std::string firstNotRecorded(std::span<const std::string> command, const fs::path& folder) {
    for (const std::string& text : command)
        for (const std::string& word : wordsIn(text)) {
            const fs::path program = programOf(word, folder);
            if (program.empty() || !isExecutableFile(program)) continue;
            if (const std::string reason = whyNotRecorded(program); !reason.empty())
                return word + ' ' + reason;
        }
    return "";
}

}  // namespace holos::archive
