// SPDX-License-Identifier: BSD-3-Clause
// Reports and databases of gprof, mpiP, Caliper, HPCToolkit, and trace events of PyTorch and others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <map>

#include "algebra/files/packed/compression.h"
#include "tests/unit/algebra/foreign_fixture.h"

namespace holos::algebra {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kGprof =
    "Flat profile:\n\nEach sample counts as 0.01 seconds.\n"
    "  %   cumulative   self              self     total           \n"
    " time   seconds   seconds    calls  ms/call  ms/call  name    \n"
    " 93.75      0.60     0.60    50000     0.01     0.01  dot(double const*, int)\n"
    "  6.25      0.64     0.04                             memcpy\n"
    "  0.00      0.64     0.00       50     0.00    12.82  work\n"
    "\f\n\t\t\tCall graph\n\n[1]    100.0    0.60    0.04   50000         dot [1]\n";

const std::string kMpip =
    "@ mpiP\n@ Command : ./bin/solver 100 \n@ Version                  : 3.4.1\n\n"
    "---------------------------------------------------------------------------\n"
    "@--- MPI Time (seconds) ---------------------------------------------------\n"
    "---------------------------------------------------------------------------\n"
    "Task    AppTime    MPITime     MPI%\n"
    "   0       20.5       9.5     46.34\n"
    "   1       20.5       17.5    85.37\n"
    "   *         41         27    65.85\n"
    "---------------------------------------------------------------------------\n"
    "@--- Callsites: 2 ---------------------------------------------------------\n"
    "---------------------------------------------------------------------------\n"
    " ID Lev File/Address        Line Parent_Funct             MPI_Call\n"
    "  1   0 solver.c              57 exchange                 Send\n"
    "  1   1 solver.c             120 main\n"
    "  2   0 0x405893                 [unknown]                Barrier\n"
    "---------------------------------------------------------------------------\n"
    "@--- Callsite Time statistics (all, milliseconds): 2 ----------------------\n"
    "---------------------------------------------------------------------------\n"
    "Name              Site Rank  Count      Max     Mean      Min   App%   MPI%\n"
    "Send                 1    0     10      318     100    0.013   3.08   4.42\n"
    "Send                 1    1     20      318     200    0.013   3.08   4.42\n"
    "Send                 1    *     30      318     166.667    0.013   3.08   4.42\n"
    "\n"
    "Barrier              2    0     4      318     500    0.013   3.08   4.42\n"
    "Barrier              2    *     6      318     1000    0.013   3.08   4.42\n"
    "---------------------------------------------------------------------------\n"
    "@--- Callsite Message Sent statistics (all, sent bytes) -------------------\n"
    "---------------------------------------------------------------------------\n"
    "Name              Site Rank   Count       Max      Mean       Min       Sum\n"
    "Send                 1    0      10         8         8         8        80\n"
    "Send                 1    1      20         8         8         8       160\n"
    "Send                 1    *      30         8         8         8       240\n"
    "---------------------------------------------------------------------------\n"
    "@--- End of Report --------------------------------------------------------\n"
    "---------------------------------------------------------------------------\n";

const std::string kCaliper =
    R"({"data": [[100.0, 500000.0, 7, 0, 1], [0, 250000.0, 1, 0, 0], [1, 5, 2, 1, null]],
"columns": ["inclusive#sum#time.duration", "sum#time.duration", "count", "mpi.rank", "path"],
"column_metadata": [{"is_value": true}, {"is_value": true}, {"is_value": true}, {"is_value": true}, {"is_value": false}],
"nodes": [{"label": "main", "column": "path"}, {"label": "solve", "column": "path", "parent": 0}]})";

const std::string kKineto =
    R"({"schemaVersion": 1, "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 47, "tid": 0, "args": {"name": "python"}},
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 47, "tid": 48, "ts": 1700000000000110, "dur": 20.5, "args": {"name": "no"}},
{"ph": "X", "cat": "user_annotation", "name": "step", "pid": 47, "tid": 48, "ts": 1700000000000100, "dur": 100},
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 47, "tid": 48, "ts": 1700000000000150, "dur": 10},
{"ph": "s", "id": 1, "pid": 47, "tid": 48, "ts": 1700000000000111, "name": "ac2g"},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": "GPU 0", "tid": "stream 7", "ts": 1700000000000120, "dur": 300},
{"ph": "B", "name": "wait", "pid": 47, "tid": 49, "ts": 1700000000000100},
{"ph": "E", "pid": 47, "tid": 49, "ts": 1700000000000130}]})";

