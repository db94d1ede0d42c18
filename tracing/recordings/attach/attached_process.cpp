// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/attach/attached_process.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/path_numbers.h"
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

namespace {

namespace fs = std::filesystem;

/// Where a link of the kernel leads, for this process and another one. Equal where that cannot be seen.
bool isEqual(const fs::path& link, const fs::path& other) {
    std::error_code error;
    const fs::path mine = fs::read_symlink(link, error);
    const fs::path theirs = error ? fs::path() : fs::read_symlink(other, error);
    return error || mine == theirs;
}

/// What tells files of this machine apart; empty where there is none.
std::string identityOf(const fs::path& file) {
    struct stat facts {};
    if (::stat(file.c_str(), &facts) != 0) return {};
    return std::to_string(facts.st_dev) + '-' + std::to_string(facts.st_ino);
}

}  // namespace

ForeignFiles::ForeignFiles(pid_t process, fs::path folder) : folder_(std::move(folder)) {
    const fs::path self = "/proc/self", other = "/proc/" + std::to_string(process);
    const bool seesTheSame =
        isEqual(self / "ns" / "mnt", other / "ns" / "mnt") && isEqual(self / "root", other / "root");
    if (!seesTheSame) root_ = other / "root";
}

std::string ForeignFiles::find(const std::string& path) {
    if (root_.empty() || path.empty() || path.front() != '/') return path;
    const auto [known, isNew] = known_.try_emplace(path);
    if (isNew) known->second = copied(path);
    return known->second;
}

/// The kernel may also have told the path as this process sees it.
std::string ForeignFiles::copied(const std::string& path) {
    const fs::path source = root_ / path.substr(1);
    std::error_code error;
    const std::string identity = identityOf(source);
    if (!fs::is_regular_file(source, error) || identity == identityOf(path)) return path;
    const fs::path copy = folder_ / identity / source.filename();
    fs::create_directories(copy.parent_path(), error);
    if (!fs::exists(copy, error)) fs::copy_file(source, copy, error);
    return error ? path : copy.string();
}

namespace {

using counters::MemoryPart;

/// Of most threads.
constexpr std::uint64_t kStackBytes = 8 * 1024 * 1024;

MemoryPart partNamed(const std::string& path) {
    if (path == "[heap]") return MemoryPart::Heap;
    if (path == "[stack]") return MemoryPart::Stack;
    return path.starts_with('/') ? MemoryPart::File : MemoryPart::Other;
}

}  // namespace

const MemoryMap::Mapping* MemoryMap::at(std::uint64_t address) const {
    const auto found = byEnd_.upper_bound(address);
    return found != byEnd_.end() && found->second.begin <= address ? &found->second : nullptr;
}

/// `ADDRESS-ADDRESS PERMISSIONS OFFSET DEVICE INODE PATH`. What follows a file without a name of its own is
/// what the file has no bytes for (`.bss`).
void MemoryMap::read(const std::string& maps) {
    byEnd_.clear();
    std::istringstream lines(maps);
    std::uint64_t fileEnd = 0;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream text(line);
        std::uint64_t begin = 0, end = 0, offset = 0, inode = 0;
        char dash = 0;
        std::string permissions, device, path;
        text >> std::hex >> begin >> dash >> end >> permissions >> offset >> device >> inode;
        if (!text || dash != '-' || end <= begin) continue;
        text >> std::ws;
        std::getline(text, path);
        MemoryPart part = partNamed(path);
        if (path.empty() && begin == fileEnd) part = MemoryPart::File;
        if (part == MemoryPart::File) fileEnd = end;
        byEnd_[end] = {begin, part};
    }
}

MemoryPart MemoryMap::partOf(std::uint64_t address, std::uint64_t stackPointer) {
    if (stackPointer != 0 && address >= stackPointer && address - stackPointer < kStackBytes) {
        // Of the main thread and of others alike, unless something else is known to lie there.
        const Mapping* const known = at(address);
        if (known == nullptr || known->part == MemoryPart::Other || known->part == MemoryPart::Stack)
            return MemoryPart::Stack;
    }
    const Mapping* known = at(address);
    if (known == nullptr) {
        std::ifstream file("/proc/" + std::to_string(process_) + "/maps");
        read({std::istreambuf_iterator<char>(file), {}});
        known = at(address);
    }
    return known != nullptr ? known->part : MemoryPart::Other;
}

