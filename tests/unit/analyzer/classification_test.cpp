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

// MPI 4.0, chapter 14: all processes that opened the file call these together, or one alone does.
TEST(Classification, fileManagement_collectiveAsTheStandardSays) {
    const auto ofFile = [](const std::string& name) {
        return classify(region(("MPI_File_" + name).c_str(), Paradigm::Mpi, Role::FileIo));
    };
    for (const char* together : {"open", "close", "preallocate", "seek_shared", "set_atomicity", "set_info",
                                 "set_size", "set_view", "sync"}) {
        EXPECT_TRUE(ofFile(together).has(TimeClass::MpiFiles)) << together;
        EXPECT_TRUE(ofFile(together).has(TimeClass::MpiFileCollOp)) << together;
        EXPECT_FALSE(ofFile(together).has(TimeClass::MpiFileOp)) << together;
    }
    for (const char* alone :
         {"delete", "get_amode", "get_atomicity", "get_byte_offset", "get_group", "get_info", "get_position",
          "get_position_shared", "get_size", "get_type_extent", "get_view", "seek"}) {
        EXPECT_TRUE(ofFile(alone).has(TimeClass::MpiFiles)) << alone;
        EXPECT_TRUE(ofFile(alone).has(TimeClass::MpiFileOp)) << alone;
        EXPECT_FALSE(ofFile(alone).has(TimeClass::MpiFileCollOp)) << alone;
    }
}

TEST(Classification, errorHandlers_areMpiAndManageNothing) {
    for (const std::string object : {"Comm", "Win", "File"})
        for (const char* function :
             {"set_errhandler", "get_errhandler", "create_errhandler", "call_errhandler"}) {
            const std::string name = "MPI_" + object + '_' + function;
            const RegionClass found = classify(region(name.c_str(), Paradigm::Mpi, Role::Function));
            EXPECT_TRUE(found.has(TimeClass::Mpi)) << name;
            for (const TimeClass other :
                 {TimeClass::MpiCommunicators, TimeClass::MpiWindows, TimeClass::MpiFiles,
                  TimeClass::MpiFileOp, TimeClass::MpiFileCollOp})
                EXPECT_FALSE(found.has(other)) << name;
        }
}

TEST(Classification, openMpBarriers_explicitAndImplicitByRole) {
    EXPECT_EQ(classify(region("x", Paradigm::OpenMp, Role::Barrier)).special, Special::ExplicitBarrier);
    EXPECT_EQ(classify(region("x", Paradigm::OpenMp, Role::ImplicitBarrier)).special,
              Special::ImplicitBarrier);
    EXPECT_EQ(classify(region("!$omp ibarrier @a.c:1", Paradigm::Unknown, Role::Unknown)).special,
              Special::ImplicitBarrier);
}

TEST(Classification, writerThatCallsEveryMpiRegionAFunction_isKnownByNames) {
    Definitions definitions;
    for (const char* name : {"MPI_Send", "MPI_Iallreduce", "MPI_Ibarrier", "MPI_Accumulate",
                             "MPI Collective Sync", "MPI_Comm_rank"})
        definitions.regions.push_back(region(name, Paradigm::Mpi, Role::Function));
    const std::vector<RegionClass> classes = classifyRegions(definitions);
    EXPECT_TRUE(classes[0].has(TimeClass::MpiPointToPoint));
    EXPECT_TRUE(classes[1].has(TimeClass::MpiCollective));
    EXPECT_TRUE(classes[2].has(TimeClass::MpiSyncCollective));
    EXPECT_TRUE(classes[3].has(TimeClass::MpiRmaAtomic));
    EXPECT_TRUE(classes[4].has(TimeClass::MpiCollective));
    EXPECT_EQ(classes[5].timeClasses, classify(definitions.regions[5]).timeClasses);
}

TEST(Classification, writerThatKnowsRoles_meansThatAFunctionIsNoMore) {
    Definitions definitions;
    definitions.regions = {region("MPI_Recv", Paradigm::Mpi, Role::PointToPoint),
                           region("MPI_Send", Paradigm::Mpi, Role::Function)};
    EXPECT_FALSE(classifyRegions(definitions)[1].has(TimeClass::MpiPointToPoint));
}

