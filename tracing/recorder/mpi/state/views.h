// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <memory>
#include <new>
#include <string>

/// The arguments of a call as the actions see them, the same for C and for Fortran.
namespace holos::tracing::mpi {

/// Room for `count` elements, without allocation where they are few. Empty when there is no memory.
template <class T, int kInside = 16>
class Room {
  public:
    explicit Room(int count) noexcept {
        if (count > kInside) more_.reset(new (std::nothrow) T[static_cast<std::size_t>(count)]);
        data_ = count > kInside ? more_.get() : inside_;
    }
    T* data() noexcept { return data_; }

  private:
    T inside_[kInside];
    std::unique_ptr<T[]> more_;
    T* data_;
};

/// True for the addresses that mean "no status" in Fortran.
bool isFortranStatusIgnored(const MPI_Fint* status) noexcept;
/// True for MPI_IN_PLACE of C and of Fortran.
bool isInPlace(const void* buffer) noexcept;
/// Finds the addresses that have a meaning in Fortran, with `symbol` as finder of symbols of MPI's libraries.
void findFortranSentinels(void* (*symbol)(const char* name)) noexcept;

/// Statuses that a call returns: the caller's, or our own where the caller wants none.
class Statuses {
  public:
    Statuses(MPI_Status* given, int count) noexcept
        : own_(given == MPI_STATUS_IGNORE || given == MPI_STATUSES_IGNORE ? count : 0), pointer_(given) {
        if ((given == MPI_STATUS_IGNORE || given == MPI_STATUSES_IGNORE) && own_.data() != nullptr)
            pointer_ = own_.data();
    }
    MPI_Status* pointer() noexcept { return pointer_; }
    bool known() const noexcept { return pointer_ != MPI_STATUS_IGNORE && pointer_ != MPI_STATUSES_IGNORE; }
    const MPI_Status& operator[](int i) const noexcept { return pointer_[i]; }

  private:
    Room<MPI_Status> own_;
    MPI_Status* pointer_;
};

class FortranStatuses {
  public:
    static constexpr int kIntegers = sizeof(MPI_Status) / sizeof(MPI_Fint);

    FortranStatuses(MPI_Fint* given, int count) noexcept
        : own_(isFortranStatusIgnored(given) ? count * kIntegers : 0), pointer_(given) {
        if (isFortranStatusIgnored(given) && own_.data() != nullptr) pointer_ = own_.data();
    }
    MPI_Fint* pointer() noexcept { return pointer_; }
    bool known() const noexcept { return !isFortranStatusIgnored(pointer_); }
    MPI_Status operator[](int i) const noexcept {
        MPI_Status status{};
        PMPI_Status_f2c(pointer_ + i * kIntegers, &status);
        return status;
    }

  private:
    Room<MPI_Fint, 8 * kIntegers> own_;
    MPI_Fint* pointer_;
};

/// Handles of one kind in the caller's memory.
template <class Handle>
class Handles {
  public:
    Handles(Handle* given, int) noexcept : pointer_(given) {}
    Handle* pointer() noexcept { return pointer_; }
    Handle operator[](int i) const noexcept { return pointer_[i]; }

  private:
    Handle* pointer_;
};
using Requests = Handles<MPI_Request>;
using Comms = Handles<MPI_Comm>;
using Messages = Handles<MPI_Message>;
using Wins = Handles<MPI_Win>;
using Files = Handles<MPI_File>;

/// Functions that make C's handles of Fortran's: MPI's own may be macros.
inline MPI_Request requestFromFortran(MPI_Fint handle) noexcept {
    return PMPI_Request_f2c(handle);
}
inline MPI_Comm commFromFortran(MPI_Fint handle) noexcept {
    return PMPI_Comm_f2c(handle);
}
inline MPI_Win winFromFortran(MPI_Fint handle) noexcept {
    return PMPI_Win_f2c(handle);
}
inline MPI_File fileFromFortran(MPI_Fint handle) noexcept {
    return PMPI_File_f2c(handle);
}
inline MPI_Message messageFromFortran(MPI_Fint handle) noexcept {
    return PMPI_Message_f2c(handle);
}

template <class Handle, Handle (*kConvert)(MPI_Fint)>
class FortranHandles {
  public:
    FortranHandles(MPI_Fint* given, int) noexcept : pointer_(given) {}
    MPI_Fint* pointer() noexcept { return pointer_; }
    Handle operator[](int i) const noexcept { return kConvert(pointer_[i]); }

  private:
    MPI_Fint* pointer_;
};
using FortranRequests = FortranHandles<MPI_Request, requestFromFortran>;
using FortranComms = FortranHandles<MPI_Comm, commFromFortran>;
using FortranWins = FortranHandles<MPI_Win, winFromFortran>;
using FortranFiles = FortranHandles<MPI_File, fileFromFortran>;
using FortranMessages = FortranHandles<MPI_Message, messageFromFortran>;

struct Types {
    const MPI_Datatype* pointer;
    MPI_Datatype operator[](int i) const noexcept { return pointer[i]; }
};
struct FortranTypes {
    const MPI_Fint* pointer;
    MPI_Datatype operator[](int i) const noexcept { return PMPI_Type_f2c(pointer[i]); }
};

/// A text of Fortran, which ends with blanks, as C has it.
class FortranText {
  public:
    FortranText(const MPI_Fint* given, long length)
        : text_(reinterpret_cast<const char*>(given), length > 0 ? static_cast<std::size_t>(length) : 0) {
        text_.erase(text_.find_last_not_of(' ') + 1);
    }
    operator const char*() const noexcept { return text_.c_str(); }  // NOLINT: as an argument

  private:
    std::string text_;
};

/// Places in an array of requests, which Fortran counts from 1.
class Indices {
  public:
    Indices(const int* given, int first) noexcept : pointer_(given), first_(first) {}
    /// MPI_UNDEFINED stays what it is.
    int operator[](int i) const noexcept {
        return pointer_[i] == MPI_UNDEFINED ? MPI_UNDEFINED : pointer_[i] - first_;
    }

  private:
    const int* pointer_;
    int first_;
};

static_assert(sizeof(MPI_Fint) == sizeof(int), "Fortran's integers are read as C's");

}  // namespace holos::tracing::mpi
