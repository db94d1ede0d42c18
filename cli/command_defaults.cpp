// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command_defaults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <set>

#include "base/suggest.h"
#include "cli/terminal/terminal.h"

namespace holos::cli {
namespace {

std::vector<CLI::App*> commandsOf(CLI::App& app) {
    return app.get_subcommands([](CLI::App*) { return true; });
}

/// The command of that name right below; null when there is none.
CLI::App* commandBelow(CLI::App& app, const std::string& name) {
    for (CLI::App* command : commandsOf(app))
        if (command->get_name() == name) return command;
    return nullptr;
}

const std::string kShowSettings = "show-settings";

bool canHaveDefault(const CLI::Option& option) {
    return !option.get_lnames().empty() && option.get_configurable();
}

/// The command that the first words name.
struct NamedCommand {
    CLI::App* app;
    std::string name;
    std::size_t words = 0;
};

NamedCommand namedBy(const std::vector<std::string>& words, CLI::App& program) {
    NamedCommand named{&program, ""};
    for (; named.words < words.size(); ++named.words) {
        CLI::App* const below = commandBelow(*named.app, words[named.words]);
        if (below == nullptr) break;
        named.app = below;
        named.name += (named.name.empty() ? "" : " ") + below->get_name();
    }
    return named;
}

void addNames(CLI::App& app, const std::string& above, std::vector<std::string>& names) {
    for (CLI::App* command : commandsOf(app)) {
        names.push_back(above + command->get_name());
        addNames(*command, names.back() + ' ', names);
    }
}

/// The options among a command's words, without those of a program that it runs.
std::set<const CLI::Option*> givenIn(const std::vector<std::string>& words, const NamedCommand& named) {
    std::set<const CLI::Option*> given;
    for (std::size_t at = named.words; at < words.size() && words[at] != "--"; ++at) {
        const std::string& word = words[at];
        if (!word.starts_with('-')) {
            if (named.app->get_positionals_at_end()) break;
            continue;
        }
        const std::string name = word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
        for (const CLI::Option* option : named.app->get_options())
            if (option->check_name(name)) {
                given.insert(option);
                if (name == word) at += static_cast<std::size_t>(option->get_items_expected_min());
            }
    }
    return given;
}

bool isFlag(const CLI::Option& option) {
    return option.get_items_expected_max() == 0;
}

/// As it would be written on the command line; nothing for a flag that is off.
std::string wordFor(const Default& one, const CLI::Option& option) {
    const std::string name = "--" + one.option;
    if (!isFlag(option)) return name + '=' + one.value;
    for (const char* on : {"true", "yes", "on", "1"})
        if (one.value == on) return name;
    for (const char* off : {"false", "no", "off", "0"})
        if (one.value == off) return "";
    throw CLI::ValidationError(one.origin + ": expected true or false for " + name + ", not '" + one.value +
                               "'");
}

/// Puts what the user has set elsewhere before the words of the command, but for options that have a value
/// there, exclude one that has, or are nothing without one that has not. Returns what was put there.
std::vector<Default> insertDefaults(std::vector<std::string>& words, const NamedCommand& named,
                                    CLI::App& program) {
    Defaultable command{named.name, {}, {}, {}};
    for (const CLI::Option* option : named.app->get_options())
        if (!option->get_lnames().empty())
            (canHaveDefault(*option) ? command.options : command.otherOptions)
                .push_back(option->get_lnames().front());
    addNames(program, "", command.commands);
    auto given = givenIn(words, named);
    const auto isGiven = [&given](const CLI::Option* option) { return given.count(option) != 0; };
    std::vector<Default> inserted;
    const auto all = defaultsOf(command, usualDefaultPlaces(), complain);
    for (const bool needsOthers : {false, true})
        for (const Default& one : all) {
            CLI::Option* const option = named.app->get_option("--" + one.option);
            const auto& excluded = option->get_excludes();
            const auto& needed = option->get_needs();
            if (needed.empty() == needsOthers || isGiven(option) || std::ranges::any_of(excluded, isGiven) ||
                !std::ranges::all_of(needed, isGiven))
                continue;
            const std::string word = wordFor(one, *option);
            if (word.empty()) continue;
            words.insert(words.begin() + static_cast<std::ptrdiff_t>(named.words), word);
            given.insert(option);
            inserted.push_back(one);
        }
    return inserted;
}

/// An option's value as it was written, in its own unit; what the command made of it where that is not one of
/// the words, as of a short option.
std::string valueOf(const CLI::Option& option, const std::vector<std::string>& words) {
    const std::string name = "--" + option.get_lnames().front();
    for (std::size_t at = 0; option.count() == 1 && at < words.size() && words[at] != "--"; ++at) {
        if (words[at].starts_with(name + '=')) return words[at].substr(name.size() + 1);
        if (words[at] == name && at + 1 < words.size()) return words[at + 1];
    }
    return CLI::detail::join(option.results(), " ");
}

/// The value that an option has, and where it is from; both empty where it has none.
struct ShownSetting {
    std::string option;
    std::string value;
    std::string origin;
};

/// A table of those that have a value, and the names of the others.
std::string settingsText(const std::string& command, const std::vector<ShownSetting>& settings) {
    if (settings.empty())
        return fmt::format("holos {} has no options that can be set once for all uses\n", command);
    std::vector<std::string> without;
    std::size_t option = 0;
    std::size_t value = 0;
    for (const ShownSetting& one : settings) {
        option = std::max(option, one.option.size());
        value = std::max(value, one.value.size());
        if (one.origin.empty()) without.push_back(one.option);
    }
    std::string text;
    for (const ShownSetting& one : settings)
        if (!one.origin.empty())
            text += fmt::format("{:{}}  {:{}}  {}\n", one.option, option, one.value, value, one.origin);
    if (!without.empty()) text += fmt::format("not set: {}\n", fmt::join(without, ", "));
    return fmt::format("Options of holos {}\n{}", command, printableLines(text));
}

/// Has the program show the command's options; the command itself does nothing then. Its own callback stays:
/// it may own what the options are stored in.
void showInstead(CLI::App& program, const NamedCommand& named, const std::vector<Default>& defaults,
                 const std::vector<std::string>& words) {
    for (CLI::Option* option : named.app->get_options()) option->required(false);
    named.app->require_subcommand(0);
    program.callback([named, defaults, words] {
        std::vector<ShownSetting> shown;
        for (const CLI::Option* option : named.app->get_options()) {
            if (option->get_lnames().empty() || !(canHaveDefault(*option) || option->count() > 0)) continue;
            const std::string name = option->get_lnames().front();
            if (name == kShowSettings) continue;
            const auto set = std::ranges::find(defaults, name, &Default::option);
            if (option->count() == 0)
                shown.push_back(
                    {name, option->get_default_str(), option->get_default_str().empty() ? "" : "default"});
            else
                shown.push_back({name, isFlag(*option) ? "true" : valueOf(*option, words),
                                 set != defaults.end() ? set->origin : "command line"});
        }
        std::fputs(settingsText(named.name, shown).c_str(), stdout);
    });
}

/// Where a command is expected and another word stands.
void refuseUnknownCommand(const std::vector<std::string>& words, const NamedCommand& named) {
    std::vector<std::string> known;
    for (const CLI::App* command : commandsOf(*named.app))
        if (!command->get_group().empty()) known.push_back(command->get_name());
    if (known.empty() || named.words == words.size() || words[named.words].starts_with('-')) return;
    const std::string& word = words[named.words];
    throw CLI::ValidationError("no command '" + named.name + (named.name.empty() ? "" : " ") + word + "'" +
                               didYouMean(word, known));
}

}  // namespace

std::vector<Default> takeDefaults(std::vector<std::string>& words, CLI::App& program) {
    const NamedCommand named = namedBy(words, program);
    refuseUnknownCommand(words, named);
    if (named.words == 0) return {};
    const auto given = givenIn(words, named);
    auto defaults = insertDefaults(words, named, program);
    const CLI::Option* const show = named.app->get_option_no_throw("--" + kShowSettings);
    if (given.count(show) != 0) showInstead(program, named, defaults, words);
    return defaults;
}

}  // namespace holos::cli
