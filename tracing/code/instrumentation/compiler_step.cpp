// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/instrumentation/compiler_step.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/function_name.h"
#include "base/number.h"
#include "base/text.h"

namespace holos::instrumentation {
namespace {

/// Where a function's instructions lead, to find its loops. It is told of them in their order.
class ControlFlow {
  public:
    /// A part of it begins that stands elsewhere, and that nothing before leads into.
    void beginPart();
    void label(std::string_view name);
    void jump(std::string_view label);
    /// What follows is reached by jumps only.
    void stop() { isReached_ = false; }
    /// An instruction that repeats itself, or a jump of which nobody knows where it leads.
    void mayRepeat() { mayRepeat_ = true; }

    bool hasLoops() const;

  private:
    using Block = std::uint32_t;
    Block blockOf(std::string_view label);
    Block newBlock();

    std::vector<std::vector<Block>> next_{1};
    std::unordered_map<std::string, Block> labels_;
    Block here_ = 0;
    bool isReached_ = true;
    bool mayRepeat_ = false;
};

ControlFlow::Block ControlFlow::newBlock() {
    next_.emplace_back();
    return static_cast<Block>(next_.size() - 1);
}

ControlFlow::Block ControlFlow::blockOf(std::string_view label) {
    const auto [found, isNew] = labels_.try_emplace(std::string(label), 0);
    if (isNew) found->second = newBlock();
    return found->second;
}

void ControlFlow::beginPart() {
    here_ = newBlock();
    isReached_ = true;
}

void ControlFlow::label(std::string_view name) {
    const Block block = blockOf(name);
    if (isReached_) next_[here_].push_back(block);
    here_ = block;
    isReached_ = true;
}

void ControlFlow::jump(std::string_view label) {
    const Block target = blockOf(label);
    if (isReached_) next_[here_].push_back(target);
}

bool ControlFlow::hasLoops() const {
    if (mayRepeat_) return true;
    enum class State : std::uint8_t { New, Open, Done };
    struct Step {
        Block block;
        std::size_t taken;
    };
    std::vector<State> states(next_.size(), State::New);
    for (Block begin = 0; begin < next_.size(); ++begin) {
        if (states[begin] != State::New) continue;
        std::vector<Step> path{{begin, 0}};
        states[begin] = State::Open;
        while (!path.empty()) {
            Step& step = path.back();
            if (step.taken == next_[step.block].size()) {
                states[step.block] = State::Done;
                path.pop_back();
                continue;
            }
            const Block target = next_[step.block][step.taken++];
            if (states[target] == State::Open) return true;
            if (states[target] == State::Done) continue;
            states[target] = State::Open;
            path.push_back({target, 0});
        }
    }
    return false;
}

/// `__holos_begin` and `__holos_end` for an assembly of x86-64. One of each remains in a program or library.
/// They go on to `holos_function_begin` and `holos_function_end` of the recorder, where there is one, and
/// change no register: functions call the first before they look at their arguments, and the second when
/// their results, or the arguments of a last call that is a jump, are in their places.
std::string_view stubs() {
    return R"(	.att_syntax
	.macro	holos.stub here, there
	.section	.text.\here,"axG",@progbits,\here,comdat
	.p2align 4
	.weak	\there
	.globl	\here
	.hidden	\here
	.type	\here, @function
\here:
	.cfi_startproc
	cmpq	$0, \there@GOTPCREL(%rip)
	jne	1f
	ret
1:	jmp	*\there@GOTPCREL(%rip)
	.cfi_endproc
	.size	\here, .-\here
	.endm
	holos.stub	__holos_begin, holos_function_begin
	holos.stub	__holos_end, holos_function_end
)";
}

constexpr std::string_view kBlank = " \t";

/// Takes the next word of the line, up to a blank.
std::string_view takeWord(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(kBlank));
    line.remove_prefix(word.size());
    return word;
}

/// The texts between quotation marks, without what backslashes say.
std::vector<std::string> quotedTexts(std::string_view text) {
    std::vector<std::string> texts;
    bool isInside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') {
            isInside = !isInside;
            if (isInside) texts.emplace_back();
        } else if (isInside) {
            if (text[i] == '\\' && i + 1 < text.size()) ++i;
            texts.back() += text[i];
        }
    }
    return texts;
}

bool isLocalLabel(std::string_view name) {
    return name.starts_with(".L");
}

/// The calls that gcc inserts.
enum class Inserted : std::uint8_t { None, Begin, End };

Inserted insertedCallOf(std::string_view called) {
    if (called.find("__fentry__") != std::string_view::npos) return Inserted::Begin;
    return called.find("__return__") != std::string_view::npos ? Inserted::End : Inserted::None;
}

/// Reads the functions of an assembly, line by line.
class Reader {
  public:
    static constexpr std::size_t kNone = ~std::size_t{0};

    void read(std::string_view line) {
        inserted_ = Inserted::None;
        if (!line.empty() && kBlank.find(line.front()) == std::string_view::npos) return readLabel(line);
        const std::string_view word = takeWord(line);
        if (word == ".type")
            readType(trimmed(line));
        else if (word == ".file")
            readFile(trimmed(line));
        else if (word == ".loc")
            readLocation(line);
        else if (!word.empty() && std::isalpha(static_cast<unsigned char>(word.front())) != 0 &&
                 now_ != kNone)
            readInstruction(word, trimmed(line.substr(0, line.find('#'))));
    }

