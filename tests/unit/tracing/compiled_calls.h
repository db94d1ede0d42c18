// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/compiled.h"
#include "tracing/code/symbols.h"

namespace holos::testing {

using Pairs = std::set<std::string>;

/// Functions that are called are declared, and defined nowhere: `a`, `b`, …
inline constexpr const char* kDeclared = "void a(void), b(void), c(void), d(void); int test(void);\n";

/// The calls of one function in a library.
class CompiledCalls {
  public:
    CompiledCalls(const std::filesystem::path& library, const std::string& function,
                  const std::string& objdump = "objdump", std::uint64_t firstAddress = 0)
        : library_(library), firstAddress_(firstAddress) {
        std::istringstream code(runCommand({objdump, "-d", "--no-show-raw-insn", "-w", library}).output);
        const std::regex head("^[0-9a-f]+ <([^>]*)>:");
        const std::regex call("^ *([0-9a-f]+):\\s+(?:call|bl|jmp|b)\\s.*<(\\w+)(?:@\\w+)?>");
        const std::regex address("^ *([0-9a-f]+):");
        bool isInside = false;
        std::string called;
        for (std::string line; std::getline(code, line);) {
            std::smatch found;
            if (!called.empty() && std::regex_search(line, found, address))
                addCall(called, std::stoull(found[1], nullptr, 16) - 1);
            called.clear();
            if (std::regex_search(line, found, head)) {
                const std::string name = found[1];
                isInside = name == function || name == function + ".cold";
            } else if (isInside && std::regex_search(line, found, call)) {
                called = found[2];
            }
        }
    }

    /// As `ab`: `b` may come after `a`, in the function that is inlined so often there. Of calls that are
    /// not known none; of those of which the code is not known all.
    Pairs pairs(std::size_t inlined = 0) {
        Pairs found;
        for (const auto& [first, offsets] : calls_)
            for (const auto& [second, others] : calls_)
                for (const auto offset : offsets)
                    for (const auto other : others)
                        if (mayFollow(offset, other, inlined)) found.insert(first + second);
        return found;
    }
    bool areKnown() {
        return std::all_of(calls_.begin(), calls_.end(), [this](const auto& one) {
            return std::all_of(one.second.begin(), one.second.end(),
                               [this](auto offset) { return symbols_.callAt(library_, offset).has_value(); });
        });
    }
    std::size_t size() const { return calls_.size(); }

  private:
    void addCall(const std::string& name, std::uint64_t offset) {
        if (name != "test" && !name.starts_with("__") && name.find("jmp") == std::string::npos)
            calls_[name].push_back(offset - firstAddress_);
    }
    bool mayFollow(std::uint64_t first, std::uint64_t second, std::size_t inlined) {
        const auto one = symbols_.callAt(library_, first);
        const auto other = symbols_.callAt(library_, second);
        return !one || !other || symbols_.mayFollow(library_, *one, *other, inlined);
    }

    std::filesystem::path library_;
    std::uint64_t firstAddress_;  ///< of what is loaded
    code::Symbols symbols_;
    std::map<std::string, std::vector<std::uint64_t>> calls_;
};

/// A compiler with its options.
class CompiledFunctions : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        std::istringstream words(GetParam());
        for (std::string word; words >> word;) command_.push_back(word);
        if (!haveTools({command_.front(), objdump()})) GTEST_SKIP() << "no " << command_.front();
    }
    /// For the processor that is compiled for.
    std::string objdump() const {
        const std::string other = "aarch64-linux-gnu";
        return GetParam().find(other) != std::string::npos ? other + "-objdump" : "objdump";
    }
    bool isOptimised() const { return GetParam().find("-O2") != std::string::npos; }
    CompiledCalls compiled(const std::string& source, bool isCxx = false) {
        auto command = command_;
        if (isCxx) command.front() = command.front() == "gcc" ? "g++" : "clang++";
        if (isCxx)
            return {compiledLibrary(folder_.path(),
                                    "extern \"C\" {" + std::string(kDeclared) + "}\nextern \"C\" " + source,
                                    command, "cpp"),
                    "f"};
        return {compiledLibrary(folder_.path(), kDeclared + source, command), "f", objdump()};
    }

    TemporaryDirectory folder_;
    std::vector<std::string> command_;
};

/// Functions that were written by hand.
class AssembledFunctions : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!haveTools({"gcc", "objdump"}) || runCommand({"gcc", "-dumpmachine"}).output.find("x86_64") != 0)
            GTEST_SKIP() << "for gcc on x86-64";
    }
    CompiledCalls assembled(const std::string& body, bool hasTables = true, const std::string& data = "") {
        const std::string begin = hasTables ? ".cfi_startproc\n" : "";
        const std::string end = hasTables ? ".cfi_endproc\n" : "";
        return {compiledLibrary(folder_.path(),
                                ".text\n.globl f\n.type f,@function\nf:\n" + begin + body + end +
                                    ".size f,.-f\n" + data + ".section .note.GNU-stack,\"\",@progbits\n",
                                {"gcc"}, "s"),
                "f"};
    }
    TemporaryDirectory folder_;
};

/// As a part of a test's name.
inline std::string nameOfCommand(const std::string& command) {
    return std::regex_replace(command, std::regex("[^A-Za-z0-9]+"), "_");
}

}  // namespace holos::testing
