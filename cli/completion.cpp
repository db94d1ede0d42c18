// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// A script for bash (and for zsh with bashcompinit) that knows the subcommands and their options.
std::string bashScript(const CLI::App& root) {
    std::vector<std::string> commands;
    std::string cases;
    for (const CLI::App* command : root.get_subcommands([](const CLI::App*) { return true; })) {
        commands.push_back(command->get_name());
        cases += fmt::format("        {}) options='{}' ;;\n", command->get_name(),
                             fmt::join(optionsOf(*command), " "));
    }
    return fmt::format(R"(_holos() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} options=
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W '{}' -- "$word")
        return
    fi
    case ${{COMP_WORDS[1]}} in
{}    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
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
