// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "algebra/files/anchor_sections.h"

namespace holos::algebra {

/// The document as a whole: `attr*`, `doc`, and the sections, whose elements it passes on to their readers.
class DocumentReader final : public AnchorSection {
  public:
    /// `version` is what the document's version must begin with. `severity` may be null: `anchor.xml` has
    /// none.
    DocumentReader(Anchor& anchor, const std::string& file, std::string version, AnchorSection& system,
                   AnchorSection* severity);

    void begin(const XmlElement& element) override;
    void end(const XmlElement& element, std::string&& text) override;

  private:
    void beginDocument(const XmlElement& element) const;
    void beginSection(const XmlElement& element);
    void enter(const XmlElement& element, AnchorSection& section);

    std::string version_;
    MetricsSection metrics_;
    ProgramSection program_;
    AnchorSection& system_;
    AnchorSection* severity_;
    AnchorSection* section_ = nullptr;
    std::set<const AnchorSection*> seen_;
    std::size_t depth_ = 0;
};

}  // namespace holos::algebra
