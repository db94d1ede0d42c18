// SPDX-License-Identifier: BSD-3-Clause
// Every command says of each of its options what it is, and takes it from a variable.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/cli/command_test.h"

namespace holos::testing {
namespace {

using Lines = std::vector<std::string>;

const Lines kCommands{
    "record",     "analyze",   "campaign",  "cc",         "counters list", "counters validate",
    "spec list",  "spec show", "spec sets", "spec check", "spec plan",     "show",
    "view",       "watch",     "report",    "predict",    "scaling",       "plot",
    "info",       "score",     "export",    "check",      "merge",         "mean",
    "diff",       "sum",       "min",       "max",        "stddev",        "cut",
    "flatten",    "collapse",  "scale",     "derive",     "remap",         "convert",
    "completion", "serve",     "query",     "iterations"};

/// As the help of a command names it.
struct HelpOption {
    std::string name;
    std::string value;   ///< what stands for its value; empty for a flag
    std::string preset;  ///< its default, where the help shows one
    Lines needs;
};

Lines linesOf(const std::string& text) {
    Lines lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

Lines wordsOf(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

std::vector<HelpOption> optionsIn(const std::string& help) {
    std::vector<HelpOption> options;
    const std::regex named("^  (?:-\\w,)?--([a-z-]+)(?: ([^ ].*))?(?:  .*)?$");
    // Releases of CLI11 write `SPEC=default Needs: …` or `SPEC [default]  Needs: …`; capitals stand for a
    // value.
    const std::regex preset("^[^=[]+(?:=([^ A-Z][^ ]*)| \\[([^ A-Z][^ ]*)\\])$");
    const std::regex wide(" +(Needs|Excludes):");
    for (const std::string& read : linesOf(help)) {
        const std::string line = std::regex_replace(read, wide, " $1:");
        std::smatch parts;
        if (!std::regex_match(line, parts, named)) continue;
        const std::string all = parts[2];
        const std::string described = all.substr(0, all.find("  "));
        const std::string value =
            described.substr(0, std::min(described.find("Needs:"), described.find("Excludes:")));
        HelpOption option{parts[1], value, "", {}};
        if (const auto needs = described.find("Needs:"); needs != std::string::npos)
            option.needs = wordsOf(described.substr(needs, described.find("Excludes:", needs) - needs));
        std::smatch found;
        if (const std::string one = value.substr(0, value.find_last_not_of(' ') + 1);
            std::regex_match(one, found, preset))
            option.preset = found.str(1) + found.str(2);
        options.push_back(option);
    }
    return options;
}

/// What is shown of each option: its value and where that is set; nothing for those that are not set.
std::map<std::string, Lines> settingsIn(const std::string& shown) {
    const std::string unset = "not set: ";
    std::map<std::string, Lines> settings;
    for (const std::string& line : linesOf(shown)) {
        const bool isSet = !line.starts_with(unset);
        Lines words = wordsOf(isSet ? line : line.substr(unset.size()));
        if (isSet) settings[words.front()] = {words.begin() + 1, words.end()};
        for (std::string& word : words)
            if (!isSet) settings[word.substr(0, word.find(','))] = {};
    }
    return settings;
}

/// The option must be given each time.
bool isOnlyOnCommandLine(const std::string& command, const std::string& option) {
    const std::set<std::string> all{"help",    "show-settings", "output",        "force",      "finish",
                                    "refused", "like",          "delete-traces", "screenshot", "plots",
                                    "peaks",   "minus",         "socket",        "junit",      "for-view"};
    return all.contains(option) || (command == "predict" && option == "trace") ||
           (command == "campaign" && option == "template");
}

/// One that the option takes.
std::string valueFor(const HelpOption& option) {
    if (option.value.empty()) return "true";
    if (const auto choices = option.value.find('{'); choices != std::string::npos)
        return option.value.substr(choices + 1, option.value.find_first_of(",}", choices) - choices - 1);
    return std::regex_search(option.value, std::regex("^(TIME|INTERVAL)")) ? "20ms" : "2";
}

class EveryCommand : public CommandTest, public ::testing::WithParamInterface<std::string> {
  protected:
    static std::string command() { return GetParam(); }
    std::string helpOf(const std::string& command) const {
        return inFolder({}, wordsOf(command) + Lines{"--help"});
    }
    std::string inFolder(const Lines& variables, const Lines& words) const {
        const auto result =
            runCommand(Lines{"env", "-C", folder_.path().string()} + withoutCallersSettings() +
                       Lines{"XDG_CONFIG_HOME=/dev/null"} + variables + Lines{HOLOS_PROGRAM} + words);
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return result.output;
    }
    /// What `env` is told, so that only the test's variables are set.
    static Lines withoutCallersSettings() {
        Lines words;
        for (char** each = environ; *each != nullptr; ++each) {
            const std::string variable = *each;
            if (variable.starts_with("HOLOS_"))
                words = words + Lines{"-u", variable.substr(0, variable.find('='))};
        }
        return words;
    }
    static std::string variableFor(const std::string& option) {
        std::string name = "HOLOS_" + command() + '_' + option;
        for (char& each : name) each = std::isalpha(each) ? static_cast<char>(std::toupper(each)) : '_';
        return name;
    }
    /// Of the option, and of those that it needs.
    static Lines variablesFor(const HelpOption& option, const std::vector<HelpOption>& all) {
        Lines variables{variableFor(option.name) + '=' + valueFor(option)};
        for (const HelpOption& other : all)
            if (std::find(option.needs.begin(), option.needs.end(), "--" + other.name) != option.needs.end())
                variables = variables + variablesFor(other, all);
        return variables;
    }
};

TEST_P(EveryCommand, settings_areAllShownWithTheDefaultsOfTheHelp) {
    const auto shown = settingsIn(inFolder({}, wordsOf(command()) + Lines{"--show-settings"}));
    for (const HelpOption& option : optionsIn(helpOf(command()))) {
        ASSERT_EQ(shown.contains(option.name), !isOnlyOnCommandLine(command(), option.name)) << option.name;
        if (option.preset.empty()) continue;
        EXPECT_EQ(shown.at(option.name), (Lines{option.preset, "default"})) << option.name;
    }
}

/// Nothing that follows is taken for more values of an option that has several.
TEST_P(EveryCommand, eachSetting_isTakenFromItsVariable) {
    const std::string help = helpOf(command());
    const auto all = optionsIn(help);
    Lines words = wordsOf(command());
    const bool endsWithProgram = std::regex_search(help, std::regex("\n  command( |\n)"));
    if (endsWithProgram) words.push_back("--show-settings");
    const std::regex positional("^  ([a-z]+) TEXT.*$");
    bool isPositional = false;
    for (const std::string& line : linesOf(help)) {
        isPositional = line == "Positionals:" || (isPositional && !line.empty());
        std::smatch name;
        if (!isPositional || !std::regex_match(line, name, positional)) continue;
        words = words + (name[1] == "inputs" ? Lines{"file", "file"} : Lines{"file"});
    }
    if (!endsWithProgram) words.push_back("--show-settings");
    for (const HelpOption& option : all) {
        if (isOnlyOnCommandLine(command(), option.name)) continue;
        const auto shown = settingsIn(inFolder(variablesFor(option, all), words));
        ASSERT_TRUE(shown.contains(option.name)) << option.name;
        EXPECT_EQ(shown.at(option.name), (Lines{valueFor(option), variableFor(option.name)})) << option.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, EveryCommand, ::testing::ValuesIn(kCommands), [](const auto& tested) {
    std::string name = tested.param;
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
});

Lines commandsBelow(const std::string& command) {
    const std::regex below("^  ([a-z]+)  .*$");
    Lines found;
    const std::string help = runCommand(Lines{HOLOS_PROGRAM} + wordsOf(command) + Lines{"--help"}).output;
    for (const std::string& line : linesOf(help.substr(help.find("\n\n") + 1))) {
        std::smatch name;
        const bool isCommand =
            help.find("SUBCOMMAND") != std::string::npos && std::regex_match(line, name, below);
        if (isCommand)
            found = found + commandsBelow(command.empty() ? name[1].str() : command + ' ' + name[1].str());
    }
    return found.empty() ? Lines{command} : found;
}

TEST(EveryCommandOfTheHelp, isAmongThoseTested) {
    EXPECT_THAT(commandsBelow(""), ::testing::UnorderedElementsAreArray(kCommands));
}

}  // namespace
}  // namespace holos::testing
