// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holos::specs {

/// A processor as the operating system names it. What is unknown is empty.
struct Processor {
    std::string name;    ///< `AMD EPYC 7763`
    std::string vendor;  ///< `GenuineIntel`, `AuthenticAMD`, Arm's implementer code such as `0x41`, or `IBM`
    std::optional<std::uint64_t> family;  ///< POWER: 9 for `POWER9`
    std::optional<std::uint64_t> model;   ///< Arm: the part number
    std::optional<std::uint64_t> stepping;
    std::optional<double> hertz;  ///< nominal clock
};

/// The first processor of a text in the form of Linux' /proc/cpuinfo (x86, Arm or POWER).
Processor parseCpuinfo(std::string_view text);

/// The machine this runs on; its clock from the kernel's files.
Processor thisProcessor();

struct NumberRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};

/// What must be the same in one `platform` line. An empty list allows every number.
struct ProcessorPattern {
    std::string vendor;
    std::vector<NumberRange> family;
    std::vector<NumberRange> model;
    std::vector<NumberRange> stepping;

    bool matches(const Processor& processor) const;
};

/// `platform NAME = …`: the processors that a file is for.
struct Platform {
    std::string name;
    std::vector<ProcessorPattern> patterns;  ///< one of them must match; none: never chosen by processor

    bool matches(const Processor& processor) const;
};

}  // namespace holos::specs
