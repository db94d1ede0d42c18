// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/attach/process_list.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/number.h"
#include "tracing/recordings/format/settings.h"

namespace holos::attach {
namespace {

namespace fs = std::filesystem;

fs::path folderOf(pid_t process) {
    return fs::path("/proc") / std::to_string(process);
}

std::string contentOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<pid_t> numbersIn(const fs::path& folder) {
    std::vector<pid_t> numbers;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (const auto number = asNumber<pid_t>(name)) numbers.push_back(*number);
    }
    std::ranges::sort(numbers);
    return numbers;
}

/// Separated by NULs, as arguments and environments are.
std::vector<std::string> wordsOf(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size(); at += words.back().size() + 1)
        words.emplace_back(text.c_str() + at);
    return words;
}

/// Of one thread (proc(5), `children`).
void addChildren(pid_t process, pid_t thread, std::vector<pid_t>& all) {
    std::ifstream file(folderOf(process) / "task" / std::to_string(thread) / "children");
    for (pid_t child = 0; file >> child;) all.push_back(child);
}

/// `ADDRESS-ADDRESS PERMISSIONS OFFSET DEVICE INODE PATH`
struct Mapping {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    bool isCode = false;
    std::string path;
};

bool parse(const std::string& line, Mapping& mapping) {
    std::istringstream text(line);
    std::string permissions, device, inode;
    char dash = 0;
    text >> std::hex >> mapping.begin >> dash >> mapping.end >> permissions >> mapping.offset >> device >>
        inode >> std::ws;
    if (!text || dash != '-') return false;
    std::getline(text, mapping.path);
    mapping.isCode = permissions.size() > 2 && permissions[2] == 'x';
    return !mapping.path.empty();
}

}  // namespace

std::vector<pid_t> threadsOf(pid_t process) {
    return numbersIn(folderOf(process) / "task");
}

std::vector<pid_t> withDescendants(pid_t process) {
    std::vector<pid_t> all{process};
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const pid_t thread : threadsOf(all[i])) addChildren(all[i], thread, all);
    return all;
}

ProgramFacts programOf(pid_t process) {
    ProgramFacts facts;
    std::error_code error;
    facts.executable = fs::read_symlink(folderOf(process) / "exe", error).string();
    facts.arguments = wordsOf(contentOf(folderOf(process) / "cmdline"));
    facts.rank = rankIn(contentOf(folderOf(process) / "environ"));
    return facts;
}

std::int64_t rankIn(const std::string& environment) {
    const std::vector<std::string> variables = wordsOf(environment);
    for (const char* name : tracing::core::kRankVariables)
        for (const std::string& variable : variables) {
            const std::string begin = std::string(name) + '=';
            if (!variable.starts_with(begin)) continue;
            const char* const end = variable.data() + variable.size();
            std::int64_t rank = -1;
            const auto [behind, problem] = std::from_chars(variable.data() + begin.size(), end, rank);
            if (problem == std::errc{} && behind == end && rank >= 0) return rank;
        }
    return -1;
}

std::vector<LoadedPart> codeOf(pid_t process) {
    return codeIn(contentOf(folderOf(process) / "maps"));
}

std::vector<LoadedPart> codeIn(const std::string& maps) {
    std::vector<LoadedPart> all;
    bool hasCode = false;
    const auto dropWithoutCode = [&] {
        if (!all.empty() && !hasCode) all.pop_back();
        hasCode = false;
    };
    std::istringstream lines(maps);
    for (std::string line; std::getline(lines, line);) {
        Mapping mapping;
        if (!parse(line, mapping)) continue;
        const bool isOfFile = mapping.path.front() == '/' || mapping.path == "[vdso]";
        const bool goesOn = !all.empty() && all.back().path == mapping.path && mapping.offset != 0;
        if (!isOfFile) continue;
        if (!goesOn) {
            dropWithoutCode();
            all.push_back({mapping.begin, mapping.end, mapping.path});
        }
        all.back().end = mapping.end;
        hasCode |= mapping.isCode;
    }
    dropWithoutCode();
    return all;
}

}  // namespace holos::attach
