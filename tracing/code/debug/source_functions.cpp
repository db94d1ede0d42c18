// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/debug/source_functions.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/function_name.h"
#include "tracing/code/debug/dwarf_entries.h"

namespace holos::code {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 256;

/// What the library says where there is no name.
constexpr std::string_view kNoFile = "???";

bool isScope(int tag, bool all) {
    switch (tag) {
        case DW_TAG_namespace:
        case DW_TAG_module:
            return true;
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_union_type:
            return all;
        default:
            return false;
    }
}

/// A row of the table of lines.
struct LineRow {
    Dwarf_Addr address = 0;
    const char* file = "";
    std::uint32_t number = 0;
    std::uint32_t column = 0;
    bool beginsStatement = false;
};

LineRow readRow(Dwarf_Line* row) {
    LineRow line;
    int number = 0;
    if (const char* file = dwarf_linesrc(row, nullptr, nullptr); file != nullptr) line.file = file;
    dwarf_lineaddr(row, &line.address);
    dwarf_linebeginstatement(row, &line.beginsStatement);
    if (dwarf_lineno(row, &number) == 0 && number > 0) line.number = static_cast<std::uint32_t>(number);
    if (dwarf_linecol(row, &number) == 0 && number > 0) line.column = static_cast<std::uint32_t>(number);
    return line;
}

/// gcc says with which options it was called, unless it is told not to.
Compiled compiledBy(std::string_view producer) {
    if (!producer.starts_with("GNU ")) return Compiled::ByOthers;
    const auto option = producer.rfind(" -O");
    const bool isPlain = option == producer.npos ? producer.find(" -m") != producer.npos
                                                 : producer.substr(option + 3).starts_with('0');
    return isPlain ? Compiled::ByGcc : Compiled::ByGccOptimised;
}

/// Up to version 13 gcc numbers all lambdas of a function in a row; other compilers, those with the same
/// parameters.
bool numbersLambdasTogether(std::string_view producer) {
    constexpr std::string_view kGcc = "GNU C++";
    constexpr int kFirstApart = 14;
    const auto blank = producer.find(' ', kGcc.size());
    if (!producer.starts_with(kGcc) || blank == producer.npos) return false;
    int version = 0;
    std::from_chars(producer.data() + blank + 1, producer.data() + producer.size(), version);
    return version < kFirstApart;
}

}  // namespace

/// A source file as it was compiled.
class SourceFunctions::Unit {
  public:
    struct Function {
        Dwarf_Addr begin;
        Dwarf_Addr end;
        Dwarf_Die die;
    };
    /// A range of the code of a function that was inlined, at whatever depth.
    struct Inlined {
        Dwarf_Addr begin;
        Dwarf_Addr end;
        Dwarf_Die die;
    };

    /// `lines`: the entry that has the table of lines; `functions`: that of the functions, elsewhere for
    /// split debug information.
    Unit(Dwarf_Die lines, Dwarf_Die functions)
        : lines_(lines),
          entry_(functions),
          folder_(attributeText(lines, DW_AT_comp_dir)),
          isFortran_(code::isFortran(functions)),
          isC_(code::isC(functions)) {}

    bool isFortran() const { return isFortran_; }
    bool isC() const { return isC_; }
    /// Whether it knows the parameters of functions of C++.
    bool hasTypes() {
        if (!hasTypes_) hasTypes_ = isCPlusPlus(entry_) && code::hasTypes(entry_);
        return *hasTypes_;
    }
    Dwarf_Die& lines() { return lines_; }
    Compiled compiled() { return compiledBy(attributeText(entry_, DW_AT_producer)); }
    bool numbersLambdasTogether() {
        return code::numbersLambdasTogether(attributeText(entry_, DW_AT_producer));
    }

    /// In the order of the code; the function's own, and of what was inlined.
    template <class Visit>
    void forEachLine(const Function& function, Visit visit) {
        Dwarf_Lines* rows = nullptr;
        std::size_t count = 0;
        if (dwarf_getsrclines(&lines_, &rows, &count) != 0) return;
        for (std::size_t i = 0; i < count; ++i) {
            const LineRow line = readRow(dwarf_onesrcline(rows, i));
            if (line.address >= function.begin && line.address < function.end) visit(line);
        }
    }

