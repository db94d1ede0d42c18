// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/jump_tables.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

namespace holos::code {
namespace {

bool isLittleEndian(Elf* elf) {
    GElf_Ehdr file{};
    return gelf_getehdr(elf, &file) != nullptr && file.e_ident[EI_DATA] == ELFDATA2LSB;
}

}  // namespace

ReadOnlyData::ReadOnlyData(Elf* elf) {
    if (!isLittleEndian(elf)) return;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS ||
            (header.sh_flags & SHF_ALLOC) == 0 || (header.sh_flags & SHF_WRITE) != 0)
            continue;
        const Elf_Data* const data = elf_rawdata(section, nullptr);
        if (data != nullptr && data->d_buf != nullptr)
            sections_.push_back(
                {header.sh_addr, data->d_size, static_cast<const unsigned char*>(data->d_buf)});
    }
}

std::optional<std::uint64_t> ReadOnlyData::numberAt(std::uint64_t address, Operation::Part part) const {
    constexpr unsigned kWhole = 64;
    const std::uint64_t bytes = part.bits / 8;
    const auto section = std::ranges::find_if(sections_, [&](const Section& one) {
        return address >= one.begin && address - one.begin < one.size &&
               bytes <= one.size - (address - one.begin);
    });
    if (section == sections_.end()) return {};
    std::uint64_t number = 0;
    std::memcpy(&number, section->bytes + (address - section->begin), bytes);
    const unsigned rest = kWhole - part.bits;
    if (part.isSigned && rest > 0)
        number = static_cast<std::uint64_t>(static_cast<std::int64_t>(number << rest) >> rest);
    return number;
}

namespace {

using Kind = Instruction::Kind;

}  // namespace

CodeLines::CodeLines(const std::vector<const std::vector<CodeLine>*>& parts,
                     const std::vector<LandingPad>& pads, const JumpTargets& targets) {
    for (const auto* part : parts) lines_.insert(lines_.end(), part->begin(), part->end());
    const std::uint64_t begin = lines_.empty() ? 0 : lines_.front().address;
    std::ranges::sort(lines_, {}, &CodeLine::address);
    entry_ = at(begin).value_or(0);
    const auto add = [&](Number from, std::uint64_t target) {
        if (const auto to = at(target)) jumps_[*to].push_back(from);
    };
    for (Number number = 0; number < lines_.size(); ++number) {
        const CodeLine& line = lines_[number];
        if (line.isJump() && line.instruction.target) add(number, *line.instruction.target);
        const bool isComputed = line.instruction.kind == Kind::JumpAnywhere ||
                                (line.instruction.kind == Kind::Branch && !line.instruction.target);
        const auto known = targets.find(line.address);
        if (known != targets.end())
            for (const std::uint64_t target : known->second) add(number, target);
        else if (isComputed)
            toAnywhere_.push_back(number);
        if (line.instruction.kind != Kind::Call) continue;
        for (const LandingPad& pad : pads)
            if (pad.begin < line.end() && line.end() <= pad.end) add(number, pad.pad);
    }
    findGaps();
}

void CodeLines::findGaps() {
    isGap_.resize(lines_.size());
    for (Number number = 0; number < lines_.size(); ++number)
        isGap_[number] = lines_[number].instruction.kind == Kind::Padding && number != entry_ &&
                         !jumps_.contains(number) && !isBehind(number);
}

std::optional<CodeLines::Number> CodeLines::at(std::uint64_t address) const {
    const auto found = std::ranges::lower_bound(lines_, address, {}, &CodeLine::address);
    if (found == lines_.end() || found->address != address) return {};
    return static_cast<Number>(found - lines_.begin());
}

bool CodeLines::isBehind(Number number) const {
    return number > 0 && lines_[number - 1].end() == lines_[number].address && lines_[number - 1].mayGoOn() &&
           !isGap_[number - 1];
}

std::vector<CodeLines::Number> CodeLines::before(Number number) const {
    std::vector<Number> found;
    if (const auto jumps = jumps_.find(number); jumps != jumps_.end()) found = jumps->second;
    if (isBehind(number)) found.push_back(number - 1);
    return found;
}

