// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "algebra/cubepl/syntax.h"
#include "algebra/files/anchor.h"
#include "algebra/files/xml.h"
#include "algebra/model/structure.h"

namespace holos::algebra {

/// The words of `anchor.xml` for the model's enumerations, to and fro.

/// `type` of a `<metric>`; anything unknown is exclusive, as for CUBE's own reader.
Storage storageOf(std::string_view word);
std::string_view wordFor(Storage storage);

/// `<type>` of a `<locationgroup>` and of a `<location>`; nothing for an unknown word.
std::optional<Process::Type> processTypeOf(std::string_view word);
std::string_view wordFor(Process::Type type);
std::optional<Location::Type> locationTypeOf(std::string_view word);
std::string_view wordFor(Location::Type type);

/// What CUBE does not know is stored in attributes of the metric.
inline constexpr std::string_view kOriginAttribute = "holos::origin";
inline constexpr std::string_view kIncompleteAttribute = "holos::incomplete";
std::optional<Origin> originOf(std::string_view word);
std::string_view wordFor(Origin origin);

/// `<cart>`, with names of its dimensions or without. `nameOf`: the attribute that names what stands at a
/// coordinate, and its number.
using ResourceName = std::pair<std::string_view, std::size_t>;
void writeTopology(const Topology& topology, bool namesDimensions,
                   const std::function<ResourceName(std::variant<LocationId, ProcessId>)>& nameOf,
                   XmlWriter& xml);

/// Reads one part of `anchor.xml`: it gets the elements within the element of that part.
class AnchorSection : public XmlHandler {
  public:
    /// Called behind the last element.
    virtual void finish() {}

  protected:
    AnchorSection(Anchor& anchor, const std::string& file)
        : anchor_(anchor), experiment_(anchor.experiment), file_(file) {}

    [[noreturn]] void fail(const XmlElement& at, const std::string& message) const;
    /// An attribute that must be a number from 0 to 2^31 - 1.
    std::uint64_t index(const XmlElement& element, std::string_view attribute) const;
    /// The text as a number; `otherwise` when it is empty.
    std::int64_t integer(const XmlElement& element, std::string_view text, std::int64_t otherwise) const;

    const std::string& file() const { return file_; }

    Anchor& anchor_;
    Experiment& experiment_;

  private:
    const std::string& file_;
};

class MetricsSection final : public AnchorSection {
  public:
    /// Whether metrics have numbers, which values refer to.
    enum class Ids : unsigned char { Needed, None };
    MetricsSection(Anchor& anchor, const std::string& file, Ids ids = Ids::Needed)
        : AnchorSection(anchor, file), ids_(ids) {}
    void begin(const XmlElement& element) override;
    void end(const XmlElement& element, std::string&& text) override;
    /// Adds the metrics that expressions define.
    void finish() override;

  private:
    void define(const cubepl::Definition& definition);
    void beginMetric(const XmlElement& element);
    void addAttribute(Metric& metric, const XmlElement& element);

    Ids ids_;
    std::vector<MetricId> open_;
    std::set<std::uint64_t> seen_;
};

/// The ids that were seen. Those that count from 0, as all writers make them, take no memory.
class SeenIds {
  public:
    /// False when it was there already.
    bool insert(std::uint64_t id) {
        if (id < counted_) return false;
        if (id > counted_ || others_.contains(id)) return others_.insert(id).second;
        ++counted_;
        return true;
    }

  private:
    std::uint64_t counted_ = 0;  ///< all below it were seen
    std::set<std::uint64_t> others_;
};

class ProgramSection final : public AnchorSection {
  public:
    ProgramSection(Anchor& anchor, const std::string& file) : AnchorSection(anchor, file) {}
    void begin(const XmlElement& element) override;
    void end(const XmlElement& element, std::string&& text) override;

  private:
    void beginRegion(const XmlElement& element);
    void beginCallPath(const XmlElement& element);
    void addParameter(CallPath& path, const XmlElement& element);

    bool inRegion_ = false;
    std::vector<CallPathId> open_;
    std::unordered_map<std::uint64_t, RegionId> regions_;
    SeenIds seen_;
};

class SystemSection final : public AnchorSection {
  public:
    SystemSection(Anchor& anchor, const std::string& file) : AnchorSection(anchor, file) {}
    void begin(const XmlElement& element) override;
    void end(const XmlElement& element, std::string&& text) override;
    /// Orders the locations by column and resolves what refers to them.
    void finish() override;

  private:
    struct PendingCoordinate {
        std::size_t topology;
        std::size_t coordinate;
        std::uint64_t column;
        XmlElement element;
    };
    void beginLocation(const XmlElement& element);
    void endSystemNode(const XmlElement& element, std::string&& text);
    void endProcess(const XmlElement& element, std::string&& text);
    void endLocation(const XmlElement& element, std::string&& text);
    void addDimension(const XmlElement& element);
    void addCoordinate(const XmlElement& element, const std::string& text);
    std::vector<std::uint64_t> position(const XmlElement& element, const std::string& text) const;
    void sortLocations();

    std::vector<SystemNodeId> nodes_;
    bool inProcess_ = false;
    bool inLocation_ = false;
    std::vector<std::uint64_t> columns_;  ///< by location
    SeenIds seen_;
    std::vector<PendingCoordinate> pending_;
};

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
