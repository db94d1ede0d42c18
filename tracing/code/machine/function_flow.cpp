// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/function_flow.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "tracing/code/machine/jump_tables.h"

namespace holos::code {
namespace {

/// The functions that compilers take for such as return twice, with the C library's names of them.
constexpr std::string_view kFunctions[] = {"setjmp",  "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp",
                                           "savectx", "vfork",   "__vfork",  "getcontext"};

bool isName(const char* name) {
    constexpr std::size_t kLonger = 16;  // than all of them
    if (name == nullptr) return false;
    const std::string_view text(name, ::strnlen(name, kLonger));
    return std::ranges::find(kFunctions, text) != std::end(kFunctions);
}

template <class Use>
void forEachSymbol(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, Use use) {
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) return;
    for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
        GElf_Sym symbol{};
        if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) return;
        if (isName(elf_strptr(elf, header.sh_link, symbol.st_name))) use(i, symbol);
    }
}

}  // namespace

ReturningTwice::ReturningTwice(Elf* elf) {
    std::unordered_set<std::size_t> imported;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr) continue;
        if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) continue;
        forEachSymbol(elf, section, header, [&](std::size_t number, const GElf_Sym& symbol) {
            if (symbol.st_shndx != SHN_UNDEF) functions_.insert(symbol.st_value);
            if (header.sh_type == SHT_DYNSYM) imported.insert(number);
        });
    }
    if (imported.empty()) return;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_RELA) continue;
        Elf_Data* const data = elf_getdata(section, nullptr);
        if (data == nullptr || header.sh_entsize == 0) continue;
        for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
            GElf_Rela place{};
            if (gelf_getrela(data, static_cast<int>(i), &place) == nullptr) break;
            if (imported.contains(GELF_R_SYM(place.r_info))) slots_.insert(place.r_offset);
        }
    }
}

bool ReturningTwice::isCalledBy(const Instruction& call, const MachineCode& code) const {
    if (functions_.empty() && slots_.empty()) return false;
    if (call.slot) return slots_.contains(*call.slot);
    if (!call.target) return true;  // it may be anything
    if (functions_.contains(*call.target)) return true;
    const auto slot = slots_.empty() ? std::nullopt : code.slotOfStub(*call.target);
    return slot && slots_.contains(*slot);
}

/// Reads a function's instructions and finds its blocks.
class FunctionFlow::Builder {
  public:
    explicit Builder(const File& file) : file_(file) {}

    /// False where it cannot be read, or is very long.
    bool read(const CodeExtents::Extent& function);
    /// False where jumps lead between instructions.
    bool build(FunctionFlow& flow);

  private:
    using Line = CodeLine;
    using Lines = std::vector<Line>;
    using Numbers = std::unordered_map<std::uint64_t, std::uint32_t>;

    /// Reads all parts that jumps lead to.
    bool readParts();
    /// Finds where the jumps lead that take an address of a table. True where there is more than before.
    bool readTables();
    bool hasComputedJump() const;
    /// Whether all tables are proved, also where jumps without a table lead anywhere. Others are forgotten.
    bool areTablesProved(const CodeLines& lines);
    /// All are instructions of the function.
    bool hasTargets(const std::vector<std::uint64_t>& targets);
    CodeLines allLines() const;
    bool addPart(const CodeExtents::Extent& part);
    bool decode(const CodeExtents::Extent& part, Lines& lines);
    /// The function goes on there.
    bool follow(std::uint64_t target);
    bool jumpsBack(const CodeExtents::Extent& part);
    bool isInside(std::uint64_t address) const;
    bool isInstruction(std::uint64_t address) const;
    std::set<std::uint64_t> begins() const;
    void addBlocks(FunctionFlow& flow, const std::set<std::uint64_t>& begins) const;
    void addNext(Block& block, const Line& last, const Numbers& numbers, std::uint32_t anywhere) const;
    /// Blocks that nothing leads to are reached in a way that is not known.
    void addEntries(FunctionFlow& flow, const Numbers& numbers) const;

    const File& file_;
    std::map<std::uint64_t, CodeExtents::Extent> parts_;  ///< by their starts
    std::map<std::uint64_t, Lines> lines_;                ///< of the parts
    std::set<std::uint64_t> others_;                      ///< where functions begin that are no parts
    std::uint64_t begin_ = 0;                             ///< of the function
    JumpTargets tables_;                                  ///< of the jumps of which they are known
    std::set<std::uint64_t> disproved_;                   ///< jumps by tables that are none
    std::vector<LandingPad> pads_;
    std::size_t bytes_ = 0;  ///< that were decoded
};

