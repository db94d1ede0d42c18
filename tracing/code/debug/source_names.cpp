// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/debug/source_names.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/function_name.h"
#include "tracing/code/debug/dwarf_entries.h"

namespace holos::code {
namespace {

constexpr int kDeepestScope = 64;

/// Of a module's procedure the name that its symbol stands for, of others and of modules the source's.
std::string ownName(Dwarf_Die& procedure) {
    const std::string name = demangled(linkageNameOf(procedure));
    return name.find("::") != std::string::npos ? name : attributeText(procedure, DW_AT_name);
}

bool isWrittenIn(Dwarf_Die& unit, std::initializer_list<int> languages) {
    return std::ranges::find(languages, dwarf_srclang(&unit)) != languages.end();
}

}  // namespace

Dwarf_Die declarationOf(Dwarf_Die die) {
    for (const unsigned name : {DW_AT_abstract_origin, DW_AT_specification}) {
        Dwarf_Attribute attribute;
        Dwarf_Die other;
        if (dwarf_formref_die(dwarf_attr(&die, name, &attribute), &other) != nullptr) die = other;
    }
    return die;
}

std::vector<Dwarf_Die> scopesAround(Dwarf_Die entry) {
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes_die(&entry, &scopes);
    std::vector<Dwarf_Die> around;
    for (int i = 1; i < count; ++i) around.push_back(scopes[i]);
    std::free(scopes);
    return around;
}

bool isClass(Dwarf_Die& die) {
    const int tag = dwarf_tag(&die);
    return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

std::optional<Dwarf_Die> operatorOfLambda(Dwarf_Die& type) {
    std::optional<Dwarf_Die> found;
    if (!isClass(type) || !attributeText(type, DW_AT_name).empty()) return found;
    forEachChild(type, [&](Dwarf_Die& child) {
        if (!found && dwarf_tag(&child) == DW_TAG_subprogram &&
            attributeText(child, DW_AT_name).starts_with("operator()"))
            found = child;
    });
    return found;
}

namespace {

/// In the source. Entries of blocks stand behind those of the function around them.
auto placeOf(Dwarf_Die& type) {
    return std::tuple(numberOf(type, DW_AT_decl_line), numberOf(type, DW_AT_decl_column), type.addr);
}

std::size_t lambdasBefore(Dwarf_Die& scope, Dwarf_Die& type, const std::function<bool(Dwarf_Die)>& counts,
                          int depth) {
    std::size_t number = 0;
    if (depth > kDeepestScope) return number;
    forEachChild(scope, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) == DW_TAG_lexical_block)
            number += lambdasBefore(child, type, counts, depth + 1);
        if (placeOf(child) >= placeOf(type)) return;
        const auto call = operatorOfLambda(child);
        if (call && counts(*call)) ++number;
    });
    return number;
}

}  // namespace

std::size_t numberOfLambda(Dwarf_Die& function, Dwarf_Die& type,
                           const std::function<bool(Dwarf_Die)>& counts) {
    return 1 + lambdasBefore(function, type, counts, 0);
}

bool isFortran(Dwarf_Die& unit) {
    return isWrittenIn(unit, {DW_LANG_Fortran77, DW_LANG_Fortran90, DW_LANG_Fortran95, DW_LANG_Fortran03,
                              DW_LANG_Fortran08});
}

bool isCPlusPlus(Dwarf_Die& unit) {
    constexpr int kSeventeen = 0x2B;  // DWARF 6, which compilers write already
    constexpr int kTwenty = 0x2E;
    return isWrittenIn(unit, {DW_LANG_C_plus_plus, DW_LANG_C_plus_plus_03, DW_LANG_C_plus_plus_11,
                              DW_LANG_C_plus_plus_14, kSeventeen, kTwenty});
}

bool isC(Dwarf_Die& unit) {
    return isWrittenIn(unit, {DW_LANG_C, DW_LANG_C89, DW_LANG_C99, DW_LANG_C11});
}

std::string fortranName(Dwarf_Die procedure) {
    procedure = declarationOf(procedure);
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes_die(&procedure, &scopes);
    std::string name = ownName(procedure);
    bool isWhole = name.find("::") != std::string::npos;
    for (int i = 1; i < count && !isWhole; ++i)
        if (const int tag = dwarf_tag(&scopes[i]); tag == DW_TAG_subprogram || tag == DW_TAG_module) {
            const std::string outer = ownName(scopes[i]);
            isWhole = outer.find("::") != std::string::npos;
            name = outer + "::" + name;
        }
    std::free(scopes);
    return name;
}