class ForeignReports : public ForeignFixture {};

TEST_F(ForeignReports, gprof_hasTheProcessorTimeAndTheCallsOfEachFunction) {
    const Experiment experiment = read("gprof.txt", kGprof);
    EXPECT_EQ(experiment.callTree.size(), 3U);
    EXPECT_DOUBLE_EQ(at(experiment, "on_processors", "dot(double const*, int)"), 0.6);
    EXPECT_DOUBLE_EQ(at(experiment, "visits", "dot(double const*, int)"), 50000);
    EXPECT_DOUBLE_EQ(at(experiment, "on_processors", "memcpy"), 0.04);
    EXPECT_DOUBLE_EQ(total(experiment, "visits"), 50050);
    EXPECT_THAT(failureOf("g.txt", "Flat profile:\n\n time   seconds name\n main 3\n"),
                HasSubstr("g.txt:4: is no line of gprof's flat profile"));
    EXPECT_THAT(failureOf("g.txt", "\t\t     Call graph (explanation follows)\n"),
                HasSubstr("has no flat profile"));
}

TEST_F(ForeignReports, mpip_hasCallSitesByTask_andTheTimeOutsideOfMpi) {
    const Experiment experiment = read("solver.2.253.1.mpiP", kMpip);
    EXPECT_DOUBLE_EQ(at(experiment, "time", "solver"), 11 + 3);
    EXPECT_DOUBLE_EQ(at(experiment, "time", "solver/main/exchange/MPI_Send"), 1 + 4);
    EXPECT_DOUBLE_EQ(at(experiment, "visits", "solver/main/exchange/MPI_Send"), 30);
    EXPECT_DOUBLE_EQ(at(experiment, "bytes_sent", "solver/main/exchange/MPI_Send"), 240);
    EXPECT_DOUBLE_EQ(at(experiment, "time", "solver/0x405893/MPI_Barrier"), 6);
    EXPECT_DOUBLE_EQ(at(experiment, "visits", "solver/0x405893/MPI_Barrier"), 6);
    ASSERT_EQ(experiment.system.processes.size(), 3U);
    EXPECT_EQ(experiment.system.processes[1].rank, 1);
    EXPECT_EQ(experiment.system.processes[2].name, "tasks that are not listed");
    EXPECT_THAT(failureOf("m.mpiP", kMpip.substr(0, kMpip.find("@--- End"))), HasSubstr("was cut off"));
    EXPECT_THAT(failureOf("m.mpiP", "@ mpiP\n@--- Callsite Time statistics\nName\nSend 9 0 1 2 3 4 5 6\n"),
                HasSubstr("m.mpiP:4: call site 9 is not among the call sites"));
}

TEST_F(ForeignReports, caliper_hasItsRegionsByRank) {
    const Experiment experiment = read("profile.json", kCaliper);
    EXPECT_DOUBLE_EQ(at(experiment, "time", "main/solve"), 0.5);
    EXPECT_DOUBLE_EQ(at(experiment, "time", "main"), 0.25);
    EXPECT_DOUBLE_EQ(at(experiment, "count", "program"), 2);
    EXPECT_EQ(experiment.system.processes.size(), 2U);
    EXPECT_EQ(experiment.metrics.size(), 2U);
    EXPECT_THAT(failureOf("c.json", R"({"data": []})"), HasSubstr("has no list 'columns'"));
}

TEST_F(ForeignReports, caliperRecords_areWhatJsonSplitHas) {
    const std::string records =
        R"([{"path":"main/solve","sum#time.duration":500000.0,"inclusive#sum#time.duration":500000.0,"count":7,"mpi.rank":0},
{"path":"main","sum#time.duration":"250000","count":1,"mpi.rank":"1"},
{"count":2,"mpi.rank":1}])";
    for (const std::string& file : {records, R"({"records": )" + records + "}", gzip(records)}) {
        const Experiment experiment = read("profile.json", file);
        EXPECT_DOUBLE_EQ(at(experiment, "time", "main/solve"), 0.5);
        EXPECT_DOUBLE_EQ(at(experiment, "time", "main"), 0.25);
        EXPECT_DOUBLE_EQ(at(experiment, "count", "program"), 2);
        EXPECT_EQ(experiment.system.processes.size(), 2U);
        EXPECT_EQ(experiment.metrics.size(), 2U);
    }
}

