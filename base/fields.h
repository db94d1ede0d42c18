// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <utility>

/// So that a list of what a structure has can be found at compile time to lack something.
namespace holos {

/// Takes the place of any field.
struct AnyField {
    template <class Type>
    operator Type() const;
};

template <class Structure, std::size_t... kFields>
constexpr bool takesFields(std::index_sequence<kFields...> /*fields*/) {
    return requires {
        Structure{(static_cast<void>(kFields), AnyField{})...};
    };
}

/// How many fields a structure has that is an aggregate.
template <class Structure, std::size_t kKnown = 0>
constexpr std::size_t fieldsOf() {
    if constexpr (takesFields<Structure>(std::make_index_sequence<kKnown + 1>()))
        return fieldsOf<Structure, kKnown + 1>();
    else
        return kKnown;
}

}  // namespace holos
