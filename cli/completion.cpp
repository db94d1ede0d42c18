// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace holos::cli {
namespace {

/// The shell's `case` for a command: its options, or the commands below it and their options.
std::string caseOf(const Command& command) {
    std::vector<std::string> below, options = command.longOptions();
    for (const Command& each : command.commands()) {
        below.push_back(each.name());
        for (const std::string& option : each.longOptions())
            if (std::ranges::find(options, option) == options.end()) options.push_back(option);
    }
    return fmt::format("        {}) options='{}' commands='{}' ;;\n", command.name(), fmt::join(options, " "),
                       fmt::join(below, " "));
}

/// A script for bash (and for zsh with bashcompinit) that knows the subcommands and their options.
std::string bashScript(const Command& root) {
    std::vector<std::string> commands;
    std::string cases;
    for (const Command& command : root.commands()) {
        commands.push_back(command.name());
        cases += caseOf(command);
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

void addCompletion(Command& app) {
    Command command = app.command("completion", "Print a completion script for the shell");
    command.footer("Example: source <(holos completion)");
    command.action([app] { fmt::print("{}", bashScript(app)); });
}

}  // namespace holos::cli
