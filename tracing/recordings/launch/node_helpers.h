// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "tracing/recordings/archive/helpers.h"

/// The nodes of a job make its trace together: of each node, the first `holos record` command whose program
/// ended waits, and translates what the node's processes recorded, when the last command of the job makes the
/// trace. They know of each other by files in the recording alone, which all of them see:
///
///     recording/hosts/HOST                 commands of the job run there
///     recording/helpers/HOST/alive         the node's helper lives, as far as its own kernel can tell
///     recording/helpers/HOST/beat          it goes on, as others can see
///     recording/helpers/HOST/order.N       what it is to do; answer.N: what it did
///     recording/helpers/HOST/end           nothing more
///
/// Nobody waits for a helper that is gone, and a helper waits for orders for some time only: what it does not
/// translate, who makes the trace does.
namespace holos::launch {

/// Says that commands of the job run on the host.
void noteHost(const std::filesystem::path& recording, const std::string& host);

/// How long others are waited for.
struct NodePatience {
    std::chrono::milliseconds forOrders{30'000};  ///< since the program ended, and since the last one
    std::chrono::milliseconds ofSilence{15'000};  ///< of a helper that was given an order
};

/// A command that offers to help.
class NodeHelper {
  public:
    /// Nothing where the job has no other host, or another command of this one has offered.
    static std::unique_ptr<NodeHelper> offer(const std::filesystem::path& directory, const std::string& host);
    /// Takes the offer back, where nobody has taken it.
    ~NodeHelper();
    NodeHelper(NodeHelper&&) = delete;

    /// Does what it is asked for, until there is nothing more to do, nobody asks any more, or a signal comes.
    /// Makes the trace later where that fails.
    void serve(const NodePatience& patience = {});

  private:
    NodeHelper(std::filesystem::path directory, std::filesystem::path folder);
    void obey(const std::string& order);

    std::filesystem::path directory_;
    std::filesystem::path folder_;
    Descriptor alive_;
    archive::Helper helper_;
    std::uint64_t orders_ = 0;
    std::uint64_t answers_ = 0;
};

/// The helpers that have offered themselves, as who makes the trace sees them.
class NodeHelpers final : public archive::Helpers {
  public:
    /// `host`: the own one, of which no helper is asked.
    NodeHelpers(const std::filesystem::path& directory, const std::string& host,
                const NodePatience& patience = {});
    /// Says that there is nothing more to do.
    ~NodeHelpers() override;

    std::size_t count() const override { return nodes_.size(); }
    void send(std::size_t helper, const std::string& order) override;
    std::optional<std::string> receive(std::size_t helper) override;
    /// The helper on this host; where it has none, whoever makes the trace does the work.
    std::optional<std::size_t> chosenFor(const std::string& host) const override;

  private:
    struct Node {
        std::string host;
        std::filesystem::path folder;
        std::uint64_t orders = 0;
        std::uint64_t answers = 0;
        bool isGone = false;
    };
    NodePatience patience_;
    std::vector<Node> nodes_;
};

}  // namespace holos::launch
