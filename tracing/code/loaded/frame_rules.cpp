// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/loaded/frame_rules.h"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <algorithm>
#include <limits>

#include "tracing/code/loaded/file_table.h"
#include "tracing/code/loaded/runtimes.h"

namespace holos::code {
namespace {

// The usual form of `.eh_frame_hdr`, which all linkers write: offsets of 32 bit from its start, sorted.
constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kOffsetFromHere = 0x1B;
constexpr std::uint8_t kCountOf32Bits = 0x03;
constexpr std::uint8_t kOffsetsFromTable = 0x3B;

struct Row {
    std::int32_t function;
    std::int32_t entry;
};

std::uint64_t addressOf(const unsigned char* place) {
    return reinterpret_cast<std::uint64_t>(place);
}

/// Of the file's bytes from an address on.
ByteReader readerAt(const LoadedFile& file, std::uint64_t address) {
    if (address < file.begin || address >= file.end) return {};
    return {bytesAt(address), bytesAt(file.end)};
}

/// Where the description of the last function that begins at or before an address lies; 0: nowhere.
std::uint64_t search(const LoadedFile& file, std::uint64_t address) {
    ByteReader table = readerAt(file, addressOf(file.table));
    const bool isKnown =
        table.get<std::uint8_t>() == kVersion && table.get<std::uint8_t>() == kOffsetFromHere &&
        table.get<std::uint8_t>() == kCountOf32Bits && table.get<std::uint8_t>() == kOffsetsFromTable;
    if (!isKnown) return 0;
    table.skip(sizeof(std::int32_t));
    const auto count = table.get<std::uint32_t>();
    const unsigned char* const rows = table.at();
    table.skip(std::uint64_t{count} * sizeof(Row));
    if (!table.isGood() || count == 0) return 0;
    const auto begin = addressOf(file.table);
    const auto row = [rows](std::uint32_t i) {
        Row found;
        std::memcpy(&found, rows + std::size_t{i} * sizeof found, sizeof found);
        return found;
    };
    const auto beginOf = [&](std::uint32_t i) {
        return begin + static_cast<std::uint64_t>(std::int64_t{row(i).function});
    };
    std::uint32_t low = 0;
    for (std::uint32_t high = count; high - low > 1;) {
        const std::uint32_t middle = low + (high - low) / 2;
        (beginOf(middle) <= address ? low : high) = middle;
    }
    return beginOf(low) <= address ? begin + static_cast<std::uint64_t>(std::int64_t{row(low).entry}) : 0;
}

/// An entry of `.eh_frame` without its length.
ByteReader entryAt(const LoadedFile& file, std::uint64_t place) {
    ByteReader reader = readerAt(file, place);
    const auto length = reader.get<std::uint32_t>();
    constexpr std::uint32_t kLong = 0xFFFFFFFFU;
    return length == kLong ? ByteReader() : reader.take(length);
}

/// What is common to several functions (CIE): `z`, `R`, `P`, `L`, `S` of its augmentation matter.
bool readCommon(ByteReader common, UnwindEntry& entry, bool& hasLength) {
    common.skip(sizeof(std::uint32_t));
    const auto version = common.get<std::uint8_t>();
    const char* letters = reinterpret_cast<const char*>(common.at());
    while (common.isGood() && common.get<std::uint8_t>() != 0) continue;
    if (!common.isGood()) return false;
    entry.codeAlignment = common.getUnsigned();
    entry.dataAlignment = common.getSigned();
    entry.returnRegister = version == 1 ? common.get<std::uint8_t>() : common.getUnsigned();
    hasLength = *letters == 'z';
    if (hasLength) {
        ByteReader extra = common.take(common.getUnsigned());
        while (*++letters != '\0') {
            if (*letters == 'R') entry.encoding = extra.get<std::uint8_t>();
            if (*letters == 'L') extra.skip(1);
            if (*letters == 'P') extra.getLength(extra.get<std::uint8_t>());
            if (*letters == 'S') entry.isSignalFrame = true;
        }
    } else if (*letters != '\0') {
        return false;
    }
    entry.common = common;
    return common.isGood();
}

#if defined(DLFO_STRUCT_HAS_EH_DBASE)
/// The kernel may leave room between the program's parts; then the C library tells of each part as if it were
/// a file, without the table in another part. Other files have no such room: the dynamic linker loads them.
bool isPartOfProgram(const dl_find_object& found) {
    return found.dlfo_link_map != nullptr && *found.dlfo_link_map->l_name == '\0' &&
           ::getauxval(AT_PHDR) != 0;
}
#endif

}  // namespace

LoadedFile loadedFile(std::uint64_t distance, const ElfW(Phdr) * parts, std::size_t count,
                      const char* path) noexcept {
    constexpr std::uint64_t kPage = 4096;
    LoadedFile file;
    file.begin = std::numeric_limits<std::uint64_t>::max();
    file.path = path;
    for (const ElfW(Phdr)* part = parts; part != parts + count; ++part) {
        const std::uint64_t address = distance + part->p_vaddr;
        if (part->p_type == PT_GNU_EH_FRAME) file.table = bytesAt(address);
        if (part->p_type != PT_LOAD) continue;
        file.begin = std::min(file.begin, address & ~(kPage - 1));
        file.end = std::max(file.end, address + part->p_memsz);
    }
    return file;
}

bool findLoadedFile(std::uint64_t address, LoadedFile& file) noexcept {
    if (isFileTableUsed()) return findInFileTable(address, file);
#if defined(DLFO_STRUCT_HAS_EH_DBASE)
    dl_find_object found;
    if (::_dl_find_object(const_cast<unsigned char*>(bytesAt(address)), &found) != 0) return false;
    if (isPartOfProgram(found)) {
        file = loadedFile(found.dlfo_link_map->l_addr,
                          reinterpret_cast<const ElfW(Phdr)*>(bytesAt(::getauxval(AT_PHDR))),
                          ::getauxval(AT_PHNUM), "");
        return true;
    }
    file.begin = reinterpret_cast<std::uint64_t>(found.dlfo_map_start);
    file.end = reinterpret_cast<std::uint64_t>(found.dlfo_map_end);
    file.table = static_cast<const unsigned char*>(found.dlfo_eh_frame);
    file.path = found.dlfo_link_map != nullptr ? found.dlfo_link_map->l_name : "";
    return true;
#else
    return false;
#endif
}

bool findUnwindEntry(const LoadedFile& file, std::uint64_t address, UnwindEntry& entry) noexcept {
    if (file.path != nullptr && swapsStacks(file.path)) return false;
    const std::uint64_t place = file.table != nullptr ? search(file, address) : 0;
    if (place == 0) return false;
    ByteReader own = entryAt(file, place);
    const std::uint64_t here = addressOf(own.at());
    const auto distance = own.get<std::uint32_t>();
    bool hasLength = false;
    if (!own.isGood() || distance == 0 || !readCommon(entryAt(file, here - distance), entry, hasLength))
        return false;
    entry.functionBegin = own.getAddress(entry.encoding);
    const std::uint64_t length = own.getLength(entry.encoding);
    if (hasLength) own.skip(own.getUnsigned());
    entry.own = own;
    return own.isGood() && address - entry.functionBegin < length;
}

namespace {

// DW_CFA_*: those above have an operand in their lower six bits.
enum Instruction : std::uint8_t {
    kAdvance = 0x40,
    kOffset = 0x80,
    kRestore = 0xC0,
    kNothing = 0x00,
    kSetLocation = 0x01,
    kAdvance1 = 0x02,
    kAdvance2 = 0x03,
    kAdvance4 = 0x04,
    kOffsetExtended = 0x05,
    kRestoreExtended = 0x06,
    kUndefined = 0x07,
    kSameValue = 0x08,
    kRegister = 0x09,
    kRememberState = 0x0A,
    kRestoreState = 0x0B,
    kFrame = 0x0C,
    kFrameRegister = 0x0D,
    kFrameOffset = 0x0E,
    kFrameExpression = 0x0F,
    kExpression = 0x10,
    kOffsetExtendedSigned = 0x11,
    kFrameSigned = 0x12,
    kFrameOffsetSigned = 0x13,
    kValueOffset = 0x14,
    kValueOffsetSigned = 0x15,
    kValueExpression = 0x16,
    kSignature = 0x2D,  // Arm: the return address is signed from here on, or no longer
    kArgumentsSize = 0x2E,
};

class Interpreter {
  public:
    Interpreter(const UnwindEntry& entry, std::uint64_t address, FrameRules& rules)
        : entry_(entry), address_(address), place_(entry.functionBegin), rules_(rules) {}

