// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Which functions and user regions are recorded, as a filter file of Score-P's syntax says:
///
///     SCOREP_FILE_NAMES_BEGIN        # a hash begins a comment
///       EXCLUDE */util/* swap.c      # several patterns for one rule, on the following lines, too
///     SCOREP_FILE_NAMES_END
///     SCOREP_REGION_NAMES_BEGIN
///       EXCLUDE *
///       INCLUDE main solver::*
///       EXCLUDE MANGLED _ZN6solver4tinyEv
///     SCOREP_REGION_NAMES_END
///
/// Patterns are those of the shell (`*`, `?`, `[a-z]`, a backslash before what is meant literally, such as
/// a blank); those of files fit below any folder unless they begin with `/` or `*`. The last rule of a block
/// that fits decides; what none fits is recorded. A function must be let through by both blocks.
///
/// Of calls of MPI, OpenMP and threads only rules decide whose patterns begin with `MPI_`, `omp_`, `!$omp` or
/// `pthread_`, so that `EXCLUDE *` leaves them.
namespace holos::filter {

struct Rule {
    std::string pattern;
    bool excludes = true;
    bool isMangled = false;  ///< for the name as the linker knows it; else for the demangled one of C++, and
                             ///< for either of Fortran
};

class Filter {
  public:
    Filter() = default;
    /// Throws `Error` with the line of what is wrong; `name` is that of the file.
    Filter(std::string_view text, const std::string& name);

    /// Whether the filter lets everything through.
    bool isEmpty() const { return files_.empty() && regions_.empty(); }

    /// By the file's absolute path.
    bool excludesFile(const std::string& path) const;
    /// A region that a program defines itself.
    bool excludesRegion(const std::string& name) const;
    /// A call of MPI, OpenMP or threads: `MPI_Test`, `omp_set_lock`, `!$omp critical`, `pthread_mutex_lock`.
    bool excludesCall(const std::string& name) const;
    /// A function, by the name that the linker knows. Copies that compilers make (`f.part.0`) count as it.
    bool excludesFunction(const std::string& symbol) const;
    /// `excludesFunction` where debug information knows how the source names it, as for procedures of
    /// Fortran.
    bool excludesFunction(const std::string& symbol, const std::string& shown) const;
    /// A procedure of Fortran while its name in the source is not known for certain. False where that
    /// decides.
    bool excludesProcedure(const std::string& symbol) const;

    const std::vector<Rule>& files() const { return files_; }
    const std::vector<Rule>& regions() const { return regions_; }

  private:
    bool excludes(const std::string& name, const std::string& mangled) const;

    std::vector<Rule> files_;
    std::vector<Rule> regions_;
};

/// Throws `Error` when the file cannot be read or is no filter.
Filter readFilter(const std::string& path);

}  // namespace holos::filter
