// SPDX-License-Identifier: BSD-3-Clause
// The walk up the stack at every instruction of functions that compilers make in many ways, compared with the
// calls and returns that were seen on the way there.
#include <gtest/gtest.h>

#if defined(__x86_64__)

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/compiled.h"
#include "tests/unit/tracing/path_book.h"
#include "tests/unit/tracing/stepped_program.h"
#include "tracing/code/loaded/file_table.h"
#include "tracing/recorder/stacks/known_stack.h"

namespace holos::testing {
namespace {

using namespace tracing::stacks;

constexpr std::size_t kMost = 64;

code::Registers registersOf(const user_regs_struct& of) {
    return {{of.rax, of.rdx, of.rcx, of.rbx, of.rsi, of.rdi, of.rbp, of.rsp, of.r8, of.r9, of.r10, of.r11,
             of.r12, of.r13, of.r14, of.r15, of.rip}};
}

std::string nameOf(std::uint64_t address) {
    Dl_info info{};
    std::ostringstream text;
    if (::dladdr(code::bytesAt(address), &info) == 0) {
        text << "0x" << std::hex << address;
        return text.str();
    }
    text << std::filesystem::path(info.dli_fname).filename().string() << "+0x" << std::hex
         << address - reinterpret_cast<std::uint64_t>(info.dli_fbase);
    if (info.dli_sname != nullptr)
        text << " (" << info.dli_sname << "+0x" << address - reinterpret_cast<std::uint64_t>(info.dli_saddr)
             << ")";
    return text.str();
}

/// Differences between what was found and the calls that run, one for each instruction.
class Differences {
  public:
    /// Of a walk that ends early, or that goes on elsewhere.
    enum class Kind : std::uint8_t { Early, Wrong };

    void tell(Kind kind, std::uint64_t at, const std::string& what) {
        if (kind == Kind::Early && isStrange(at)) strange_.insert(at);
        if (strange_.count(at) != 0 && strange_.size() < kMostStrange) return;
        all_.try_emplace(at, "at " + nameOf(at) + ": " + what + "\n");
    }
    std::string text() const {
        std::string text;
        for (const auto& [place, difference] : all_) text += difference;
        return text;
    }

  private:
    /// Code of the C library and of gcc's that replaces the registers by those of another function: half-way
    /// there it is in neither. And where Fortran's library restores a realigned stack from another register
    /// than its tables say.
    static bool isStrange(std::uint64_t at) {
        const std::string name = nameOf(at);
        return name.starts_with("libc.so") || name.starts_with("libgcc_s.so") ||
               name.starts_with("libgfortran.so");
    }
    static constexpr std::size_t kMostStrange = 60;

    std::set<std::uint64_t> strange_;
    std::map<std::uint64_t, std::string> all_;
};

/// Whoever throws an exception replaces the return address of its own call at last.
bool isReplaced(const RunningCall& call) {
    std::uint64_t address = 0;
    std::memcpy(&address, code::bytesAt(call.end) - sizeof address, sizeof address);
    return address != call.from && address != call.from + 1;
}

/// Compares walks from each instruction.
class WalkComparison {
  public:
    WalkComparison(const code::Stack& stack, Differences& differences)
        : stack_(stack), differences_(differences) {}

    void operator()(const SteppedProgram::Step& step) {
        std::array<Frame, kMost> frames;
        const std::size_t count = walkStack(registersOf(step.registers), stack_, frames.data(), kMost).count;
        const std::uint64_t at = step.registers.rip;
        std::uint64_t inside = at;
        for (std::size_t i = 0; i < kMost; ++i) {
            if (i >= count) return differences_.tell(Kind::Early, at, "ends within " + nameOf(inside));
            if (frames[i].address != inside)
                return differences_.tell(Kind::Wrong, at,
                                         "in " + nameOf(frames[i].address) + ", not in " + nameOf(inside));
            if (i == step.calls.size()) return;
            const RunningCall& call = step.calls[step.calls.size() - 1 - i];
            if (frames[i].end != call.end)
                return differences_.tell(Kind::Early, at, "loses its stack within " + nameOf(inside));
            if (isReplaced(call)) return;
            inside = call.from;
        }
    }

  private:
    using Kind = Differences::Kind;
    code::Stack stack_;
    Differences& differences_;
};

/// Compares paths of events that come with each call.
class PathComparison {
  public:
    PathComparison(const code::Stack& stack, Differences& differences)
        : stack_(stack), differences_(differences) {}

    void operator()(const SteppedProgram::Step& step) {
        if (!step.isCall || !isUsual(step.calls)) return;
        const RunningCall& last = step.calls.back();
        const tracing::stacks::Place here{last.from + 1, last.end, step.registers.rbp};
        const Addresses path = addressesOf(known_->pathOf(here, {here.sp, stack_.high}, {}));
        const std::uint64_t at = step.registers.rip;
        for (std::size_t i = 0; i < step.calls.size(); ++i) {
            const std::uint64_t expected = step.calls[step.calls.size() - 1 - i].from + 1;
            if (i + 1 >= path.size())
                return differences_.tell(Kind::Early, at, "path ends before " + nameOf(expected));
            if (path[i] != expected)
                return differences_.tell(Kind::Wrong, at,
                                         "path has " + nameOf(path[i]) + ", not " + nameOf(expected));
        }
        ++paths_;
    }
    std::size_t paths() const { return paths_; }

