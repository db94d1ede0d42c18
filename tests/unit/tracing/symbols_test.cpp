// SPDX-License-Identifier: BSD-3-Clause
// Names of code that compilers made just before: functions and lines, by symbols and debug information.
#include "tracing/code/symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "base/function_name.h"
#include "base/number.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/compiled.h"
#include "tracing/recordings/archive/code_names/region_names.h"

namespace holos::code {
namespace {

namespace fs = std::filesystem;
using testing::buildIdOf;
using testing::compiledLibrary;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::haveTools;
using testing::lineOf;
using testing::runTool;
using testing::symbolPlace;
using testing::TemporaryDirectory;

/// `visible` is exported, `hidden` has a symbol of its own until the library is stripped.
const std::string kSource = R"(
int value;
static inline __attribute__((always_inline)) void deepest(int by) {
    value += by; /* deepest */
    __asm__ volatile("deepest_code: nop");
}
static inline __attribute__((always_inline)) void middle(int by) {
    deepest(by + 1); /* calls deepest */
}
__attribute__((noinline)) static int hidden(int by) {
    value *= by;
    __asm__ volatile("hidden_code: nop");
    return value + by;
}
int visible(int by) {
    middle(by); /* calls middle */
    return hidden(by) + 1;
}
)";

class NamesOfCode : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!haveTools({"gcc", "objcopy", "nm", "readelf"})) GTEST_SKIP() << "no gcc and binutils here";
    }
    fs::path folder() const { return directory_.path(); }
    fs::path library(const std::vector<std::string>& options = {"-g"}, const std::string& compiler = "gcc") {
        return compiledLibrary(folder(), kSource, testing::operator+({compiler, "-O2"}, options));
    }
    /// With the places of the library's code, before it is stripped.
    void note(const fs::path& library) {
        deepest_ = symbolPlaceOf(library, "deepest_code");
        hidden_ = symbolPlaceOf(library, "hidden_code");
        hiddenBegin_ = symbolPlace(library, "hidden").address;
    }
    /// Names of what is at a place, innermost first.
    std::vector<std::string> names(const fs::path& library, std::uint64_t address) {
        std::vector<std::string> result;
        for (const auto& place : symbols().inlinedAt(library, address)) result.push_back(place.function);
        return result;
    }
    Symbols& symbols() {
        if (!symbols_)
            symbols_ = std::make_unique<Symbols>(DebugFiles({folder() / "debug"}, {folder() / "cache"}));
        return *symbols_;
    }
    static std::uint64_t symbolPlaceOf(const fs::path& library, const std::string& label) {
        const std::string symbols = testing::runCommand({"nm", library}).output;
        const auto at = symbols.find(" " + label + "\n");
        EXPECT_NE(at, std::string::npos) << label;
        const auto begin = symbols.rfind('\n', at) + 1;
        return std::stoull(symbols.substr(begin), nullptr, 16);
    }
    /// Debug information of the library in a file of its own; the library is stripped.
    fs::path separated(const fs::path& library) const {
        const fs::path debug = folder() / "libcode.debug";
        runTool({"objcopy", "--only-keep-debug", library, debug});
        runTool({"objcopy", "--strip-all", library});
        return debug;
    }
    fs::path buildIdPlace(const std::string& id) const {
        const fs::path place = folder() / "debug" / ".build-id" / id.substr(0, 2) / (id.substr(2) + ".debug");
        fs::create_directories(place.parent_path());
        return place;
    }

    std::uint64_t deepest_ = 0;
    std::uint64_t hidden_ = 0;
    std::uint64_t hiddenBegin_ = 0;

  private:
    TemporaryDirectory directory_;
    std::unique_ptr<Symbols> symbols_;
};

class InlinedFunctions : public NamesOfCode, public ::testing::WithParamInterface<std::string> {};

