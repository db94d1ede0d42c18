// SPDX-License-Identifier: BSD-3-Clause
// The communication matrix: cells, sums of neighbours, what a click selects.
#include <QComboBox>
#include <QTest>

#include "gui/app/main_window.h"
#include "gui/models/communication.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/details/communication_pane.h"
#include "gui/views/pictures.h"
#include "gui/views/system_views.h"
#include "gui/views/trees/tree_pane.h"
#include "tests/gui/sample_experiment.h"

using namespace holos::gui;
using namespace holos::algebra;

namespace {

Experiment with(const std::vector<Traffic>& traffic) {
    Experiment experiment = holos::gui::testing::sampleExperiment();
    experiment.files[kCommunicationFile] = communicationText(traffic);
    return experiment;
}

/// Rank 0 sends 3 messages of 30 bytes, for which rank 1 waits 2 s; rank 1 answers with one of 10.
Experiment talking() {
    return with({{ProcessId(0), ProcessId(1), 3, 30, 2, 0}, {ProcessId(1), ProcessId(0), 1, 10, 0, 0.5}});
}

/// A ring of processes, each of which sends a byte to the next one.
Experiment ring(std::size_t size) {
    Experiment experiment = holos::gui::testing::sampleExperiment();
    experiment.system.processes.resize(size, experiment.system.processes.front());
    std::vector<Traffic> traffic;
    for (std::size_t rank = 0; rank < size; ++rank) {
        experiment.system.processes[rank].name = "R" + std::to_string(rank);
        traffic.push_back({ProcessId(rank), ProcessId((rank + 1) % size), 1, 1, 0, 0});
    }
    experiment.files[kCommunicationFile] = communicationText(traffic);
    return experiment;
}

}  // namespace

TEST(CommunicationMatrix, has_a_cell_for_each_pair_and_every_quantity) {
    const Experiment experiment = talking();
    CommunicationMatrix matrix(experiment);
    matrix.update(TrafficQuantity::Bytes, 100);
    EXPECT_EQ(matrix.size(), 2);
    EXPECT_EQ(matrix.at(0, 1), 30);
    EXPECT_EQ(matrix.at(0, 0), 0);
    EXPECT_DOUBLE_EQ(matrix.share(1, 0), 1.0 / 3);
    EXPECT_EQ(matrix.total(), 40);
    matrix.update(TrafficQuantity::Messages, 100);
    EXPECT_EQ(matrix.at(0, 1), 3);
    matrix.update(TrafficQuantity::LateSender, 100);
    EXPECT_EQ(matrix.at(0, 1), 2);
    matrix.update(TrafficQuantity::LateReceiver, 100);
    EXPECT_EQ(matrix.at(1, 0), 0.5);
    EXPECT_FALSE(matrix.isSigned());
}

TEST(CommunicationMatrix, adds_neighbours_where_there_is_no_room) {
    const Experiment experiment = ring(10);
    CommunicationMatrix matrix(experiment);
    matrix.update(TrafficQuantity::Messages, 3);  // ranks 0 to 3, 4 to 7, 8 and 9
    EXPECT_EQ(matrix.size(), 3);
    EXPECT_EQ(matrix.at(0, 0), 3);
    EXPECT_EQ(matrix.at(0, 1), 1);
    EXPECT_EQ(matrix.at(2, 2), 1);
    EXPECT_EQ(matrix.at(2, 0), 1);
    EXPECT_EQ(matrix.total(), 10);
    EXPECT_EQ(matrix.namesOf(2), u"R8 … R9"_qs);
    EXPECT_EQ(matrix.cellOf(ProcessId(8)), 2);
    matrix.update(TrafficQuantity::Messages, 0);
    EXPECT_EQ(matrix.size(), 1);
}

TEST(CommunicationMatrix, of_65536_processes_stays_small) {
    const Experiment experiment = ring(65536);
    CommunicationMatrix matrix(experiment);
    matrix.update(TrafficQuantity::Bytes, 500);
    EXPECT_LE(matrix.size(), 500);
    EXPECT_EQ(matrix.total(), 65536);
}

