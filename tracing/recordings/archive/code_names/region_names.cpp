// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/code_names/region_names.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/function_name.h"
#include "base/number.h"
#include "tracing/code/openmp_directives.h"

namespace holos::archive {
namespace {

/// gcc gives the call that begins a worksharing construct the line of what stands before it.
constexpr std::uint32_t kLinesToSearch = 10;

/// The recorder says of which construct an implicit barrier is: ` of single` behind its name.
constexpr std::string_view kImplicitBarrier = "!$omp implicit barrier";

bool isBarrierOf(const char* construct, const RecordedRegion& region) {
    return region.name == std::string(kImplicitBarrier) + " of " + construct;
}

/// Begins a construct, and does not end or cancel one.
bool isStart(const code::Directive& directive) {
    return !directive.begins("end") && !directive.begins("cancel") && !directive.begins("cancellation");
}

bool hasOneOf(const code::Directive& directive, std::initializer_list<const char*> words) {
    return isStart(directive) &&
           std::ranges::any_of(words, [&](const char* word) { return directive.has(word); });
}

/// All threads of a team wait at its end, where nothing else is said.
bool isWorksharing(const code::Directive& directive) {
    return hasOneOf(directive, {"for", "do", "loop", "scope", "sections", "single", "workshare"});
}

bool isDirectiveOf(const RecordedRegion& region, const code::Directive& directive) {
    using tracing::Role;
    if (isBarrierOf("sections", region)) return hasOneOf(directive, {"sections"});
    if (isBarrierOf("single", region)) return hasOneOf(directive, {"single"});
    switch (region.role) {
        case Role::Loop:
            return hasOneOf(directive, {"distribute"});
        case Role::Sections:
            return hasOneOf(directive, {"sections"});
        case Role::Single:
            return hasOneOf(directive, {"single"});
        case Role::Ordered:
        case Role::OrderedBlock:
            return directive.begins("ordered");  // not the loop's clause
        case Role::Atomic:
            return hasOneOf(directive, {"atomic"});
        case Role::ImplicitBarrier:
            return hasOneOf(directive, {"parallel", "teams"}) || isWorksharing(directive);
        case Role::TaskWait:
            if (region.name != "!$omp taskgroup") return hasOneOf(directive, {"taskwait"});
            return hasOneOf(directive, {"taskgroup"}) ||
                   (hasOneOf(directive, {"taskloop"}) && directive.line == region.beginLine);
        default:
            return false;
    }
}

void moveTo(RecordedRegion& region, const code::Directive& directive) {
    region.beginLine = region.endLine = directive.line;
}

bool isBarrier(const code::Directive& directive) {
    return directive.begins("barrier");
}

bool endsWithBarrier(const code::Directive& directive) {
    return isWorksharing(directive) && !directive.has("parallel") && !directive.hasNoWait;
}

/// Of a call that stands on no directive. That of a loop with a static schedule has a line of the loop.
void findBarrierOfLoop(RecordedRegion& region) {
    const auto before = code::directivesOf(region.file, 1, region.beginLine);
    if (before.empty() || !endsWithBarrier(before.back())) return;
    region.role = tracing::Role::ImplicitBarrier;
    region.name = kImplicitBarrier;
    moveTo(region, before.back());
}

/// gcc calls the same function for explicit barriers and for those at the end of worksharing constructs. Of a
/// call at the end of a parallel region only the start of the region is known.
void findBarrier(RecordedRegion& region, const std::vector<code::Directive>& directives) {
    if (directives.empty() || directives.front().line != region.beginLine) return findBarrierOfLoop(region);
    const code::Directive& first = directives.front();
    if (isBarrier(first)) return;
    const bool isRegion = hasOneOf(first, {"parallel"}) && !isWorksharing(first);
    const auto barrier = std::ranges::find_if(directives, isBarrier);
    if (isRegion && barrier != directives.end()) return moveTo(region, *barrier);
    region.role = tracing::Role::ImplicitBarrier;
    region.name = kImplicitBarrier;
}

/// Whether it is a parallel region, or the barrier at the end of one.
bool isOfParallel(const RecordedRegion& region) {
    return region.role == tracing::Role::Parallel || region.name == std::string(kImplicitBarrier);
}

/// What the directives begin with for which a compiler makes a function that such a region is known by; none
/// where it is known by a call.
std::vector<std::string_view> directivesOfBody(const RecordedRegion& region) {
    using tracing::Role;
    if (isOfParallel(region)) return {"parallel", "teams"};
    if (region.role == Role::Task || region.role == Role::TaskCreate) return {"task", "taskloop", "target"};
    if (region.name == "!$omp taskgroup") return {"taskloop"};
    return {};
}

/// Where all that a parallel region does is a call, a compiler makes a jump of it, and a task needs nothing
/// before its first statement: the code begins in the body, and the directive stands before. A region that a
/// macro begins has no directive of its own: it begins on the line that uses the macro, and directives before
/// that are of others.
void leaveBody(RecordedRegion& region, const std::vector<std::string_view>& words) {
    const std::uint32_t first = region.beginLine > kLinesToSearch ? region.beginLine - kLinesToSearch : 1;
    const auto directives = code::directivesOf(region.file, first, region.beginLine);
    const bool isOnDirective = !directives.empty() && directives.back().line == region.beginLine;
    if (isOnDirective && isOfParallel(region)) return;  // of a loop in it, which has such a barrier, too
    const auto directive =
        std::find_if(directives.rbegin(), directives.rend(), [&](const code::Directive& one) {
            return isStart(one) && std::ranges::any_of(words, [&](auto word) { return one.has(word); });
        });
    if (directive != directives.rend() && code::isWithin(region.file, *directive, region.beginLine))
        moveTo(region, *directive);
}

bool isLoop(const RecordedRegion& region) {
    return region.role == tracing::Role::Loop ? region.name != "!$omp distribute"
                                              : isBarrierOf("for", region);
}

void findDirective(RecordedRegion& region, const std::function<code::CallLines()>& call) {
    using tracing::Role;
    if (region.name == "!$omp for" && code::isFortranFile(region.file)) region.name = "!$omp do";
    if (isLoop(region)) {
        region.beginLine = region.endLine = code::lineOfLoop(call(), region.file, region.beginLine);
        return;
    }
    const auto directives =
        code::directivesOf(region.file, region.beginLine, region.beginLine + kLinesToSearch - 1);
    if (region.role == Role::Barrier) return findBarrier(region, directives);
    auto directive = std::ranges::find_if(
        directives, [&](const code::Directive& one) { return isDirectiveOf(region, one); });
    if (directive == directives.end()) return;
    if (isBarrierOf("single", region) && directive->hasNoWait) {  // so it has none: an explicit one
        region.role = Role::Barrier;
        region.name = "!$omp barrier";
        directive = std::find_if(directive, directives.end(), isBarrier);
        if (directive == directives.end()) return;
    }
    moveTo(region, *directive);
}

}  // namespace

void correctFromSource(RecordedRegion& region, bool isOutlinedBody,
                       const std::function<code::CallLines()>& call) {
    const auto words = isOutlinedBody ? directivesOfBody(region) : std::vector<std::string_view>{};
    if (region.beginLine != 0 && !words.empty()) leaveBody(region, words);
    if (region.beginLine != 0 && words.empty()) findDirective(region, call);
    if (region.name.starts_with(kImplicitBarrier)) region.name = kImplicitBarrier;
}

namespace {

std::string fileName(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

/// With what compilers added to it, so that two places of one function stay two.
std::string nameWithOffset(const code::CodePlace& place) {
    const std::string name = place.symbol.empty() ? place.function : demangled(place.symbol);
    return place.intoFunction != 0 ? name + '+' + inHexadecimal(place.intoFunction) : name;
}

}  // namespace

void resolve(RecordedRegion& region, code::Symbols& symbols) {
    if (region.object.empty()) return;
    const code::CodePlace found = symbols.find(region.object, region.offset);
    if (!found.file.empty()) {
        region.file = found.file;
        region.beginLine = region.endLine = found.line;
    }
    if (region.paradigm == tracing::Paradigm::OpenMp) {
        // Other constructs have their calls within such a function.
        const bool isKnownByBody = found.intoFunction == 0 || isOfParallel(region);
        correctFromSource(region, found.isOutlinedBody && isKnownByBody,
                          [&] { return symbols.around(region.object, region.offset); });
        if (found.line != 0)
            region.name += " @" + fileName(found.file) + ':' + std::to_string(region.beginLine);
        else if (found.isNamed)
            region.name += " @" + nameWithOffset(found);
        else
            region.name += " @" + fileName(region.object) + '+' + inHexadecimal(found.address);
    } else if (!found.function.empty()) {
        region.name = found.function;
        region.symbol = found.symbol.empty() ? found.function : found.symbol;
        if (!found.definedIn.empty()) {
            region.file = found.definedIn;
            region.beginLine = region.endLine = found.definedAt;
        } else if (region.file.empty()) {
            region.file = region.object;
        }
    }
    region.object.clear();
    region.offset = 0;
}

}  // namespace holos::archive