std::unique_ptr<FunctionFlow> FunctionFlow::at(const File& file, std::uint64_t address) {
    const auto extent = file.extents.at(address);
    auto flow = std::make_unique<FunctionFlow>();
    Builder builder(file);
    if (!extent || !builder.read(*extent) || !builder.build(*flow)) return nullptr;
    return flow;
}

std::uint32_t FunctionFlow::callTo(std::uint64_t returned) const {
    const auto behind = std::ranges::lower_bound(blocks_, returned, {}, &Block::end);
    const bool isCall =
        behind != blocks_.end() && behind->end == returned && behind->last == Instruction::Kind::Call;
    return isCall ? static_cast<std::uint32_t>(behind - blocks_.begin()) : kNone;
}

FunctionFlow::Reach FunctionFlow::after(std::uint64_t returned, const CodeRanges* within,
                                        const CodeRanges* inner) const {
    Reach reach(*this, within, inner);
    if (const std::uint32_t call = callTo(returned); call != kNone) reach.follow(call);
    return reach;
}

FunctionFlow::Reach::Reach(const FunctionFlow& flow, const CodeRanges* within, const CodeRanges* inner)
    : flow_(&flow), within_(within), inner_(inner), states_(flow.blocks_.size() + 1) {}

void FunctionFlow::Reach::follow(std::uint32_t call) {
    const auto all = static_cast<std::uint32_t>(flow_->blocks_.size());
    const auto leave = [&](std::uint32_t block, State state) {
        for (const std::uint32_t next : flow_->blocks_[block].next) enter(next, state);
        if (flow_->blocks_[block].last != Instruction::Kind::Call) return;
        for (const std::uint32_t next : flow_->afterCalls_) enter(next, state);
    };
    leave(call, kInside);
    while (!pending_.empty()) {
        const auto [block, state] = pending_.back();
        pending_.pop_back();
        if (block < all)
            leave(block, state);
        else
            for (std::uint32_t next = 0; next < all; ++next) enter(next, state);
    }
}

void FunctionFlow::Reach::enter(std::uint32_t number, State from) {
    const auto belongsTo = [&](const CodeRanges& ranges) {
        const Block& block = flow_->blocks_[number];
        return std::ranges::any_of(ranges, [&block](const auto& range) {
            return range.first < block.end && block.begin < range.second;
        });
    };
    const bool isBlock = number < flow_->blocks_.size();
    if (isBlock && within_ != nullptr && !belongsTo(*within_)) return;
    const bool isOutside = from == kOutside || (isBlock && inner_ != nullptr && !belongsTo(*inner_));
    const State state = isOutside ? kOutside : kInside;
    if ((states_[number] & state) != 0) return;
    states_[number] |= state;
    pending_.emplace_back(number, state);
}

std::uint8_t FunctionFlow::Reach::stateOf(std::uint64_t returned) const {
    const std::uint32_t call = flow_->callTo(returned);
    return call != kNone ? states_[call] : 0;
}

bool FunctionFlow::Reach::includes(std::uint64_t returned) const {
    return stateOf(returned) != 0;
}

bool FunctionFlow::Reach::includesFromOutside(std::uint64_t returned) const {
    return (stateOf(returned) & kOutside) != 0;
}

namespace {

using Kind = Instruction::Kind;

/// Longer functions are not looked at: there are few, and most of them were generated.
constexpr std::size_t kMostBytes = std::size_t{1} << 18U;
constexpr std::size_t kMostParts = 16;
/// What compilers move away is short.
constexpr std::uint64_t kMostOfMoved = std::uint64_t{1} << 15U;

}  // namespace

bool FunctionFlow::Builder::read(const CodeExtents::Extent& function) {
    begin_ = function.begin;
    if (!addPart(function)) return false;
    do
        if (!readParts()) return false;
    while (readTables());
    return true;
}

bool FunctionFlow::Builder::readParts() {
    for (std::set<std::uint64_t> done; done.size() < parts_.size();) {
        const auto part =
            std::ranges::find_if(parts_, [&](const auto& one) { return !done.contains(one.first); });
        done.insert(part->first);
        for (const Line& line : lines_[part->first])
            if (line.isJump() && line.instruction.target && !follow(*line.instruction.target)) return false;
        for (std::size_t i = 0; i < pads_.size(); ++i) {  // more may come
            const auto extent = file_.extents.at(pads_[i].pad);
            if (!isInside(pads_[i].pad) && (!extent || !addPart(*extent))) return false;
        }
    }
    return true;
}