TEST_F(ForeignReports, caliperTimes_areSecondsWhereTheUnitIsKnown) {
    const std::string records = R"({"records": [{"function":"main","time":2.5}], )";
    const Experiment known =
        read("profile.json", records + R"("attributes": {"time": {"attribute.unit": "sec"}}})");
    EXPECT_DOUBLE_EQ(at(known, "time", "main"), 2.5);
    const Experiment unknown = read("profile.json", records + R"("globals": {}})");
    EXPECT_DOUBLE_EQ(at(unknown, "time without a unit", "main"), 2.5);
}

/// One value of `main` by Caliper's json-split.
std::string caliperColumn(const std::string& name, const std::string& value) {
    return R"({"data": [[)" + value + R"(, 0]], "columns": [")" + name + R"(", "path"],
"column_metadata": [{"is_value": true}, {"is_value": false}], "nodes": [{"label": "main", "column": "path"}]})";
}

TEST_F(ForeignReports, caliperTimesThatAreTexts_areNumbers_orAnErrorWithTheColumn) {
    const auto record = [](const std::string& name, const std::string& value) {
        return R"([{"path": "main", ")" + name + R"(": )" + value + "}]";
    };
    const std::string time = "sum#time.duration";
    for (const std::string& file : {caliperColumn(time, R"("500000")"), record(time, R"("500000")")})
        EXPECT_DOUBLE_EQ(at(read("c.json", file), "time", "main"), 0.5);
    for (const std::string& file : {caliperColumn(time, R"("0.5 s")"), record(time, R"("0.5 s")")})
        EXPECT_THAT(failureOf("c.json", file),
                    HasSubstr("the column 'sum#time.duration' is a time, and one of its values is no number: "
                              "'0.5 s'"));
    for (const std::string& file : {caliperColumn("kernel", R"("dot")"), record("kernel", R"("dot")")})
        EXPECT_THAT(failureOf("c.json", file),
                    HasSubstr("has no column of numbers: 'kernel' has texts, such as 'dot'"));
    EXPECT_THAT(failureOf("c.json", R"([{"path": "main"}])"), HasSubstr("has no column of numbers; "));
}

TEST_F(ForeignReports, filesWithoutAnyValue_areErrors) {
    const std::map<std::string, std::string> empty{
        {"flat.txt",
         "Flat profile:\n\nEach sample counts as 0.01 seconds.\n no time accumulated\n\n"
         " time   seconds   seconds    calls  Ts/call  Ts/call  name\n"},
        {"run.mpiP", "@ mpiP\n@--- End of Report\n"},
        {"callgrind.out.1", "# callgrind format\nevents: Ir\n"},
        {"profile.0.0.0",
         "0 templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls #\n"
         "0 aggregates\n"}};
    for (const auto& [name, text] : empty) EXPECT_THAT(failureOf(name, text), HasSubstr(name)) << text;
}

