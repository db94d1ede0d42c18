// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/tar.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>
#include <string_view>

namespace holos::algebra {
namespace {

constexpr std::uint64_t kLargestExtendedHeader = 1 << 20;

bool isZero(std::string_view block) {
    return std::ranges::all_of(block, [](char byte) { return byte == 0; });
}

std::string_view textField(std::string_view header, tar::Field field) {
    const auto bytes = header.substr(field.offset, field.size);
    return bytes.substr(0, bytes.find('\0'));
}

/// What an extended header says about the member that follows it.
struct Extension {
    std::optional<std::string> name;
    std::optional<std::uint64_t> size;
};

class Directory {
  public:
    explicit Directory(const FileReader& file) : file_(file) {}

    std::map<std::string, TarMember> read() {
        std::uint64_t at = 0;
        // What is left behind the last whole block cannot hold a header.
        while (at + tar::kBlock <= file_.size()) at = readMember(at);
        if (members_.empty())
            file_.fail("is not an experiment: a .cubex container (tar archive) was expected", 0);
        if (emptyBlocks_ < (lastFillsBlocks_ ? 2 : 1))
            file_.fail("truncated container: the mark at its end is missing, members may be, too",
                       file_.size());
        return std::move(members_);
    }

  private:
    /// Reads the header at `at` and returns where the next one may begin.
    std::uint64_t readMember(std::uint64_t at) {
        const std::string_view header = block(at);
        if (header.substr(tar::kMagic.offset, 5) != "ustar") {
            if (at == 0) file_.fail("is not an experiment: a .cubex container (tar archive) was expected", 0);
            if (!isZero(header)) file_.fail("damaged container: the header of a member was expected", at);
            ++emptyBlocks_;
            return at + tar::kBlock;
        }
        emptyBlocks_ = 0;
        const std::uint64_t size = extension_.size.value_or(number(header, tar::kSize, at));
        const std::uint64_t begin = at + tar::kBlock;
        if (size > file_.size() - begin)
            file_.fail("truncated container: the member \"" + std::string(textField(header, tar::kName)) +
                           "\" has " + std::to_string(size) + " bytes, the file has " +
                           std::to_string(file_.size() - begin) + " more",
                       at);
        const char type = header[tar::kType.offset];
        const TarMember member{begin, size};
        if (type == 'x' || type == 'L')
            readExtension(type, member, at);
        else if (type == '0' || type == '\0')
            addMember(extension_.name.value_or(memberName(header)), member, at);
        else
            extension_ = {};
        lastFillsBlocks_ = size > 0 && size % tar::kBlock == 0;
        return begin + (size + tar::kBlock - 1) / tar::kBlock * tar::kBlock;
    }

    void addMember(const std::string& name, TarMember member, std::uint64_t at) {
        extension_ = {};
        if (name.empty() || leadsOut(name))
            file_.fail("damaged container: unacceptable member name \"" + name + "\"", at);
        if (!members_.emplace(name, member).second)
            file_.fail("damaged container: the member \"" + name + "\" is there twice", at);
    }

    static std::string memberName(std::string_view header) {
        const auto prefix = textField(header, tar::kPrefix);
        const auto name = textField(header, tar::kName);
        // GNU archives use the prefix field for something else.
        const bool posix = header[tar::kMagic.offset + 5] == '\0';
        return posix && !prefix.empty() ? std::string(prefix) + '/' + std::string(name) : std::string(name);
    }

    static bool leadsOut(const std::string& name) {
        return name.front() == '/' || ('/' + name + '/').find("/../") != std::string::npos;
    }

    std::uint64_t number(std::string_view header, tar::Field field, std::uint64_t at) const {
        const auto bytes = header.substr(field.offset, field.size);
        std::uint64_t value = 0;
        if ((bytes[0] & 0x80) != 0) {  // GNU: big-endian binary
            if (!isZero(bytes.substr(1, field.size - 9)))
                file_.fail("damaged container: impossible size", at);
            for (const char byte : bytes.substr(field.size - 8))
                value = value << 8 | static_cast<unsigned char>(byte);
            return value;
        }
        for (const char digit : bytes) {
            if (digit == ' ' || digit == '\0') continue;
            if (digit < '0' || digit > '7')
                file_.fail("damaged container: a size in octal digits was expected", at);
            value = value * 8 + static_cast<std::uint64_t>(digit - '0');
        }
        return value;
    }

    void readExtension(char type, TarMember member, std::uint64_t at) {
        if (member.size > kLargestExtendedHeader)
            file_.fail("damaged container: oversized extended header", at);
        extension_ = {};
        const std::string text = file_.read(member.offset, member.size);
        if (type == 'L')
            extension_.name = text.substr(0, text.find('\0'));
        else
            readRecords(text, at);
    }

    /// Records `LENGTH KEY=VALUE\n` of a pax header; the length counts the whole record.
    void readRecords(std::string_view text, std::uint64_t at) {
        while (!text.empty() && text.front() != '\0') {
            const auto blank = text.find(' ');
            const auto length = blank == text.npos ? std::nullopt : decimal(text.substr(0, blank));
            if (!length || *length <= blank + 1 || *length > text.size())
                file_.fail("damaged container: malformed extended header", at);
            const auto record = text.substr(blank + 1, *length - blank - 2);
            if (record.starts_with("size=")) {
                extension_.size = decimal(record.substr(5));
                if (!extension_.size) file_.fail("damaged container: malformed extended header", at);
            } else if (record.starts_with("path=")) {
                extension_.name = std::string(record.substr(5));
            }
            text.remove_prefix(*length);
        }
    }

