// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/anchor.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string_view>

#include "base/error.h"

namespace holos::analyzer::trace {

namespace {

constexpr std::size_t kFirstString = 46;  ///< behind mark, versions, chunk sizes and counts of a fixed size
constexpr int kStrings = 3;               ///< machine, creator, description, each with a NUL behind it
constexpr std::size_t kHead = 1 << 16;    ///< more than the strings take
constexpr char kLittleEndian = 'B';       ///< second byte; a big-endian writer puts '#' there

std::filesystem::path anchorIn(const std::filesystem::path& directory) {
    std::filesystem::path found;
    std::size_t count = 0;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(directory, ignored))
        if (entry.path().extension() == ".otf2") {
            if (entry.path().filename() == "traces.otf2") return entry.path();
            found = entry.path();
            ++count;
        }
    if (count == 1) return found;
    if (count == 0 && std::filesystem::is_directory(directory / "recording", ignored))
        throw Error(
            "holds a recording, and no trace yet: 'holos analyze' makes it, or, while the run goes on, "
            "analyzes a snapshot",
            Place{.file = directory.string()});
    throw Error(count == 0 ? "there is no trace here: a file that ends in .otf2 was expected"
                           : "there are several traces here: name one of the .otf2 files",
                Place{.file = directory.string()});
}

std::filesystem::path anchorAt(const std::filesystem::path& archiveOrDirectory) {
    std::error_code ignored;
    if (std::filesystem::is_directory(archiveOrDirectory, ignored)) return anchorIn(archiveOrDirectory);
    if (std::filesystem::is_regular_file(archiveOrDirectory, ignored)) {
        if (archiveOrDirectory.extension() == ".otf2") return archiveOrDirectory;
        throw Error("is no OTF2 archive: its folder or its .otf2 file was expected",
                    Place{.file = archiveOrDirectory.string()});
    }
    throw Error("no such file or directory; an OTF2 archive (its folder or its .otf2 file) was expected",
                Place{.file = archiveOrDirectory.string()});
}

/// Where the number of properties stands, or the end where the strings in front of it have none.
std::size_t afterStrings(std::string_view anchor) {
    std::size_t at = kFirstString;
    for (int i = 0; i < kStrings && at < anchor.size(); ++i) {
        const std::size_t end = anchor.find('\0', at);
        at = end == std::string_view::npos ? anchor.size() : end + 1;
    }
    return std::min(at, anchor.size());
}

std::uint32_t number(std::string_view bytes, bool littleEndian) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[littleEndian ? bytes.size() - 1 - i : i]);
    return value;
}

std::string headOf(const std::filesystem::path& file) {
    std::string anchor(kHead, '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(anchor.data(), static_cast<std::streamsize>(anchor.size()));
    anchor.resize(static_cast<std::size_t>(in.gcount()));
    return anchor;
}

/// OTF2 would wait for the other end of a named pipe.
void requireRegular(const std::filesystem::path& file) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored))
        throw Error("not a readable OTF2 archive: the file is not a regular one",
                    Place{.file = file.string()});
}

/// Everything else that can be wrong with an anchor, OTF2 sees for itself.
void checkProperties(const std::filesystem::path& file) {
    const std::string anchor = headOf(file);
    const std::size_t at = afterStrings(anchor);
    if (anchor.size() - at < sizeof(std::uint32_t)) return;
    const auto count =
        number(std::string_view(anchor).substr(at, sizeof(std::uint32_t)), anchor[1] == kLittleEndian);
    const std::uint64_t room =
        (std::filesystem::file_size(file) - at) / 2;  // a property is at least two NUL bytes
    if (count > room)
        throw Error("not a readable OTF2 archive: its anchor announces " + std::to_string(count) +
                        " properties and has room for " + std::to_string(room) + "; the file is damaged",
                    Place{.file = file.string(), .byte = at});
}

}  // namespace

std::filesystem::path findAnchor(const std::filesystem::path& archiveOrDirectory) {
    const std::filesystem::path anchor = anchorAt(archiveOrDirectory);
    requireRegular(anchor);
    requireRegular(std::filesystem::path(anchor).replace_extension(".def"));
    checkProperties(anchor);
    return anchor;
}

std::string writerOf(const std::filesystem::path& anchor) {
    const std::string head = headOf(anchor);
    const std::size_t machine = head.find('\0', kFirstString);
    if (machine == std::string::npos) return {};
    const std::size_t end = head.find_first_of(std::string_view("\0\n", 2), machine + 1);
    return end == std::string::npos ? std::string{} : head.substr(machine + 1, end - machine - 1);
}

}  // namespace holos::analyzer::trace