    /// Null where the unit knows none. Most functions stand at the top or in a namespace: elsewhere they are
    /// looked for only when one is missed.
    const Function* functionAt(Dwarf_Addr address) {
        for (; looked_ < 2; ++looked_) {
            if (const Function* found = known(address)) return found;
            functions_.clear();
            collect(entry_, looked_ == 1, 0);
            std::ranges::stable_sort(functions_, {}, &Function::begin);
        }
        return known(address);
    }

    const std::vector<Function>& functions() const { return functions_; }

    /// Functions inlined at an address, outermost first.
    std::vector<Dwarf_Die> inlinedAt(const Function& function, Dwarf_Addr address) {
        const auto [at, isNew] = inlined_.try_emplace(function.die.addr);
        if (isNew) {
            Dwarf_Die die = function.die;
            collectInlined(die, at->second, 0);
        }
        std::vector<Dwarf_Die> found;
        for (const auto& one : at->second)
            if (one.begin <= address && address < one.end) found.push_back(one.die);
        return found;
    }

    /// As a whole path, where that is known.
    const std::string& path(const char* name) {
        const auto [at, isNew] = paths_.try_emplace(name);
        if (isNew)
            at->second = folder_.empty() ? name : (fs::path(folder_) / name).lexically_normal().string();
        return at->second;
    }

    /// The source file that an attribute of an entry means; empty where it means none.
    std::string file(Dwarf_Die& die, unsigned name) {
        Dwarf_Attribute attribute;
        Dwarf_Word number = 0;
        Dwarf_Die unit;  // numbers of files are the unit's that the attribute stands in
        Dwarf_Files* files = nullptr;
        std::size_t count = 0;
        if (dwarf_formudata(dwarf_attr_integrate(&die, name, &attribute), &number) != 0 ||
            dwarf_cu_die(attribute.cu, &unit, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ==
                nullptr ||
            dwarf_getsrcfiles(&unit, &files, &count) != 0 || number >= count)
            return {};
        const char* found = dwarf_filesrc(files, number, nullptr, nullptr);
        return found != nullptr && found != kNoFile ? path(found) : "";
    }

  private:
    const Function* known(Dwarf_Addr address) const {
        auto at = std::ranges::upper_bound(functions_, address, {}, &Function::begin);
        if (at == functions_.begin() || address >= (--at)->end) return nullptr;
        return &*at;
    }

    void collect(Dwarf_Die& scope, bool all, int depth) {
        if (depth > kDeepest) return;
        forEachChild(scope, [&](Dwarf_Die& child) {
            const int tag = dwarf_tag(&child);
            if (tag == DW_TAG_subprogram)
                forEachRange(child, [&](Dwarf_Addr begin, Dwarf_Addr end) {
                    functions_.push_back({begin, end, child});
                });
            if (isScope(tag, all)) collect(child, all, depth + 1);
        });
    }

    void collectInlined(Dwarf_Die& scope, std::vector<Inlined>& found, int depth) {
        if (depth > kDeepest) return;
        forEachChild(scope, [&](Dwarf_Die& child) {
            const int tag = dwarf_tag(&child);
            if (tag == DW_TAG_inlined_subroutine)
                forEachRange(child, [&](Dwarf_Addr begin, Dwarf_Addr end) {
                    found.push_back({begin, end, child});
                });
            if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block)
                collectInlined(child, found, depth + 1);
        });
    }

    Dwarf_Die lines_;
    Dwarf_Die entry_;
    std::string folder_;
    bool isFortran_;
    bool isC_;
    std::optional<bool> hasTypes_;
    int looked_ = 0;  ///< 1: at the top, 2: everywhere
    std::vector<Function> functions_;
    std::unordered_map<const void*, std::vector<Inlined>> inlined_;
    std::unordered_map<const char*, std::string> paths_;
};