/// Compilers jump to where a block begins.
bool CodeLines::isReachedFromAnywhere(Number number) const {
    return !isBehind(number) || lines_[number - 1].endsBlock() || jumps_.contains(number);
}

namespace {

using OperationKind = Operation::Kind;
using RegisterPart = Operation::Part;

std::uint64_t partOfConstant(std::uint64_t constant, RegisterPart part) {
    if (part.bits >= 64) return constant;
    const unsigned rest = 64U - part.bits;
    const std::uint64_t high = constant << rest;
    return part.isSigned ? static_cast<std::uint64_t>(static_cast<std::int64_t>(high) >> rest) : high >> rest;
}

}  // namespace

SymbolicRun::Value SymbolicRun::unknown(const Unknown& what) {
    unknowns_.push_back(what);
    return {0, static_cast<Term>(unknowns_.size() - 1), 1};
}

SymbolicRun::Value SymbolicRun::registerValue(Operation::Register number) {
    std::optional<Value>& value = registers_[number % kRegisters];
    if (!value) {
        const auto constant = constantOf_(number);
        value = constant ? Value{*constant, kNoTerm, 0} : unknown({});
    }
    return *value;
}

SymbolicRun::Value SymbolicRun::sumOf(const Value& one, const Value& other) {
    Value sum{one.constant + other.constant, one.isConstant() ? other.term : one.term,
              one.factor + other.factor};
    if (!one.isConstant() && !other.isConstant() && one.term != other.term) return unknown({});
    if (sum.factor == 0) sum.term = kNoTerm;
    return sum;
}

SymbolicRun::Value SymbolicRun::valueOf(const Operation::Sum& sum) {
    Value value{sum.constant, kNoTerm, 0};
    if (sum.base != Operation::kNone) value = sumOf(value, registerValue(sum.base));
    if (sum.index == Operation::kNone) return value;
    Value index = partOf(registerValue(sum.index), sum.part);
    index.constant <<= sum.shift;
    index.factor <<= sum.shift;
    return sumOf(value, index);
}

SymbolicRun::Value SymbolicRun::partOf(const Value& value, RegisterPart part) {
    if (part.bits >= 64) return value;
    if (value.isConstant()) return {partOfConstant(value.constant, part), kNoTerm, 0};
    if (value.isTerm()) {
        const Unknown& known = unknowns_[value.term];
        const bool isLoaded = known.kind == Unknown::Kind::Loaded;
        const bool fits = known.kind != Unknown::Kind::Any && !known.part.isSigned &&
                          (known.part.bits < part.bits || (known.part.bits == part.bits && !part.isSigned));
        const auto most = mostOf(value.term);
        if (fits || (most && *most < std::uint64_t{1} << (part.bits - 1U))) return value;
        if (isLoaded && known.part.bits == part.bits)
            return unknown({Unknown::Kind::Loaded, known.of, part, {}});
    }
    for (Term term = 0; term < unknowns_.size(); ++term) {
        const Unknown& one = unknowns_[term];
        if (one.kind == Unknown::Kind::PartOfValue && one.of == value && one.part.bits == part.bits &&
            one.part.isSigned == part.isSigned)
            return {0, term, 1};
    }
    return unknown({Unknown::Kind::PartOfValue, value, part, {}});
}

SymbolicRun::Value SymbolicRun::load(const Value& address, RegisterPart part) {
    for (const Slot& slot : slots_)
        if (slot.address == address && slot.bits == part.bits) return partOf(slot.value, part);
    const Value loaded = unknown({Unknown::Kind::Loaded, address, {part.bits, false}, {}});
    slots_.push_back({address, part.bits, loaded});
    return partOf(loaded, part);
}

/// What may lie in the same place is forgotten.
void SymbolicRun::store(const Value& address, unsigned bits, const std::optional<Value>& value) {
    std::erase_if(slots_, [&](const Slot& slot) {
        const bool isNear = slot.address.term == address.term && slot.address.factor == address.factor;
        const std::uint64_t behind = slot.address.constant - address.constant;
        const std::uint64_t before = address.constant - slot.address.constant;
        return !isNear || behind < bits / 8 || before < slot.bits / 8;
    });
    if (value) slots_.push_back({address, bits, *value});
}

