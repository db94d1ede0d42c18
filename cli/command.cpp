// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <type_traits>

#include "base/chosen.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "base/wrong_request.h"
#include "cli/command_defaults.h"
#include "cli/terminal/terminal.h"

namespace holos::cli {

namespace {

constexpr int kWrongUsage = 2;

std::vector<CLI::App*> commandsOf(CLI::App& app) {
    return app.get_subcommands([](CLI::App*) { return true; });
}

/// `; did you mean '--output'?` where the first word of these is nearly an option of the command.
std::string nearOption(const std::string& words, const CLI::App& command) {
    std::vector<std::string> known;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    return words.starts_with("--") ? didYouMean(words.substr(0, words.find_first_of("= ")), known) : "";
}

/// Which option that must be there is not, or that a command must follow.
std::string whatIsMissing(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options())
        if (option->get_required() && option->count() == 0)
            return option->get_name() + (option->get_name().ends_with('s') ? " are missing" : " is missing");
    return "a command is missing";
}

/// Which option was given without another one, or with one that it excludes.
std::string whatDisagrees(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() == 0) continue;
        for (const CLI::Option* needed : option->get_needs())
            if (needed->count() == 0) return option->get_name() + " needs " + needed->get_name();
        for (const CLI::Option* excluded : option->get_excludes())
            if (excluded->count() > 0)
                return option->get_name() + " cannot be combined with " + excluded->get_name();
    }
    return "these options cannot be combined";
}

/// How many values an option was given, and how many it takes.
std::string wrongNumberOfValues(const std::string& name, const CLI::App& command) {
    const CLI::Option* const option = command.get_option_no_throw(name);
    if (option == nullptr) return name + " has the wrong number of values";
    const auto given = static_cast<int>(option->count());
    if (given == 0) return name + " needs a value";
    const int least = option->get_items_expected_min();
    if (given < least) return fmt::format("{}: needs at least {}, but was given {}", name, least, given);
    return fmt::format("{}: takes at most {}, but was given {}", name, option->get_items_expected_max(),
                       given);
}

/// What nobody asked for, in the order in which it was given.
std::string whatIsLeftOver(const CLI::App& program, const CLI::App& command) {
    const std::string words = CLI::detail::join(program.remaining(true), " ");
    return "not understood: " + words + nearOption(words, command);
}

/// What is wrong, in words of Holos. The library that reads the command line tells it in its own: of what it
/// says only the kind is taken, and the option that it begins with; the rest is what the command looks like.
std::string whatIsWrong(const CLI::Error& error, const CLI::App& program, const CLI::App& command) {
    const std::string text = error.what();
    switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
        case CLI::ExitCodes::RequiredError:
            return whatIsMissing(command);
        case CLI::ExitCodes::RequiresError:
        case CLI::ExitCodes::ExcludesError:
            return whatDisagrees(command);
        case CLI::ExitCodes::ArgumentMismatch:
            return wrongNumberOfValues(text.substr(0, text.find(": ")), command);
        case CLI::ExitCodes::ExtrasError:
            return whatIsLeftOver(program, command);
        default:
            return text;
    }
}

/// What is wrong, and where to read on.
std::string wrongUsage(const CLI::App* app, const CLI::Error& error) {
    std::string command = app->get_name();
    const CLI::App* last = app;
    for (auto below = app->get_subcommands(); !below.empty(); below = last->get_subcommands()) {
        last = below.front();
        command += ' ' + last->get_name();
    }
    return app->get_name() + ": " + printable(whatIsWrong(error, *app, *last)) + "\n'" + command +
           " --help' shows how it is used\n";
}

/// Of a time with its unit; nothing where it is none.
std::optional<double> nanosecondsOf(const std::string& text) {
    const std::size_t end = text.find_first_not_of("+-.0123456789");
    double number = 0;
    if (end == std::string::npos || !CLI::detail::lexical_cast(text.substr(0, end), number)) return {};
    const std::string unit = text.substr(end);
    if (unit == "us") return number * 1e3;
    if (unit == "ms") return number * 1e6;
    if (unit == "s") return number * 1e9;
    if (unit == "min") return number * 60e9;
    if (unit == "h") return number * 3600e9;
    return {};
}

/// What is wrong with the text of a number; nothing where it is one.
template <class Number>
std::string wrongNumber(const std::string& text) {
    Number number = 0;
    // What is below zero would be taken for a very large one.
    const bool isBelow = std::is_unsigned_v<Number> && text.starts_with('-');
    const bool isNumber = !text.empty() && !isBelow && CLI::detail::lexical_cast(text, number);
    if constexpr (std::is_floating_point_v<Number>)
        return isNumber && std::isfinite(number) ? "" : "'" + text + "' is no number";
    const std::string limit = sizeof(Number) < sizeof(std::uint64_t)
                                  ? "to " + std::to_string(std::numeric_limits<Number>::max())
                                  : "on";
    return isNumber ? "" : "'" + text + "' is no whole number from 0 " + limit;
}

