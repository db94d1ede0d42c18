// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/unite/plain_name.h"

#include "base/function_name.h"

namespace holos::algebra {
namespace {

std::string_view withoutUnderscores(std::string_view name) {
    const std::size_t last = name.find_last_not_of('_');
    return last == std::string_view::npos ? name : name.substr(0, last + 1);
}

/// `MODULE SEPARATOR PROCEDURE` as `MODULE::PROCEDURE`.
std::string fortranName(std::string_view name, std::size_t begin, std::string_view separator) {
    const std::size_t at = name.find(separator, begin + 1);
    if (at == std::string_view::npos || at + separator.size() == name.size()) return std::string(name);
    return std::string(name.substr(begin, at - begin)) +
           "::" + std::string(name.substr(at + separator.size()));
}

}  // namespace

std::string plainName(std::string_view name) {
    name = name.substr(0, name.find(" @"));
    const std::string_view plain = withoutUnderscores(withoutCopy(name));
    return plain.starts_with("__") ? fortranName(plain, 2, "_MOD_") : fortranName(plain, 0, "_mp_");
}

std::string_view fileName(std::string_view path) {
    return path.substr(path.find_last_of('/') + 1);
}

}  // namespace holos::algebra
