// SPDX-License-Identifier: BSD-3-Clause
#include "base/function_name.h"

#include <gtest/gtest.h>

namespace holos {
namespace {

std::string all(std::string_view name) {
    return folded(name, Folding::All);
}

TEST(FoldedName, libraryOfCxx_losesParametersAndArguments) {
    EXPECT_EQ(
        all("void std::vector<std::pair<int, double>, std::allocator<std::pair<int, double> > >::"
            "_M_realloc_insert<std::pair<int, double> const&>(__gnu_cxx::__normal_iterator<std::pair<int, "
            "double>*, std::vector<std::pair<int, double>, std::allocator<std::pair<int, double> > > >, "
            "std::pair<int, double> const&)"),
        "std::vector<…>::_M_realloc_insert<…>");
    EXPECT_EQ(
        all("std::basic_ostream<char, std::char_traits<char> >& std::operator<< <std::char_traits<char> >"
            "(std::basic_ostream<char, std::char_traits<char> >&, char const*)"),
        "std::operator<<<…>");
    EXPECT_EQ(all("std::__cxx11::basic_string<char>::operator[](unsigned long) const"),
              "std::__cxx11::basic_string<…>::operator[]");
    EXPECT_EQ(all("std::function<void (int)>::operator()(int) const"), "std::function<…>::operator()");
    EXPECT_EQ(all("std::any::operator bool() const"), "std::any::operator bool");
    EXPECT_EQ(all("a::Set::operator std::vector<int, std::allocator<int> >() const"),
              "a::Set::operator std::vector<…>");
    EXPECT_EQ(all("std::locale::name[abi:cxx11]() const"), "std::locale::name");
}

TEST(FoldedName, applications_keepWhatTellsTheFunction) {
    EXPECT_EQ(all("Foam::fvMatrix<double>::solve(Foam::dictionary const&)"), "Foam::fvMatrix<…>::solve");
    EXPECT_EQ(all("Foam::tmp<Foam::GeometricField<double, Foam::fvPatchField, Foam::volMesh> > "
                  "Foam::operator*<double>(Foam::GeometricField<double, Foam::fvPatchField, Foam::volMesh> "
                  "const&)"),
              "Foam::operator*<…>");
    EXPECT_EQ(all("LAMMPS_NS::CommBrick::reverse_comm()"), "LAMMPS_NS::CommBrick::reverse_comm");
    EXPECT_EQ(
        all("gmx::(anonymous namespace)::LegacySimulator::run(int)::{lambda(int)#1}::operator()(int) const"),
        "gmx::(anonymous namespace)::LegacySimulator::run::{lambda#1}::operator()");
    EXPECT_EQ(all("!$omp parallel @gmx::spread<float>(gmx::ArrayRef<float const>)+0x1f3"),
              "!$omp parallel @gmx::spread<…>+0x1f3");
}

TEST(FoldedName, otherNames_stayWhole) {
    for (const char* name :
         {"main", "solver::step", "nbnxn_kernel_ElecEw_VdwLJ_F_4xm", "!$omp for @solve.c:12",
          "libm.so.6+0x1f3", "solver.py:step", "operator", "a<b", "f(", ")(", "x>y", ""})
        EXPECT_EQ(all(name), name);
}

TEST(FoldedName, restOfFoldings_keepMore) {
    const std::string name = "void a::f<std::vector<int> >(std::vector<int>, b<c<d> > const&)";
    EXPECT_EQ(folded(name, Folding::TemplateArguments), "void a::f<…>(std::vector<…>, b<…> const&)");
    EXPECT_EQ(folded(name, Folding::Nested), "void a::f<std::vector<…> >(std::vector<…>, b<…> const&)");
    EXPECT_EQ(folded(name, Folding::None), name);
}

TEST(ShortNames, namesThatWouldBecomeOne_keepWhatTellsThem) {
    const std::string begin = "LAMMPS_NS::PairLJCutCoulLongOptimizedForManyThreads::";
    const std::string of = "<LAMMPS_NS::First<int>, LAMMPS_NS::Second<double> >";
    const std::vector<std::string> names{
        "void " + begin + "eval" + of + "(int, int)",
        "void " + begin + "eval" + of + "(int, LAMMPS_NS::ThrData<float>*)",
        "void " + begin + "init" + of + "(int)",
        "void " + begin + "mode<LAMMPS_NS::First<int> >()",
        "void " + begin + "mode<LAMMPS_NS::Third<int> >()",
        "void " + begin + "deep<LAMMPS_NS::First<int> >()",
        "void " + begin + "deep<LAMMPS_NS::First<float> >()",
    };
    const ShortNames shortNames(names);
    EXPECT_EQ(shortNames.of(names[0]), "void " + begin + "eval<…>(int, int)");
    EXPECT_EQ(shortNames.of(names[1]), "void " + begin + "eval<…>(int, LAMMPS_NS::ThrData<…>*)");
    EXPECT_EQ(shortNames.of(names[2]), begin + "init<…>");
    EXPECT_EQ(shortNames.of(names[3]), "void " + begin + "mode<LAMMPS_NS::First<…> >()");
    EXPECT_EQ(shortNames.of(names[4]), "void " + begin + "mode<LAMMPS_NS::Third<…> >()");
    EXPECT_EQ(shortNames.of(names[5]), names[5]);
    EXPECT_EQ(shortNames.of(names[6]), names[6]);
}

TEST(ShortNames, foldedNameOfAnother_isNotTaken) {
    const std::string plain = "a_rather_long_function_name_of_a_library";
    const std::string full = plain + "(std::vector<int, std::allocator<int> >)";
    EXPECT_EQ(ShortNames({full, plain}).of(full), plain + "(std::vector<…>)");
    EXPECT_EQ(ShortNames({full}).of(full), plain);
}

TEST(ShortNames, shortNamesAndUnknownOnes_stayAsTheyAre) {
    const ShortNames shortNames({"work::Step::run(int)"});
    EXPECT_EQ(shortNames.of("work::Step::run(int)"), "work::Step::run(int)");
    EXPECT_EQ(shortNames.of("f(int)"), "f(int)");
}

}  // namespace
}  // namespace holos