SymbolicRun::Value SymbolicRun::result(const Operation& operation) {
    const Value sum = valueOf(operation.sum);
    if (operation.kind == OperationKind::Load) return load(sum, operation.part);
    return partOf(sum, operation.part);
}

void SymbolicRun::run(const Operation& operation) {
    std::optional<Compared> compared = operation.keepsFlags ? compared_ : std::nullopt;
    if (operation.comparison) {
        const auto& what = *operation.comparison;
        const RegisterPart part{what.bits, false};
        const Value sum = valueOf(what.sum);
        compared = Compared{what.isOfMemory ? load(sum, part) : partOf(sum, part), what.limit};
    }
    compared_ = compared;
    const bool sets = operation.kind == OperationKind::Set || operation.kind == OperationKind::Load;
    const std::optional<Value> set = sets ? std::optional(result(operation)) : std::nullopt;
    if (operation.kind == OperationKind::Store) {
        std::optional<Value> value;
        if (operation.from != Operation::kNone)
            value = partOf(registerValue(operation.from), {operation.part.bits, false});
        store(valueOf(operation.sum), operation.part.bits, value);
    }
    if (operation.changesMemory) slots_.clear();
    for (unsigned number = 0; number < kRegisters; ++number)
        if ((operation.changed >> number & 1U) != 0) registers_[number] = unknown({});
    if (set) registers_[operation.to % kRegisters] = *set;
}

void SymbolicRun::learn(Operation::Condition condition, bool isTaken) {
    using Condition = Operation::Condition;
    if (!compared_ || !compared_->value.isTerm()) return;
    const bool isAtMost =
        (condition == Condition::Above && !isTaken) || (condition == Condition::BelowOrEqual && isTaken);
    const bool isBelow =
        (condition == Condition::AboveOrEqual && !isTaken) || (condition == Condition::Below && isTaken);
    if (!isAtMost && (!isBelow || compared_->limit == 0)) return;
    const std::uint64_t most = compared_->limit - (isBelow ? 1 : 0);
    auto& known = unknowns_[compared_->value.term].most;
    known = std::min(known.value_or(most), most);
}

/// A number with a sign that is small without it is the same.
std::optional<std::uint64_t> SymbolicRun::mostOf(Term term) const {
    const Unknown& number = unknowns_[term];
    if (number.most || number.kind == Unknown::Kind::Any) return number.most;
    if (!number.part.isSigned)
        return number.part.bits < 64 ? std::optional((std::uint64_t{1} << number.part.bits) - 1)
                                     : std::nullopt;
    if (number.kind != Unknown::Kind::PartOfValue) return {};
    for (const Unknown& one : unknowns_) {
        const bool isSame = one.kind == Unknown::Kind::PartOfValue && one.of == number.of &&
                            one.part.bits == number.part.bits && one.most;
        if (isSame && *one.most < std::uint64_t{1} << (one.part.bits - 1U)) return one.most;
    }
    const auto most = number.of.isTerm() ? mostOf(number.of.term) : std::nullopt;
    return most && *most < std::uint64_t{1} << (number.part.bits - 1U) ? most : std::nullopt;
}

std::optional<JumpTable> SymbolicRun::tableOf(const Operation& jump) {
    Value target = valueOf(jump.sum);
    if (jump.kind == OperationKind::JumpThrough) target = load(target, {64, false});
    if (target.isConstant()) return {};
    const Unknown& entry = unknowns_[target.term];
    if (entry.kind != Unknown::Kind::Loaded || entry.of.isConstant()) return {};
    const auto most = mostOf(entry.of.term);
    if (!most || *most == ~std::uint64_t{0}) return {};
    return JumpTable{entry.of.constant, entry.of.factor, entry.part,
                     *most + 1,         target.constant, target.factor};
}

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
