// SPDX-License-Identifier: BSD-3-Clause
#include "base/defaults.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "base/input_file.h"
#include "base/suggest.h"
#include "base/text.h"

namespace holos {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargest = 1 << 20;
constexpr const char* kOfFolder = ".holos";

using Warn = std::function<void(const std::string&)>;

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Reads sections of `option = value`, of which one is the command's.
class Reader {
  public:
    Reader(const fs::path& file, const Defaultable& command) : file_(file), command_(command) {}

    /// What the command's section sets; of an option that is set twice, the last value.
    std::vector<Default> read() {
        const std::string all = readText(file_, kLargest, "settings");
        constexpr const char* kByteOrderMark = "\xEF\xBB\xBF";
        std::istringstream text(all.starts_with(kByteOrderMark) ? all.substr(3) : all);
        for (std::string line; std::getline(text, line);) {
            ++line_;
            line = std::string(trimmed(line));
            if (line.starts_with('['))
                startSection(line);
            else if (!line.empty() && !line.starts_with('#'))
                take(line);
        }
        return std::move(found_);
    }

  private:
    [[noreturn]] void fail(const std::string& reason) const {
        throw Error(reason, {.file = file_.string(), .line = line_});
    }

    void startSection(const std::string& line) {
        if (!line.ends_with(']')) fail("expected the name of a command in brackets, such as [record]");
        section_ = trimmed(line.substr(1, line.size() - 2));
        if (!contains(command_.commands, section_))
            fail("no command '" + section_ + "'" + didYouMean(section_, command_.commands));
    }

    void take(const std::string& line) {
        const std::size_t equals = line.find('=');
        if (equals == std::string::npos) fail("expected 'option = value', or a command in brackets");
        if (section_.empty()) fail("expected a command in brackets, such as [record], before its options");
        if (section_ != command_.name) return;
        const std::string option(trimmed(line.substr(0, equals)));
        if (contains(command_.otherOptions, option))
            fail("'" + option + "' can only be given on the command line");
        if (!contains(command_.options, option))
            fail("holos " + command_.name + " has no option '" + option + "'" +
                 didYouMean(option, command_.options));
        std::erase_if(found_, [&](const Default& earlier) { return earlier.option == option; });
        found_.push_back({option, std::string(trimmed(line.substr(equals + 1))),
                          file_.string() + ':' + std::to_string(line_)});
    }

    fs::path file_;
    const Defaultable& command_;
    std::string section_;
    std::uint64_t line_ = 0;
    std::vector<Default> found_;
};

const char* variable(const std::string& name) {
    const char* const value = std::getenv(name.c_str());
    return value != nullptr && *value != '\0' ? value : nullptr;
}

fs::path userFile() {
    if (const char* const folder = variable("XDG_CONFIG_HOME")) return fs::path(folder) / "holos/config";
    if (const char* const home = variable("HOME")) return fs::path(home) / ".config/holos/config";
    return {};
}

/// What others leave in a folder that all may write to shall not change what a command does.
bool isTrusted(const fs::path& file, const struct stat& status, const Warn& warn) {
    if (status.st_uid == ::geteuid() || status.st_uid == 0) return true;
    warn(file.string() + " is not read: it belongs to another user");
    return false;
}

std::vector<Default> readFile(const fs::path& file, const Defaultable& command, const Warn& warn) {
    struct stat status {};
    if (file.empty() || ::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    return isTrusted(file, status, warn) ? Reader(file, command).read() : std::vector<Default>();
}

std::string variableNamed(std::string words) {
    for (char& c : words) {
        if (c == '-' || c == ' ') c = '_';
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return words;
}

/// In the way of the variables by which other recorders are set; it would be overlooked.
void refuseVariableWithoutCommand(const Defaultable& command, const std::string& option,
                                  const DefaultPlaces& places) {
    const std::string name = variableNamed("HOLOS_" + option);
    if (command.name == "record" && places.variable(name) != nullptr)
        throw Error(name + " is no variable of Holos; " + variableFor(command.name, option) + " sets --" +
                    option + " of holos record");
}

std::vector<Default> readVariables(const Defaultable& command, const DefaultPlaces& places) {
    std::vector<Default> found;
    for (const std::string& option : command.options) {
        refuseVariableWithoutCommand(command, option, places);
        if (const std::string name = variableFor(command.name, option);
            const char* value = places.variable(name))
            found.push_back({option, value, name});
    }
    return found;
}

}  // namespace

std::string variableFor(const std::string& command, const std::string& option) {
    return variableNamed("HOLOS_" + command + '_' + option);
}

DefaultPlaces usualDefaultPlaces() {
    return {variable, {kOfFolder, userFile()}};
}

std::vector<Default> defaultsOf(const Defaultable& command, const DefaultPlaces& places, const Warn& warn) {
    std::vector<Default> all;
    const auto add = [&all](const std::vector<Default>& place) {
        for (const Default& one : place)
            if (std::none_of(all.begin(), all.end(),
                             [&](const Default& other) { return other.option == one.option; }))
                all.push_back(one);
    };
    add(readVariables(command, places));
    for (const fs::path& file : places.files) add(readFile(file, command, warn));
    return all;
}

}  // namespace holos