TEST_F(ForeignReports, caliperFilesWithoutWhatIsNeeded_areErrors) {
    EXPECT_THAT(failureOf("c.json", R"({"records": 3})"), HasSubstr("'records' is no list"));
    EXPECT_THAT(failureOf("c.json", R"([{"path": "main"}, 7])"), HasSubstr("a record is no object"));
    EXPECT_THAT(failureOf("c.json", R"({"records": [{"count": 3}]})"),
                HasSubstr("none of them has a call path"));
    EXPECT_THAT(failureOf("c.json", R"([{"path": "main", "cou)"), HasSubstr("is no JSON from byte"));
    EXPECT_THAT(failureOf("run.cali", "__rec=node,id=12,attr=10,data=276,parent=3\n"),
                HasSubstr("cali-query -q \"format json-split\""));
}

TEST_F(ForeignReports, traceEventsThatArePacked_areRead) {
    EXPECT_NEAR(at(read("trace.json.gz", gzip(kKineto)), "time", "step"), 69.5e-6, 1e-9);
    const std::string cut = gzip(kKineto).substr(0, 100);
    EXPECT_THAT(failureOf("trace.json.gz", cut), HasSubstr("ends too early"));
}

TEST_F(ForeignReports, traceEvents_areCallsByTheirNesting) {
    const Experiment experiment = read("trace.json", kKineto);
    EXPECT_NEAR(at(experiment, "time", "step"), 69.5e-6, 1e-9);
    EXPECT_NEAR(at(experiment, "time", "step/aten::add"), 30.5e-6, 1e-9);
    EXPECT_DOUBLE_EQ(at(experiment, "visits", "step/aten::add"), 2);
    EXPECT_NEAR(at(experiment, "time", "gemm"), 300e-6, 1e-9);
    EXPECT_NEAR(at(experiment, "time", "wait"), 30e-6, 1e-9);
    ASSERT_EQ(experiment.system.processes.size(), 2U);
    EXPECT_EQ(experiment.system.processes[0].name, "python");
    EXPECT_EQ(experiment.system.processes[1].name, "process GPU 0");
    EXPECT_EQ(experiment.system.locations.size(), 3U);
}

TEST_F(ForeignReports, traceEventsOfABareList_thatOverlap_areSideBySide) {
    const Experiment experiment = read("trace.json", R"([
{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":10},
{"ph":"X","name":"b","pid":1,"tid":1,"ts":5,"dur":10},
{"ph":"B","name":"c","pid":1,"tid":1,"ts":20},
{"ph":"X","name":"d","pid":1,"tid":1,"ts":25,"dur":5}])");
    EXPECT_NEAR(at(experiment, "time", "a"), 10e-6, 1e-12);
    EXPECT_NEAR(at(experiment, "time", "b"), 10e-6, 1e-12);
    EXPECT_NEAR(at(experiment, "time", "c"), 5e-6, 1e-12);
    EXPECT_NEAR(at(experiment, "time", "c/d"), 5e-6, 1e-12);
    EXPECT_THAT(failureOf("t.json", R"({"traceEvents": [{"ph": "X", "ts")"),
                AllOf(HasSubstr("t.json: is damaged or incomplete: is no JSON from byte 34 on"),
                      Not(HasSubstr("json.exception"))));
    EXPECT_THAT(failureOf("t.json", R"({"traceEvents": []})"), HasSubstr("has no event with a length"));
}

/// Two threads; times include what is below. `main` has 3 of 10 seconds on thread 0.
class HpctoolkitXml : public ForeignReports {
  protected:
    static std::string document() {
        return R"xml(<?xml version="1.0"?>
<!DOCTYPE HPCToolkitExperiment [ <!ELEMENT M EMPTY> ]>
<HPCToolkitExperiment version="2.0"><Header n="cpi"><Info/></Header>
<SecCallPathProfile i="0" n="cpi"><SecHeader>
<MetricTable><Metric i="2" n="CPUTIME (usec):Sum (I)" t="inclusive"/><Metric i="3" n="CPUTIME (usec):Sum (E)" t="exclusive"/>
<Metric i="4" n="CPUTIME (usec):Mean (I)" t="inclusive"/></MetricTable>
<MetricDBTable><MetricDB i="0" n="CPUTIME (usec) (I)" t="inclusive" db-id="0"/><MetricDB i="1" n="CPUTIME (usec) (E)" t="exclusive" db-id="1"/></MetricDBTable>
<LoadModuleTable><LoadModule i="2" n="cpi"/></LoadModuleTable><FileTable><File i="3" n="cpi.c"/></FileTable>
<ProcedureTable><Procedure i="7" n="main"/><Procedure i="8" n="solve"/></ProcedureTable></SecHeader>
<SecCallPathProfileData>
<PF i="1" s="7" l="19" lm="2" f="3" n="7"><M n="2" v="1e+07"/><M n="3" v="1"/><M n="4" v="5e+06"/>
<L i="2" l="20"><M n="2" v="7e+06"/><C i="3" l="21"><PF i="4" l="3" lm="2" f="3" n="8"><M n="2" v="7e+06"/></PF></C></L>
</PF></SecCallPathProfileData></SecCallPathProfile></HPCToolkitExperiment>
)xml";
    }

    /// Inclusive and exclusive values of contexts 1 to 4.
    static std::string threadWith(std::vector<double> inclusive) {
        std::string bytes("HPCPROF-metricdb__00.10b\0\0\0\4\0\0\0\2", 32);
        for (const double value : inclusive)
            for (const double one : {value, 0.0}) {
                auto number = std::bit_cast<std::uint64_t>(one);
                for (int byte = 0; byte < 8; ++byte) bytes += static_cast<char>(number >> (56 - byte * 8));
            }
        return bytes;
    }
};

TEST_F(HpctoolkitXml, withoutFilesOfThreads_hasTheSumsOfTheDocument) {
    write("database/experiment.xml", document());
    const Experiment experiment = readExperiment(folder_.path() / "database");
    EXPECT_DOUBLE_EQ(at(experiment, "on_processors", "main"), 3);
    EXPECT_DOUBLE_EQ(at(experiment, "on_processors", "main/solve"), 7);
    EXPECT_EQ(experiment.regionOf(CallPathId(0)).module, "cpi.c");
    EXPECT_EQ(experiment.metrics.size(), 1U);
}