    /// The function that the last line belongs to.
    std::size_t now() const { return now_; }
    Inserted inserted() const { return inserted_; }

    std::vector<AssembledFunction> finish() {
        for (std::size_t i = 0; i < functions_.size(); ++i) functions_[i].hasLoops = flows_[i].hasLoops();
        return std::move(functions_);
    }

  private:
    void readLabel(std::string_view line) {
        const std::size_t end = line.find(':');
        if (end == std::string_view::npos || line.front() == '#') return;
        const std::string_view name = line.substr(0, end);
        if (isLocalLabel(name)) {
            if (now_ != kNone) flows_[now_].label(name);
        } else if (const auto found = announced_.find(name); found != announced_.end()) {
            beginFunction(*found);
        } else if (std::isdigit(static_cast<unsigned char>(name.front())) != 0) {
            read(line.substr(end + 1));  // `1:	call	__fentry__`
        }
    }

    /// Seldom run parts stand elsewhere, as `name.cold`, and are reached by jumps.
    void beginFunction(const std::string& symbol) {
        const std::size_t cold = symbol.find(".cold");
        const auto whole = numbers_.find(symbol.substr(0, cold));
        if (cold != std::string::npos && whole != numbers_.end()) {
            now_ = whole->second;
            flows_[now_].beginPart();
            return;
        }
        now_ = functions_.size();
        numbers_[symbol] = now_;
        functions_.emplace_back().symbol = symbol;
        flows_.emplace_back();
    }

    void readType(std::string_view text) {
        const std::size_t comma = text.find(',');
        if (comma == std::string_view::npos || text.find("function", comma) == std::string_view::npos) return;
        announced_.emplace(trimmed(text.substr(0, comma)));
    }

    /// `.file 3 "/folder" "name"`
    void readFile(std::string_view text) {
        const auto number = takeNumber(text);
        const auto texts = quotedTexts(text);
        if (!number || texts.empty()) return;
        const bool isWhole = texts.size() == 1 || texts.back().starts_with('/');
        files_[*number] = isWhole ? texts.back() : texts.front() + '/' + texts.back();
    }

    /// `.loc 3 120 5`
    void readLocation(std::string_view text) {
        if (now_ == kNone || !functions_[now_].file.empty()) return;
        const auto number = takeNumber(text);
        const auto file = number ? files_.find(*number) : files_.end();
        if (file != files_.end()) functions_[now_].file = file->second;
    }

    static std::optional<unsigned> takeNumber(std::string_view& text) {
        return asNumber<unsigned>(takeWord(text));
    }

    void readInstruction(std::string_view name, std::string_view operands) {
        AssembledFunction& function = functions_[now_];
        ControlFlow& flow = flows_[now_];
        if (name == "call") inserted_ = insertedCallOf(operands);
        if (inserted_ != Inserted::None) return;
        ++function.instructions;
        if (name == "rep" || name == "repz" || name == "repnz" || name.starts_with("loop")) {
            if (operands.find("ret") == std::string_view::npos) return flow.mayRepeat();
            flow.stop();
        } else if (name.starts_with("call")) {
            function.hasCalls = true;
        } else if (name == "ret" || name == "ud2" || name == "hlt") {
            flow.stop();
        } else if (name.front() == 'j' || name == "notrack") {
            readJump(name, operands, function, flow);
        }
    }

    static void readJump(std::string_view name, std::string_view target, AssembledFunction& function,
                         ControlFlow& flow) {
        if (isLocalLabel(target))
            flow.jump(target);
        else if (target.find('*') != std::string_view::npos || name == "notrack")
            flow.mayRepeat();  // a table of places, or the last call
        else
            function.hasCalls = true;  // the last call is a jump
        if (name == "jmp" || name == "notrack") flow.stop();
    }

    std::set<std::string, std::less<>> announced_;
    std::map<std::string, std::size_t> numbers_;
    std::map<unsigned, std::string> files_;
    std::vector<AssembledFunction> functions_;
    std::vector<ControlFlow> flows_;
    std::size_t now_ = kNone;
    Inserted inserted_ = Inserted::None;
};

template <class Take>
void eachLine(std::string_view text, const Take& take) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        take(text.substr(0, end));
        text.remove_prefix(end);
    }
}

}  // namespace

std::string instrumented(std::string_view assembly, const Choice& isWanted) {
    struct Place {
        std::size_t offset;
        std::size_t length;
        std::size_t function;
        Inserted call;
    };
    Reader reader;
    std::vector<Place> places;
    eachLine(assembly, [&](std::string_view line) {
        reader.read(line.substr(0, line.find('\n')));
        if (reader.inserted() != Inserted::None)
            places.push_back({static_cast<std::size_t>(line.data() - assembly.data()), line.size(),
                              reader.now(), reader.inserted()});
    });
    if (places.empty()) return std::string(assembly);

    const std::vector<AssembledFunction> functions = reader.finish();
    std::vector<bool> wanted;
    for (const AssembledFunction& function : functions) wanted.push_back(isWanted(function));
    std::string result;
    std::size_t done = 0;
    for (const Place& place : places) {
        result += assembly.substr(done, place.offset - done);
        if (wanted[place.function])
            result += place.call == Inserted::Begin ? "\tcall\t__holos_begin\n" : "\tcall\t__holos_end\n";
        done = place.offset + place.length;
    }
    result += assembly.substr(done);
    return result + std::string(stubs());
}