TEST(CommunicationMatrix, of_a_difference_is_signed) {
    const Experiment experiment =
        with({{ProcessId(0), ProcessId(1), 1, -30, 0, 0}, {ProcessId(1), ProcessId(0), 1, 10, 0, 0}});
    CommunicationMatrix matrix(experiment);
    matrix.update(TrafficQuantity::Bytes, 100);
    EXPECT_TRUE(matrix.isSigned());
    EXPECT_DOUBLE_EQ(matrix.share(0, 1), -1.0);
    EXPECT_EQ(matrix.largest(), 30);
}

TEST(CommunicationMatrix, table_has_every_pair) {
    const Experiment experiment = talking();
    EXPECT_EQ(CommunicationMatrix(experiment).asCsv(),
              "sender,receiver,messages,bytes,late_sender,late_receiver,bytes_put,bytes_got\n"
              "MPI Rank 0,MPI Rank 1,3,30,2,0,0,0\nMPI Rank 1,MPI Rank 0,1,10,0,0.5,0,0\n");
}

TEST(CommunicationMatrix, one_sided_operations_are_shown_first_where_there_are_no_messages) {
    const Experiment experiment = with({{ProcessId(1), ProcessId(0), 0, 0, 0, 0, 0, 12}});
    CommunicationMatrix matrix(experiment);
    EXPECT_EQ(matrix.firstQuantity(), TrafficQuantity::Got);
    matrix.update(TrafficQuantity::Got, 100);
    EXPECT_EQ(matrix.at(1, 0), 12);
    EXPECT_EQ(matrix.format().unit(), "B");
    matrix.update(TrafficQuantity::Put, 100);
    EXPECT_EQ(matrix.total(), 0);
}

TEST(CommunicationPane, click_selects_the_receiver_and_the_selection_is_followed) {
    MainWindow window;
    window.resize(1000, 700);
    window.show("talking.cubex", std::make_shared<const Experiment>(talking()));
    window.show();
    QApplication::processEvents();
    QTest::keyClick(&window, Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    QApplication::processEvents();
    QApplication::processEvents();
    Browser& browser = *window.browser();
    CommunicationPane* pane = browser.details()->communication();
    EXPECT_EQ(browser.details()->opened(), "communication");
    EXPECT_EQ(pane->message(), "40 B between all processes");
    EXPECT_EQ(pane->matrix().textOf(1.0), "1 B");
    pane->quantities()->setCurrentIndex(1);
    EXPECT_EQ(pane->matrix().textOf(1.0), "1 message");
    EXPECT_EQ(pane->matrix().textOf(2.0), "2 messages");
    pane->quantities()->setCurrentIndex(2);
    EXPECT_EQ(pane->matrix().at(0, 1), 2);
    QTest::mouseMove(pane->view(), pane->view()->cellRect(0, 1).center().toPoint());
    QTest::mouseClick(pane->view(), Qt::LeftButton, {}, pane->view()->cellRect(0, 1).center().toPoint());
    EXPECT_EQ(browser.systemPane()->current().data(), "Master thread");
    EXPECT_EQ(browser.systemPane()->current().parent().data(), "MPI Rank 1");
    QApplication::processEvents();
    QTest::keyClick(pane->view(), Qt::Key_Up);
    EXPECT_EQ(browser.systemPane()->current().parent().data(), "MPI Rank 0");
    QApplication::processEvents();
    QTest::keyClick(pane->view(), Qt::Key_Up);  // there is nobody above
    EXPECT_EQ(browser.systemPane()->current().parent().data(), "MPI Rank 0");
    pane->view()->setFocus();
    EXPECT_TRUE(browser.activeTable().startsWith("sender,receiver"));
    EXPECT_FALSE(drawWindow(window).isNull());
}

TEST(CommunicationPane, experiment_that_does_not_know_says_so) {
    MainWindow window;
    window.show("sample.cubex", std::make_shared<const Experiment>(holos::gui::testing::sampleExperiment()));
    window.show();
    QApplication::processEvents();
    QTest::keyClick(&window, Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_FALSE(drawWindow(window).isNull());
    EXPECT_TRUE(
        window.browser()->details()->communication()->message().startsWith("This experiment does not"));
}
