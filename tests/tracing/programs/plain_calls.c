/* SPDX-License-Identifier: BSD-3-Clause */
/* One process calls functions of MPI that are regions and nothing else. It writes their names into the
 * file that the first argument names; the second one is the name of a file that it makes. */
#include "calls.h"
#include "counts.h"

static const MPI_Comm world = MPI_COMM_WORLD, self = MPI_COMM_SELF;
static char text[MPI_MAX_PORT_NAME + MPI_MAX_LIBRARY_VERSION_STRING];
static int n, flag, a[1];
static void* pointer;

static void environment(void) {
    int class, code;
    CALL(MPI_Initialized, &flag);
    CALL(MPI_Finalized, &flag);
    CALL(MPI_Query_thread, &n);
    CALL(MPI_Is_thread_main, &flag);
    CALL(MPI_Get_version, &n, &flag);
    CALL(MPI_Get_library_version, text, &n);
    CALL(MPI_Get_processor_name, text, &n);
    CALL(MPI_Alloc_mem, 64, MPI_INFO_NULL, &pointer);
    CALL(MPI_Free_mem, pointer);
    CALL(MPI_Add_error_class, &class);
    CALL(MPI_Add_error_code, class, &code);
    CALL(MPI_Add_error_string, code, "of this program");
    CALL(MPI_Error_string, code, text, &n);
    CALL(MPI_Error_class, code, &class);
}

static void infos(void) {
    MPI_Info info, copy;
    CALL(MPI_Info_create, &info);
    CALL(MPI_Info_set, info, "key", "value");
    CALL(MPI_Info_get, info, "key", 8, text, &flag);
    CALL(MPI_Info_get_valuelen, info, "key", &n, &flag);
    CALL(MPI_Info_get_nkeys, info, &n);
    CALL(MPI_Info_get_nthkey, info, 0, text);
    CALL(MPI_Info_dup, info, &copy);
    CALL(MPI_Info_delete, copy, "key");
    CALL(MPI_Info_free, &copy);
#if MPI_VERSION >= 4
    n = 8;
    CALL(MPI_Info_get_string, info, "key", &n, text, &flag);
    CALL(MPI_Info_create_env, 0, NULL, &copy);
    CALL(MPI_Info_free, &copy);
#endif
    CALL(MPI_Info_free, &info);
}

static void groups(void) {
    int range[1][3] = {{0, 0, 1}}, zero = 0;
    MPI_Group all, made;
    CALL(MPI_Comm_group, world, &all);
    CALL(MPI_Group_size, all, &n);
    CALL(MPI_Group_rank, all, &n);
    CALL(MPI_Group_translate_ranks, all, 1, &zero, all, &n);
    CALL(MPI_Group_compare, all, all, &n);
    CALL(MPI_Group_union, all, MPI_GROUP_EMPTY, &made);
    CALL(MPI_Group_free, &made);
    CALL(MPI_Group_intersection, all, all, &made);
    CALL(MPI_Group_free, &made);
    CALL(MPI_Group_difference, all, all, &made);
    CALL(MPI_Group_incl, all, 1, &zero, &made);
    CALL(MPI_Group_free, &made);
    CALL(MPI_Group_excl, all, 1, &zero, &made);
    CALL(MPI_Group_range_incl, all, 1, range, &made);
    CALL(MPI_Group_free, &made);
    CALL(MPI_Group_range_excl, all, 1, range, &made);
    CALL(MPI_Group_free, &all);
}

static void onError(MPI_Comm* comm, int* code, ...) {
    (void)comm, (void)code;
}