    bool run() {
        run(entry_.common);
        initial_ = rules_.registers;
        run(entry_.own);
        return good_;
    }

  private:
    using Kind = Rule::Kind;
    static constexpr std::uint8_t kOperand = 0x3F;

    /// Up to the instructions that hold beyond the address.
    void run(ByteReader code) {
        while (good_ && !isBeyond_ && !code.isAtEnd()) {
            const auto byte = code.get<std::uint8_t>();
            const std::uint8_t operand = byte & kOperand;
            switch (byte & ~kOperand) {
                case kAdvance:
                    advance(operand);
                    break;
                case kOffset:
                    set(operand, {Kind::AtOffset, 0, unsignedOffset(code)});
                    break;
                case kRestore:
                    restore(operand);
                    break;
                default:
                    locate(byte, code);
            }
            good_ = good_ && code.isGood();
        }
    }

    void locate(std::uint8_t instruction, ByteReader& code) {
        switch (instruction) {
            case kNothing:
            case kSignature:  // removed from every return address
                return;
            case kSetLocation:
                return moveTo(code.getAddress(entry_.encoding));
            case kAdvance1:
                return advance(code.get<std::uint8_t>());
            case kAdvance2:
                return advance(code.get<std::uint16_t>());
            case kAdvance4:
                return advance(code.get<std::uint32_t>());
            case kRememberState:
                good_ = depth_ < kDeepest;
                if (good_) remembered_[depth_++] = rules_;
                return;
            case kRestoreState:
                good_ = depth_ > 0;
                if (good_) rules_ = remembered_[--depth_];
                return;
            case kArgumentsSize:
                code.getUnsigned();
                return;
            default:
                describeFrame(instruction, code);
        }
    }