TEST_P(InlinedFunctions, eachWithTheLineOfItsCall_innermostFirst) {
    std::istringstream words(GetParam());
    std::vector<std::string> options{std::istream_iterator<std::string>(words), {}};
    const std::string compiler = options.front();
    options.erase(options.begin());
    if (!haveTools({compiler})) GTEST_SKIP() << "no " << compiler << " here";
    const fs::path file = library(options, compiler);
    note(file);
    const auto places = symbols().inlinedAt(file, deepest_);
    ASSERT_EQ(names(file, deepest_), (std::vector<std::string>{"deepest", "middle", "visible"}));
    const std::uint32_t code = lineOf(kSource, "deepest_code");
    EXPECT_EQ(places[0].line, code);
    EXPECT_EQ(places[1].line, lineOf(kSource, "calls deepest"));
    EXPECT_EQ(places[2].line, lineOf(kSource, "calls middle"));
    for (const auto& place : places) {
        EXPECT_EQ(place.file, folder() / "code.c");
        EXPECT_EQ(place.definedIn, folder() / "code.c");
        EXPECT_TRUE(place.isNamed);
    }
    EXPECT_EQ(places[0].definedAt, lineOf(kSource, "void deepest("));
    EXPECT_EQ(places[2].definedAt, lineOf(kSource, "int visible("));
    EXPECT_TRUE(places[1].isInlined);
    EXPECT_FALSE(places[2].isInlined);
    const CodePlace outer = symbols().find(file, deepest_);
    EXPECT_EQ(outer.function, "visible");
    EXPECT_EQ(outer.line, code);
    EXPECT_EQ(outer.intoFunction, deepest_ - symbolPlace(file, "visible").address);
}

