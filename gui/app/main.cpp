// SPDX-License-Identifier: BSD-3-Clause
#include <QApplication>
#include <QIcon>
#include <cstdio>

#include "base/error.h"
#include "gui/app/main_window.h"
#include "gui/app/options.h"
#include "gui/experiments/loader.h"
#include "gui/experiments/open_experiments.h"
#include "gui/views/browser.h"
#include "gui/views/pictures.h"

using namespace holos::gui;

namespace {

constexpr int kFailure = 1;
constexpr QSize kPictureSize(1280, 800);

bool isSet(const char* variable) {
    return !qEnvironmentVariableIsEmpty(variable);
}

/// The platform that draws without a display warns of what does not matter to a picture.
void onlyTrouble(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtCriticalMsg || type == QtFatalMsg)
        std::fprintf(stderr, "holos: %s\n", qUtf8Printable(message));
}

/// A picture shows all values, also those that take long to read. What is drawn asks for them.
void waitForValues(MainWindow& window) {
    do {
        while (window.browser() != nullptr && window.browser()->isReading())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        drawWindow(window);
    } while (window.browser() != nullptr && window.browser()->isReading());
}

int takeScreenshot(const Options& options) {
    MainWindow window;
    window.resize(options.size.value_or(kPictureSize));
    for (const QString& path : options.files)
        for (const QString& file : experimentFiles(path)) window.show(file, loadExperiment(file));
    window.experiments().activate(0);
    window.show();
    bool isShown = false;
    showPartOf(window, options, [&isShown] { isShown = true; });
    while (!isShown) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    if (options.state && ofOneRun(window.browser()->filter()) != ofOneRun(options.state->filter))
        throw holos::Error(window.message().toStdString());
    if (!options.sayWhatIsSeen()) window.experiments().beginLooking();
    applyOptions(window, options);
    waitForValues(window);
    writeView(window, options.screenshot);
    return 0;
}

/// The options apply when the experiments are there.
int browse(const Options& options) {
    MainWindow window;
    if (options.size) window.resize(*options.size);
    window.setMode(options.mode);
    window.show();
    QObject::connect(
        &window, &MainWindow::allOpened, &window,
        [&window, &options] {
            window.experiments().setBeginsLooking(true);
            showPartOf(window, options, [&window, &options] {
                if (window.browser() == nullptr) return;
                try {
                    applyOptions(window, options);
                } catch (const holos::Error& error) {
                    window.setMessage(QString::fromUtf8(error.what()));
                }
            });
        },
        Qt::SingleShotConnection);
    QObject::connect(qApp, &QCoreApplication::aboutToQuit, &window, [] { endConnections(); });
    window.experiments().setBeginsLooking(!options.sayWhatIsSeen());
    if (!options.files.isEmpty() || options.watched.isEmpty()) window.open(options.files);
    if (!options.watched.isEmpty()) window.watch(options.watched);
    return QApplication::exec();
}

int runBrowser(int argc, char** argv, const Options& options) {
    const bool display = isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM");
    if (!display && options.screenshot.isEmpty())
        throw holos::Error(
            "no display: DISPLAY and WAYLAND_DISPLAY are not set; 'holos serve' shows the same in a web "
            "browser, and --screenshot works without a display");
    if (!display) qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!options.screenshot.isEmpty()) qInstallMessageHandler(onlyTrouble);
    QApplication application(argc, argv);
    QApplication::setApplicationName(u"Holos"_qs);
    // A picture shows what the command line asks for, whatever was looked at before.
    if (options.screenshot.isEmpty()) QApplication::setOrganizationName(u"Holos"_qs);
    QApplication::setApplicationVersion(QStringLiteral(HOLOS_VERSION));
    QGuiApplication::setDesktopFileName(u"holos-view"_qs);
    QApplication::setWindowIcon(QIcon::fromTheme(u"holos-view"_qs));
    applyTheme(options.theme);
    return options.screenshot.isEmpty() ? browse(options) : takeScreenshot(options);
}

int end(const Ending& ending) {
    std::fputs(qUtf8Printable(ending.text), ending.code == 0 ? stdout : stderr);
    return ending.code;
}

}  // namespace

int main(int argc, char** argv) {
    QStringList arguments;
    for (int at = 0; at < argc; ++at) arguments << QString::fromLocal8Bit(argv[at]);
    const auto parsed = parseOptions(arguments);
    if (const auto* ending = std::get_if<Ending>(&parsed)) return end(*ending);
    try {
        return runBrowser(argc, argv, std::get<Options>(parsed));
    } catch (const holos::Error& error) {
        return end({u"holos: %1\n"_qs.arg(QString::fromUtf8(error.what())), kFailure});
    } catch (const std::bad_alloc&) {
        return end({u"holos: out of memory\n"_qs, kFailure});
    }
}