/// A jump that is not known may lead anywhere, also to between the instructions that another one gets its
/// table from. So it is assumed of all that there is a table, and then looked at whether that fits together.
bool FunctionFlow::Builder::readTables() {
    if (!hasComputedJump()) return false;
    const CodeLines lines = allLines();
    const JumpTables tables(file_.code, file_.data, lines);
    const std::size_t partsBefore = parts_.size();
    bool isNew = false;
    for (const CodeLines::Number jump : lines.toAnywhere()) {
        const std::uint64_t address = lines[jump].address;
        if (disproved_.contains(address)) continue;
        auto targets = tables.targetsOf(jump, JumpTables::Others::HaveTables);
        if (targets && hasTargets(*targets)) {
            tables_.emplace(address, std::move(*targets));
            isNew = true;
        } else {
            disproved_.insert(address);
        }
    }
    return isNew || parts_.size() > partsBefore || !areTablesProved(lines);
}

bool FunctionFlow::Builder::hasComputedJump() const {
    return std::ranges::any_of(lines_, [](const auto& part) {
        return std::ranges::any_of(
            part.second, [](const Line& line) { return line.instruction.kind == Kind::JumpAnywhere; });
    });
}

bool FunctionFlow::Builder::areTablesProved(const CodeLines& lines) {
    const JumpTables tables(file_.code, file_.data, lines);
    const auto count = std::erase_if(tables_, [&](const auto& known) {
        const auto jump = lines.at(known.first);
        const bool isProved =
            jump && tables.targetsOf(*jump, JumpTables::Others::LeadAnywhere) == known.second;
        if (!isProved) disproved_.insert(known.first);
        return !isProved;
    });
    return count == 0;
}

bool FunctionFlow::Builder::hasTargets(const std::vector<std::uint64_t>& targets) {
    return std::ranges::all_of(targets, [this](std::uint64_t target) {
        return (isInside(target) || follow(target)) && isInstruction(target);
    });
}

CodeLines FunctionFlow::Builder::allLines() const {
    std::vector<const Lines*> parts{&lines_.at(begin_)};
    for (const auto& [begin, lines] : lines_)
        if (begin != begin_) parts.push_back(&lines);
    return {parts, pads_, tables_};
}

bool FunctionFlow::Builder::addPart(const CodeExtents::Extent& part) {
    Lines lines;
    auto pads = file_.pads.of(part);
    if (parts_.size() >= kMostParts || !pads || !decode(part, lines)) return false;
    parts_[part.begin] = part;
    lines_[part.begin] = std::move(lines);
    pads_.insert(pads_.end(), pads->begin(), pads->end());
    return true;
}

bool FunctionFlow::Builder::decode(const CodeExtents::Extent& part, Lines& lines) {
    if (part.end - part.begin > kMostBytes - bytes_) return false;
    bytes_ += part.end - part.begin;
    for (std::uint64_t address = part.begin; address < part.end;) {
        const auto instruction = file_.code.at(address);
        if (!instruction || instruction->size > part.end - address) return false;
        lines.push_back({address, *instruction});
        address += instruction->size;
    }
    return true;
}

bool FunctionFlow::Builder::follow(std::uint64_t target) {
    if (isInside(target) || others_.contains(target) || file_.code.slotOfStub(target)) return true;
    const auto extent = file_.extents.at(target);
    if (!extent) return false;
    // The start of other code may be a function that is called as the last act, and takes the place of this
    // one.
    if (extent->begin != target || jumpsBack(*extent)) return addPart(*extent);
    others_.insert(target);
    return true;
}

bool FunctionFlow::Builder::jumpsBack(const CodeExtents::Extent& part) {
    Lines lines;
    if (part.end - part.begin > kMostOfMoved || !decode(part, lines)) return false;
    return std::ranges::any_of(lines, [&](const Line& line) {
        const auto target = line.isJump() ? line.instruction.target : std::nullopt;
        return target && isInside(*target) && !parts_.contains(*target);
    });
}

bool FunctionFlow::Builder::isInside(std::uint64_t address) const {
    const auto behind = parts_.upper_bound(address);
    return behind != parts_.begin() && address < std::prev(behind)->second.end;
}