TEST_F(HpctoolkitXml, filesOfThreads_haveTheirValues) {
    write("database/experiment.xml", document());
    write("database/1.my-cpi-000000-000-a8c0-16-0.metric-db", threadWith({8e6, 5e6, 5e6, 5e6}));
    write("database/1.my-cpi-000002-001-a8c0-16-0.metric-db", threadWith({2e6, 2e6, 2e6, 2e6}));
    const Experiment experiment = readExperiment(folder_.path() / "database");
    EXPECT_DOUBLE_EQ(at(experiment, "on_processors", "main"), 3);
    EXPECT_DOUBLE_EQ(at(experiment, "on_processors", "main/solve"), 7);
    ASSERT_EQ(experiment.system.locations.size(), 2U);
    EXPECT_EQ(experiment.system.processes[1].rank, 2);
    EXPECT_EQ(experiment.system.locations[1].rank, 1);
    write("database/1.my-cpi-000002-001-a8c0-16-0.metric-db", threadWith({2e6}));
    EXPECT_THROW(readExperiment(folder_.path() / "database"), Error);
}

/// A database of HPCToolkit, field by field. Places are those in the file.
class DatabaseBuilder {
  public:
    explicit DatabaseBuilder(const std::string& format) : end_('_' + format + ".db") {
        bytes_ = "HPCTOOLKIT" + format + '\4' + '\0';
        bytes_.resize(0x90);
    }
    std::uint64_t end() {
        bytes_.resize((bytes_.size() + 7) / 8 * 8);
        return bytes_.size();
    }
    template <class Number>
    DatabaseBuilder& add(Number number) {
        bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
        return *this;
    }
    std::uint64_t text(const std::string& text) {
        const std::uint64_t at = end();
        bytes_ += text + '\0';
        return at;
    }
    template <class Number>
    void set(std::uint64_t at, Number number) {
        std::memcpy(bytes_.data() + at, &number, sizeof(number));
    }
    std::string bytes() const { return bytes_ + end_; }

  private:
    std::string bytes_;
    std::string end_;
};

/// `main thread` → `main` → a line → `solve`, with the metric of the given scope. Two kinds: RANK and THREAD.
std::string metaDatabase(std::uint8_t scopeType) {
    using U8 = std::uint8_t;
    using U16 = std::uint16_t;
    using U32 = std::uint32_t;
    using U64 = std::uint64_t;
    DatabaseBuilder meta("meta");
    const U64 rank = meta.text("RANK");
    const U64 thread = meta.text("THREAD");
    const U64 names = meta.end();
    meta.add(rank).add(thread);
    meta.set(0x28, meta.end());
    meta.add(names).add(U8{2});

    const U64 metricName = meta.text("CPUTIME (sec)");
    const U64 scope = meta.end();
    meta.add(U64{0}).add(scopeType).add(U8{0});
    const U64 instance = meta.end();
    meta.add(scope).add(U16{5});
    const U64 metric = meta.end();
    meta.add(metricName).add(instance).add(U64{0}).add(U16{1}).add(U16{0}).add(U32{0});
    meta.set(0x38, meta.end());
    meta.add(metric).add(U32{1}).add(U8{32}).add(U8{16}).add(U8{24});

    const U64 path = meta.text("/bin/solver");
    const U64 module = meta.end();
    meta.add(U32{0}).add(U32{0}).add(path);
    std::vector<U64> functions;
    for (const char* name : {"main", "solve"}) {
        const U64 text = meta.text(name);
        functions.push_back(meta.end());
        meta.add(text).add(module).add(U64{0}).add(U64{0}).add(U32{0}).add(U32{0});
    }
    const auto context = [&](U64 children, U64 bytes, U32 number, bool isFunction, U64 function) {
        const U64 at = meta.end();
        meta.add(bytes).add(children).add(number).add(U8{isFunction}).add(U8{1}).add(U8(isFunction ? 0 : 2));
        meta.add(U8{isFunction}).add(U16{0}).add(U16{0}).add(U32{0});
        if (isFunction) meta.add(function);
        return at;
    };
    const U64 solve = context(0, 0, 4, true, functions[1]);
    const U64 line = context(solve, 40, 3, false, 0);
    const U64 main = context(line, 32, 2, true, functions[0]);
    const U64 pretty = meta.text("main thread");
    const U64 entry = meta.end();
    meta.add(U64{40}).add(main).add(U32{1}).add(U16{1}).add(U16{0}).add(pretty);
    meta.set(0x48, meta.end());
    meta.add(entry).add(U16{1}).add(U8{32});
    meta.end();
    return meta.bytes();
}

