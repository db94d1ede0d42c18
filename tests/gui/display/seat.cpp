// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/display/seat.h"

#include <xcb/xcb.h>
#include <xcb/xtest.h>

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <QWindow>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "gui/views/detail_views.h"

namespace holos::gui::testing {

namespace {

constexpr std::chrono::seconds kHang{60};
constexpr unsigned kControl = 0xffe3;
constexpr unsigned kShift = 0xffe1;
constexpr std::uint16_t kDeviceButtonRelease = 5;  ///< of the extension XInput
constexpr std::uint16_t kDeviceMotion = 6;
constexpr int kDragSteps = 3;

/// Of the X server, for what has no letter.
unsigned symbolOf(Qt::Key key) {
    switch (key) {
        case Qt::Key_Left:
            return 0xff51;
        case Qt::Key_Up:
            return 0xff52;
        case Qt::Key_Right:
            return 0xff53;
        case Qt::Key_Down:
            return 0xff54;
        case Qt::Key_PageUp:
            return 0xff55;
        case Qt::Key_PageDown:
            return 0xff56;
        case Qt::Key_Home:
            return 0xff50;
        case Qt::Key_End:
            return 0xff57;
        case Qt::Key_Backspace:
            return 0xff08;
        case Qt::Key_Return:
            return 0xff0d;
        case Qt::Key_Escape:
            return 0xff1b;
        case Qt::Key_Tab:
            return 0xff09;
        default:
            return key >= Qt::Key_A && key <= Qt::Key_Z ? static_cast<unsigned>(key - Qt::Key_A + 'a')
                                                        : static_cast<unsigned>(key);
    }
}

/// How long something has been waited for. Who waits for events is woken when that is too long.
class Patience {
  public:
    Patience() {
        begin_.start();
        alarm_.start(kHang);
    }
    void check(const char* problem) const {
        if (begin_.hasExpired(std::chrono::milliseconds(kHang).count())) throw std::runtime_error(problem);
    }

  private:
    QElapsedTimer begin_;
    QTimer alarm_;
};

bool hasTimer(const QObject* object) {
    auto* dispatcher = QAbstractEventDispatcher::instance();
    return !dispatcher->registeredTimers(const_cast<QObject*>(object)).isEmpty();
}

/// The button that clears the text comes and goes little by little.
bool isFading(const QLineEdit& edit) {
    for (const QToolButton* button : edit.findChildren<QToolButton*>())
        if (button->isVisible() && button->property("opacity").isValid() &&
            button->property("opacity").toDouble() != (edit.text().isEmpty() ? 0.0 : 1.0))
            return true;
    return false;
}

/// True while something will be shown without that anybody does anything: a window is to be painted, a timer
/// runs, a trace is read.
bool isPending() {
    for (const QWidget* window : QApplication::topLevelWidgets()) {
        if (!window->isVisible()) continue;
        if (hasTimer(window) || (window->windowHandle() != nullptr && hasTimer(window->windowHandle())))
            return true;
        for (const QObject* part : window->findChildren<QObject*>())
            if (hasTimer(part)) return true;
        for (const QLineEdit* edit : window->findChildren<QLineEdit*>())
            if (isFading(*edit)) return true;
        for (const DetailViews* details : window->findChildren<DetailViews*>())
            if (details->isBusy()) return true;
    }
    return false;
}

/// The server answers when it has done all that it was asked for before.
void awaitPainting() {
    auto* connection = qApp->nativeInterface<QNativeInterface::QX11Application>()->connection();
    std::free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nullptr));
}

}  // namespace

Seat::Seat() : connection_(xcb_connect(nullptr, nullptr)) {
    if (xcb_connection_has_error(connection_) != 0) throw std::runtime_error("the display is gone");
    root_ = xcb_setup_roots_iterator(xcb_get_setup(connection_)).data->root;
    readKeyboard();
    qApp->installNativeEventFilter(this);
}

Seat::~Seat() {
    qApp->removeNativeEventFilter(this);
    xcb_disconnect(connection_);
}

void Seat::readKeyboard() {
    const xcb_setup_t* setup = xcb_get_setup(connection_);
    const int first = setup->min_keycode;
    const int number = setup->max_keycode - first + 1;
    const auto cookie = xcb_get_keyboard_mapping(connection_, static_cast<xcb_keycode_t>(first),
                                                 static_cast<std::uint8_t>(number));
    const std::unique_ptr<xcb_get_keyboard_mapping_reply_t, decltype(&std::free)> reply(
        xcb_get_keyboard_mapping_reply(connection_, cookie, nullptr), &std::free);
    if (!reply) throw std::runtime_error("the display has no keyboard");
    const xcb_keysym_t* symbols = xcb_get_keyboard_mapping_keysyms(reply.get());
    const int each = reply->keysyms_per_keycode;
    for (int code = 0; code < number; ++code)
        for (const bool shifted : {false, true}) {
            if (shifted && each < 2) continue;
            const xcb_keysym_t symbol = symbols[code * each + (shifted ? 1 : 0)];
            keys_.try_emplace(symbol, Key{static_cast<unsigned char>(first + code), shifted});
        }
}