static void ofComm(void) {
    MPI_Errhandler handler, before;
    MPI_Info info;
    MPI_Comm parent;
    int key;
    CALL(MPI_Comm_size, world, &n);
    CALL(MPI_Comm_compare, world, self, &n);
    CALL(MPI_Comm_test_inter, world, &flag);
    CALL(MPI_Comm_get_parent, &parent);
    CALL(MPI_Comm_set_name, self, "own");
    CALL(MPI_Comm_get_name, self, text, &n);
    CALL(MPI_Comm_get_info, self, &info);
    CALL(MPI_Comm_set_info, self, info);
    CALL(MPI_Info_free, &info);
    CALL(MPI_Comm_create_keyval, MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Comm_set_attr, self, key, a);
    CALL(MPI_Comm_get_attr, self, key, &pointer, &flag);
    CALL(MPI_Comm_delete_attr, self, key);
    CALL(MPI_Comm_free_keyval, &key);
    CALL(MPI_Keyval_create, MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Attr_put, self, key, a);
    CALL(MPI_Attr_get, self, key, &pointer, &flag);
    CALL(MPI_Attr_delete, self, key);
    CALL(MPI_Keyval_free, &key);
    CALL(MPI_Comm_get_errhandler, self, &before);
    CALL(MPI_Comm_create_errhandler, onError, &handler);
    CALL(MPI_Comm_set_errhandler, self, handler);
    CALL(MPI_Comm_call_errhandler, self, MPI_ERR_OTHER);
    CALL(MPI_Comm_set_errhandler, self, before);
    CALL(MPI_Errhandler_free, &handler);
    CALL(MPI_Errhandler_free, &before);
}

static void topologies(void) {
    const int one = 1, zero = 0;
    int size = 0, place;
    MPI_Comm comm;
    CALL(MPI_Dims_create, 1, 1, &size);
    CALL(MPI_Cart_map, world, 1, &one, &zero, &n);
    CALL(MPI_Graph_map, world, 1, &one, &zero, &n);
    CALL(MPI_Cart_create, world, 1, &one, &zero, 0, &comm);
    CALL(MPI_Topo_test, comm, &n);
    CALL(MPI_Cartdim_get, comm, &n);
    CALL(MPI_Cart_get, comm, 1, &size, &flag, &place);
    CALL(MPI_Cart_rank, comm, &place, &n);
    CALL(MPI_Cart_coords, comm, 0, 1, &place);
    CALL(MPI_Cart_shift, comm, 0, 1, &n, &flag);
    CALL(MPI_Comm_free, &comm);
    CALL(MPI_Graph_create, world, 1, &one, &zero, 0, &comm); /* to itself */
    CALL(MPI_Graphdims_get, comm, &n, &flag);
    CALL(MPI_Graph_get, comm, 1, 1, &place, &size);
    CALL(MPI_Graph_neighbors_count, comm, 0, &n);
    CALL(MPI_Graph_neighbors, comm, 0, 1, &place);
    CALL(MPI_Comm_free, &comm);
    CALL(MPI_Dist_graph_create_adjacent, world, 1, &zero, &one, 1, &zero, &one, MPI_INFO_NULL, 0, &comm);
    CALL(MPI_Dist_graph_neighbors_count, comm, &n, &size, &flag);
    CALL(MPI_Dist_graph_neighbors, comm, 1, &place, &n, 1, &size, &flag);
    CALL(MPI_Comm_free, &comm);
}

static int query(void* state, MPI_Status* status) {
    (void)state;
    CALL(MPI_Status_set_cancelled, status, 0);
    CALL(MPI_Status_set_elements, status, MPI_INT, 1);
    CALL(MPI_Status_set_elements_x, status, MPI_INT, 1);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}
static int release(void* state) {
    (void)state;
    return MPI_SUCCESS;
}
static int cancel(void* state, int isComplete) {
    (void)state, (void)isComplete;
    return MPI_SUCCESS;
}

static void generalRequests(void) {
    MPI_Request request;
    MPI_Status status;
    query(NULL, &status);
    CALL(MPI_Grequest_start, query, release, cancel, NULL, &request);
    CALL(MPI_Grequest_complete, request);
    CALL(MPI_Request_free, &request);
}

static void onWindowError(MPI_Win* win, int* code, ...) {
    (void)win, (void)code;
}