bool FunctionFlow::Builder::isInstruction(std::uint64_t address) const {
    const auto behind = lines_.upper_bound(address);
    if (behind == lines_.begin()) return false;
    const Lines& lines = std::prev(behind)->second;
    return std::ranges::binary_search(
        lines, CodeLine{address, {}},
        [](const CodeLine& one, const CodeLine& other) { return one.address < other.address; });
}

bool FunctionFlow::Builder::build(FunctionFlow& flow) {
    const std::set<std::uint64_t> wanted = begins();
    addBlocks(flow, wanted);
    if (flow.blocks_.size() != wanted.size()) return false;
    Numbers numbers;
    for (const Block& block : flow.blocks_)
        numbers.emplace(block.begin, static_cast<std::uint32_t>(numbers.size()));
    std::size_t number = 0;
    for (const auto& [begin, lines] : lines_)
        for (const Line& line : lines) {
            if (line.end() != flow.blocks_[number].end) continue;
            Block& block = flow.blocks_[number++];
            addNext(block, line, numbers, static_cast<std::uint32_t>(flow.blocks_.size()));
            const bool isTwice =
                block.last == Kind::Call && file_.twice.isCalledBy(line.instruction, file_.code);
            if (const auto after = numbers.find(block.end); isTwice && after != numbers.end())
                flow.afterCalls_.push_back(after->second);
        }
    addEntries(flow, numbers);
    return true;
}

std::set<std::uint64_t> FunctionFlow::Builder::begins() const {
    std::set<std::uint64_t> found;
    for (const LandingPad& pad : pads_) found.insert(pad.pad);
    for (const auto& [jump, targets] : tables_) found.insert(targets.begin(), targets.end());
    for (const auto& [begin, lines] : lines_) {
        found.insert(begin);
        for (const Line& line : lines) {
            if (line.endsBlock() && isInside(line.end())) found.insert(line.end());
            if (line.isJump() && line.instruction.target && isInside(*line.instruction.target))
                found.insert(*line.instruction.target);
        }
    }
    return found;
}

void FunctionFlow::Builder::addBlocks(FunctionFlow& flow, const std::set<std::uint64_t>& begins) const {
    for (const auto& [part, lines] : lines_)
        for (const Line& line : lines) {
            if (begins.contains(line.address)) flow.blocks_.push_back({line.address, 0, Kind::Padding, {}});
            Block& block = flow.blocks_.back();
            block.end = line.end();
            if (line.instruction.kind != Kind::Padding) block.last = line.instruction.kind;
        }
}

void FunctionFlow::Builder::addNext(Block& block, const Line& last, const Numbers& numbers,
                                    std::uint32_t anywhere) const {
    const auto add = [&](std::uint64_t address) {
        if (const auto found = numbers.find(address); found != numbers.end())
            block.next.push_back(found->second);
    };
    const Kind kind = last.instruction.kind;
    // What lies behind a part's last instruction is another function.
    const auto part = std::prev(parts_.upper_bound(last.address));
    if (last.mayGoOn() && last.end() < part->second.end) add(last.end());
    if (last.isJump() && last.instruction.target) add(*last.instruction.target);
    const auto table = tables_.find(last.address);
    if (table != tables_.end())
        std::ranges::for_each(table->second, add);
    else if (kind == Kind::JumpAnywhere || (kind == Kind::Branch && !last.instruction.target))
        block.next.push_back(anywhere);
    if (kind != Kind::Call) return;
    const std::uint64_t inside = last.end() - 1;
    for (const LandingPad& pad : pads_)
        if (pad.begin <= inside && inside < pad.end) add(pad.pad);
}

void FunctionFlow::Builder::addEntries(FunctionFlow& flow, const Numbers& numbers) const {
    std::vector<bool> isReached(flow.blocks_.size() + 1);
    for (const auto& [begin, part] : parts_) isReached[numbers.at(begin)] = true;
    for (const LandingPad& pad : pads_) isReached[numbers.at(pad.pad)] = true;
    for (const Block& block : flow.blocks_)
        for (const std::uint32_t next : block.next) isReached[next] = true;
    if (isReached.back()) return;  // a jump to anywhere reaches them
    for (std::uint32_t i = 0; i < flow.blocks_.size(); ++i)
        if (!isReached[i] && flow.blocks_[i].last != Kind::Padding) flow.afterCalls_.push_back(i);
}

}  // namespace holos::code
