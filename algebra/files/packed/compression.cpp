// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/packed/compression.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>

#include "base/error.h"
#include "base/input_file.h"

namespace holos::algebra {
namespace {

constexpr int kWindowOfAnyFormat = 15 + 32;  // zlib.h, inflateInit2: recognise zlib and gzip
constexpr int kWindowOfGzip = 15 + 16;       // deflateInit2: largest window, gzip header
constexpr int kUsualMemory = 8;              // deflateInit2: its default
constexpr std::size_t kStep = 1 << 18;

/// Begins to unpack; false when that is impossible.
bool begin(z_stream& stream, std::string_view compressed) {
    if (compressed.size() > std::numeric_limits<uInt>::max() ||
        ::inflateInit2(&stream, kWindowOfAnyFormat) != Z_OK)
        return false;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
    stream.avail_in = static_cast<uInt>(compressed.size());
    return true;
}

}  // namespace

bool isGzip(std::string_view bytes) {
    return bytes.starts_with("\x1f\x8b");
}

std::optional<std::string> inflate(std::string_view compressed, std::uint64_t limit) {
    z_stream stream{};
    if (!begin(stream, compressed)) return std::nullopt;

    std::string unpacked;
    int result = Z_OK;
    while (result == Z_OK) {
        const std::size_t done = unpacked.size();
        // One byte more than allowed, to notice that there is more.
        const std::size_t room = std::min<std::uint64_t>(kStep, limit + 1 - done);
        if (room == 0) break;
        unpacked.resize(done + room);
        stream.next_out = reinterpret_cast<Bytef*>(unpacked.data() + done);
        stream.avail_out = static_cast<uInt>(room);
        result = ::inflate(&stream, Z_NO_FLUSH);
        unpacked.resize(done + room - stream.avail_out);
    }
    ::inflateEnd(&stream);
    if (result != Z_STREAM_END || unpacked.size() > limit) return std::nullopt;
    return unpacked;
}

bool inflateInto(std::string_view compressed, std::span<char> bytes) {
    z_stream stream{};
    if (bytes.size() > std::numeric_limits<uInt>::max() || !begin(stream, compressed)) return false;
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_out = static_cast<uInt>(bytes.size());
    const int result = ::inflate(&stream, Z_FINISH);
    ::inflateEnd(&stream);
    return result == Z_STREAM_END && stream.avail_out == 0;
}

std::string deflate(std::string_view bytes) {
    uLongf size = ::compressBound(bytes.size());
    std::string packed(size, '\0');
    ::compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
               bytes.size());
    packed.resize(size);
    return packed;
}

std::string gzip(std::string_view bytes) {
    z_stream stream{};
    if (bytes.size() > std::numeric_limits<std::int32_t>::max() ||
        ::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWindowOfGzip, kUsualMemory,
                       Z_DEFAULT_STRATEGY) != Z_OK)
        throw Error("no memory to compress");
    std::string packed(::deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    ::deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    ::deflateEnd(&stream);
    return packed;
}

namespace {

constexpr unsigned kPackedPiece = 1U << 18;

}  // namespace

struct TextReader::Stream {
    gzFile file = nullptr;
    std::string piece;
};

TextReader::TextReader(const std::filesystem::path& file)
    : name_(file.string()), stream_(std::make_unique<Stream>()) {
    const Descriptor regular = openRegular(file);
    if (!regular) throw Error("cannot be opened: " + std::string(std::strerror(errno)), Place{.file = name_});
    const int owned = ::fcntl(regular.number(), F_DUPFD_CLOEXEC, 0);  // zlib closes what it is given
    if (owned < 0)
        throw Error("cannot be opened: " + std::string(std::strerror(errno)), Place{.file = name_});
    stream_->file = ::gzdopen(owned, "rb");
    if (stream_->file == nullptr) {
        ::close(owned);
        throw std::bad_alloc();
    }
    ::gzbuffer(stream_->file, kPackedPiece);
}

TextReader::~TextReader() {
    if (stream_->file != nullptr) ::gzclose(stream_->file);
}

std::string_view TextReader::next() {
    stream_->piece.resize(kPackedPiece);
    const int got = ::gzread(stream_->file, stream_->piece.data(), kPackedPiece);
    int problem = Z_OK;
    const char* const message = ::gzerror(stream_->file, &problem);
    if (got < 0 || (problem != Z_OK && problem != Z_STREAM_END))
        throw Error(problem == Z_BUF_ERROR ? std::string("the gzip stream ends too early")
                                           : "cannot be unpacked: " + std::string(message),
                    Place{.file = name_});
    return std::string_view(stream_->piece).substr(0, static_cast<std::size_t>(got));
}

struct TextWriter::Stream {
    z_stream state{};
    std::array<char, kPackedPiece> packed{};
};

TextWriter::TextWriter(OutputFile& file, bool packed) : file_(file) {
    if (!packed) return;
    stream_ = std::make_unique<Stream>();
    if (::deflateInit2(&stream_->state, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWindowOfGzip, kUsualMemory,
                       Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
}

TextWriter::~TextWriter() {
    if (stream_) ::deflateEnd(&stream_->state);
}

void TextWriter::write(std::string_view text) {
    if (stream_)
        pack(text, Z_NO_FLUSH);
    else
        file_.write(text);
}

void TextWriter::finish() {
    if (stream_) pack({}, Z_FINISH);
}

void TextWriter::pack(std::string_view text, int flush) {
    auto& [state, packed] = *stream_;
    do {
        const auto piece = text.substr(0, std::numeric_limits<uInt>::max());
        text.remove_prefix(piece.size());
        state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
        state.avail_in = static_cast<uInt>(piece.size());
        do {
            state.next_out = reinterpret_cast<Bytef*>(packed.data());
            state.avail_out = static_cast<uInt>(packed.size());
            ::deflate(&state, flush);
            file_.write({packed.data(), packed.size() - state.avail_out});
        } while (state.avail_out == 0);
    } while (!text.empty());
}

}  // namespace holos::algebra