    void describeFrame(std::uint8_t instruction, ByteReader& code) {
        switch (instruction) {
            case kFrame:
            case kFrameSigned:
                rules_.isExpression = false;
                rules_.frameRegister = code.getUnsigned();
                rules_.frameOffset = instruction == kFrame ? static_cast<std::int64_t>(code.getUnsigned())
                                                           : signedOffset(code);
                return;
            case kFrameRegister:
                rules_.frameRegister = code.getUnsigned();
                return;
            case kFrameOffset:
                rules_.frameOffset = static_cast<std::int64_t>(code.getUnsigned());
                return;
            case kFrameOffsetSigned:
                rules_.frameOffset = signedOffset(code);
                return;
            case kFrameExpression:
                rules_.isExpression = true;
                rules_.frameExpression = code.take(code.getUnsigned());
                return;
            default:
                describeRegister(instruction, code);
        }
    }

    void describeRegister(std::uint8_t instruction, ByteReader& code) {
        const std::uint64_t self = code.getUnsigned();
        switch (instruction) {
            case kOffsetExtended:
                return set(self, {Kind::AtOffset, 0, unsignedOffset(code)});
            case kOffsetExtendedSigned:
                return set(self, {Kind::AtOffset, 0, signedOffset(code)});
            case kValueOffset:
                return set(self, {Kind::IsOffset, 0, unsignedOffset(code)});
            case kValueOffsetSigned:
                return set(self, {Kind::IsOffset, 0, signedOffset(code)});
            case kRestoreExtended:
                return restore(self);
            case kUndefined:
                return set(self, {Kind::Undefined, 0, 0});
            case kSameValue:
                return set(self, {Kind::Same, 0, 0});
            case kRegister:
                return set(self, {Kind::Register, 0, static_cast<std::int64_t>(code.getUnsigned())});
            case kExpression:
                return set(self, expression(Kind::AtExpression, code));
            case kValueExpression:
                return set(self, expression(Kind::IsExpression, code));
            default:
                good_ = false;
        }
    }