    static std::optional<std::uint64_t> decimal(std::string_view digits) {
        if (digits.empty() || digits.size() > 18) return std::nullopt;
        std::uint64_t value = 0;
        for (const char digit : digits) {
            if (digit < '0' || digit > '9') return std::nullopt;
            value = value * 10 + static_cast<std::uint64_t>(digit - '0');
        }
        return value;
    }

    /// One block; blocks are fetched many at a time, because a container may end in a long run of zeros.
    std::string_view block(std::uint64_t at) {
        if (at < bufferBegin_ || at + tar::kBlock > bufferBegin_ + buffer_.size()) {
            const std::uint64_t wanted = skipping_ ? std::uint64_t{1} << 18 : tar::kBlock;
            buffer_ = file_.read(at, std::min(wanted, file_.size() - at));
            bufferBegin_ = at;
        }
        const auto found = std::string_view(buffer_).substr(at - bufferBegin_, tar::kBlock);
        skipping_ = found[0] == 0;
        return found;
    }

    const FileReader& file_;
    std::map<std::string, TarMember> members_;
    Extension extension_;
    std::uint64_t emptyBlocks_ = 0;  ///< since the last member
    bool lastFillsBlocks_ = false;   ///< the first of them may be padding of CUBE's writers, not the end mark
    std::string buffer_;
    std::uint64_t bufferBegin_ = 0;
    bool skipping_ = false;
};

}  // namespace

std::map<std::string, TarMember> readTarDirectory(const FileReader& file) {
    return Directory(file).read();
}

namespace {

/// The largest size that fits into eleven octal digits. Larger members have an extended header.
constexpr std::uint64_t kLargestPlain = (std::uint64_t{1} << 33) - 1;

void put(std::string& header, tar::Field field, std::string_view text) {
    header.replace(field.offset, std::min(text.size(), field.size), text.substr(0, field.size));
}

std::string octal(std::uint64_t number, std::size_t digits) {
    std::string text(digits, '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 3)
        *digit = static_cast<char>('0' + (number & 7));
    return text;
}

std::string header(std::string_view name, std::uint64_t size, char type) {
    std::string block(tar::kBlock, '\0');
    put(block, tar::kName, name);
    put(block, tar::kMode, "0000600");
    put(block, tar::kUser, "0000000");
    put(block, tar::kGroup, "0000000");
    put(block, tar::kSize, octal(std::min(size, kLargestPlain), 11));
    put(block, tar::kTime, octal(0, 11));
    put(block, tar::kChecksum, "        ");
    block[tar::kType.offset] = type;
    put(block, tar::kMagic, std::string_view("ustar\0", 6));
    put(block, tar::kVersion, "00");
    put(block, tar::kUserName, "nouser");
    put(block, tar::kGroupName, "users");
    const auto sum = std::accumulate(
        block.begin(), block.end(), std::uint64_t{0},
        [](std::uint64_t total, char byte) { return total + static_cast<unsigned char>(byte); });
    put(block, tar::kChecksum, octal(sum, 6) + std::string("\0 ", 2));
    return block;
}

/// `LENGTH KEY=VALUE\n`, where the length counts itself.
std::string record(const std::string& text) {
    std::size_t length = text.size() + 2;
    while (std::to_string(length).size() + text.size() + 2 != length) ++length;
    return std::to_string(length) + ' ' + text + '\n';
}

std::string padding(std::uint64_t size) {
    return std::string((tar::kBlock - size % tar::kBlock) % tar::kBlock, '\0');
}

/// All that stands before a member's content.
std::string headers(const std::string& name, std::uint64_t size, bool large) {
    std::string records;
    if (large) records += record("size=" + std::to_string(size));
    if (name.size() > tar::kName.size) records += record("path=" + name);
    std::string text;
    if (!records.empty())
        text = header("././@PaxHeader", records.size(), 'x') + records + padding(records.size());
    return text + header(name, size, '0');
}

}  // namespace

void TarWriter::add(const std::string& name, std::string_view content) {
    file_.write(headers(name, content.size(), content.size() >= kLargestPlain));
    file_.write(content);
    pad(content.size());
}

void TarWriter::begin(const std::string& name, std::uint64_t limit) {
    name_ = name;
    large_ = limit >= kLargestPlain;
    header_ = file_.size();
    file_.write(headers(name, 0, large_));
    begin_ = file_.size();
}

void TarWriter::end() {
    const std::uint64_t size = memberSize();
    const std::string known = headers(name_, size, large_);
    assert(header_ + known.size() == begin_);
    file_.rewrite(header_, known);
    pad(size);
}

void TarWriter::pad(std::uint64_t size) {
    file_.write(padding(size));
    // CUBE's own reader takes for granted that a full last block is followed by an empty one.
    if (size > 0 && size % tar::kBlock == 0) file_.write(std::string(tar::kBlock, '\0'));
}

void TarWriter::finish() {
    file_.write(std::string(2 * tar::kBlock, '\0'));
}

}  // namespace holos::algebra
