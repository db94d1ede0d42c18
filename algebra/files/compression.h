// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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

}  // namespace holos::algebra
