// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace holos::cli {
namespace {

std::vector<std::string> optionsOf(const CLI::App& app) {
    std::vector<std::string> words;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    return words;
}

const auto kAll = [](const CLI::App*) { return true; };

/// The shell's `case` for a command: its options, or the commands below it and their options.
std::string caseOf(const CLI::App& command) {
    std::vector<std::string> below, options = optionsOf(command);
    for (const CLI::App* each : command.get_subcommands(kAll)) {
        below.push_back(each->get_name());
        for (const std::string& option : optionsOf(*each))
            if (std::find(options.begin(), options.end(), option) == options.end()) options.push_back(option);
    }
    return fmt::format("        {}) options='{}' commands='{}' ;;\n", command.get_name(),
                       fmt::join(options, " "), fmt::join(below, " "));
}

/// A script for bash (and for zsh with bashcompinit) that knows the subcommands and their options.
std::string bashScript(const CLI::App& root) {
    std::vector<std::string> commands;
    std::string cases;
    for (const CLI::App* command : root.get_subcommands(kAll)) {
        commands.push_back(command->get_name());
        cases += caseOf(*command);
    }
    return fmt::format(R"(_holos() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} options= commands=
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W '{}' -- "$word")
        return
    fi
    case ${{COMP_WORDS[1]}} in
{}    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    elif [[ $COMP_CWORD -eq 2 && -n $commands ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}}
complete -o filenames -F _holos holos
)",
                       fmt::join(commands, " "), cases);
}

}  // namespace

void addCompletion(CLI::App& app) {
    CLI::App* command = app.add_subcommand("completion", "Print a completion script for the shell");
    command->footer("Example: source <(holos completion)");
    command->callback([&app] { fmt::print("{}", bashScript(app)); });
}

}  // namespace holos::cli