/// Has the values of an option for a variable of this type looked at before they are taken.
template <class Value>
struct Looked {
    static std::string at(const std::string& text) { return text.empty() ? "expected a value, not ''" : ""; }
};
template <class Value>
requires std::is_arithmetic_v<Value>
struct Looked<Value> {
    static std::string at(const std::string& text) { return wrongNumber<Value>(text); }
};
template <class Value>
struct Looked<std::optional<Value>> : Looked<Value> {};
template <class Value>
struct Looked<std::vector<Value>> : Looked<Value> {};

template <class Value>
constexpr bool kIsFiles =
    std::is_same_v<Value, std::filesystem::path> || std::is_same_v<Value, std::vector<std::filesystem::path>>;

std::string emptyName(const std::string& text) {
    return text.empty() ? "the name of the file or folder is empty" : "";
}

/// Accepts numbers between these two; `words` name them.
template <class Number>
CLI::Validator numberFrom(Number lowest, Number highest, const std::string& words) {
    const CLI::Range range(lowest, highest);
    const auto check = [range, words](const std::string& text) {
        return range(text).empty() ? std::string()
                                   : "expected a number from " + words + ", not '" + text + "'";
    };
    return CLI::Validator(check, words);
}

/// The names of an option, and behind a blank what stands for its value in the help.
struct Names {
    explicit Names(const std::string& text)
        : names(text.substr(0, text.find(' '))), value(text, std::min(names.size() + 1, text.size())) {}

    Option describe(CLI::Option& option) const {
        return Option(value.empty() ? option : *option.type_name(value));
    }

    std::string names;
    std::string value;
};

void addGroup(CLI::App& app, const CommandGroup& group) {
    const std::size_t before = commandsOf(app).size();
    Command program(app);
    for (const auto add : group.commands) add(program);
    const auto commands = commandsOf(app);
    for (std::size_t at = before; at < commands.size(); ++at) commands[at]->group(group.title);
}

/// CLI11 2.4 refuses an option that has the name of a positional argument; older versions do not.
[[maybe_unused]] bool haveNamesOfTheirOwn(CLI::App& app) {
    const auto isTaken = [&app](const CLI::Option* option) {
        return option->get_lnames().empty() && option->get_snames().empty() &&
               app.get_option_no_throw("--" + option->get_name()) != nullptr;
    };
    return std::ranges::none_of(app.get_options(), isTaken) &&
           std::ranges::all_of(commandsOf(app), [](CLI::App* below) { return haveNamesOfTheirOwn(*below); });
}

/// The words that an option takes, as `oneOf` puts them into its type: `TEXT:{text,csv}`.
std::vector<std::string> wordsOfType(const std::string& type) {
    const std::size_t begin = type.find('{');
    const std::size_t end = type.find('}', begin);
    if (end == std::string::npos) return {};
    return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

/// Without what is in parentheses or behind a semicolon, as there is one line for it.
std::string inShort(const std::string& help) {
    return help.substr(0, std::min(help.find(" ("), help.find("; ")));
}

}  // namespace

Option Option::required() const {
    return Option(*option_->required());
}

Option Option::showDefault() const {
    return Option(*option_->capture_default_str());
}

Option Option::showDefault(const std::string& word) const {
    return Option(*option_->default_str(word));
}

Option Option::oneOf(const std::vector<std::string>& words) const {
    const std::string known = CLI::detail::join(words, ", ");
    const auto check = [words, known](const std::string& word) {
        return std::ranges::find(words, word) != words.end() ? std::string()
                                                             : "'" + word + "' is none of " + known;
    };
    return Option(*option_->check(CLI::Validator(check, '{' + CLI::detail::join(words, ",") + '}')));
}

Option Option::between(int lowest, int highest) const {
    return Option(*option_->check(numberFrom(lowest, highest, fmt::format("{} to {}", lowest, highest))));
}

Option Option::between(double lowest, double highest) const {
    return Option(*option_->check(numberFrom(lowest, highest, fmt::format("{:g} to {:g}", lowest, highest))));
}

Option Option::notNegative() const {
    return Option(*option_->check([](const std::string& text) -> std::string {
        return text.starts_with('-') ? "'" + text + "' is below 0" : "";
    }));
}

