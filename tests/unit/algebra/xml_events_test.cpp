// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/xml.h"

#include <gtest/gtest.h>

#include <latch>
#include <string>
#include <thread>
#include <vector>

namespace holos::algebra {
namespace {

class NamesOfElements : public XmlHandler {
  public:
    void begin(const XmlElement& element) override { names_ += std::string(element.name) + " "; }
    void end(const XmlElement&, std::string&&) override {}
    const std::string& names() const { return names_; }

  private:
    std::string names_;
};

// What libxml2 makes for its first parser it makes once: otherwise the leak sanitizer finds the rest.
TEST(XmlEvents, firstDocumentsOfManyThreads_areReadAtOnce) {
    constexpr std::size_t kThreads = 16;
    std::vector<std::string> found(kThreads);
    std::latch everybody(kThreads);
    {
        std::vector<std::jthread> threads;
        for (std::string& names : found)
            threads.emplace_back([&] {
                NamesOfElements handler;
                everybody.arrive_and_wait();
                parseXml("<cube><attr/></cube>", "made here", handler);
                names = handler.names();
            });
    }
    EXPECT_EQ(found, std::vector<std::string>(kThreads, "cube attr "));
}

}  // namespace
}  // namespace holos::algebra