using tracing::DefinitionKind;
using tracing::LocationKind;
using tracing::RecordKind;

namespace {

Definition definitionOf(DefinitionKind kind, const counters::Counter& counter, std::uint32_t index) {
    Definition entry(kind);
    entry.add(index).add(counter.mode).add(counter.values);
    return entry.addText(counter.name).addText(counter.unit).addText(counter.description);
}

}  // namespace

AttachedProcess::AttachedProcess(const std::filesystem::path& recording, const std::string& run,
                                 pid_t process, const ProgramFacts& program, const Wanted& wanted,
                                 std::vector<LoadedPart> code)
    : process_(process),
      files_(recording, run, process, program),
      begin_(tracing::ticksNow()),
      noCounts_(wanted.ofThreads.size()),
      foreign_(process, std::filesystem::absolute(recording) / "files"),
      memory_(process),
      mapped_(std::move(code)) {
    define(wanted);
    lookAtCode();  // while it is there
}

void AttachedProcess::define(const Wanted& wanted) {
    std::uint32_t index = 0;
    for (const auto& one : wanted.ofThreads) {
        Definition entry = definitionOf(DefinitionKind::Counter, one, index++);
        files_.define(entry);
    }
    index = 0;
    const auto defineSampled = [&](const std::vector<counters::Counter>& all, counters::Scope scope) {
        for (const auto& one : all) {
            Definition entry = definitionOf(DefinitionKind::Sampled, one, index++);
            files_.define(entry.add(scope));
        }
    };
    defineSampled(wanted.ofProcess, counters::Scope::Process);
    defineSampled(wanted.ofNode, counters::Scope::Node);
    if (!wanted.samples) return;
    Definition entry(DefinitionKind::Interrupts);
    files_.define(entry.addText(wanted.samples->name())
                      .add(wanted.samples->period)
                      .add(static_cast<std::uint8_t>(wanted.samples->isTime())));
}

std::uint32_t AttachedProcess::newLocation(LocationKind kind, std::uint32_t number, const char* name) {
    Definition entry(DefinitionKind::Location);
    entry.add(locations_).add(kind).add(tracing::kNoLocation).add(std::uint32_t{0}).add(number).addText(name);
    files_.define(entry);
    return locations_++;
}

/// The time of the next record of a thread, which is never before the one of its last record, nor before the
/// process was attached to.
std::uint64_t AttachedProcess::nextTime(Thread& thread, std::uint64_t time) const {
    return thread.last = std::max({thread.last, time, begin_});
}

void AttachedProcess::begin(pid_t thread, std::uint64_t time) {
    if (threads_.contains(thread)) return;
    Thread& known = threads_[thread];
    if (thread == process_) {
        known.location = newLocation(LocationKind::Main, 0, "Master thread");
    } else {
        known.number = ++threadNumbers_;
        const std::string name = "Thread " + std::to_string(known.number);
        known.location = newLocation(LocationKind::Thread, known.number, name.c_str());
        const std::uint64_t words[] = {known.number};
        files_.record(known.location, header(RecordKind::ThreadBegin, nextTime(known, time)), words);
    }
    if (!noCounts_.empty()) counters(thread, time, noCounts_);
}

void AttachedProcess::end(pid_t thread, std::uint64_t time) {
    const auto known = threads_.find(thread);
    if (known == threads_.end() || known->second.hasEnded) return;
    Thread& ended = known->second;
    ended.hasEnded = true;
    if (ended.number == 0) return;
    const std::uint64_t words[] = {ended.number};
    files_.record(ended.location, header(RecordKind::ThreadEnd, nextTime(ended, time)), words);
}

