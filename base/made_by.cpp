// SPDX-License-Identifier: BSD-3-Clause
#include "base/made_by.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/descriptor.h"
#include "base/error.h"

namespace holos {
namespace {

/// The text of a member at the beginning of a JSON object that stands in an attribute of XML, and removes it.
std::optional<std::string> takeMember(std::string_view& text, std::string_view name) {
    const std::string begin = "&quot;" + std::string(name) + "&quot;:&quot;";
    if (!text.starts_with(begin)) return std::nullopt;
    text.remove_prefix(begin.size());
    const auto end = text.find("&quot;");
    if (end == std::string_view::npos) return std::nullopt;
    std::string value(text.substr(0, end));
    text.remove_prefix(end);
    if (constexpr std::string_view kNext = "&quot;,"; text.starts_with(kNext))
        text.remove_prefix(kNext.size());
    return value;
}

}  // namespace

std::string beginningOf(const std::filesystem::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat facts {};
    if (!file || ::fstat(file.number(), &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
    constexpr off_t kMost = off_t{1} << 20;
    std::string text(static_cast<std::size_t>(std::min(kMost, facts.st_size)), '\0');
    const ssize_t got = ::read(file.number(), text.data(), text.size());
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
}

void requireOwn(const std::filesystem::path& file, std::uint64_t magic) {
    std::error_code none;
    const auto type = std::filesystem::symlink_status(file, none).type();
    std::string expected(sizeof magic, '\0');
    std::memcpy(expected.data(), &magic, sizeof magic);
    if (type == std::filesystem::file_type::regular && !beginningOf(file).starts_with(expected))
        throw Error("was not made by holos, and is not replaced: move it away", {.file = file.string()});
}

std::optional<MadeBy> madeBy(const std::filesystem::path& file) {
    const std::string all = beginningOf(file);
    constexpr std::string_view kProvenance = "key=\"holos::provenance\" value=\"{";
    const auto found = all.find(kProvenance);
    if (found == std::string::npos) return std::nullopt;
    std::string_view text = std::string_view(all).substr(found + kProvenance.size());
    auto operation = takeMember(text, "operation");
    if (!operation) return std::nullopt;
    return MadeBy{std::move(*operation), takeMember(text, "run").value_or("")};
}

}  // namespace holos
