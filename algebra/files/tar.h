// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "algebra/files/file_reader.h"
#include "base/output_file.h"

namespace holos::algebra::tar {

/// The layout of a POSIX tar header ("ustar", IEEE Std 1003.1, `pax`), as far as containers use it.
inline constexpr std::size_t kBlock = 512;

struct Field {
    std::size_t offset;
    std::size_t size;
};

inline constexpr Field kName{0, 100};
inline constexpr Field kMode{100, 8};
inline constexpr Field kUser{108, 8};
inline constexpr Field kGroup{116, 8};
inline constexpr Field kSize{124, 12};
inline constexpr Field kTime{136, 12};
inline constexpr Field kChecksum{148, 8};
inline constexpr Field kType{156, 1};
inline constexpr Field kMagic{257, 6};
inline constexpr Field kVersion{263, 2};
inline constexpr Field kUserName{265, 32};
inline constexpr Field kGroupName{297, 32};
inline constexpr Field kPrefix{345, 155};

}  // namespace holos::algebra::tar

namespace holos::algebra {

/// Where a member's bytes are in the container.
struct TarMember {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

/// The members of a tar archive by name. Understands the padding that CUBE's own writers use (a whole zero
/// block behind a member whose size is a multiple of 512), long sizes and names. Throws `holos::Error` for a
/// file that is not a tar archive, ends inside or right behind a member instead of with the archive's end
/// mark, holds a name twice, or holds a name that would lead out of a folder.
std::map<std::string, TarMember> readTarDirectory(const FileReader& file);

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
