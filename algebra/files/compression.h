// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holos::algebra {

/// True when the bytes begin like a gzip stream.
bool isGzip(std::string_view bytes);

/// What a zlib or gzip stream unpacks to; nothing when the stream is damaged, ends too early, or unpacks to
/// more than `limit` bytes. Takes no more memory than the result, which grows with the stream and never
/// beyond the limit.
std::optional<std::string> inflate(std::string_view compressed, std::uint64_t limit);

}  // namespace holos::algebra
