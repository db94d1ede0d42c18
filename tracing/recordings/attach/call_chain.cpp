// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/attach/call_chain.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recordings/format/record.h"

namespace holos::attach {
namespace {

#if defined(__x86_64__)
/// Numbers of DWARF (System V ABI, AMD64 supplement, figure 3.36) in the order of the kernel's bits
/// (asm/perf_regs.h): ax bx cx dx si di bp sp ip r8 to r15.
constexpr unsigned kDwarfNumbers[kRegisters] = {0, 3, 2, 1, 4, 5, 6, 7, 16, 8, 9, 10, 11, 12, 13, 14, 15};
constexpr unsigned kDwarfRegisters = 17;
constexpr std::size_t kProgramCounter = 8;
Dwarf_Word dwarfRegister(const std::vector<std::uint64_t>& registers, unsigned number) {
    for (unsigned i = 0; i < kRegisters; ++i)
        if (kDwarfNumbers[i] == number) return registers[i];
    return 0;
}
#else
constexpr unsigned kDwarfRegisters = 32;
constexpr std::size_t kProgramCounter = 32;
Dwarf_Word dwarfRegister(const std::vector<std::uint64_t>& registers, unsigned number) {
    return registers[number];
}
#endif

/// The code that the kernel gives every process, as a file; it is the same for this one.
int vdsoFile(std::uint64_t bytes) {
    const std::uintptr_t address = ::getauxval(AT_SYSINFO_EHDR);
    const auto* const begin = reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
    if (begin == nullptr) return -1;
    const int file = ::memfd_create("vdso", MFD_CLOEXEC);
    if (file >= 0 && ::write(file, begin, bytes) != static_cast<ssize_t>(bytes)) {
        ::close(file);
        return -1;
    }
    return file;
}

int noDebugFile(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char**) {
    return -1;  // frames are described in the file itself
}
const Dwfl_Callbacks kNoSearch{&dwfl_linux_proc_find_elf, &noDebugFile, nullptr, nullptr};

}  // namespace

/// libdwfl's view of the process, and the sample that it looks at.
class CallChains::Session {
  public:
    explicit Session(std::span<const LoadedPart> code) : dwfl_(::dwfl_begin(&kNoSearch)) {
        if (dwfl_ == nullptr) return;
        ::dwfl_report_begin(dwfl_);
        for (const LoadedPart& part : code) {
            const bool isVdso = part.path == "[vdso]";
            const int file = isVdso ? vdsoFile(part.end - part.begin) : -1;
            if (!isVdso || file >= 0)  // the file is closed with the module
                ::dwfl_report_elf(dwfl_, part.path.c_str(), part.path.c_str(), file, part.begin, false);
        }
        ::dwfl_report_end(dwfl_, nullptr, nullptr);
        static const Dwfl_Thread_Callbacks kThread{&nextThread,   nullptr, &readMemory,
                                                   &setRegisters, nullptr, nullptr};
        isAttached_ = ::dwfl_attach_state(dwfl_, nullptr, kOneThread, &kThread, this);
    }
    ~Session() { ::dwfl_end(dwfl_); }
    Session(Session&&) = delete;

    std::vector<std::uint64_t> chainOf(const KernelSample& sample) {
        chain_.clear();
        sample_ = &sample;
        if (isAttached_ && !sample.stack.empty()) ::dwfl_getthread_frames(dwfl_, kOneThread, &addFrame, this);
        return std::move(chain_);
    }

  private:
    static constexpr pid_t kOneThread = 1;  ///< the number is between libdwfl and this class

    static Session& self(void* argument) { return *static_cast<Session*>(argument); }

    static pid_t nextThread(Dwfl*, void* argument, void** thread) {
        if (*thread != nullptr) return 0;
        *thread = argument;
        return kOneThread;
    }
    static bool readMemory(Dwfl*, Dwarf_Addr address, Dwarf_Word* result, void* argument) {
        const KernelSample& sample = *self(argument).sample_;
        const std::uint64_t begin = sample.registers[kStackPointer];
        const bool isThere = address >= begin && sample.stack.size() >= sizeof *result &&
                             address - begin <= sample.stack.size() - sizeof *result;
        if (isThere) std::memcpy(result, &sample.stack[address - begin], sizeof *result);
        return isThere;
    }
    static bool setRegisters(Dwfl_Thread* thread, void* argument) {
        const auto& registers = self(argument).sample_->registers;
        Dwarf_Word values[kDwarfRegisters];
        for (unsigned i = 0; i < kDwarfRegisters; ++i) values[i] = dwarfRegister(registers, i);
        ::dwfl_thread_state_register_pc(thread, registers[kProgramCounter]);
        return ::dwfl_thread_state_registers(thread, 0, kDwarfRegisters, values);
    }
    static int addFrame(Dwfl_Frame* frame, void* argument) {
        auto& chain = self(argument).chain_;
        Dwarf_Addr address = 0;
        bool isInnermost = false;
        if (!::dwfl_frame_pc(frame, &address, &isInnermost) || address == 0) return DWARF_CB_ABORT;
        chain.push_back(isInnermost ? address : address - 1);
        return chain.size() < tracing::kMostSampledFrames ? DWARF_CB_OK : DWARF_CB_ABORT;
    }

    Dwfl* dwfl_;
    bool isAttached_ = false;
    const KernelSample* sample_ = nullptr;
    std::vector<std::uint64_t> chain_;
};

CallChains::CallChains() = default;
CallChains::~CallChains() = default;

void CallChains::setCode(std::span<const LoadedPart> code) {
    session_ = std::make_unique<Session>(code);
}

std::vector<std::uint64_t> CallChains::of(const KernelSample& sample) {
    std::vector<std::uint64_t> chain;
    if (session_ != nullptr && !sample.registers.empty()) chain = session_->chainOf(sample);
    if (chain.size() > 1 || sample.callers.empty()) return chain;
    chain = sample.callers;
    for (std::size_t i = 1; i < chain.size(); ++i) --chain[i];
    chain.resize(std::min<std::size_t>(chain.size(), tracing::kMostSampledFrames));
    return chain;
}

ProgramChain programPart(std::vector<std::uint64_t> chain, std::span<const LoadedPart> code) {
    const auto isSystem = [&](std::uint64_t address) {
        const auto part = std::ranges::find_if(
            code, [&](const LoadedPart& one) { return one.begin <= address && address < one.end; });
        return part != code.end() && code::isSystemFile(part->path.c_str());
    };
    const auto dropSystem = [&] {
        bool isDropped = false;
        for (; chain.size() > 1 && isSystem(chain.back()); isDropped = true) chain.pop_back();
        return isDropped;
    };
    if (dropSystem()) return {std::move(chain), true};
    const std::size_t size = chain.size();
    if (size < 3 || !isSystem(chain[size - 2])) return {std::move(chain), false};
    const std::uint64_t start = chain.back();  // the program's own start, which calls the C library
    chain.pop_back();
    if (dropSystem() && !isSystem(chain.back())) return {std::move(chain), true};
    chain.push_back(start);
    return {std::move(chain), false};
}

}  // namespace holos::attach