std::string ScopeNames::nameOf(Dwarf_Die entry) {
    entry = declarationOf(entry);
    const std::string name = attributeText(entry, DW_AT_name);
    return name.empty() ? name : scopeOf(entry).value_or("") + name;
}

std::optional<std::string> ScopeNames::scopeOf(Dwarf_Die entry) {
    entry = declarationOf(entry);
    Dwarf_Die unit;
    if (dwarf_diecu(&entry, &unit, nullptr, nullptr) == nullptr) return std::nullopt;
    const auto [at, isNew] = units_.try_emplace(unit.addr);
    if (isNew) add(unit, "", at->second, 0);
    const auto scope = at->second.find(entry.addr);
    return scope != at->second.end() ? std::optional(names_[scope->second]) : std::nullopt;
}

void ScopeNames::add(Dwarf_Die& scope, const std::string& name, Scopes& scopes, int depth) {
    if (depth > kDeepestScope) return;
    const std::size_t place = names_.size();
    names_.push_back(name);
    forEachChild(scope, [&](Dwarf_Die& child) {
        switch (dwarf_tag(&child)) {
            case DW_TAG_subprogram:
            case DW_TAG_enumeration_type:
            case DW_TAG_typedef:
                scopes.emplace(child.addr, place);
                break;
            case DW_TAG_class_type:
            case DW_TAG_structure_type:
            case DW_TAG_union_type:
                scopes.emplace(child.addr, place);
                [[fallthrough]];
            case DW_TAG_namespace:
            case DW_TAG_module: {
                const std::string own = attributeText(child, DW_AT_name);
                add(child, name + (own.empty() ? std::string(kUnnamed) : own) + "::", scopes, depth + 1);
                break;
            }
            default:
                break;
        }
    });
}

namespace {

/// Types that are made of types can be damaged so that they have no end, or none that anybody could read.
constexpr int kDeepestType = 64;
constexpr int kMostTypes = 1000;
constexpr const char* kUnreadable = "...";
constexpr std::string_view kOfConstant = " const";  ///< behind the parameters

/// As the source has it and as names have it.
struct Spelling {
    std::string_view source;
    std::string_view name;
};
constexpr std::array kSpellings = {
    Spelling{"long int", "long"},
    Spelling{"short int", "short"},
    Spelling{"long long int", "long long"},
    Spelling{"long unsigned int", "unsigned long"},
    Spelling{"short unsigned int", "unsigned short"},
    Spelling{"long long unsigned int", "unsigned long long"},
    Spelling{"__int128 unsigned", "unsigned __int128"},
    Spelling{"complex float", "float _Complex"},
    Spelling{"complex double", "double _Complex"},
    Spelling{"complex long double", "long double _Complex"},
    Spelling{"std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"},
    Spelling{"std::basic_istream<char, std::char_traits<char> >", "std::istream"},
    Spelling{"std::basic_ostream<char, std::char_traits<char> >", "std::ostream"},
    Spelling{"std::basic_iostream<char, std::char_traits<char> >", "std::iostream"},
};

std::string spelled(const std::string& source) {
    for (const auto& one : kSpellings)
        if (one.source == source) return std::string(one.name);
    return source;
}

/// The name of a class whose arguments are known by its name only, as it is declared and not defined.
std::string withSpelledArguments(std::string name) {
    constexpr std::string_view kWords[] = {
        "long long unsigned int", "long unsigned int", "short unsigned int",
        "long long int",          "long int",          "short int"};
    for (const auto word : kWords) {
        const std::string other = spelled(std::string(word));
        for (std::size_t at = name.find('<'); (at = name.find(word, at)) != std::string::npos;
             at += other.size())
            name.replace(at, word.size(), other);
    }
    return name;
}

bool follow(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Die other;
    if (dwarf_formref_die(dwarf_attr_integrate(&die, name, &attribute), &other) == nullptr) return false;
    die = other;
    return true;
}

bool isQualifier(int tag) {
    return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type;
}

/// What a type is without other names for it. An unnamed class has the name that it was given there.
Dwarf_Die withoutAliases(Dwarf_Die die) {
    for (int i = 0; i < kDeepestType && dwarf_tag(&die) == DW_TAG_typedef; ++i) {
        Dwarf_Die target = die;
        if (!follow(target, DW_AT_type)) break;
        if ((isClass(target) || dwarf_tag(&target) == DW_TAG_enumeration_type) &&
            attributeText(target, DW_AT_name).empty())
            break;
        die = target;
    }
    return die;
}

/// Whether the object that a member function is called for is constant.
bool isOfConstant(Dwarf_Die& object) {
    Dwarf_Die type = object;
    if (!follow(type, DW_AT_type)) return false;
    if (dwarf_tag(&type) == DW_TAG_const_type && !follow(type, DW_AT_type)) return false;
    return dwarf_tag(&type) == DW_TAG_pointer_type && follow(type, DW_AT_type) &&
           dwarf_tag(&type) == DW_TAG_const_type;
}

bool isTemplateArgument(int tag) {
    return tag == DW_TAG_template_type_parameter || tag == DW_TAG_template_value_parameter ||
           tag == DW_TAG_GNU_template_parameter_pack;
}

bool isTemplate(Dwarf_Die& die) {
    bool is = false;
    forEachChild(die, [&](Dwarf_Die& child) { is = is || isTemplateArgument(dwarf_tag(&child)); });
    return is;
}

/// `f<int>` without `<int>`.
std::string withoutArguments(const std::string& name) {
    if (name.empty() || name.back() != '>') return name;
    int open = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        if (name[i] == '>') ++open;
        if (name[i] == '<' && --open == 0) return name.substr(0, name.find_last_not_of(' ', i - 1) + 1);
        if (i == 0) break;
    }
    return name;
}

