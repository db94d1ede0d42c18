// SPDX-License-Identifier: BSD-3-Clause
// What comes into the window and goes out of it: experiments, good and bad ones, and pictures.
#include <QMimeData>
#include <QPushButton>
#include <QSemaphore>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "base/error.h"
#include "gui/app/options.h"
#include "gui/views/pictures.h"
#include "tests/gui/patience.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

TEST_F(Window, cancelled_loading_keeps_the_open_experiment) {
    QSignalSpy opened(&window, &MainWindow::opened);
    QSemaphore cancelled;
    window.load("slow", [&cancelled]() -> ExperimentPtr {
        cancelled.tryAcquire(1, kPatience);
        return std::make_shared<const Experiment>(signedExperiment());
    });
    QTest::mouseClick(window.findChild<QPushButton*>("Cancel"), Qt::LeftButton);
    ASSERT_EQ(opened.size(), 1);
    EXPECT_FALSE(opened.front().front().toBool());
    cancelled.release();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window.findChildren<Loader*>().isEmpty(); }, kPatience));
    EXPECT_EQ(shown(browser().metricPane(), "Time"), "20.000");
    EXPECT_EQ(opened.size(), 1);
}

TEST_F(Window, view_is_written_as_pdf) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("view.pdf");
    writeView(window, path);
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().startsWith("%PDF"));
}

#ifdef HOLOS_SVG
TEST_F(Window, view_is_written_as_svg) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("view.svg");
    writeView(window, path);
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    EXPECT_TRUE(text.contains("<svg"));
    for (const char* seen : {"Metrics", "Time", "~stalls", "main"}) EXPECT_TRUE(text.contains(seen)) << seen;
}
#else
TEST_F(Window, view_cannot_be_written_as_svg_without_the_module) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("view.svg");
    EXPECT_THROW(writeView(window, path), holos::Error);
    EXPECT_FALSE(QFile::exists(path));
}
#endif

TEST_F(Window, dropped_file_is_opened) {
    QSignalSpy opened(&window, &MainWindow::opened);
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile("/nowhere/dropped.cubex")});
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &enter);
    QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &drop);
    ASSERT_TRUE(opened.wait(5000));
    EXPECT_TRUE(window.message().contains("dropped.cubex"));
}

TEST_F(Window, bad_file_is_told_in_the_window_and_the_open_experiment_stays) {
    QSignalSpy opened(&window, &MainWindow::opened);
    window.open("/nowhere/missing.cubex");
    ASSERT_TRUE(opened.wait(5000));
    EXPECT_FALSE(opened.front().front().toBool());
    EXPECT_TRUE(window.message().contains("/nowhere/missing.cubex")) << window.message().toStdString();
    EXPECT_NE(window.browser(), nullptr);
}

TEST_F(Window, unknown_metric_is_an_error) {
    Options options;
    options.files << "sample.cubex";
    options.metric = "nothing";
    EXPECT_THROW(applyOptions(window, options), holos::Error);
}

TEST_F(Window, state_of_what_the_experiment_does_not_have_is_an_error_that_names_it) {
    for (const char* part : {"metric=nothing", "call=main/nothing", "system=nothing", "topology=7",
                             "topology=0/0.1.2", "colors=pink"}) {
        Options options;
        options.files << "sample.cubex";
        options.state = viewStateFrom(QString::fromLatin1(part));
        try {
            applyOptions(window, options);
            ADD_FAILURE() << part;
        } catch (const holos::Error& error) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
    }
    Options good;
    good.state = viewStateFrom("metric=mpi,call=main/solve,system=machine Sample,topology=0,colors=grey");
    good.colors = ColorMap::Ocean;  // what is said on the command line counts
    applyOptions(window, good);
    EXPECT_EQ(browser().colors().map(), ColorMap::Ocean);
}

TEST_F(Window, screenshot_has_the_size_and_many_colours) {
    window.resize(900, 500);
    const QImage picture = drawWindow(window);
    EXPECT_EQ(picture.size(), QSize(900, 500));
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) colours.insert(picture.pixel(x, y));
    EXPECT_GT(colours.size(), 100);
}

TEST_F(Window, picture_that_cannot_be_written_leaves_nothing) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("picture.nothing");
    EXPECT_THROW(writePicture(drawWindow(window), path), holos::Error);
    EXPECT_FALSE(QFile::exists(path));
    EXPECT_TRUE(QDir(folder.path()).isEmpty());
}

TEST_F(Window, another_experiment_replaces_the_first) {
    window.show("signed.cubex", std::make_shared<const Experiment>(signedExperiment()));
    QApplication::processEvents();
    EXPECT_EQ(shown(browser().metricPane(), "Time"), u"\u22121.0000"_qs);
}

TEST_F(Window, experiment_without_metrics_shows_empty_panes) {
    Experiment empty = signedExperiment();
    empty.metrics = {};
    empty.severities = {};
    window.show("empty.cubex", std::make_shared<const Experiment>(std::move(empty)));
    pressKeysOfTrees();
    EXPECT_EQ(browser().metricPane()->model(), nullptr);
    EXPECT_FALSE(drawWindow(window).isNull());
}

TEST_F(Window, experiment_without_call_paths_and_locations_is_shown) {
    Experiment bare;
    Metric metric;
    metric.uniqueName = "time";
    bare.metrics.add(metric);
    window.show("bare.cubex", std::make_shared<const Experiment>(std::move(bare)));
    pressKeysOfTrees();
    EXPECT_EQ(browser().metricPane()->current().data(), "time");
    EXPECT_FALSE(drawWindow(window).isNull());
}

TEST_F(Window, values_that_cannot_be_read_are_told_in_the_window) {
    Experiment damaged = signedExperiment();
    damaged.severities = {};
    damaged.severities.setRows(MetricId(0), []() -> RowsPtr { throw holos::Error("damaged values"); });
    window.show("damaged.cubex", std::make_shared<const Experiment>(std::move(damaged)));
    EXPECT_TRUE(QTest::qWaitFor([&] { return window.message() == "damaged values"; }, 5000));
    EXPECT_EQ(shown(browser().metricPane(), "Time"), QString(kUndefined));
    QTest::keyClick(&window, Qt::Key_H, Qt::ControlModifier);
    EXPECT_EQ(browser().callPane()->current().data(), "main");
}