static void ofWindow(void) {
    MPI_Errhandler handler, before;
    MPI_Info info;
    MPI_Group group;
    MPI_Win win;
    int key;
    CALL(MPI_Win_allocate, 64, 1, MPI_INFO_NULL, self, &pointer, &win);
    CALL(MPI_Win_set_name, win, "own");
    CALL(MPI_Win_get_name, win, text, &n);
    CALL(MPI_Win_get_group, win, &group);
    CALL(MPI_Group_free, &group);
    CALL(MPI_Win_get_info, win, &info);
    CALL(MPI_Win_set_info, win, info);
    CALL(MPI_Info_free, &info);
    CALL(MPI_Win_create_keyval, MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Win_set_attr, win, key, a);
    CALL(MPI_Win_get_attr, win, key, &pointer, &flag);
    CALL(MPI_Win_delete_attr, win, key);
    CALL(MPI_Win_free_keyval, &key);
    CALL(MPI_Win_get_errhandler, win, &before);
    CALL(MPI_Win_create_errhandler, onWindowError, &handler);
    CALL(MPI_Win_set_errhandler, win, handler);
    CALL(MPI_Win_call_errhandler, win, MPI_ERR_OTHER);
    CALL(MPI_Win_set_errhandler, win, before);
    CALL(MPI_Errhandler_free, &handler);
    CALL(MPI_Errhandler_free, &before);
    CALL(MPI_Win_free, &win);
}

static void onFileError(MPI_File* file, int* code, ...) {
    (void)file, (void)code;
}