void addToList(std::string& list, const std::string& one) {
    list += (list.empty() ? "" : ", ") + one;
}

/// As the argument of a template: `3`, `3u`, `true`.
std::string value(const std::string& type, Dwarf_Die& argument) {
    Dwarf_Attribute attribute;
    Dwarf_Sword number = 0;
    if (dwarf_formsdata(dwarf_attr(&argument, DW_AT_const_value, &attribute), &number) != 0)
        return kUnreadable;
    const std::string digits = std::to_string(number);
    if (type == "bool") return number != 0 ? "true" : "false";
    if (type == "int") return digits;
    if (type == "unsigned int") return digits + "u";
    if (type == "long") return digits + "l";
    if (type == "unsigned long") return digits + "ul";
    return '(' + type + ')' + digits;
}

}  // namespace

bool hasTypes(Dwarf_Die unit) {
    bool has = false;
    forEachChild(unit, [&](Dwarf_Die& child) { has = has || dwarf_tag(&child) == DW_TAG_base_type; });
    return has;
}

std::string TypeNames::withParameters(const std::string& name, Dwarf_Die function) {
    const int outer = std::exchange(left_, kMostTypes);  // the name of a lambda has that of its function
    std::string text = name + parameters(function, 0);
    if (isTemplate(function))
        text = typeOf(function, "", 0) + ' ' + withoutArguments(name) + templateArguments(function, 0) +
               parameters(function, 0);
    left_ = outer;
    return text;
}

std::string TypeNames::parametersOf(Dwarf_Die function) {
    const int outer = std::exchange(left_, kMostTypes);
    std::string list = parameters(function, 0);
    left_ = outer;
    if (list.ends_with(kOfConstant)) list.resize(list.size() - kOfConstant.size());
    return list;
}

std::string TypeNames::parameters(Dwarf_Die& function, int depth) {
    std::string list;
    bool isConstant = false;
    const std::function<void(Dwarf_Die&)> add = [&](Dwarf_Die& child) {
        switch (dwarf_tag(&child)) {
            case DW_TAG_unspecified_parameters:
                return addToList(list, "...");
            case DW_TAG_GNU_formal_parameter_pack:
                return forEachChild(child, add);
            case DW_TAG_formal_parameter:
                if (!isMarked(child, DW_AT_artificial)) return addToList(list, parameter(child, depth));
                isConstant = isConstant || isOfConstant(child);
                return;
            default:
                return;
        }
    };
    forEachChild(function, add);
    return '(' + list + ')' + std::string(isConstant ? kOfConstant : "");
}

/// A constant parameter is one to the function, and not to who calls it.
std::string TypeNames::parameter(Dwarf_Die die, int depth) {
    bool isTyped = follow(die, DW_AT_type);
    for (int i = 0; i < kDeepestType && isTyped; ++i) {
        die = withoutAliases(die);
        if (!isQualifier(dwarf_tag(&die))) break;
        isTyped = follow(die, DW_AT_type);
    }
    return isTyped ? type(die, "", depth + 1) : "void";
}