/// Values of contexts 1 to 4 on thread 3 of rank 7, and a summary, which does not count.
std::string profileDatabase(std::vector<double> values) {
    using U16 = std::uint16_t;
    using U32 = std::uint32_t;
    using U64 = std::uint64_t;
    DatabaseBuilder profiles("prof");
    const U64 tuple = profiles.end();
    profiles.add(U16{2}).add(U16{0}).add(U32{0});
    for (const auto& [kind, number] : {std::pair{0, 7}, std::pair{1, 3}})
        profiles.add(U16(kind)).add(U16{0}).add(U32(number)).add(U64(number));
    const U64 numbers = profiles.end();
    for (const double value : values) profiles.add(U16{5}).add(value);
    const U64 indices = profiles.end();
    for (U32 context = 1; context <= values.size(); ++context) profiles.add(context).add(U64{context - 1});
    const U64 list = profiles.end();
    for (const U32 isSummary : {1U, 0U})
        profiles.add(U64{values.size()})
            .add(numbers)
            .add(U32(values.size()))
            .add(U32{0})
            .add(indices)
            .add(tuple)
            .add(isSummary)
            .add(U32{0});
    profiles.set(0x18, profiles.end());
    profiles.add(list).add(U32{2}).add(std::uint8_t{48});
    profiles.end();
    return profiles.bytes();
}

class HpctoolkitDatabase : public ForeignReports {};

TEST_F(HpctoolkitDatabase, valuesOfContextsAlone_areThoseOfTheirFunctions) {
    write("database/meta.db", metaDatabase(1));
    write("database/profile.db", profileDatabase({0, 1, 2, 4}));
    const Experiment experiment = readExperiment(folder_.path() / "database");
    EXPECT_DOUBLE_EQ(at(experiment, "on_processors", "main thread/main"), 3);
    EXPECT_DOUBLE_EQ(at(experiment, "on_processors", "main thread/main/solve"), 4);
    EXPECT_EQ(experiment.regionOf(CallPathId(1)).module, "/bin/solver");
    ASSERT_EQ(experiment.system.locations.size(), 1U);
    EXPECT_EQ(experiment.system.processes[0].rank, 7);
    EXPECT_EQ(experiment.system.locations[0].name, "thread 3");
}

TEST_F(HpctoolkitDatabase, valuesWithWhatIsBelow_areTakenApart) {
    write("database/meta.db", metaDatabase(2));
    write("database/profile.db", profileDatabase({7, 7, 6, 4}));
    const Experiment experiment = readExperiment(folder_.path() / "database");
    EXPECT_DOUBLE_EQ(at(experiment, "on_processors", "main thread"), 0);
    EXPECT_DOUBLE_EQ(at(experiment, "on_processors", "main thread/main"), 3);
    EXPECT_DOUBLE_EQ(at(experiment, "on_processors", "main thread/main/solve"), 4);
}

TEST_F(HpctoolkitDatabase, damagedOnes_areErrors_orFewerValues) {
    const std::string meta = metaDatabase(2);
    const std::string profiles = profileDatabase({7, 7, 6, 4});
    for (const auto& [name, whole, other, otherBytes] :
         {std::tuple("database/meta.db", meta, "database/profile.db", profiles),
          std::tuple("database/profile.db", profiles, "database/meta.db", meta)}) {
        write(other, otherBytes);
        for (std::size_t at = 0; at < whole.size(); ++at) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ (at % 2 == 0 ? '\x15' : '\xFF'));
            failureOf(name, damaged);
        }
        for (std::size_t at = 16; at < whole.size(); at += 4)
            EXPECT_THAT(failureOf(name, whole.substr(0, at)), HasSubstr("was cut off"));
    }
    write("database/meta.db", "HPCTOOLKITmeta\5" + meta.substr(15));
    EXPECT_THROW(readExperiment(folder_.path() / "database"), Error);
}

TEST_F(ForeignReports, damagedOnes_areErrors_orFewerValues) {
    for (const std::string& whole : {kGprof, kMpip, kCaliper, kKineto}) readDamaged("report", whole);
}

TEST_F(HpctoolkitXml, damagedOnes_areErrors_orFewerValues) {
    readDamaged("experiment.xml", document());
}

}  // namespace
}  // namespace holos::algebra
