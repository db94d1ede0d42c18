// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "algebra/files/output_file.h"

namespace holos::algebra {

/// Writes a tar archive for CUBE's readers. Ordinary tar programs understand it as far as no member's size is
/// a multiple of 512: CUBE's readers want such a one followed by an empty block, where others see the end.
class TarWriter {
  public:
    explicit TarWriter(OutputFile& file) : file_(file) {}

    void add(const std::string& name, std::string_view content);

    /// A member piece by piece: `begin`, any number of `append` with `size` bytes together, `end`.
    void begin(const std::string& name, std::uint64_t size);
    void append(std::string_view bytes) { file_.write(bytes); }
    void end();

    /// The mark at the end. The last call.
    void finish();

  private:
    OutputFile& file_;
    std::uint64_t begin_ = 0;
    std::uint64_t size_ = 0;
};

}  // namespace holos::algebra
