// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <QProcess>
#include <functional>
#include <memory>
#include <optional>

#include "tests/gui/assistive/accessible.h"
#include "tests/gui/assistive/assistive_bus.h"
#include "tests/gui/display/virtual_display.h"
#include "tests/support/temporary_directory.h"

namespace holos::gui::testing {

/// The browser as a screen reader knows it: `holos-view` on a display of its own, with an experiment of four
/// processes of two threads and its trace.
class HeardBrowser : public ::testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;

    AssistiveBus& bus() { return *bus_; }
    /// Its window, as soon as it shows the experiment.
    const Accessible& window() const { return *window_; }
    /// The things in the window that are shown. Of trees and tables those of the first row are enough.
    std::vector<Accessible> shown() const;
    std::vector<Accessible> everything() const;
    /// The first that is shown, of this name. Waits for it.
    Accessible named(const QString& name);
    /// What all things of this name say of themselves; waits until one of them says this part.
    QStringList descriptionsOf(const QString& name, const QString& part);
    /// Does what the menus call so.
    void choose(const QString& action);
    /// False: it has never come true.
    static bool comes(const std::function<bool()>& condition);

  private:
    void writeExperiment();
    std::optional<Accessible> findWindow() const;

    holos::testing::TemporaryDirectory directory_;
    std::unique_ptr<VirtualDisplay> display_;
    std::unique_ptr<AssistiveBus> bus_;
    QProcess browser_;
    std::optional<Accessible> window_;
};

}  // namespace holos::gui::testing
