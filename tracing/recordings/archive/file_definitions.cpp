// SPDX-License-Identifier: BSD-3-Clause
// MPI's files: definitions of them.
#include "tracing/recordings/archive/definitions_writer.h"
#include "tracing/recordings/archive/otf2_check.h"

namespace holos::archive {

void DefinitionsWriter::writeFiles() {
    if (plan_.files.empty()) return;
    check(OTF2_GlobalDefWriter_WriteIoParadigm(out_, kMpiFiles, string("MPI-IO"), string("MPI I/O"),
                                               OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0,
                                               nullptr, nullptr, nullptr),
          "MPI's files");
    OTF2_IoFileRef file = 0;
    for (const auto& name : plan_.files)
        check(OTF2_GlobalDefWriter_WriteIoRegularFile(out_, file++, string(name), kMachine), "a file");
    OTF2_IoHandleRef self = 0;
    for (const auto& handle : plan_.handles)
        check(OTF2_GlobalDefWriter_WriteIoHandle(out_, self++, string(""), handle.file, kMpiFiles,
                                                 OTF2_IO_HANDLE_FLAG_NONE, handle.comm,
                                                 OTF2_UNDEFINED_IO_HANDLE),
              "an open file");
    check(OTF2_GlobalDefWriter_WriteAttribute(out_, collectiveHandle(plan_), string("CollectiveIoHandle"),
                                              string("The file that this collective call changed"),
                                              OTF2_TYPE_IO_HANDLE),
          "files");
}

}  // namespace holos::archive