Option Option::duration() const {
    constexpr double kMicrosecond = 1e3;
    constexpr double kSecond = 1e9;
    constexpr double kDay = 86'400 * kSecond;
    option_->transform([](const std::string& text) {
        const auto nanoseconds = nanosecondsOf(text);
        if (!nanoseconds)
            throw CLI::ValidationError(
                "expected a time with its unit (us, ms, s, min or h), such as 10ms, not '" + text + "'");
        if (*nanoseconds < kMicrosecond || *nanoseconds > kDay)
            throw CLI::ValidationError("a time has to be from 1us to 24h");
        return std::to_string(*nanoseconds);
    });
    return *this;
}

Option Option::bytes() const {
    option_->transform([](const std::string& text) {
        std::string size = text;
        // What is below zero would be taken for a very large one.
        bool isSize = !text.starts_with('-');
        try {
            isSize = isSize && CLI::AsSizeValue(false)(size).empty();
        } catch (const CLI::ValidationError&) {
            isSize = false;
        }
        if (!isSize) throw CLI::ValidationError("expected a size such as 512M or 10G, not '" + text + "'");
        return size;
    });
    return *this;
}

Option Option::megabytes() const {
    option_->transform([](const std::string& text) {
        if (const std::string wrong = wrongNumber<double>(text); !wrong.empty())
            throw CLI::ValidationError(wrong);
        constexpr double kMost = 1e9;  // more than there is anywhere, and still a number of bytes
        constexpr double kMegabyte = 1e6;
        double megabytes = 0;
        CLI::detail::lexical_cast(text, megabytes);
        if (megabytes < 0) throw CLI::ValidationError("'" + text + "' is below 0");
        if (megabytes > kMost) throw CLI::ValidationError("expected at most 1000000000 MB");
        const auto bytes = static_cast<std::uint64_t>(megabytes * kMegabyte);
        if (bytes == 0 && megabytes > 0)
            throw CLI::ValidationError("expected at least one byte, or 0 for no limit");
        return std::to_string(bytes);
    });
    return *this;
}

Option Option::percent() const {
    option_->transform([](const std::string& text) {
        const std::string number = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
        constexpr double kAll = 100;
        double percent = 0;
        if (!CLI::detail::lexical_cast(number, percent) || !(percent > 0 && percent <= kAll))
            throw CLI::ValidationError("expected a percentage, such as 5%, not '" + text + "'");
        return number;
    });
    return *this;
}

Option Option::ofFiles() const {
    return Option(*option_->check(&emptyName));
}

Option Option::separatedBy(char character) const {
    return Option(*option_->delimiter(character));
}

Option Option::exactly(int values) const {
    return Option(*option_->expected(values));
}

Option Option::several() const {
    return Option(*option_->allow_extra_args(true));
}

Option Option::excludes(const Option& other) const {
    return Option(*option_->excludes(other.option_));
}

Option Option::needs(const Option& other) const {
    return Option(*option_->needs(other.option_));
}

Option Option::onlyOnCommandLine() const {
    return Option(*option_->configurable(false));
}

std::string Option::name() const {
    return option_->get_name();
}

bool Option::isGiven() const {
    return option_->count() > 0;
}

Command Command::command(const std::string& name, const std::string& summary) {
    return Command(*app_->add_subcommand(name, summary));
}

void Command::requireCommand() {
    app_->require_subcommand(1);
}

template <class Value>
Option Command::option(const std::string& names, Value& value, const std::string& help) {
    const Names words(names);
    CLI::Option* const option = app_->add_option(words.names, value, help);
    // Words that stand for themselves may be another program's. Of those behind an option the first one is
    // its value, also of a list, which grows with each use: the next ones are the command's.
    if (names.starts_with('-'))
        option->check(&Looked<Value>::at)->allow_extra_args(false);
    else if (kIsFiles<Value>)
        option->check(&emptyName);
    return words.describe(*option);
}

template Option Command::option(const std::string&, std::string&, const std::string&);
template Option Command::option(const std::string&, std::filesystem::path&, const std::string&);
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::option(const std::string&, std::vector<std::filesystem::path>&, const std::string&);
template Option Command::option(const std::string&, std::vector<std::size_t>&, const std::string&);
template Option Command::option(const std::string&, std::uint32_t&, const std::string&);
template Option Command::option(const std::string&, std::size_t&, const std::string&);
template Option Command::option(const std::string&, double&, const std::string&);
template Option Command::option(const std::string&, std::optional<std::size_t>&, const std::string&);
template Option Command::option(const std::string&, std::optional<double>&, const std::string&);
template Option Command::option(const std::string&, std::optional<std::string>&, const std::string&);

