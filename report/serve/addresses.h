// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace holos::serve {

/// What a browser asks for: `/api/rows?tree=calls&node=3` without the token.
struct Query {
    std::string path;
    std::map<std::string, std::string> parameters;
};

/// The parts of a request's target (`/api/rows?tree=calls`), with what `%20` and the like stand for. Nothing
/// for a target that is no path, has a broken escape or a zero byte, or names a parameter twice.
std::optional<Query> queryOf(std::string_view target);

/// What `%20` and the like stand for; nothing where an escape is broken or stands for a zero byte.
std::optional<std::string> linkUnescaped(std::string_view text, bool plusIsBlank = false);

/// With escapes for all that has a meaning in links, commas and slashes among it; blanks stay, as in links of
/// `holos view`.
std::string linkEscaped(std::string_view name);

/// True for `localhost`, `127.0.0.1` and `[::1]`, with any port: behind a tunnel the port is another one. A
/// page from elsewhere whose name was bent to this machine has another host.
bool isThisMachine(std::string_view host);

}  // namespace holos::serve
