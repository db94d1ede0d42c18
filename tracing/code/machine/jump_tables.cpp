// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/jump_tables.h"

#include <algorithm>
#include <unordered_set>

namespace holos::code {
namespace {

constexpr std::size_t kLongestWay = 64;
constexpr std::uint64_t kMostEntries = 4096;
/// Instructions that are looked at for the constant that a register has.
constexpr std::size_t kMostLooked = 1U << 12U;
/// A constant may be made of another one, as the address of a page.
constexpr unsigned kMostSteps = 4;

}  // namespace

std::optional<std::vector<std::uint64_t>> JumpTables::targetsOf(Number jump, Others others) const {
    const std::vector<Number> way = wayTo(jump);
    SymbolicRun run([&](Operation::Register number) {
        return constantOf({way.front(), number, kMostSteps}, others);
    });
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
        const CodeLine& line = lines_[way[i]];
        const Operation operation = code_.operationAt(line.address);
        run.run(operation);
        if (line.instruction.kind != Instruction::Kind::Branch) continue;
        const bool isNext = way[i + 1] == way[i] + 1;
        const bool isTarget = line.instruction.target == lines_[way[i + 1]].address;
        if (isNext != isTarget) run.learn(operation.condition, isTarget);
    }
    const auto table = run.tableOf(code_.operationAt(lines_[jump].address));
    return table ? read(*table) : std::nullopt;
}

std::vector<JumpTables::Number> JumpTables::wayTo(Number jump) const {
    std::vector<Number> way{jump};
    while (way.size() < kLongestWay && !lines_.isEntry(way.back())) {
        const std::vector<Number> before = lines_.before(way.back());
        if (before.size() != 1 || lines_[before.front()].instruction.kind == Instruction::Kind::JumpAnywhere)
            break;
        if (std::ranges::find(way, before.front()) != way.end()) break;
        way.push_back(before.front());
    }
    std::ranges::reverse(way);
    return way;
}

std::optional<std::uint64_t> JumpTables::constantOf(const Wanted& wanted, Others others) const {
    std::unordered_set<Number> seen{wanted.line};
    std::vector<Number> pending{wanted.line};
    std::optional<std::uint64_t> constant;
    while (!pending.empty()) {
        const Number at = pending.back();
        pending.pop_back();
        std::vector<Number> before = lines_.before(at);
        if (others == Others::LeadAnywhere && lines_.isReachedFromAnywhere(at))
            before.insert(before.end(), lines_.toAnywhere().begin(), lines_.toAnywhere().end());
        if (lines_.isEntry(at) || (before.empty() && others == Others::LeadAnywhere)) return {};
        for (const Number one : before) {
            const Operation operation = code_.operationAt(lines_[one].address);
            if ((operation.changed >> wanted.number & 1U) != 0) {
                const auto found = constantBy(operation, {one, wanted.number, wanted.steps}, others);
                if (!found || (constant && *constant != *found)) return {};
                constant = found;
            } else if (seen.insert(one).second) {
                if (seen.size() > kMostLooked) return {};
                pending.push_back(one);
            }
        }
    }
    return constant;
}

std::optional<std::uint64_t> JumpTables::constantBy(const Operation& change, const Wanted& wanted,
                                                    Others others) const {
    const Operation::Sum& sum = change.sum;
    const bool isSimple = change.kind == Operation::Kind::Set && change.to == wanted.number &&
                          sum.index == Operation::kNone && change.part.bits == 64;
    if (!isSimple || wanted.steps == 0) return {};
    if (sum.base == Operation::kNone) return sum.constant;
    const auto base = constantOf({wanted.line, sum.base, wanted.steps - 1}, others);
    return base ? std::optional(sum.constant + *base) : std::nullopt;
}

std::optional<std::vector<std::uint64_t>> JumpTables::read(const JumpTable& table) const {
    if (table.count > kMostEntries) return {};
    std::vector<std::uint64_t> targets;
    for (std::uint64_t i = 0; i < table.count; ++i) {
        const auto entry = data_.numberAt(table.begin + i * table.stride, table.entry);
        if (!entry) return {};
        targets.push_back(table.base + table.factor * *entry);
    }
    std::ranges::sort(targets);
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    return targets;
}

}  // namespace holos::code
