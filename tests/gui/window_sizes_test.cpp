// SPDX-License-Identifier: BSD-3-Clause
// How small the window may be, whatever is open in it.
#include "gui/views/detail_views.h"
#include "gui/views/program_views.h"
#include "gui/views/system_views.h"
#include "gui/views/timeline/timeline_comparison.h"
#include "gui/views/timeline/timeline_curves.h"
#include "gui/views/timeline/timeline_range_bar.h"
#include "gui/views/timeline/timeline_tracks.h"
#include "tests/gui/timeline_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;

namespace {

constexpr QSize kSmall(700, 450);

class SmallWindow : public ShownTimeline {
  protected:
    /// Also where each tree hides rows, and says so.
    void expectFits(const QString& view) {
        for (QWidget* line : window.findChildren<QWidget*>(u"Hidden rows"_qs)) line->show();
        QApplication::processEvents();
        const QSize least = window.minimumSizeHint();
        EXPECT_LE(least.width(), kSmall.width()) << view.toStdString() << whoNeeds(&QSize::width, 200);
        EXPECT_LE(least.height(), kSmall.height()) << view.toStdString() << whoNeeds(&QSize::height, 130);
    }
    /// Widgets that need at least so many pixels.
    std::string whoNeeds(int (QSize::*side)() const, int pixels) {
        std::string text;
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            const int needed = (widget->minimumSizeHint().expandedTo(widget->minimumSize()).*side)();
            if (widget->isVisible() && needed >= pixels)
                text += std::string("\n") + widget->metaObject()->className() + " \"" +
                        widget->objectName().toStdString() + "\": " + std::to_string(needed);
        }
        return text;
    }
};

}  // namespace

TEST_F(SmallWindow, has_room_for_every_view) {
    for (int tab = 0; tab < 3; ++tab) {
        browser().programs()->setCurrentIndex(tab);
        expectFits(u"program %1"_qs.arg(tab));
    }
    for (int view = 0; view < 4; ++view) {
        browser().systemViews()->setCurrentIndex(view);
        expectFits(u"system %1"_qs.arg(view));
    }
    for (const QString& detail : browser().details()->names()) {
        browser().details()->open(detail);
        expectFits(detail);
    }
}

TEST_F(SmallWindow, has_room_for_a_range_and_for_another_run) {
    open();
    view().setRange(TimeRange{10, 40});
    settle();
    ASSERT_TRUE(pane().rangeBar()->isVisible());
    expectFits(u"a selected range"_qs);
    view().setRange(std::nullopt);
    pane().comparison()->compareWith(QString::fromStdString(directory.path().string()));
    settle();
    expectFits(u"two runs"_qs);
}
