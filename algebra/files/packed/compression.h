// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/output_file.h"

namespace holos::algebra {

/// True when the bytes begin like a gzip stream.
bool isGzip(std::string_view bytes);

/// What a zlib or gzip stream unpacks to; nothing when the stream is damaged, ends too early, or unpacks to
/// more than `limit` bytes. Takes no more memory than the result, which grows with the stream and never
/// beyond the limit.
std::optional<std::string> inflate(std::string_view compressed, std::uint64_t limit);

/// Unpacks a zlib or gzip stream; false when it is damaged or does not fill exactly these bytes.
bool inflateInto(std::string_view compressed, std::span<char> bytes);

/// These bytes as a zlib stream.
std::string deflate(std::string_view bytes);

/// These bytes, fewer than 2 GiB, as a gzip stream.
std::string gzip(std::string_view bytes);

/// Reads a text from start to end, unpacked when the file is a gzip stream. Throws `holos::Error` for a file
/// that is missing, cannot be unpacked, or ends within its stream.
class TextReader {
  public:
    explicit TextReader(const std::filesystem::path& file);
    TextReader(TextReader&&) = delete;
    ~TextReader();

    const std::string& name() const { return name_; }
    /// The next piece, of limited length; empty at the end. Valid until the next call.
    std::string_view next();

  private:
    struct Stream;
    std::string name_;
    std::unique_ptr<Stream> stream_;
};

/// Writes a text to a file, packed by gzip when asked for.
class TextWriter {
  public:
    TextWriter(OutputFile& file, bool packed);
    TextWriter(TextWriter&&) = delete;
    ~TextWriter();

    void write(std::string_view text);
    /// The last call.
    void finish();

  private:
    struct Stream;
    void pack(std::string_view text, int flush);

    OutputFile& file_;
    std::unique_ptr<Stream> stream_;  ///< null when the text goes as it is
};

}  // namespace holos::algebra