INSTANTIATE_TEST_SUITE_P(Formats, InlinedFunctions,
                         ::testing::Values("gcc -gdwarf-4", "gcc -gdwarf-5", "gcc -gdwarf-5 -gz",
                                           "gcc -gdwarf-4 -gz", "clang -gdwarf-4", "clang -gdwarf-5",
                                           "gcc -g -gsplit-dwarf"),
                         [](const auto& instance) {
                             std::string name = instance.param;
                             std::replace_if(
                                 name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                             return name;
                         });

TEST_F(NamesOfCode, splitDebugInformationThatIsMissing_leavesFunctionAndLine) {
    const fs::path file = library({"-g", "-gsplit-dwarf"});
    note(file);
    for (const auto& entry : fs::directory_iterator(folder()))
        if (entry.path().extension() == ".dwo") fs::remove(entry.path());
    EXPECT_THAT(names(file, deepest_), ElementsAre("visible"));
    EXPECT_EQ(symbols().find(file, deepest_).line, lineOf(kSource, "deepest_code"));
}

TEST_F(NamesOfCode, debugFileBesideTheLibrary_isFoundByItsLink) {
    const fs::path file = library({"-g", "-Wl,--build-id=none"});
    note(file);
    const fs::path debug = separated(file);
    runTool({"objcopy", "--add-gnu-debuglink=" + debug.string(), file});
    EXPECT_THAT(names(file, deepest_), ElementsAre("deepest", "middle", "visible"));
    EXPECT_THAT(names(file, hidden_), ElementsAre("hidden"));
}

TEST_F(NamesOfCode, debugFileThatWasChanged_isNotBelieved) {
    const fs::path file = library({"-g", "-Wl,--build-id=none"});
    note(file);
    const fs::path debug = separated(file);
    runTool({"objcopy", "--add-gnu-debuglink=" + debug.string(), file});
    std::ofstream(debug, std::ios::app) << "changed";
    EXPECT_THAT(names(file, deepest_), ElementsAre("visible"));
}

TEST_F(NamesOfCode, debugFileOfABuildId_isFoundBelowTheRoots) {
    const fs::path file = library();
    note(file);
    const fs::path place = buildIdPlace(buildIdOf(file));
    fs::rename(separated(file), place);
    EXPECT_THAT(names(file, deepest_), ElementsAre("deepest", "middle", "visible"));
    EXPECT_THAT(names(file, hidden_), ElementsAre("hidden"));
}

TEST_F(NamesOfCode, debugFileInTheCacheOfDebuginfod_isFound) {
    const fs::path file = library();
    note(file);
    const fs::path place = folder() / "cache" / buildIdOf(file) / "debuginfo";
    fs::create_directories(place.parent_path());
    fs::rename(separated(file), place);
    EXPECT_THAT(names(file, hidden_), ElementsAre("hidden"));
}

TEST_F(NamesOfCode, debugFileOfAnotherBuild_isNotBelieved) {
    const fs::path other = library({"-g", "-DOTHER", "-O0"});
    const fs::path debug = separated(other);
    fs::rename(debug, folder() / "other.debug");
    const fs::path file = library();
    note(file);
    fs::copy(folder() / "other.debug", buildIdPlace(buildIdOf(file)));
    separated(file);
    EXPECT_EQ(names(file, hidden_).size(), 1U);
    EXPECT_EQ(names(file, hidden_).front(), "libcode.so+" + inHexadecimal(hiddenBegin_));
}

TEST_F(NamesOfCode, debugFilesThatAreGarbage_giveNoNames) {
    const fs::path file = library();
    note(file);
    const fs::path place = buildIdPlace(buildIdOf(file));
    fs::rename(separated(file), place);
    std::ifstream whole(place, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(whole), {}};
    for (const std::size_t begin : {std::size_t{0}, std::size_t{64}, bytes.size() / 4, bytes.size() / 2}) {
        std::string damaged = bytes;
        for (std::size_t at = begin; at < damaged.size(); at += 7) damaged[at] = static_cast<char>(at * 31);
        std::ofstream(place, std::ios::binary) << damaged;
        Symbols symbols(DebugFiles({folder() / "debug"}, {}));
        EXPECT_FALSE(symbols.inlinedAt(file, deepest_).empty());
        EXPECT_FALSE(symbols.inlinedAt(file, hidden_).empty());
    }
    fs::resize_file(place, 100);
    EXPECT_THAT(names(file, deepest_), ElementsAre("visible"));
}

TEST_F(NamesOfCode, miniDebugInformation_namesWhatIsNotExported) {
    if (!haveTools({"xz"})) GTEST_SKIP() << "no xz here";
    const fs::path file = library();
    note(file);
    const fs::path mini = folder() / "mini";
    runTool({"objcopy", "-S", "--keep-symbol=hidden", file, mini});
    runTool({"xz", mini});
    runTool({"objcopy", "--strip-all", file});
    runTool({"objcopy", "--add-section", ".gnu_debugdata=" + mini.string() + ".xz", file});
    EXPECT_THAT(names(file, hidden_), ElementsAre("hidden"));
    EXPECT_THAT(names(file, deepest_), ElementsAre("visible"));
}

TEST_F(NamesOfCode, partsThatDwzMoved_areFoundByTheirBuildId) {
    if (!haveTools({"dwz"})) GTEST_SKIP() << "no dwz here";
    const fs::path file = library({"-gdwarf-4"});
    note(file);
    const fs::path place = buildIdPlace(buildIdOf(file));
    fs::rename(separated(file), place);
    fs::copy(place, folder() / "twin.debug");
    runTool({"dwz", "-m", folder() / "common", place, folder() / "twin.debug"});
    const fs::path common = buildIdPlace(buildIdOf(folder() / "common"));
    fs::rename(folder() / "common", common);
    EXPECT_THAT(names(file, deepest_), ElementsAre("deepest", "middle", "visible"));
}

TEST_F(NamesOfCode, strippedFunction_isNamedByWhereItBegins) {
    const fs::path file = library({});
    note(file);
    runTool({"objcopy", "--strip-all", file});
    const std::string name = "libcode.so+" + inHexadecimal(hiddenBegin_);
    for (std::uint64_t offset = 0; hiddenBegin_ + offset <= hidden_; ++offset) {
        const CodePlace place = symbols().find(file, hiddenBegin_ + offset);
        EXPECT_EQ(place.function, name);
        EXPECT_EQ(place.intoFunction, offset);
        EXPECT_FALSE(place.isNamed);
    }
    EXPECT_EQ(symbols().find(file, deepest_).function, "visible");
}

/// What begins the program hands it to the C library.
TEST_F(NamesOfCode, mainOfAStrippedProgram_hasItsName) {
#if !defined(__x86_64__)
    GTEST_SKIP() << "its address is in a table that this processor's code reads";
#endif
    std::ofstream(folder() / "code.c") << "int other(void); int main(void) { return other(); }\n"
                                          "__attribute__((noinline)) int other(void) { return 0; }";
    for (const char* const form : {"-pie", "-no-pie"}) {
        const fs::path program = folder() / form;
        runTool({"gcc", "-O1", form, folder() / "code.c", "-o", program});
        // The linker puts fixed programs there.
        const std::uint64_t first = form == std::string("-no-pie") ? 0x400000 : 0;
        const auto main = symbolPlace(program, "main").address - first;
        const auto other = symbolPlace(program, "other").address - first;
        runTool({"objcopy", "--strip-all", program});
        EXPECT_EQ(symbols().find(program, main).function, "main");
        EXPECT_TRUE(symbols().find(program, main).isNamed);
        EXPECT_FALSE(symbols().find(program, other).isNamed);
    }
}

TEST_F(NamesOfCode, addressesOutside_haveNone) {
    const fs::path file = library();
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1} << 40, ~std::uint64_t{0}})
        EXPECT_EQ(symbols().find(file, offset).function, "");
    EXPECT_EQ(symbols().find(folder(), 0).function, "");
    EXPECT_EQ(symbols().find(folder() / "none", 0).function, "");
    std::ofstream(folder() / "text") << "no program";
    EXPECT_EQ(symbols().find(folder() / "text", 4).function, "");
}