std::string TypeNames::typeOf(Dwarf_Die& entry, const std::string& declarator, int depth) {
    Dwarf_Die die = entry;
    if (!follow(die, DW_AT_type)) return "void" + declarator;
    return type(die, declarator, depth + 1);
}

/// Declarators are written from the inside: of `int (*)(long)` first `*`, then `(*)(long)`.
std::string TypeNames::type(Dwarf_Die die, const std::string& declarator, int depth) {
    if (depth > kDeepestType || --left_ < 0) return kUnreadable;
    die = withoutAliases(die);
    switch (dwarf_tag(&die)) {
        case DW_TAG_pointer_type:
            return pointer(die, "*", declarator, depth);
        case DW_TAG_reference_type:
            return pointer(die, "&", declarator, depth);
        case DW_TAG_rvalue_reference_type:
            return pointer(die, "&&", declarator, depth);
        case DW_TAG_ptr_to_member_type:
            return memberPointer(die, declarator, depth);
        case DW_TAG_const_type:
            return typeOf(die, " const" + declarator, depth);
        case DW_TAG_volatile_type:
            return typeOf(die, " volatile" + declarator, depth);
        case DW_TAG_restrict_type:
            return typeOf(die, " __restrict" + declarator, depth);
        case DW_TAG_subroutine_type:
            return typeOf(die, ' ' + declarator + parameters(die, depth), depth);
        case DW_TAG_array_type:
            return array(die, declarator, depth);
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
        case DW_TAG_enumeration_type:
        case DW_TAG_typedef:
            return classType(die, depth) + declarator;
        default:
            return spelled(attributeText(die, DW_AT_name)) + declarator;
    }
}

std::string TypeNames::pointer(Dwarf_Die& die, const std::string& sign, const std::string& declarator,
                               int depth) {
    Dwarf_Die target = die;
    if (!follow(target, DW_AT_type)) return "void" + sign + declarator;
    target = withoutAliases(target);
    const int tag = dwarf_tag(&target);
    if (tag != DW_TAG_subroutine_type && tag != DW_TAG_array_type)
        return type(target, sign + declarator, depth + 1);
    const bool isNested = declarator.compare(0, 2, " (") == 0;
    return type(target, '(' + sign + declarator.substr(isNested ? 1 : 0) + ')', depth + 1);
}

std::string TypeNames::memberPointer(Dwarf_Die& die, const std::string& declarator, int depth) {
    Dwarf_Die owner = die;
    Dwarf_Die target = die;
    if (!follow(owner, DW_AT_containing_type) || !follow(target, DW_AT_type)) return kUnreadable;
    target = withoutAliases(target);
    const std::string sign = type(owner, "", depth + 1) + "::*" + declarator;
    if (dwarf_tag(&target) == DW_TAG_subroutine_type) return type(target, '(' + sign + ')', depth + 1);
    return type(target, ' ' + sign, depth + 1);
}

std::string TypeNames::array(Dwarf_Die& die, const std::string& declarator, int depth) {
    std::string sizes;
    forEachChild(die, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) != DW_TAG_subrange_type) return;
        const auto last = numberOf(child, DW_AT_upper_bound);
        const auto count = last ? std::optional<Dwarf_Word>(*last + 1) : numberOf(child, DW_AT_count);
        sizes += '[' + (count ? std::to_string(*count) : "") + ']';
    });
    return typeOf(die, ' ' + declarator + (declarator.empty() ? "" : " ") + sizes, depth);
}

std::string TypeNames::classType(Dwarf_Die& die, int depth) {
    const std::string name = scopedName_(die);
    return spelled(isTemplate(die) ? withoutArguments(name) + templateArguments(die, depth)
                                   : withSpelledArguments(name));
}

std::string TypeNames::templateArguments(Dwarf_Die& die, int depth) {
    std::string list;
    const std::function<void(Dwarf_Die&)> add = [&](Dwarf_Die& child) {
        switch (dwarf_tag(&child)) {
            case DW_TAG_template_type_parameter:
                return addToList(list, typeOf(child, "", depth));
            case DW_TAG_template_value_parameter:
                return addToList(list, value(typeOf(child, "", depth), child));
            case DW_TAG_GNU_template_parameter_pack:
                return forEachChild(child, add);
            default:
                return;
        }
    };
    forEachChild(die, add);
    return '<' + list + (!list.empty() && list.back() == '>' ? " >" : ">");
}

}  // namespace holos::code
