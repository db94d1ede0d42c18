// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <memory>

namespace holos::archive {

struct AttributesDeleter {
    void operator()(OTF2_AttributeList* list) const { OTF2_AttributeList_Delete(list); }
};
/// Attributes of an event.
using Attributes = std::unique_ptr<OTF2_AttributeList, AttributesDeleter>;

inline Attributes newAttributes() {
    return Attributes(OTF2_AttributeList_New());
}

}  // namespace holos::archive