SourceFunctions::SourceFunctions(Dwarf* dwarf) {
    if (dwarf == nullptr) return;
    Dwarf_CU* unit = nullptr;
    Dwarf_Die lines{};
    Dwarf_Die other{};
    std::uint8_t type = 0;
    while (dwarf_get_units(dwarf, unit, &unit, nullptr, &type, &lines, &other) == 0) {
        if (type != DW_UT_compile && type != DW_UT_skeleton) continue;
        const bool isSplit =
            type == DW_UT_skeleton && other.addr != nullptr && dwarf_tag(&other) != DW_TAG_invalid;
        auto one = std::make_unique<Unit>(lines, isSplit ? other : lines);
        const std::size_t number = units_.size();
        const std::size_t before = ranges_.size();
        const auto add = [&](Dwarf_Addr begin, Dwarf_Addr end) { ranges_.push_back({begin, end, number}); };
        forEachRange(lines, add);
        if (ranges_.size() == before) {  // not every compiler says it of the unit
            one->functionAt(0);
            for (const auto& function : one->functions()) add(function.begin, function.end);
        }
        units_.push_back(std::move(one));
    }
    std::ranges::sort(ranges_, {}, &Range::begin);
}

SourceFunctions::~SourceFunctions() = default;

SourceFunctions::Unit* SourceFunctions::unitAt(Dwarf_Addr address) {
    auto range = std::ranges::upper_bound(ranges_, address, {}, &Range::begin);
    if (range == ranges_.begin() || address >= (--range)->end) return nullptr;
    return units_[range->unit].get();
}

std::vector<InlinedFunction> SourceFunctions::inlinedAt(Dwarf_Addr address) {
    Unit* const unit = unitAt(address);
    const Unit::Function* const function = unit != nullptr ? unit->functionAt(address) : nullptr;
    std::vector<InlinedFunction> found;
    if (function == nullptr) return found;
    for (Dwarf_Die& one : unit->inlinedAt(*function, address)) {
        InlinedFunction inlined{one.addr, {}};
        forEachRange(one, [&](Dwarf_Addr begin, Dwarf_Addr end) { inlined.code.emplace_back(begin, end); });
        found.push_back(std::move(inlined));
    }
    return found;
}

CallLines SourceFunctions::around(Dwarf_Addr address) {
    CallLines call;
    Unit* const unit = unitAt(address);
    const Unit::Function* const function = unit != nullptr ? unit->functionAt(address) : nullptr;
    if (function == nullptr) return call;
    call.by = unit->compiled();
    Dwarf_Line* const own = dwarf_getsrc_die(&unit->lines(), address);
    const char* const file = own != nullptr ? dwarf_linesrc(own, nullptr, nullptr) : nullptr;
    if (file == nullptr) return call;
    call.file = unit->path(file);
    unit->forEachLine(*function, [&](const LineRow& line) {
        if (std::string_view(line.file) != file || line.number == 0) return;
        if (call.ofFunction == 0) call.ofFunction = line.number;
        call.lastInFunction = std::max(call.lastInFunction, line.number);
        if (line.address > address) {
            if (call.next == 0) call.next = line.number;
        } else if (line.beginsStatement) {
            call.statement = line.number;
            call.column = line.column;
        }
    });
    return call;
}

std::vector<SourceFrame> SourceFunctions::at(Dwarf_Addr address) {
    Unit* const found = unitAt(address);
    if (found == nullptr) return {};
    Unit& unit = *found;

    std::vector<SourceFrame> frames(1);
    Dwarf_Line* line = dwarf_getsrc_die(&unit.lines(), address);
    int number = 0;
    if (const char* file = line != nullptr ? dwarf_linesrc(line, nullptr, nullptr) : nullptr;
        file != nullptr && dwarf_lineno(line, &number) == 0) {
        frames.back().file = unit.path(file);
        frames.back().line = number > 0 ? static_cast<std::uint32_t>(number) : 0;
    }
    const Unit::Function* function = unit.functionAt(address);
    if (function == nullptr) return frames;
    auto inlined = unit.inlinedAt(*function, address);
    for (auto one = inlined.rbegin(); one != inlined.rend(); ++one) {
        frames.back().function = &describe(*one, unit);
        frames.back().inlinedAt = one->addr;
        frames.emplace_back();
        frames.back().file = unit.file(*one, DW_AT_call_file);
        frames.back().line = static_cast<std::uint32_t>(numberOf(*one, DW_AT_call_line).value_or(0));
    }
    frames.back().function = &describe(function->die, unit);
    frames.back().begin = function->begin;
    return frames;
}

