// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <optional>
#include <unordered_map>

/// Whether the library of OTF2 knows the events of such messages. To an older one they are unknown events.
#define HOLOS_OTF2_KNOWS_FOUND_MESSAGES \
    (OTF2_VERSION_MAJOR > 3 || (OTF2_VERSION_MAJOR == 3 && OTF2_VERSION_MINOR >= 2))

namespace holos::analyzer::trace {

/// Messages of one location that a probe found (`MPI_Mprobe`), until they are received. OTF2 3.2 has events
/// of their own for the probe and the receive, and only the probe says whose message it is: a receive is
/// handed on as what older versions of OTF2 have for it. Of one whose probe is not there nothing is known.
class FoundMessages {
  public:
    struct Envelope {
        std::uint32_t sender;
        OTF2_CommRef comm;
        std::uint32_t tag;
    };

    void probe(std::uint64_t message, const Envelope& envelope) {
        if (message != OTF2_UNDEFINED_UINT64) found_[message] = envelope;
    }
    /// A blocking receive of the message.
    std::optional<Envelope> receive(std::uint64_t message) { return take(found_, message); }
    /// A nonblocking receive begins. False where nothing is known of the message.
    bool request(std::uint64_t message, std::uint64_t request) {
        const auto envelope = take(found_, message);
        if (envelope) requested_[request] = *envelope;
        return envelope.has_value();
    }
    /// A nonblocking receive is complete.
    std::optional<Envelope> complete(std::uint64_t request) { return take(requested_, request); }

  private:
    using Envelopes = std::unordered_map<std::uint64_t, Envelope>;
    static std::optional<Envelope> take(Envelopes& from, std::uint64_t key) {
        const auto node = from.extract(key);
        return node.empty() ? std::nullopt : std::optional(node.mapped());
    }

    Envelopes found_;      ///< by the number of the message
    Envelopes requested_;  ///< by the number of the request
};

}  // namespace holos::analyzer::trace