bool Seat::nativeEventFilter(const QByteArray&, void* message, qintptr*) {
    const auto* event = static_cast<const xcb_generic_event_t*>(message);
    switch (event->response_type & 0x7f) {
        case XCB_KEY_RELEASE:
            ++arrived_[KeyStroke];
            break;
        case XCB_GE_GENERIC: {
            const auto kind = static_cast<const xcb_ge_generic_event_t*>(message)->event_type;
            if (kind == kDeviceButtonRelease) ++arrived_[Button];
            if (kind == kDeviceMotion) ++arrived_[Motion];
            break;
        }
        case XCB_CLIENT_MESSAGE:
            if (static_cast<const xcb_client_message_event_t*>(message)->type != XCB_ATOM_CUT_BUFFER7) break;
            ++arrived_[Marker];
            return true;
        default:
            break;
    }
    return false;
}

void Seat::fake(unsigned char type, unsigned char detail, QPoint place) {
    xcb_test_fake_input(connection_, type, detail, XCB_CURRENT_TIME, root_,
                        static_cast<std::int16_t>(place.x()), static_cast<std::int16_t>(place.y()), 0);
    xcb_flush(connection_);
}

void Seat::await(Kind kind, int before) {
    const Patience patience;
    while (arrived_[kind] <= before) {
        patience.check("an event has never arrived");
        QApplication::processEvents();
        if (arrived_[kind] <= before)
            QAbstractEventDispatcher::instance()->processEvents(QEventLoop::WaitForMoreEvents);
    }
}

/// A message of the application to itself comes after everything that was sent before.
void Seat::drain() {
    const QWidget* window = nullptr;
    for (const QWidget* candidate : QApplication::topLevelWidgets())
        if (candidate->isVisible()) window = candidate;
    if (window == nullptr) return;
    auto* connection = qApp->nativeInterface<QNativeInterface::QX11Application>()->connection();
    xcb_client_message_event_t message{};
    message.response_type = XCB_CLIENT_MESSAGE;
    message.format = 32;
    message.window = static_cast<xcb_window_t>(window->winId());
    message.type = XCB_ATOM_CUT_BUFFER7;
    const int before = arrived_[Marker];
    xcb_send_event(connection, 0, message.window, 0, reinterpret_cast<const char*>(&message));
    xcb_flush(connection);
    await(Marker, before);
}

void Seat::settle() {
    const Patience patience;
    auto* dispatcher = QAbstractEventDispatcher::instance();
    for (;;) {
        drain();
        while (dispatcher->processEvents(QEventLoop::AllEvents)) {
        }
        if (!isPending()) return awaitPainting();
        patience.check("the window never comes to rest");
        dispatcher->processEvents(QEventLoop::WaitForMoreEvents);
    }
}

void Seat::move(const QWidget* widget, QPoint place) {
    const QPoint there = widget->mapToGlobal(place);
    if (there == place_) return;
    const int before = arrived_[Motion];
    fake(XCB_MOTION_NOTIFY, 0, place_ = there);
    await(Motion, before);
}

void Seat::hold(Qt::KeyboardModifiers keys, bool down) {
    const unsigned char type = down ? XCB_KEY_PRESS : XCB_KEY_RELEASE;
    if (keys & Qt::ControlModifier) fake(type, keys_[kControl].code);
    if (keys & Qt::ShiftModifier) fake(type, keys_[kShift].code);
}

void Seat::button(unsigned char number) {
    const int before = arrived_[Button];
    fake(XCB_BUTTON_PRESS, number);
    fake(XCB_BUTTON_RELEASE, number);
    await(Button, before);
}

void Seat::click(const QWidget* widget, QPoint place, Qt::KeyboardModifiers held) {
    move(widget, place);
    hold(held, true);
    button(XCB_BUTTON_INDEX_1);
    hold(held, false);
    settle();
}

void Seat::drag(const QWidget* widget, QPoint from, QPoint to) {
    move(widget, from);
    const int before = arrived_[Button];
    fake(XCB_BUTTON_PRESS, XCB_BUTTON_INDEX_1);
    for (int step = 1; step <= kDragSteps; ++step) {
        const QPoint there = widget->mapToGlobal(from + (to - from) * step / kDragSteps);
        if (there != place_) fake(XCB_MOTION_NOTIFY, 0, place_ = there);
    }
    fake(XCB_BUTTON_RELEASE, XCB_BUTTON_INDEX_1);
    await(Button, before);
    settle();
}

void Seat::wheel(const QWidget* widget, QPoint place, int steps, Qt::KeyboardModifiers held) {
    move(widget, place);
    hold(held, true);
    for (int step = 0; step < std::abs(steps); ++step)
        button(steps > 0 ? XCB_BUTTON_INDEX_4 : XCB_BUTTON_INDEX_5);
    hold(held, false);
    settle();
}

void Seat::stroke(const Key& key) {
    const int before = arrived_[KeyStroke];
    fake(XCB_KEY_PRESS, key.code);
    fake(XCB_KEY_RELEASE, key.code);
    await(KeyStroke, before);
}

void Seat::press(Qt::Key key, Qt::KeyboardModifiers held) {
    const auto known = keys_.find(symbolOf(key));
    if (known == keys_.end()) throw std::runtime_error("the keyboard lacks a key");
    if (known->second.shifted) held |= Qt::ShiftModifier;
    hold(held, true);
    stroke(known->second);
    hold(held, false);
    settle();
}

void Seat::type(const QString& text) {
    for (const QChar letter : text) press(static_cast<Qt::Key>(letter.toUpper().unicode()));
}

}  // namespace holos::gui::testing