TEST_F(NamesOfCode, entryOfAProgram_isKnown_alsoInAFileWithoutSections) {
    std::ofstream(folder() / "code.c") << "int main(void) { return 0; }";
    const fs::path program = folder() / "program";
    runTool({"gcc", folder() / "code.c", "-o", program});
    const auto entry = symbolPlaceOf(program, "_start");
    const auto main = symbolPlaceOf(program, "main");
    EXPECT_TRUE(symbols().isEntry(program, entry + 5));
    EXPECT_FALSE(symbols().isEntry(program, main));
    const fs::path bare = folder() / "bare";
    fs::copy_file(program, bare);
    std::fstream file(bare, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(offsetof(Elf64_Ehdr, e_shoff)).write("\0\0\0\0\0\0\0\0", sizeof(Elf64_Off));
    file.seekp(offsetof(Elf64_Ehdr, e_shnum)).write("\0\0\0\0", 2 * sizeof(Elf64_Half));
    file.close();
    EXPECT_TRUE(symbols().isEntry(bare, entry + 5));
    EXPECT_FALSE(symbols().isEntry(bare, main));
    EXPECT_TRUE(symbols().isEntry(folder() / "none", 0));
}

#if defined(__x86_64__)

TEST_F(NamesOfCode, callOfAFunctionInTheSameFile_saysWhichItIs) {
    const fs::path file = library();
    note(file);
    const auto visible = symbolPlace(file, "visible");
    std::set<std::uint64_t> called;
    for (std::uint64_t offset = visible.address; offset < visible.address + visible.size; ++offset)
        if (const auto target = symbols().calledBy(file, offset)) called.insert(*target);
    EXPECT_THAT(called, ElementsAre(hiddenBegin_));
}

#endif

TEST_F(NamesOfCode, constructInStrippedCode_isNamedByFunctionOrFile) {
    const fs::path file = library({});
    note(file);
    runTool({"objcopy", "--strip-all", file});
    const auto nameOf = [&](std::uint64_t address) {
        archive::RecordedRegion region;
        region.name = "!$omp parallel";
        region.paradigm = tracing::Paradigm::OpenMp;
        region.object = file;
        region.offset = address;
        archive::resolve(region, symbols());
        return region.name;
    };
    const auto visible = symbols().find(file, deepest_);
    EXPECT_EQ(nameOf(deepest_), "!$omp parallel @visible+" + inHexadecimal(visible.intoFunction));
    EXPECT_EQ(nameOf(hidden_), "!$omp parallel @libcode.so+" + inHexadecimal(hidden_));
}

TEST_F(NamesOfCode, copiesOfAFunction_haveItsName) {
    const std::string source = R"(
int value;
__attribute__((noinline)) int whole(int by) { return value += by; }
__asm__(".type \"whole.cold\", @function\n.text\n\"whole.cold\": .cfi_startproc\nnop\nret\n.cfi_endproc\n"
        ".size \"whole.cold\", .-\"whole.cold\"");
__asm__(".type \"solve._omp_fn.0\", @function\n\"solve._omp_fn.0\": .cfi_startproc\nnop\nret\n.cfi_endproc\n"
        ".size \"solve._omp_fn.0\", .-\"solve._omp_fn.0\"");
)";
    const fs::path file = compiledLibrary(folder(), source, {"gcc"});
    const CodePlace cold = symbols().find(file, symbolPlace(file, "whole.cold").address);
    EXPECT_EQ(cold.function, "whole");
    EXPECT_EQ(cold.symbol, "whole.cold");
    EXPECT_FALSE(cold.isOutlinedBody);
    const CodePlace body = symbols().find(file, symbolPlace(file, "solve._omp_fn.0").address);
    EXPECT_EQ(body.function, "solve");
    EXPECT_TRUE(body.isOutlinedBody);
}