bool AttachedProcess::hasThreads() const {
    return std::ranges::any_of(threads_, [](const auto& one) { return !one.second.hasEnded; });
}

void AttachedProcess::mapped(const KernelMapping& mapping) {
    if (mapping.path.empty() || mapping.path.front() != '/') return;
    mapped_.push_back({mapping.begin - mapping.offset, mapping.begin + mapping.bytes, mapping.path});
    codeIsKnown_ = false;
}

/// The last definition of a place is the one that counts.
void AttachedProcess::lookAtCode() {
    if (codeIsKnown_) return;
    codeIsKnown_ = true;
    auto code = codeOf(process_);
    if (code.empty()) code = mapped_;
    if (code.empty()) return;
    for (LoadedPart& part : code) part.path = foreign_.find(part.path);
    for (const LoadedPart& part : code) {
        const auto isSame = [&](const LoadedPart& other) {
            return part.begin == other.begin && part.end == other.end && part.path == other.path;
        };
        if (std::ranges::any_of(code_, isSame)) continue;
        Definition entry(DefinitionKind::LoadedFile);
        files_.define(entry.add(part.begin).add(part.end).addText(part.path).addText(""));
        ++definedFiles_;
    }
    code_ = std::move(code);
    chains_.setCode(code_);
}

void AttachedProcess::accessed(Thread& thread, const KernelSample& sample) {
    const counters::MemoryAccess& access = *sample.access;
    const std::uint64_t stack = sample.registers.empty() ? 0 : sample.registers[kStackPointer];
    const counters::AccessKind kind{access.source, memory_.partOf(access.address, stack), access.isStore};
    const std::uint32_t bits = counters::bitsOf(kind);
    const std::uint64_t words[] = {access.address, tracing::pair(access.latency, bits), 0};
    files_.record(thread.location, header(RecordKind::MemoryAccess, nextTime(thread, sample.time)), words);
}

void AttachedProcess::sample(const KernelSample& sample) {
    if (sample.access && !sample.access->isMemory) return;
    begin(static_cast<pid_t>(sample.thread), sample.time);
    lookAtCode();
    const ProgramChain chain = programPart(chains_.of(sample), code_);
    std::vector<std::uint64_t> words{0, definedFiles_};
    words.insert(words.end(), chain.addresses.begin(), chain.addresses.end());
    if (!chain.isWhole && !chain.addresses.empty()) words.push_back(tracing::stacks::kUnknownCallers);
    words[0] = tracing::pair(static_cast<std::uint32_t>(words.size() - 2), 1);
    Thread& thread = threads_[static_cast<pid_t>(sample.thread)];
    if (sample.access) accessed(thread, sample);
    files_.record(thread.location, header(RecordKind::Sample, nextTime(thread, sample.time)), words);
}

void AttachedProcess::counters(pid_t thread, std::uint64_t time, std::span<const std::uint64_t> values) {
    const auto known = threads_.find(thread);
    if (known == threads_.end() || known->second.hasEnded) return;
    files_.record(known->second.location, header(RecordKind::Counters, nextTime(known->second, time)),
                  values);
}

void AttachedProcess::sampled(std::uint64_t time, std::span<const std::uint64_t> values) {
    if (!sampled_) {
        sampled_.emplace(Thread{});
        sampled_->location = newLocation(LocationKind::Samples, 0, "Samples");
    }
    files_.record(sampled_->location, header(RecordKind::Counters, nextTime(*sampled_, time)), values);
}

void AttachedProcess::switchTo(bool isOn, std::uint64_t time) {
    Definition entry(DefinitionKind::Switch);
    files_.define(entry.add(std::max(time, begin_)).add(static_cast<std::uint8_t>(isOn)));
}

void AttachedProcess::trouble(const std::string& what) {
    Definition entry(DefinitionKind::Trouble);
    files_.define(entry.addText(what));
}

void AttachedProcess::finish(std::uint64_t time) {
    for (auto& [thread, known] : threads_) end(thread, time);
    files_.end();
}

}  // namespace holos::attach
