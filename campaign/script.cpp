// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "base/error.h"
#include "base/input_file.h"
#include "base/process.h"

namespace holos::campaign {
namespace {

std::string replaced(std::string text, std::string_view mark, const std::string& by) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
        text.replace(at, mark.size(), by);
    return text;
}

std::filesystem::path besideRun(const std::filesystem::path& folder, const Run& run, const char* ending) {
    return folder / (run.name + ending);
}

}  // namespace

std::filesystem::path outputOf(const std::filesystem::path& folder, const Run& run) {
    return besideRun(folder, run, ".txt");
}
std::filesystem::path statusOf(const std::filesystem::path& folder, const Run& run) {
    return besideRun(folder, run, ".status");
}
std::filesystem::path refusedOf(const std::filesystem::path& folder, const Run& run) {
    return besideRun(folder, run, ".refused.json");
}
std::filesystem::path scriptOf(const std::filesystem::path& folder, const Run& run) {
    return besideRun(folder, run, ".sh");
}

std::vector<std::string> recordCommand(const std::string& holos, const std::filesystem::path& folder,
                                       const Run& run, const std::vector<std::string>& command) {
    std::vector<std::string> words{holos, "record"};
    if (run.isProfile) words.emplace_back("--profile");
    if (run.isMultiplexed) words.emplace_back("--multiplex");
    for (const std::string& word : {std::string("-o"), (folder / run.name).string(), std::string("--refused"),
                                    refusedOf(folder, run).string(), std::string("--counters"),
                                    fmt::format("{}", fmt::join(run.events, ",")), std::string("--")})
        words.push_back(word);
    words.insert(words.end(), command.begin(), command.end());
    return words;
}

std::string readTemplate(const std::filesystem::path& file) {
    constexpr std::uint64_t kLargest = 1U << 20;
    return readText(file, kLargest, "a template of a batch script");
}

std::string fillTemplate(const std::string& text, const std::filesystem::path& folder, const Run& run,
                         const std::vector<std::string>& record) {
    if (text.find("@RECORD@") == std::string::npos)
        throw Error("has no @RECORD@, where the recorded run goes",
                    {.file = (folder / kTemplateFile).string()});
    const std::string output = shellWord(outputOf(folder, run).string());
    const std::string status = shellWord(statusOf(folder, run).string());
    std::string script = replaced(text, "@NAME@", run.name);
    script = replaced(std::move(script), "@EVENTS@", fmt::format("{}", fmt::join(run.events, ",")));
    script = replaced(std::move(script), "@OUTPUT@", output);
    return replaced(std::move(script), "@RECORD@",
                    fmt::format("{} > {} 2>&1; echo $? > {}", shellLine(record), output, status));
}

}  // namespace holos::campaign