TEST_F(NamesOfCode, functionsOfCxxWithoutLinkageName_haveTheirScopes) {
    if (!haveTools({"g++"})) GTEST_SKIP() << "no g++ here";
    const std::string source = R"(
int value;
namespace work { namespace {
struct Step {
    __attribute__((always_inline)) void run(int by) { value += by; __asm__ volatile("run_code: nop"); }
};
__attribute__((always_inline)) inline void twice(int by) { Step().run(by); }
} }
int visible(int by) { work::twice(by); return value; }
)";
    const fs::path file = compiledLibrary(folder(), source, {"g++", "-g", "-O2"}, "cpp");
    const auto found = names(file, symbolPlaceOf(file, "run_code"));
    ASSERT_EQ(found.size(), 3U);
    EXPECT_THAT(found[0], ::testing::StartsWith("work::(anonymous namespace)::Step::run"));
    EXPECT_THAT(found[1], ::testing::StartsWith("work::(anonymous namespace)::twice"));
    EXPECT_EQ(found[2], "visible(int)");
}

TEST_F(NamesOfCode, proceduresOfFortran_areAsInTheSource) {
    if (!haveTools({"gfortran"})) GTEST_SKIP() << "no gfortran here";
    const std::string source = R"(
module solver
contains
  subroutine step(x)
    integer :: x
    call inner()
  contains
    subroutine inner()
      x = x + 1
    end subroutine
  end subroutine
end module
subroutine plain(x)
  integer :: x
  x = x + 2
end subroutine
)";
    const auto nameAt = [this](const fs::path& file, const std::string& symbol) {
        return symbols().find(file, symbolPlace(file, symbol).address).function;
    };
    const fs::path file =
        compiledLibrary(folder(), source, {"gfortran", "-g", "-O0", "-J", folder().string()}, "f90");
    EXPECT_EQ(nameAt(file, "__solver_MOD_step"), "solver::step");
    EXPECT_EQ(nameAt(file, "inner.0"), "solver::step::inner");
    EXPECT_EQ(nameAt(file, "plain_"), "plain");
}

}  // namespace
}  // namespace holos::code