    static Rule expression(Kind kind, ByteReader& code) {
        const auto bytes = static_cast<std::uint32_t>(code.getUnsigned());
        const unsigned char* const begin = code.at();
        code.skip(bytes);
        return {kind, bytes, reinterpret_cast<std::int64_t>(begin)};
    }

    std::int64_t unsignedOffset(ByteReader& code) const {
        return static_cast<std::int64_t>(code.getUnsigned()) * entry_.dataAlignment;
    }
    std::int64_t signedOffset(ByteReader& code) const { return code.getSigned() * entry_.dataAlignment; }

    void advance(std::uint64_t steps) { moveTo(place_ + steps * entry_.codeAlignment); }
    void moveTo(std::uint64_t place) {
        place_ = place;
        isBeyond_ = place > address_;
    }

    /// Rules of registers that are not followed (those for numbers with a point) are of no interest.
    void set(std::uint64_t self, Rule rule) {
        if (self < rules_.registers.size()) rules_.registers[self] = rule;
    }
    void restore(std::uint64_t self) {
        if (self < rules_.registers.size()) rules_.registers[self] = initial_[self];
    }

    static constexpr std::size_t kDeepest = 4;
    const UnwindEntry& entry_;
    std::uint64_t address_;
    std::uint64_t place_;
    FrameRules& rules_;
    std::array<Rule, Registers::kCount> initial_{};
    std::array<FrameRules, kDeepest> remembered_{};
    std::size_t depth_ = 0;
    bool isBeyond_ = false;
    bool good_ = true;
};

}  // namespace

Registers Registers::of(const ucontext_t& context) noexcept {
    Registers registers;
#if defined(__x86_64__)
    constexpr std::array<int, kCount> kPlaces{REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                              REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                              REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    for (std::size_t i = 0; i < kCount; ++i)
        registers.values[i] = static_cast<std::uint64_t>(context.uc_mcontext.gregs[kPlaces[i]]);
#elif defined(__aarch64__)
    for (std::size_t i = 0; i < kStackPointer; ++i) registers.values[i] = context.uc_mcontext.regs[i];
    registers.values[kStackPointer] = context.uc_mcontext.sp;
    registers.values[kProgramCounter] = context.uc_mcontext.pc;
#else
    static_cast<void>(context);  // `Registers`
#endif
    return registers;
}

bool findFrameRules(const UnwindEntry& entry, std::uint64_t address, FrameRules& rules) noexcept {
    rules = {};
    return Interpreter(entry, address, rules).run();
}

namespace {

// DW_OP_*
enum Operation : std::uint8_t {
    kDereference = 0x06,
    kConstant1 = 0x08,
    kConstant1Signed = 0x09,
    kConstant2 = 0x0A,
    kConstant2Signed = 0x0B,
    kConstant4 = 0x0C,
    kConstant4Signed = 0x0D,
    kConstant8 = 0x0E,
    kConstant8Signed = 0x0F,
    kConstant = 0x10,
    kConstantSigned = 0x11,
    kDuplicate = 0x12,
    kDrop = 0x13,
    kAnd = 0x1A,
    kMinus = 0x1C,
    kMultiply = 0x1E,
    kOr = 0x21,
    kPlus = 0x22,
    kPlusConstant = 0x23,
    kShiftLeft = 0x24,
    kShiftRight = 0x25,
    kEqual = 0x29,
    kGreaterOrEqual = 0x2A,
    kGreater = 0x2B,
    kLessOrEqual = 0x2C,
    kLess = 0x2D,
    kNotEqual = 0x2E,
    kLiteral0 = 0x30,
    kLiteral31 = 0x4F,
    kRegister0 = 0x70,
    kRegister31 = 0x8F,
};

class Evaluation {
  public:
    Evaluation(const Registers& registers, const Stack& stack) : registers_(registers), stack_(stack) {}

    bool run(ByteReader code, const std::uint64_t* first, std::uint64_t& value) {
        if (first != nullptr) push(*first);
        while (good_ && !code.isAtEnd()) {
            apply(code.get<std::uint8_t>(), code);
            good_ = good_ && code.isGood();
        }
        value = pop();
        return good_;
    }

  private:
    void push(std::uint64_t value) {
        good_ = good_ && depth_ < values_.size();
        if (good_) values_[depth_++] = value;
    }
    std::uint64_t pop() {
        good_ = good_ && depth_ > 0;
        return good_ ? values_[--depth_] : 0;
    }
    template <class Number>
    void pushSigned(Number value) {
        push(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
    }

    void apply(std::uint8_t operation, ByteReader& code) {
        if (operation >= kLiteral0 && operation <= kLiteral31) return push(operation - kLiteral0);
        if (operation >= kRegister0 && operation < kRegister0 + Registers::kCount && operation <= kRegister31)
            return push(registers_.values[operation - kRegister0] +
                        static_cast<std::uint64_t>(code.getSigned()));
        if (operation >= kConstant1 && operation <= kConstantSigned) return pushConstant(operation, code);
        switch (operation) {
            case kDereference: {
                std::uint64_t value = 0;
                good_ = stack_.read(pop(), value) && good_;
                return push(value);
            }
            case kDuplicate: {
                const std::uint64_t value = pop();
                push(value);
                return push(value);
            }
            case kDrop:
                pop();
                return;
            case kPlusConstant:
                return push(pop() + code.getUnsigned());
            default:
                combine(operation);
        }
    }

    void pushConstant(std::uint8_t operation, ByteReader& code) {
        switch (operation) {
            case kConstant1:
                return push(code.get<std::uint8_t>());
            case kConstant1Signed:
                return pushSigned(code.get<std::int8_t>());
            case kConstant2:
                return push(code.get<std::uint16_t>());
            case kConstant2Signed:
                return pushSigned(code.get<std::int16_t>());
            case kConstant4:
                return push(code.get<std::uint32_t>());
            case kConstant4Signed:
                return pushSigned(code.get<std::int32_t>());
            case kConstant8:
            case kConstant8Signed:
                return push(code.get<std::uint64_t>());
            case kConstant:
                return push(code.getUnsigned());
            default:
                return pushSigned(code.getSigned());
        }
    }

    /// Comparisons are of signed numbers.
    void combine(std::uint8_t operation) {
        const std::uint64_t right = pop();
        const std::uint64_t left = pop();
        const auto a = static_cast<std::int64_t>(left);
        const auto b = static_cast<std::int64_t>(right);
        constexpr unsigned kBits = 64;
        switch (operation) {
            case kAnd:
                return push(left & right);
            case kOr:
                return push(left | right);
            case kPlus:
                return push(left + right);
            case kMinus:
                return push(left - right);
            case kMultiply:
                return push(left * right);
            case kShiftLeft:
                return push(right < kBits ? left << right : 0);
            case kShiftRight:
                return push(right < kBits ? left >> right : 0);
            case kEqual:
                return push(a == b ? 1 : 0);
            case kNotEqual:
                return push(a != b ? 1 : 0);
            case kGreaterOrEqual:
                return push(a >= b ? 1 : 0);
            case kGreater:
                return push(a > b ? 1 : 0);
            case kLessOrEqual:
                return push(a <= b ? 1 : 0);
            case kLess:
                return push(a < b ? 1 : 0);
            default:
                good_ = false;
        }
    }

    static constexpr std::size_t kDeepest = 16;
    const Registers& registers_;
    const Stack& stack_;
    std::array<std::uint64_t, kDeepest> values_{};
    std::size_t depth_ = 0;
    bool good_ = true;
};

}  // namespace

bool evaluate(ByteReader expression, const Registers& registers, const Stack& stack,
              const std::uint64_t* first, std::uint64_t& value) noexcept {
    return Evaluation(registers, stack).run(expression, first, value);
}

}  // namespace holos::code
