// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/choice.h"
#include "cli/command.h"

namespace holos::cli {
namespace {

enum class Shell : unsigned char { Bash, Zsh, Fish };
constexpr auto wordsOf(Shell) {
    return std::array{std::pair{"bash", Shell::Bash}, std::pair{"zsh", Shell::Zsh},
                      std::pair{"fish", Shell::Fish}};
}

/// Its own and those of the commands below it, each once.
std::vector<OptionFacts> optionsOf(const Command& command) {
    std::vector<OptionFacts> all = command.options();
    for (const Command& below : command.commands())
        for (OptionFacts& option : below.options())
            if (std::ranges::find(all, option.name, &OptionFacts::name) == all.end())
                all.push_back(std::move(option));
    return all;
}

std::vector<std::string> namesOf(const std::vector<Command>& commands) {
    std::vector<std::string> names;
    for (const Command& command : commands) names.push_back(command.name());
    return names;
}

/// Without the characters that would end a text in single quotes, or mean something to zsh's `_arguments`.
std::string plainText(std::string text) {
    std::erase_if(text, [](char c) { return c == '\'' || c == '\\' || c == '`'; });
    std::ranges::replace(text, '[', '(');
    std::ranges::replace(text, ']', ')');
    std::ranges::replace(text, ':', ',');
    return text;
}

// --- bash -------------------------------------------------------------------------------------------

std::string bashCase(const Command& command) {
    std::vector<std::string> names;
    std::string values;
    for (const OptionFacts& option : optionsOf(command)) {
        names.push_back(option.name);
        if (!option.words.empty())
            values +=
                fmt::format("            {}) values='{}' ;;\n", option.name, fmt::join(option.words, " "));
    }
    const std::string choices =
        values.empty() ? "" : "\n        case $before in\n" + values + "        esac\n       ";
    return fmt::format("        {}) options='{}' commands='{}'{} ;;\n", command.name(), fmt::join(names, " "),
                       fmt::join(namesOf(command.commands()), " "), choices);
}

std::string bashScript(const Command& root) {
    std::string cases;
    for (const Command& command : root.commands()) cases += bashCase(command);
    return fmt::format(R"(_holos() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options= commands= values=
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W '{}' -- "$word")
        return
    fi
    case ${{COMP_WORDS[1]}} in
{}    esac
    if [[ -n $values ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    elif [[ $COMP_CWORD -eq 2 && -n $commands ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}}
complete -o filenames -F _holos holos
)",
                       fmt::join(namesOf(root.commands()), " "), cases);
}

// --- zsh --------------------------------------------------------------------------------------------

/// One argument of `_arguments`.
std::string zshOption(const OptionFacts& option) {
    std::string value;
    if (option.takesValue)
        value =
            option.words.empty() ? ":value:_files" : fmt::format(":word:({})", fmt::join(option.words, " "));
    const std::string rest = fmt::format("[{}]{}", plainText(option.help), value);
    if (option.letter.empty()) return fmt::format("'*{}{}'", option.name, rest);
    return fmt::format("'*{}{}' '*{}{}'", option.letter, rest, option.name, rest);
}

std::string zshCase(const Command& command) {
    std::string arguments;
    for (const OptionFacts& option : optionsOf(command))
        arguments += " \\\n                " + zshOption(option);
    const auto below = namesOf(command.commands());
    const std::string files = below.empty()
                                  ? "'*:file:_files'"
                                  : fmt::format("'1:command:({})' '*:file:_files'", fmt::join(below, " "));
    return fmt::format("        {})\n            _arguments{} \\\n                {} ;;\n", command.name(),
                       arguments, files);
}

std::string zshScript(const Command& root) {
    std::string commands;
    std::string cases;
    for (const Command& command : root.commands()) {
        commands += fmt::format("        '{}:{}'\n", command.name(), plainText(command.description()));
        cases += zshCase(command);
    }
    return fmt::format(R"(#compdef holos
_holos() {{
    local -a commands
    commands=(
{}    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
{}    esac
}}
if [[ $funcstack[1] == _holos ]]; then  # found among the functions of the shell
    _holos "$@"
else
    compdef _holos holos
fi
)",
                       commands, cases);
}

// --- fish -------------------------------------------------------------------------------------------

std::string fishOption(const Command& command, const OptionFacts& option) {
    std::string line = fmt::format("complete -c holos -n '__fish_seen_subcommand_from {}' -l {}",
                                   command.name(), option.name.substr(2));
    if (!option.letter.empty()) line += " -s " + option.letter.substr(1);
    if (!option.words.empty())
        line += fmt::format(" -x -a '{}'", fmt::join(option.words, " "));
    else if (option.takesValue)
        line += " -r";
    return line + fmt::format(" -d '{}'\n", plainText(option.help));
}

std::string fishScript(const Command& root) {
    std::string lines;
    for (const Command& command : root.commands()) {
        lines += fmt::format("complete -c holos -n __fish_use_subcommand -f -a {} -d '{}'\n", command.name(),
                             plainText(command.description()));
        for (const Command& below : command.commands())
            lines += fmt::format("complete -c holos -n '__fish_seen_subcommand_from {}' -a {} -d '{}'\n",
                                 command.name(), below.name(), plainText(below.description()));
        for (const OptionFacts& option : optionsOf(command)) lines += fishOption(command, option);
    }
    return lines;
}

std::string scriptFor(Shell shell, const Command& root) {
    switch (shell) {
        case Shell::Bash:
            return bashScript(root);
        case Shell::Zsh:
            return zshScript(root);
        case Shell::Fish:
            return fishScript(root);
    }
    return {};
}

}  // namespace

void addCompletion(Command& app) {
    auto shell = std::make_shared<Shell>(Shell::Bash);
    Command command = app.command("completion", "Print a completion script for the shell");
    addChoice(command, "shell", *shell, "The shell");
    command.footer(
        "Examples:\n"
        "  source <(holos completion)        # bash\n"
        "  source <(holos completion zsh)    # after compinit\n"
        "  holos completion fish | source");
    command.action([app, shell] { fmt::print("{}", scriptFor(*shell, app)); });
}

}  // namespace holos::cli
