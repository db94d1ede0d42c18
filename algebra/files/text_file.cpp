// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/text_file.h"

#include <zlib.h>

#include <array>
#include <limits>

#include "algebra/files/file_reader.h"
#include "base/error.h"

namespace holos::algebra {
namespace {

constexpr unsigned kPackedPiece = 1U << 18;
constexpr int kGzipFormat = 15 + 16;  // zlib.h, deflateInit2: largest window, gzip header
constexpr int kUsualMemory = 8;

}  // namespace

struct TextReader::Stream {
    gzFile file = nullptr;
    std::string piece;
};

TextReader::TextReader(const std::filesystem::path& file)
    : name_(file.string()), stream_(std::make_unique<Stream>()) {
    const FileReader regular(file);  // says what is wrong when it is no readable file
    stream_->file = ::gzopen(file.c_str(), "rb");
    if (stream_->file == nullptr) throw Error("cannot be opened", Place{.file = name_});
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
    if (::deflateInit2(&stream_->state, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipFormat, kUsualMemory,
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
