// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/classification.h"

#include <gtest/gtest.h>

namespace holos::analyzer::trace {
namespace {

Region region(const char* name, Paradigm paradigm, Role role) {
    Region result;
    result.name = name;
    result.paradigm = paradigm;
    result.role = role;
    return result;
}

TEST(Classification, mpiWithoutParadigmAndRole_isKnownByName) {
    const RegionClass send = classify(region("MPI_Send", Paradigm::Unknown, Role::Unknown));
    EXPECT_TRUE(send.has(TimeClass::Mpi));
    EXPECT_TRUE(send.has(TimeClass::MpiPointToPoint));
    EXPECT_EQ(send.call, CallKind::Send);
}

TEST(Classification, fortranName_isTheSameFunction) {
    EXPECT_EQ(classify(region("mpi_waitall_", Paradigm::Unknown, Role::Unknown)).call, CallKind::WaitSeveral);
    EXPECT_EQ(classify(region("mpi_init__", Paradigm::Mpi, Role::Function)).special, Special::MpiInit);
}

TEST(Classification, roleOfTheWriter_countsMoreThanTheName) {
    const RegionClass odd = classify(region("MPI_Send", Paradigm::Mpi, Role::Barrier));
    EXPECT_TRUE(odd.has(TimeClass::MpiSyncCollective));
    EXPECT_FALSE(odd.has(TimeClass::MpiPointToPoint));
}

TEST(Classification, completionOfRequests_isPointToPointWhateverItsRole) {
    for (const char* name :
         {"MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome", "MPI_Test", "MPI_Testsome"})
        EXPECT_TRUE(classify(region(name, Paradigm::Mpi, Role::Function)).has(TimeClass::MpiPointToPoint))
            << name;
    EXPECT_FALSE(classify(region("MPI_Test_cancelled", Paradigm::Mpi, Role::Function))
                     .has(TimeClass::MpiPointToPoint));
}

TEST(Classification, fileOperations_areIndividualOrCollective) {
    EXPECT_TRUE(
        classify(region("MPI_File_iread_at", Paradigm::Mpi, Role::FileIo)).has(TimeClass::MpiIoIndividual));
    EXPECT_TRUE(classify(region("MPI_File_write_at_all_begin", Paradigm::Mpi, Role::FileIo))
                    .has(TimeClass::MpiIoCollective));
    EXPECT_TRUE(classify(region("MPI_File_open", Paradigm::Mpi, Role::FileIo)).has(TimeClass::MpiFiles));
}

TEST(Classification, openMpBarriers_explicitAndImplicitByRole) {
    EXPECT_EQ(classify(region("x", Paradigm::OpenMp, Role::Barrier)).special, Special::ExplicitBarrier);
    EXPECT_EQ(classify(region("x", Paradigm::OpenMp, Role::ImplicitBarrier)).special,
              Special::ImplicitBarrier);
    EXPECT_EQ(classify(region("!$omp ibarrier @a.c:1", Paradigm::Unknown, Role::Unknown)).special,
              Special::ImplicitBarrier);
}

TEST(Classification, userFunctionNamedLikeNothing_hasNoClass) {
    const RegionClass plain = classify(region("compute", Paradigm::User, Role::Function));
    EXPECT_EQ(plain.timeClasses, 0U);
    EXPECT_EQ(plain.call, CallKind::NotMpi);
    EXPECT_EQ(plain.special, Special::None);
}

}  // namespace
}  // namespace holos::analyzer::trace
