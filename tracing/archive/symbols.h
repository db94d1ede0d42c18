// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "tracing/archive/recording.h"

namespace holos::archive {

/// What is known of an instruction; empty texts and 0 where nothing is.
struct CodePlace {
    std::string function;
    std::string symbol;              ///< the function's name before demangling
    std::uint64_t intoFunction = 0;  ///< bytes
    std::string file;
    std::uint32_t line = 0;
};

/// Finds function, file and line of addresses of code in the symbols and debug information of their files.
class Symbols {
  public:
    Symbols();
    ~Symbols();
    Symbols(const Symbols&) = delete;
    Symbols& operator=(const Symbols&) = delete;

    /// Fills in what is known of a region that was defined by an address. A function takes its own name; an
    /// OpenMP construct becomes `NAME @FILE:LINE`, or `NAME @FUNCTION+OFFSET` where there is no line (no
    /// offset when it is 0). Afterwards the region has no address.
    void resolve(RecordedRegion& region);

    /// The instruction at an offset in what is loaded of a file.
    CodePlace find(const std::string& object, std::uint64_t offset);

  private:
    struct Object;
    Object& open(const std::string& path);

    std::map<std::string, std::unique_ptr<Object>> objects_;
};

}  // namespace holos::archive