  private:
    using Kind = Differences::Kind;
    /// Paths with functions of other forms begin in the process that asks.
    static bool isUsual(const std::vector<RunningCall>& calls) {
        return std::all_of(calls.begin(), calls.end(), [](const RunningCall& call) {
            bool isLasting = false;
            return !isReplaced(call) && findStep(call.from + 1, isLasting).kind != Step::Kind::Unusual;
        });
    }

    code::Stack stack_;
    Differences& differences_;
    std::unique_ptr<KnownStack> known_ = std::make_unique<KnownStack>();
    std::size_t paths_ = 0;
};

/// How the functions are compiled.
struct Variant {
    std::string compiler;
    std::string source;
    std::string options;
};

void PrintTo(const Variant& variant, std::ostream* out) {
    *out << variant.compiler << ' ' << variant.options;
}

std::vector<Variant> someVariants() {
    std::vector<Variant> all;
    for (const char* const options :
         {"-O0", "-O1 -fstack-protector-all", "-O2 -fcf-protection=full", "-O2 -fno-omit-frame-pointer",
          "-O3 -march=haswell", "-Os -fstack-clash-protection"})
        all.push_back({"gcc", "code.c", options});
    for (const char* const options : {"-O0", "-O2 -fcf-protection=full", "-Os"})
        all.push_back({"clang", "code.c", options});
    all.push_back({"g++", "code.cpp", "-O2"});
    all.push_back({"clang++", "code.cpp", "-O0"});
    all.push_back({"gfortran", "code.f90", "-O2"});
    return all;
}

/// For a run by hand: takes minutes.
std::vector<Variant> allVariants() {
    const std::map<std::string, std::string> compilers{{"gcc", "code.c"},
                                                       {"clang", "code.c"},
                                                       {"g++", "code.cpp"},
                                                       {"clang++", "code.cpp"},
                                                       {"gfortran", "code.f90"}};
    std::vector<Variant> all;
    for (const auto& [compiler, source] : compilers)
        for (const std::string level : {"-O0", "-O1", "-O2", "-O3", "-Os"})
            for (const std::string pointer : {" -fomit-frame-pointer", " -fno-omit-frame-pointer"})
                for (const char* const more :
                     {"", " -fcf-protection=full", " -fstack-protector-all", " -fstack-clash-protection",
                      " -march=haswell", " -mno-red-zone", " -fno-plt -Wl,-z,now", " -flto"})
                    all.push_back({compiler, source, level + pointer + more});
    return all;
}

std::vector<Variant> variants() {
    return std::getenv("HOLOS_ALL_CASES") != nullptr ? allVariants() : someVariants();
}

std::vector<std::string> wordsOf(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

class SteppedCalls : public ::testing::TestWithParam<Variant> {
  protected:
    void SetUp() override {
        if (!haveTools({GetParam().compiler})) GTEST_SKIP() << "no " << GetParam().compiler;
        const std::string source = std::string(HOLOS_STEPPED_SOURCES "/") + GetParam().source;
        const std::string library = directory_.path() / "libstepped.so";
        const std::string modules = directory_.path();
        std::vector<std::string> words{GetParam().compiler, "-shared", "-fPIC", source, "-o", library};
        if (source.ends_with(".f90")) words.insert(words.end(), {"-J", modules});
        if (source.ends_with(".cpp")) words.insert(words.end(), {"-std=c++20", "-Wl,-z,now"});
        ASSERT_NO_FATAL_FAILURE(
            runTool(words + wordsOf(GetParam().options) + std::vector<std::string>{"-lm"}));
        void* const handle = ::dlopen(library.c_str(), RTLD_LAZY);
        ASSERT_NE(handle, nullptr) << ::dlerror();
        function_ = reinterpret_cast<void (*)()>(::dlsym(handle, "stepped"));
        ASSERT_NE(function_, nullptr);
        code::takeFileTable();
    }

    TemporaryDirectory directory_;
    void (*function_)() = nullptr;
};

TEST_P(SteppedCalls, walksAndPathsAtEveryInstruction_areTheCallsThatRun) {
    SteppedProgram program(function_);
    if (!program.isPossible()) GTEST_SKIP() << "no process may step through another here";
    Differences differences;
    WalkComparison walks(program.stack(), differences);
    PathComparison paths(program.stack(), differences);
    const std::size_t steps = program.run([&](const SteppedProgram::Step& step) {
        walks(step);
        paths(step);
    });
    EXPECT_GT(steps, 1000);
    EXPECT_GT(paths.paths(), 100);
    EXPECT_EQ(differences.text(), "") << "after " << steps << " steps, " << paths.paths() << " paths";
}

INSTANTIATE_TEST_SUITE_P(Compilers, SteppedCalls, ::testing::ValuesIn(variants()));

}  // namespace
}  // namespace holos::testing

#endif
