// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/openmp_loops.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "tracing/code/openmp_directives.h"

namespace holos::code {
namespace {

/// From a call to its directive, where nothing is optimised.
constexpr std::uint32_t kLinesBehindCall = 10;

bool isOfLoop(const Directive& one) {
    const bool isStart = !one.begins("end") && !one.begins("cancel") && !one.begins("cancellation");
    return isStart && (one.has("for") || one.has("do"));
}

std::vector<Directive> loopsOf(const std::string& file, std::uint32_t first, std::uint32_t last) {
    auto all = directivesOf(file, first, last);
    std::erase_if(all, [](const Directive& one) { return !isOfLoop(one); });
    return all;
}

/// That in whose head of the loop, up to its first semicolon, the statement stands.
std::optional<std::uint32_t> byHead(const CallLines& call) {
    const auto loops = loopsOf(call.file, 1, call.statement);
    if (loops.empty()) return {};
    const LoopHead head = headBehind(call.file, loops.back());
    const auto isBefore = [](SourcePlace a, SourcePlace b) {
        return a.line < b.line || (a.line == b.line && a.column < b.column);
    };
    SourcePlace statement{call.statement, call.column};
    if (call.column == 0 && call.statement == head.begin.line) statement = head.begin;
    if (head.begin.line == 0 || isBefore(statement, head.begin) || !isBefore(statement, head.end)) return {};
    return loops.back().line;
}

std::uint32_t nearestBehind(const std::string& file, std::uint32_t line) {
    const auto loops = loopsOf(file, line, line + kLinesBehindCall - 1);
    return loops.empty() ? line : loops.front().line;
}

/// Where nothing is optimised, what the loop does stands behind the call, and anything before it.
std::uint32_t lastBeforeNext(const CallLines& call, std::uint32_t line) {
    const bool isKnown = call.ofFunction != 0 && call.next > call.ofFunction;
    const auto loops =
        isKnown ? loopsOf(call.file, call.ofFunction, call.next - 1) : std::vector<Directive>();
    return loops.empty() ? nearestBehind(call.file, line) : loops.back().line;
}

/// Calls of several loops of a function may all stand before the first loop, or behind what another does.
std::uint32_t theOnlyOne(const CallLines& call, std::uint32_t line) {
    if (call.ofFunction == 0) return nearestBehind(call.file, line);
    const auto loops = loopsOf(call.file, call.ofFunction, call.lastInFunction);
    if (loops.empty()) return line;
    return loops.size() == 1 ? loops.front().line : call.ofFunction;
}

}  // namespace

std::uint32_t lineOfLoop(const CallLines& call, const std::string& file, std::uint32_t line) {
    if (call.file != file) return nearestBehind(file, line);
    if (call.by == Compiled::ByGcc) return lastBeforeNext(call, line);
    if (!loopsOf(file, line, line).empty()) return line;
    if (const auto known = byHead(call)) return *known;
    return call.by == Compiled::ByGccOptimised ? theOnlyOne(call, line) : nearestBehind(file, line);
}

}  // namespace holos::code