namespace {

bool isOfTheCompiler(const std::string& symbol) {
    constexpr std::array kBegins{"_GLOBAL__", "_ZTh", "_ZTv", "_ZTc", "_ZTW", "_ZTH"};
    return isOutlinedBody(symbol) || symbol.find("._omp_cpyfn.") != std::string::npos ||
           symbol.ends_with(".resolver") ||
           std::ranges::any_of(kBegins, [&](const char* begin) { return symbol.starts_with(begin); });
}

bool isForeign(const std::string& file) {
    return std::ranges::any_of(kForeignFiles,
                               [&](const char* part) { return file.find(part) != std::string::npos; });
}

bool isTiny(const AssembledFunction& function, unsigned smallest) {
    const bool isMain = function.symbol == "main" || function.symbol == "MAIN__";
    return function.instructions < smallest && !function.hasLoops && !function.hasCalls && !isMain;
}

bool isFilteredOut(const AssembledFunction& function, const Rules& rules) {
    if (rules.filter.isEmpty()) return false;
    const bool isFilesOut =
        !function.file.empty() &&
        rules.filter.excludesFile(std::filesystem::absolute(function.file).lexically_normal());
    return isFilesOut || (rules.isFortran ? rules.filter.excludesProcedure(function.symbol)
                                          : rules.filter.excludesFunction(function.symbol));
}

}  // namespace

bool isWanted(const AssembledFunction& function, const Rules& rules) {
    return !isOfTheCompiler(function.symbol) && !isForeign(function.file) &&
           !isTiny(function, rules.smallest) && !isFilteredOut(function, rules);
}

namespace {

bool has(const Words& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

/// The assembly holds no functions yet, but what the linker makes them of.
bool isForLinkTime(const Words& command) {
    bool is = false;
    for (const std::string& word : command) {
        if (word == "-flto" || word.starts_with("-flto=")) is = true;
        if (word == "-fno-lto") is = false;
    }
    return is;
}

bool servesAfterInlining(const Words& command) {
    static constexpr std::array kOthers{"-m16",           "-m32", "-mx32", "-miamcu",
                                        "-mcmodel=large", "-p",   "-pg",   "-finstrument-functions"};
    return !isForLinkTime(command) &&
           std::ranges::none_of(kOthers, [&](const char* word) { return has(command, word); });
}

std::string outputOf(const Words& command) {
    const auto option = std::ranges::find(command, "-o");
    return option == command.end() || option + 1 == command.end() ? "" : option[1];
}

void add(Words& command, const Words& options) {
    command.insert(command.begin() + 1, options.begin(), options.end());
}

/// What gcc itself can leave out: names that contain a word, as long as no later rule lets some of them in.
std::string excludedWords(const filter::Filter& filter) {
    std::string words;
    for (const filter::Rule& rule : filter.regions()) {
        const std::string& pattern = rule.pattern;
        const bool isWord = pattern.size() > 2 && pattern.front() == '*' && pattern.back() == '*' &&
                            pattern.find_first_of("*?[\\,", 1) == pattern.size() - 1;
        if (!rule.excludes)
            words.clear();
        else if (isWord && !rule.isMangled)
            words += (words.empty() ? "" : ",") + pattern.substr(1, pattern.size() - 2);
    }
    return words;
}

}  // namespace

Words optionsBeforeInlining(const filter::Filter& filter) {
    std::string files = "-finstrument-functions-exclude-file-list=";
    for (const char* const file : kForeignFiles)
        files += (file == kForeignFiles.front() ? "" : ",") + std::string(file);
    Words options{"-finstrument-functions", files};
    const std::string excluded = excludedWords(filter);
    if (!excluded.empty()) options.push_back("-finstrument-functions-exclude-function-list=" + excluded);
    return options;
}

CompilerStep instrumentedStep(const Words& command, const filter::Filter& filter) {
    CompilerStep step{command, "", false};
    const std::string& path = command.front();
    const std::string program = path.substr(path.rfind('/') + 1);
    step.isFortran = program == "f951";
    const bool isCompiler = step.isFortran || program == "cc1" || program == "cc1plus";
    if (!isCompiler || has(command, "-E") || has(command, "-fsyntax-only")) return step;
    if (!servesAfterInlining(command)) {
        add(step.command, optionsBeforeInlining(filter));
        return step;
    }
    // A jump instead of the last call would end the function that calls before what it calls for.
    add(step.command, {"-p", "-mfentry", "-minstrument-return=call", "-fno-optimize-sibling-calls"});
    step.assembly = outputOf(command);
    return step;
}

}  // namespace holos::instrumentation
