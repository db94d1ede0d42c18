// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <optional>
#include <span>

namespace holos::gui {

/// One of several ways to show something. Tables of them stand in the order of the values.
template <class Value>
struct MenuChoice {
    Value value;
    const char* name;   ///< on the command line and in saved states
    const char* title;  ///< in menus
    const char* help;
};

template <class Value>
std::optional<Value> menuChoiceNamed(std::span<const MenuChoice<Value>> choices, const QString& name) {
    for (const MenuChoice<Value>& known : choices)
        if (name == QLatin1String(known.name)) return known.value;
    return std::nullopt;
}

template <class Value>
QString nameOfMenuChoice(std::span<const MenuChoice<Value>> choices, Value value) {
    return QString::fromLatin1(choices[static_cast<std::size_t>(value)].name);
}

}  // namespace holos::gui
