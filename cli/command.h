// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "tracing/recordings/launch/program.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// What commands say of their options. The parser behind it is CLI11, a header so large that only two source
/// files read it.
namespace holos::cli {

/// Ends the program with this code; everything has been said.
struct Exit {
    int code;
};

/// An option, a flag or a positional argument. Each function describes it further and returns it.
class Option {
  public:
    explicit Option(CLI::Option& option) : option_(&option) {}

    Option required() const;
    Option showDefault() const;  ///< the value that the variable has now
    Option showDefault(const std::string& word) const;
    Option oneOf(const std::vector<std::string>& words) const;
    Option between(int lowest, int highest) const;
    Option between(double lowest, double highest) const;
    Option notNegative() const;
    /// A time with its unit, such as `100ms`, from 1us to a day; the variable has nanoseconds.
    Option duration() const;
    /// A size such as `512M`, in powers of 1024; the variable has bytes.
    Option bytes() const;
    /// A number of millions of bytes, such as `0.5`; the variable has bytes.
    Option megabytes() const;
    /// A part such as `5%`, above 0 and up to 100; the variable has the number.
    Option percent() const;
    Option ofFiles() const;                    ///< text that names files or folders, as paths do
    Option separatedBy(char character) const;  ///< several values in one word of a list
    Option exactly(int values) const;
    /// Of an option that is a list: all words up to the next option are its values.
    Option several() const;
    Option excludes(const Option& other) const;
    Option needs(const Option& other) const;
    /// Must be given each time: of what writes, replaces or removes something.
    Option onlyOnCommandLine() const;

    std::string name() const;  ///< as on the command line, such as `--output`
    bool isGiven() const;      ///< once the command line has been read

  private:
    CLI::Option* option_;
};

/// What a shell needs to complete an option.
struct OptionFacts {
    std::string name;    ///< long, with its dashes
    std::string letter;  ///< the short one with its dash; empty where it has none
    std::string help;    ///< in short
    bool takesValue = false;
    std::vector<std::string> words;  ///< that the value must be one of; empty where it may be any
};

/// A command, to which options, commands below it and what it does are added. A handle: copies are the same
/// command. Variables of options must outlive the parsing.
class Command {
  public:
    explicit Command(CLI::App& app) : app_(&app) {}

    Command command(const std::string& name, const std::string& summary);
    /// Words on the command line must name one of the commands below.
    void requireCommand();
    /// `names`: `-o,--output`, and behind a blank what stands for the value in the help: `-o,--output FILE`;
    /// or a word without dashes for a positional argument. Values are text, paths, numbers, lists of text or
    /// paths, which grow with each use of the option, optional text or numbers, and `AtMost`, of which 0 is
    /// all.
    template <class Value>
    Option option(const std::string& names, Value& value, const std::string& help);
    /// An option whose word goes to a function.
    Option wordOption(const std::string& names, const std::function<void(const std::string&)>& take,
                      const std::string& help);
    Option flag(const std::string& names, bool& value, const std::string& help);
    /// A flag that is asked by `isGiven`.
    Option flag(const std::string& names, const std::string& help);
    /// All words behind the first positional argument belong to it, options of another program included.
    void endWithArguments();
    void footer(const std::string& text);
    /// What the command does. It throws `holos::Error` for failures (exit code 1), `UsageError` or `Exit`.
    void action(const std::function<void()>& run);

    /// An option that was added before; throws `std::exception` when there is none.
    Option find(const std::string& name) const;
    std::string name() const;
    std::vector<Command> commands() const;
    std::string description() const;
    std::vector<OptionFacts> options() const;  ///< those with long names
    /// The named options that were given, without dashes, and their values separated by blanks.
    std::vector<std::pair<std::string, std::string>> given() const;

  private:
    CLI::App* app_;
};

/// Commands that stand together in the program's help; each function adds one to the program's command.
struct CommandGroup {
    std::string title;
    std::vector<void (*)(Command&)> commands;
};

struct Program {
    std::string name;
    std::string summary;
    std::string version;
    std::vector<CommandGroup> groups;
    std::string footer;  ///< what its help ends with
};

/// Parses the command line and runs the command that it names; the exit code. Lets what a command's action
/// throws pass, except wrong usage.
int runCommandLine(const Program& program, int argc, char** argv);

/// Ends this process as the program ended: with its status, or by its signal.
[[noreturn]] void endLike(const launch::Ending& ending);

/// Every subcommand is one file: it declares its options and says what it does.
void addAnalyze(Command& app);
void addCampaign(Command& app);
void addCc(Command& app);
void addCheck(Command& app);
void addCollapse(Command& app);
void addCompletion(Command& app);
void addConvert(Command& app);
void addCounters(Command& app);
void addCut(Command& app);
void addDerive(Command& app);
void addDiff(Command& app);
void addExport(Command& app);
void addFlatten(Command& app);
void addInfo(Command& app);
void addIterations(Command& app);
void addMax(Command& app);
void addMean(Command& app);
void addMerge(Command& app);
void addMin(Command& app);
void addPlot(Command& app);
void addPredict(Command& app);
void addQuery(Command& app);
void addRecord(Command& app);
void addRemap(Command& app);
void addReport(Command& app);
void addScale(Command& app);
void addScaling(Command& app);
void addScore(Command& app);
void addServe(Command& app);
void addShow(Command& app);
void addSpec(Command& app);
void addStddev(Command& app);
void addSum(Command& app);
void addView(Command& app);
void addWatch(Command& app);
/// Below `counters`.
void addValidate(Command& counters);

}  // namespace holos::cli
