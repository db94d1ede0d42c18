// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/openmp_source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace holos::archive {
namespace {

namespace fs = std::filesystem;

bool isFortran(const std::string& file) {
    return lowerCase(fs::path(file).extension().string()).starts_with(".f");
}

/// gcc gives the call that begins a worksharing construct the line of what stands before it.
constexpr std::size_t kLinesToSearch = 10;

/// So many lines from one on, in lower case, as far as there are any.
std::vector<std::string> linesFrom(const std::string& file, std::uint32_t number,
                                   std::size_t count = kLinesToSearch) {
    std::error_code error;
    std::vector<std::string> lines;
    if (!fs::is_regular_file(file, error)) return lines;
    std::ifstream in(file);
    std::string line;
    for (std::uint32_t i = 1; i < number + count && std::getline(in, line); ++i)
        if (i >= number) lines.push_back(lowerCase(line));
    return lines;
}

bool has(const std::string& line, std::initializer_list<const char*> words) {
    return line.find("omp") != std::string::npos &&
           std::ranges::any_of(words, [&](const char* word) { return line.find(word) != std::string::npos; });
}

/// The recorder says of which construct an implicit barrier is: ` of single` behind its name.
constexpr std::string_view kImplicitBarrier = "!$omp implicit barrier";

bool isBarrierOf(const char* construct, const RecordedRegion& region) {
    return region.name == std::string(kImplicitBarrier) + " of " + construct;
}

bool isDirectiveOf(const RecordedRegion& region, const std::string& line) {
    using tracing::Role;
    if (isBarrierOf("for", region)) return has(line, {" for", " do"});
    if (isBarrierOf("sections", region)) return has(line, {"sections"});
    if (isBarrierOf("single", region)) return has(line, {"single"});
    switch (region.role) {
        case Role::Loop:
            return has(line, {" for", " do"});
        case Role::Sections:
            return has(line, {"sections"});
        case Role::Single:
            return has(line, {"single"});
        case Role::Ordered:
        case Role::OrderedBlock:
            return has(line, {"omp ordered"});  // not the loop's clause
        case Role::Atomic:
            return has(line, {"atomic"});
        case Role::ImplicitBarrier:
            return has(line, {"parallel", " for", " do", "sections", "single", "workshare"});
        case Role::TaskWait:
            return region.name == "!$omp taskgroup" ? has(line, {"taskgroup", "taskloop"})
                                                    : has(line, {"taskwait"});
        default:
            return true;
    }
}

void moveTo(RecordedRegion& region, const std::vector<std::string>& lines,
            std::vector<std::string>::const_iterator line) {
    region.beginLine += static_cast<std::uint32_t>(line - lines.begin());
    region.endLine = region.beginLine;
}

/// gcc calls the same function for explicit barriers and for those at the end of worksharing constructs. Of a
/// call at the end of a parallel region only the start of the region is known.
void findBarrier(RecordedRegion& region, const std::vector<std::string>& lines) {
    const std::string& first = lines.front();
    if (!has(first, {"omp"}) || has(first, {"barrier"})) return;
    const bool isRegion = has(first, {"parallel"}) && !has(first, {" for", " do", "sections", "workshare"});
    const auto barrier =
        std::ranges::find_if(lines, [](const std::string& line) { return has(line, {"barrier"}); });
    if (isRegion && barrier != lines.end()) return moveTo(region, lines, barrier);
    region.role = tracing::Role::ImplicitBarrier;
    region.name = kImplicitBarrier;
}

/// Where all that a parallel region does is a call, a compiler makes a jump of it: the code of the region
/// begins in its body, and the directive stands before.
void leaveBody(RecordedRegion& region) {
    const bool isOfParallel =
        region.role == tracing::Role::Parallel || region.name == std::string(kImplicitBarrier);
    const std::uint32_t first = region.beginLine > kLinesToSearch ? region.beginLine - kLinesToSearch : 1;
    const auto lines = linesFrom(region.file, first, region.beginLine - first + 1);
    if (!isOfParallel || lines.size() != region.beginLine - first + 1 || has(lines.back(), {"omp"})) return;
    const auto directive = std::find_if(lines.rbegin(), lines.rend(),
                                        [](const std::string& line) { return has(line, {"parallel"}); });
    if (directive == lines.rend()) return;
    region.beginLine -= static_cast<std::uint32_t>(directive - lines.rbegin());
    region.endLine = region.beginLine;
}

void findDirective(RecordedRegion& region) {
    using tracing::Role;
    if (region.role == Role::Loop && isFortran(region.file)) region.name = "!$omp do";
    const auto lines = linesFrom(region.file, region.beginLine);
    if (lines.empty()) return;
    if (region.role == Role::Barrier) return findBarrier(region, lines);
    auto directive =
        std::ranges::find_if(lines, [&](const std::string& line) { return isDirectiveOf(region, line); });
    if (directive == lines.end()) return;
    if (isBarrierOf("single", region) && has(*directive, {"nowait"})) {  // so it has none: an explicit one
        region.role = Role::Barrier;
        region.name = "!$omp barrier";
        directive = std::find_if(directive, lines.end(),
                                 [](const std::string& line) { return has(line, {"barrier"}); });
        if (directive == lines.end()) return;
    }
    moveTo(region, lines, directive);
}

}  // namespace

void correctFromSource(RecordedRegion& region, bool isOutlinedBody) {
    if (region.beginLine != 0 && isOutlinedBody) leaveBody(region);
    if (region.beginLine != 0) findDirective(region);
    if (region.name.starts_with(kImplicitBarrier)) region.name = kImplicitBarrier;
}

}  // namespace holos::archive
