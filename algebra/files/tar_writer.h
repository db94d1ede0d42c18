// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "base/output_file.h"

namespace holos::algebra {

/// Writes a tar archive for CUBE's readers. Ordinary tar programs understand it as far as no member's size is
/// a multiple of 512: CUBE's readers want such a one followed by an empty block, where others see the end.
class TarWriter {
  public:
    explicit TarWriter(OutputFile& file) : file_(file) {}

    void add(const std::string& name, std::string_view content);

    /// A member piece by piece: `begin`, any number of `append` with at most `limit` bytes together, `end`.
    void begin(const std::string& name, std::uint64_t limit);
    void append(std::string_view bytes) { file_.write(bytes); }
    /// What was appended so far.
    std::uint64_t memberSize() const { return file_.size() - begin_; }
    void end();

    /// The mark at the end. The last call.
    void finish();

  private:
    void pad(std::uint64_t size);

    OutputFile& file_;
    std::string name_;          ///< of the member that was begun
    bool large_ = false;        ///< its size may need an extended header
    std::uint64_t header_ = 0;  ///< where its headers are
    std::uint64_t begin_ = 0;   ///< where its content begins
};

}  // namespace holos::algebra
