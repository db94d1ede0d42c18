// SPDX-License-Identifier: BSD-3-Clause
// `holos view` as a user starts it, without a display.
#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>

#include "algebra/files/cubex.h"
#include "analyzer/analyze.h"
#include "tests/gui/sample_experiment.h"
#include "tests/support/trace_builder.h"

namespace {

struct Result {
    int code = -1;
    QString errors;
};

Result view(const QStringList& words) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) environment.remove(name);
    process.setProcessEnvironment(environment);
    process.start(HOLOS_PROGRAM, QStringList{"view"} + words);
    EXPECT_TRUE(process.waitForFinished(60000));
    EXPECT_EQ(process.exitStatus(), QProcess::NormalExit);
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardError())};
}

class ViewCommand : public ::testing::Test {
  protected:
    QTemporaryDir folder;
    QString picture = folder.filePath("picture.png");
    QString experiment = folder.filePath("sample.cubex");

    void SetUp() override {
        holos::algebra::writeCubex(holos::gui::testing::sampleExperiment(), experiment.toStdString());
    }
};

}  // namespace

TEST_F(ViewCommand, screenshot_without_a_display_is_written) {
    const Result result = view({experiment, "--screenshot", picture, "--size", "800x450", "--select",
                                "Late Sender", "--expand-hottest", "--mode", "percent"});
    EXPECT_EQ(result.code, 0) << result.errors.toStdString();
    EXPECT_EQ(QImage(picture).size(), QSize(800, 450));
}

/// As a window does that shows the experiment for the first time.
TEST_F(ViewCommand, screenshot_begins_with_the_summary_unless_options_say_what_is_seen) {
    const auto taken = [this](const QStringList& options) {
        const Result result = view(QStringList{experiment, "--screenshot", picture} + options);
        EXPECT_EQ(result.code, 0) << result.errors.toStdString();
        return QImage(picture);
    };
    const QImage first = taken({});
    EXPECT_EQ(first, taken({"--detail", "summary"}));
    EXPECT_NE(first, taken({"--state", "metric=time"}));
}

TEST_F(ViewCommand, experiment_on_another_machine_is_shown) {
    QFile ssh(folder.filePath("ssh"));
    ASSERT_TRUE(ssh.open(QIODevice::WriteOnly));
    ssh.write("#!/bin/sh\nwhile [ $1 != -- ]; do shift; done\nexec sh -c \"exec $3\"\n");
    ssh.close();
    ssh.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", folder.path().toLocal8Bit() + ':' + path);
    const Result result = view({"me@login1:" + experiment, "--there", HOLOS_PROGRAM, "--size", "800x450",
                                "--expand-hottest", "--screenshot", picture});
    qputenv("PATH", path);
    EXPECT_EQ(result.code, 0) << result.errors.toStdString();
    EXPECT_EQ(QImage(picture).size(), QSize(800, 450));
}

TEST_F(ViewCommand, missing_file_is_named_and_leaves_no_picture) {
    const Result result = view({folder.filePath("missing.cubex"), "--screenshot", picture});
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(result.errors.contains("missing.cubex")) << result.errors.toStdString();
    EXPECT_FALSE(QFile::exists(picture));
}

TEST_F(ViewCommand, truncated_file_is_named_and_leaves_no_picture) {
    QFile file(experiment);
    ASSERT_TRUE(file.resize(700));
    const Result result = view({experiment, "--screenshot", picture});
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(result.errors.contains("sample.cubex")) << result.errors.toStdString();
    EXPECT_FALSE(QFile::exists(picture));
}

TEST_F(ViewCommand, unknown_metric_is_an_error) {
    const Result result = view({experiment, "--screenshot", picture, "--select", "nothing"});
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(result.errors.contains("nothing")) << result.errors.toStdString();
    EXPECT_FALSE(QFile::exists(picture));
}

TEST_F(ViewCommand, screenshot_of_a_range_shows_the_range) {
    holos::testing::TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(25, 26, {.peer = 1}).leave(50);
    trace.on(1).enter(0, "main").recv(20, 27, {.peer = 0}).leave(50);
    trace.write(folder.path().toStdString());
    holos::algebra::writeCubex(holos::analyzer::analyze(folder.path().toStdString()).experiment,
                               experiment.toStdString());
    QImage last;
    for (const char* state :
         {"metric=time", "range=0.02:0.024,metric=time", "range=0.02:0.022,metric=time"}) {
        const Result result = view({experiment, "--screenshot", picture, "--state", state});
        EXPECT_EQ(result.code, 0) << result.errors.toStdString();
        EXPECT_NE(QImage(picture), last) << state;
        last = QImage(picture);
    }
}

TEST_F(ViewCommand, range_without_a_trace_is_an_error_and_leaves_no_picture) {
    const Result result =
        view({experiment, "--screenshot", picture, "--state", "range=0.02:0.024,metric=time"});
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(result.errors.contains("0.02 s to 0.024 s cannot be shown alone"))
        << result.errors.toStdString();
    EXPECT_FALSE(QFile::exists(picture));
}

TEST_F(ViewCommand, wrong_usage_ends_with_2) {
    EXPECT_EQ(view({experiment, "--mode", "some"}).code, 2);
    EXPECT_EQ(view({experiment, "--size", "1"}).code, 2);
}

TEST_F(ViewCommand, no_display_and_no_screenshot_says_so) {
    const Result result = view({experiment});
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(result.errors.contains("display")) << result.errors.toStdString();
}