TEST(Classification, functionsOnFilesOutsideOfMpi_areAClassOfTheirOwn) {
    EXPECT_TRUE(classify(region("fopen", Paradigm::Other, Role::FileIo)).has(TimeClass::FileIo));
    EXPECT_FALSE(classify(region("MPI_File_open", Paradigm::Mpi, Role::FileIo)).has(TimeClass::FileIo));
}

TEST(Classification, pthreadFunctionsWithATime_waitAsThoseWithout) {
    const auto callOf = [](const char* name) {
        return classify(region(name, Paradigm::Pthread, Role::Wrapper)).call;
    };
    EXPECT_EQ(callOf("pthread_cond_clockwait"), CallKind::PthreadCondition);
    EXPECT_EQ(callOf("pthread_mutex_timedlock"), CallKind::PthreadMutex);
    EXPECT_EQ(callOf("pthread_mutex_unlock"), CallKind::NotMpi);
    EXPECT_EQ(callOf("mtx_timedlock"), CallKind::PthreadMutex);
    EXPECT_EQ(callOf("cnd_wait"), CallKind::PthreadCondition);
    EXPECT_EQ(callOf("pthread_rwlock_timedrdlock"), CallKind::PthreadShared);
    EXPECT_EQ(callOf("pthread_barrier_wait"), CallKind::PthreadBarrier);
    EXPECT_EQ(callOf("pthread_timedjoin_np"), CallKind::PthreadJoin);
    EXPECT_EQ(callOf("thrd_join"), CallKind::PthreadJoin);
    EXPECT_EQ(callOf("thrd_create"), CallKind::NotMpi);
    EXPECT_EQ(callOf("pthread_spin_lock"), CallKind::PthreadMutex);
    EXPECT_EQ(callOf("pthread_spin_unlock"), CallKind::NotMpi);
}

TEST(RegionNames, callOfMpiWithParentheses_isItsFunction) {
    Region send = region("MPI_Send()", Paradigm::Mpi, Role::Function);
    separateName(send);
    EXPECT_EQ(send.name, "MPI_Send");
    Region signature = region("int MPI_Send(const void*, int)", Paradigm::Mpi, Role::Function);
    separateName(signature);
    EXPECT_EQ(signature.name, "MPI_Send");
    Region user = region("f()", Paradigm::User, Role::Function);
    separateName(user);
    EXPECT_EQ(user.name, "f()");
}

TEST(RegionNames, placeBehindTheName_isFileAndLines) {
    Region user = region("int f(int) C [{a b.c} {3,1}-{19,1}]", Paradigm::User, Role::Function);
    separateName(user);
    EXPECT_EQ(user.name, "int f(int) C");
    EXPECT_EQ(user.file, "a b.c");
    EXPECT_EQ(user.beginLine, 3U);
    EXPECT_EQ(user.endLine, 19U);
}

TEST(RegionNames, placeWithOneLineOrNone_isWhatItSays) {
    Region line = region("f [{f.c} {7}]", Paradigm::User, Role::Function);
    separateName(line);
    EXPECT_EQ(line.name, "f");
    EXPECT_EQ(line.beginLine, 7U);
    EXPECT_EQ(line.endLine, 7U);
    Region torn = region("f [{f.c]", Paradigm::User, Role::Function);
    separateName(torn);
    EXPECT_EQ(torn.beginLine, 0U);
    Region known = region("f [{f.c} {7}]", Paradigm::User, Role::Function);
    known.file = "g.c";
    separateName(known);
    EXPECT_EQ(known.name, "f [{f.c} {7}]");
}

TEST(Classification, userFunctionNamedLikeNothing_hasNoClass) {
    const RegionClass plain = classify(region("compute", Paradigm::User, Role::Function));
    EXPECT_EQ(plain.timeClasses, 0U);
    EXPECT_EQ(plain.call, CallKind::NotMpi);
    EXPECT_EQ(plain.special, Special::None);
}

}  // namespace
}  // namespace holos::analyzer::trace