/// In a function, because the variable has another type than the number.
template <>
Option Command::option(const std::string& names, AtMost& value, const std::string& help) {
    const Names words(names);
    CLI::Option* const option = app_->add_option_function<std::size_t>(
        words.names, [&value](const std::size_t& number) { value = AtMost::zeroIsAll(number); }, help);
    option->default_function([&value] { return std::to_string(value.zeroIfAll()); });
    option->check(&Looked<std::size_t>::at);
    return words.describe(*option);
}

Option Command::wordOption(const std::string& names, const std::function<void(const std::string&)>& take,
                           const std::string& help) {
    const Names words(names);
    return words.describe(*app_->add_option_function<std::string>(words.names, take, help));
}

Option Command::flag(const std::string& names, bool& value, const std::string& help) {
    return Option(*app_->add_flag(names, value, help));
}

Option Command::flag(const std::string& names, const std::string& help) {
    return Option(*app_->add_flag(names, help));
}

void Command::endWithArguments() {
    app_->positionals_at_end();
}

void Command::footer(const std::string& text) {
    app_->footer(text);
}

void Command::action(const std::function<void()>& run) {
    const std::string help = "Show the value of each option and where it is set, and do nothing else";
    const CLI::Option* const isShown = app_->add_flag("--show-settings", help)->configurable(false);
    app_->callback([run, isShown] {
        if (isShown->count() > 0) return;
        try {
            run();
        } catch (const UsageError& wrong) {
            throw CLI::ValidationError(wrong.what());
        }
    });
}

Option Command::find(const std::string& name) const {
    return Option(*app_->get_option(name));
}

std::string Command::name() const {
    return app_->get_name();
}

std::vector<Command> Command::commands() const {
    std::vector<Command> found;
    for (CLI::App* command : commandsOf(*app_)) found.emplace_back(*command);
    return found;
}

std::string Command::description() const {
    return app_->get_description();
}

std::vector<OptionFacts> Command::options() const {
    std::vector<OptionFacts> all;
    for (const CLI::Option* option : app_->get_options()) {
        if (option->get_lnames().empty()) continue;
        OptionFacts facts;
        facts.name = "--" + option->get_lnames().front();
        if (!option->get_snames().empty()) facts.letter = "-" + option->get_snames().front();
        facts.help = inShort(option->get_description());
        facts.takesValue = option->get_items_expected_max() > 0;
        facts.words = wordsOfType(option->get_type_name());
        all.push_back(std::move(facts));
    }
    return all;
}

std::vector<std::pair<std::string, std::string>> Command::given() const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const CLI::Option* option : app_->get_options())
        if (!option->get_lnames().empty() && option->count() > 0)
            all.emplace_back(option->get_lnames().front(), CLI::detail::join(option->results(), " "));
    return all;
}

namespace {

/// `help show` asks for what `show --help` does.
void takeHelp(std::vector<std::string>& words) {
    if (words.empty() || words.front() != "help") return;
    words.erase(words.begin());
    words.emplace_back("--help");
}

}  // namespace

int runCommandLine(const Program& program, int argc, char** argv) {
    CLI::App app(program.summary, program.name);
    app.set_version_flag("--version", program.version);
    app.require_subcommand(1);
    app.failure_message(wrongUsage);
    app.footer(program.footer);
    for (const CommandGroup& group : program.groups) addGroup(app, group);
    assert(haveNamesOfTheirOwn(app));
    std::vector<Default> defaults;
    try {
        std::vector<std::string> words(argv + 1, argv + argc);
        takeHelp(words);
        defaults = takeDefaults(words, app);
        std::ranges::reverse(words);  // as the parser wants them
        app.parse(words);
        return 0;
    } catch (const Exit& end) {
        return end.code;
    } catch (const WrongRequest& wrong) {
        complain(wrong.what());
        return kWrongUsage;
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& wrong) {
        app.exit(wrong);
        for (const Default& one : defaults)
            if (std::string(wrong.what()).find("--" + one.option) != std::string::npos)
                std::fprintf(stderr, "--%s is set by %s\n", one.option.c_str(),
                             printable(one.origin).c_str());
        return kWrongUsage;
    }
}

void endLike(const launch::Ending& ending) {
    std::fflush(nullptr);
    if (ending.signal != 0) {
        const rlimit noCore{0, 0};
        ::setrlimit(RLIMIT_CORE, &noCore);
        ::signal(ending.signal, SIG_DFL);
        ::raise(ending.signal);
    }
    constexpr int kSignalBase = 128;
    std::exit(ending.signal != 0 ? kSignalBase + ending.signal : ending.status);
}

}  // namespace holos::cli