static void ofFile(char* name) {
    MPI_File file;
    MPI_Offset place;
    MPI_Datatype type, element;
    MPI_Errhandler handler, before;
    MPI_Group group;
    MPI_Info info;
    Bytes extent;
    CALL(MPI_File_open, self, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    CALL(MPI_File_set_size, file, 64);
    CALL(MPI_File_preallocate, file, 128);
    CALL(MPI_File_get_size, file, &place);
    CALL(MPI_File_get_amode, file, &n);
    CALL(MPI_File_get_group, file, &group);
    CALL(MPI_Group_free, &group);
    CALL(MPI_File_get_info, file, &info);
    CALL(MPI_File_set_info, file, info);
    CALL(MPI_Info_free, &info);
    CALL(MPI_File_set_view, file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    CALL(MPI_File_get_view, file, &place, &element, &type, text);
    CALL(MPI_File_get_position, file, &place);
    CALL(MPI_File_get_position_shared, file, &place);
    CALL(MPI_File_get_byte_offset, file, 4, &place);
    CALL(MPI_File_get_type_extent, file, MPI_INT, &extent);
    CALL(MPI_File_set_atomicity, file, 1);
    CALL(MPI_File_get_atomicity, file, &flag);
    CALL(MPI_File_get_errhandler, file, &before);
    CALL(MPI_File_create_errhandler, onFileError, &handler);
    CALL(MPI_File_set_errhandler, file, handler);
    CALL(MPI_File_call_errhandler, file, MPI_ERR_OTHER);
    CALL(MPI_File_set_errhandler, file, before);
    CALL(MPI_Errhandler_free, &handler);
    CALL(MPI_Errhandler_free, &before);
    CALL(MPI_File_close, &file);
    CALL(MPI_File_delete, name, MPI_INFO_NULL);
}

static int extentInFile(MPI_Datatype type, MPI_Aint* extent, void* state) {
    (void)type, (void)state;
    *extent = 4;
    return MPI_SUCCESS;
}

static void representation(void) {
#ifdef LARGE_COUNTS
    CALL(MPI_Register_datarep, "own", MPI_CONVERSION_FN_NULL_C, MPI_CONVERSION_FN_NULL_C, extentInFile, NULL);
#else
    CALL(MPI_Register_datarep, "own", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extentInFile, NULL);
#endif
}

#if MPI_VERSION >= 4
static void onSessionError(MPI_Session* session, int* code, ...) {
    (void)session, (void)code;
}
#endif

static void sessions(void) {
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Errhandler handler, before;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Info info;
    CALL(MPI_Session_init, MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    CALL(MPI_Session_get_info, session, &info);
    CALL(MPI_Info_free, &info);
    CALL(MPI_Session_get_num_psets, session, MPI_INFO_NULL, &n);
    n = sizeof text;
    CALL(MPI_Session_get_nth_pset, session, MPI_INFO_NULL, 0, &n, text);
    CALL(MPI_Session_get_pset_info, session, text, &info);
    CALL(MPI_Info_free, &info);
    CALL(MPI_Session_create_errhandler, onSessionError, &handler);
    CALL(MPI_Session_get_errhandler, session, &before);
    CALL(MPI_Session_set_errhandler, session, handler);
    CALL(MPI_Session_call_errhandler, session, MPI_ERR_OTHER);
    CALL(MPI_Session_set_errhandler, session, before);
    CALL(MPI_Errhandler_free, &handler);
    CALL(MPI_Group_from_session_pset, session, "mpi://SELF", &group);
    CALL(MPI_Comm_create_from_group, group, "own", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    CALL(MPI_Group_free, &group);
    CALL(MPI_Comm_disconnect, &comm);
    CALL(MPI_Session_finalize, &session);
#endif
}

/* What MPI 4.1 added. */
static void buffersAndStatuses(void) {
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    static char buffer[1024];
    Count bytes = sizeof buffer;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    MPI_Session session;
    MPI_Datatype pair;
    MPI_Info info;
    int class, code;
    CALL(MPI_Buffer_attach, buffer, bytes);
    CALL(MPI_Buffer_flush);
    CALL(MPI_Buffer_iflush, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Buffer_detach, &pointer, &bytes);
    bytes = sizeof buffer;
    CALL(MPI_Comm_attach_buffer, self, buffer, bytes);
    CALL(MPI_Comm_flush_buffer, self);
    CALL(MPI_Comm_iflush_buffer, self, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Comm_detach_buffer, self, &pointer, &bytes);
    bytes = sizeof buffer;
    CALL(MPI_Session_init, MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    CALL(MPI_Session_attach_buffer, session, buffer, bytes);
    CALL(MPI_Session_flush_buffer, session);
    CALL(MPI_Session_iflush_buffer, session, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Session_detach_buffer, session, &pointer, &bytes);
    CALL(MPI_Session_finalize, &session);
    CALL(MPI_Request_get_status_all, 1, &request, &flag, MPI_STATUSES_IGNORE);
    CALL(MPI_Request_get_status_any, 1, &request, &n, &flag, &status);
    CALL(MPI_Request_get_status_some, 1, &request, &n, a, MPI_STATUSES_IGNORE);
    CALL(MPI_Status_set_source, &status, 0);
    CALL(MPI_Status_get_source, &status, &n);
    CALL(MPI_Status_set_tag, &status, 0);
    CALL(MPI_Status_get_tag, &status, &n);
    CALL(MPI_Status_set_error, &status, MPI_SUCCESS);
    CALL(MPI_Status_get_error, &status, &n);
    CALL(MPI_Type_get_value_index, MPI_DOUBLE, MPI_INT, &pair);
    CALL(MPI_Get_hw_resource_info, &info);
    CALL(MPI_Info_free, &info);
    CALL(MPI_Add_error_class, &class);
    CALL(MPI_Add_error_code, class, &code);
    CALL(MPI_Add_error_string, code, "of this program");
    CALL(MPI_Remove_error_string, code);
    CALL(MPI_Remove_error_code, code);
    CALL(MPI_Remove_error_class, class);
#endif
}

/* MPI 3.0 removed them; the header of Open MPI does not declare them any more. */
static void removed(void) {
#ifndef OPEN_MPI
    MPI_Errhandler handler, before;
    CALL(MPI_Errhandler_create, onError, &handler);
    CALL(MPI_Errhandler_get, self, &before);
    CALL(MPI_Errhandler_set, self, handler);
    CALL(MPI_Errhandler_set, self, before);
    CALL(MPI_Errhandler_free, &handler);
    CALL(MPI_Errhandler_free, &before);
#endif
}

int main(int argc, char** argv) {
    beginCalls(argv[1]);
    CALL(MPI_Init_thread, &argc, &argv, MPI_THREAD_SINGLE, &n);
    environment();
    infos();
    groups();
    ofComm();
    topologies();
    generalRequests();
    ofWindow();
    ofFile(argv[2]);
    representation();
    sessions();
    buffersAndStatuses();
    removed();
    CALL(MPI_Finalize);
    return fclose(calls);
}