/// What other files can call by its bare name is a function of C; others have parameters that tell them
/// apart.
std::string SourceFunctions::nameInScope(Dwarf_Die& function, Unit& unit) {
    naming_ = &unit;
    std::string name = scopes_.nameOf(function);
    const std::string own = attributeText(function, DW_AT_name);
    const bool isOfFunction = !name.empty() && !scopes_.scopeOf(function);
    if (isOfFunction || own.starts_with("operator()"))
        if (const auto around = scopesAround(declarationOf(function)); !around.empty())
            if (const std::string local = localTypeName(around.front()); !local.empty())
                name = local + "::" + own;
    const bool isOfUnit =
        !isMarked(function, DW_AT_external) || name.find(ScopeNames::kUnnamed) != std::string::npos;
    return isOfUnit && unit.hasTypes() && !name.empty() ? types_.withParameters(name, function) : name;
}

std::string SourceFunctions::typeName(Dwarf_Die type) {
    const bool isOfFunction = isClass(type) && !scopes_.scopeOf(type);
    if (isOfFunction || operatorOfLambda(type))
        if (std::string local = localTypeName(type); !local.empty()) return local;
    return scopes_.nameOf(type);
}

/// Of a class that a function has for itself, and of a lambda, as `demangled` writes them:
/// `work(int)::{lambda(char const*)#2}`. Empty for others.
std::string SourceFunctions::localTypeName(Dwarf_Die type) {
    if (!isClass(type)) return {};
    auto around = scopesAround(type);
    const auto outer = std::ranges::find_if(
        around, [](Dwarf_Die& scope) { return dwarf_tag(&scope) != DW_TAG_lexical_block; });
    if (outer == around.end()) return {};
    std::string name;
    if (dwarf_tag(&*outer) == DW_TAG_subprogram)
        name = describe(*outer, *naming_).name;
    else
        name = localTypeName(*outer);
    if (!name.empty()) name += "::";
    const std::string own = attributeText(type, DW_AT_name);
    if (!own.empty()) return name.empty() ? name : name + own;
    const auto call = operatorOfLambda(type);
    if (!call) return {};
    if (name.empty()) name = scopes_.scopeOf(type).value_or("");
    const std::string parameters = types_.parametersOf(*call);
    const bool areNumberedTogether = naming_->numbersLambdasTogether();
    const std::size_t number = numberOfLambda(*outer, type, [&](Dwarf_Die other) {
        return areNumberedTogether || types_.parametersOf(other) == parameters;
    });
    return name + "{lambda" + parameters + '#' + std::to_string(number) + '}';
}

const SourceFunction& SourceFunctions::describe(Dwarf_Die die, Unit& unit) {
    Dwarf_Attribute attribute;
    Dwarf_Die origin;  // all instances have one
    if (dwarf_formref_die(dwarf_attr(&die, DW_AT_abstract_origin, &attribute), &origin) != nullptr)
        die = origin;
    const auto [at, isNew] = functions_.try_emplace(die.addr);
    SourceFunction& function = at->second;
    if (!isNew) return function;
    function.symbol = linkageNameOf(die);
    function.isOfFortran = unit.isFortran();
    if (function.isOfFortran)
        function.name = fortranName(die);
    else if (!function.symbol.empty())
        function.name = demangled(std::string(withoutCopy(function.symbol)));
    else
        function.name = unit.isC() ? attributeText(die, DW_AT_name) : nameInScope(die, unit);
    function.file = unit.file(die, DW_AT_decl_file);
    int line = 0;
    if (dwarf_decl_line(&die, &line) == 0 && line > 0) function.line = static_cast<std::uint32_t>(line);
    return function;
}

}  // namespace holos::code
