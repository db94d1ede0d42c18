/* SPDX-License-Identifier: BSD-3-Clause
 * A disk that takes what is written and loses it later, as network file systems, quotas and broken devices
 * do:
 *
 *     late_disk MOUNT FOLDER REPORTS BYTES NAME
 *
 * shows FOLDER at MOUNT. Of files whose name contains NAME, only the first BYTES that are written come into
 * the folder; the others are taken, and never seen again. That is reported where a file is closed or
 * synchronised, as ENOSPC, EDQUOT or EIO (REPORTS), or never (`nothing`). Writes a line when it is there, and
 * ends when its starter does, or when it is unmounted. */
#define _GNU_SOURCE
#define FUSE_USE_VERSION 31
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char* folder;
static const char* name_part;
static int report;
static atomic_ullong left;

/* In the handle of a file, beside its descriptor: what is written to it may be lost. */
#define OF_NAME (1ULL << 41)
static int number_of(const struct fuse_file_info* info) {
    return (int)(info->fh & 0xFFFFFFFFU);
}

struct place {
    char path[PATH_MAX];
};
static struct place at(const char* path) {
    struct place place;
    snprintf(place.path, sizeof place.path, "%s%s", folder, path);
    return place;
}
static int result_of(int result) {
    return result < 0 ? -errno : 0;
}

static int get_attributes(const char* path, struct stat* facts, struct fuse_file_info* info) {
    (void)info;
    return result_of(lstat(at(path).path, facts));
}
static int list(const char* path, void* to, fuse_fill_dir_t fill, off_t from, struct fuse_file_info* info,
                enum fuse_readdir_flags flags) {
    (void)from, (void)info, (void)flags;
    DIR* const opened = opendir(at(path).path);
    if (opened == NULL) return -errno;
    for (struct dirent* one; (one = readdir(opened)) != NULL;) fill(to, one->d_name, NULL, 0, 0);
    closedir(opened);
    return 0;
}
static int make_folder(const char* path, mode_t mode) {
    return result_of(mkdir(at(path).path, mode));
}
static int remove_folder(const char* path) {
    return result_of(rmdir(at(path).path));
}
static int remove_file(const char* path) {
    return result_of(unlink(at(path).path));
}
static int move(const char* from, const char* to, unsigned flags) {
    return flags != 0 ? -EINVAL : result_of(rename(at(from).path, at(to).path));
}
static int make_link(const char* from, const char* to) {
    return result_of(link(at(from).path, at(to).path));
}
static int make_symlink(const char* what, const char* path) {
    return result_of(symlink(what, at(path).path));
}
static int read_symlink(const char* path, char* to, size_t bytes) {
    const ssize_t got = readlink(at(path).path, to, bytes - 1);
    if (got < 0) return -errno;
    to[got] = '\0';
    return 0;
}
static int change_mode(const char* path, mode_t mode, struct fuse_file_info* info) {
    (void)info;
    return result_of(chmod(at(path).path, mode));
}
static int change_owner(const char* path, uid_t user, gid_t group, struct fuse_file_info* info) {
    (void)info;
    return result_of(lchown(at(path).path, user, group));
}
static int change_times(const char* path, const struct timespec times[2], struct fuse_file_info* info) {
    (void)info;
    return result_of(utimensat(AT_FDCWD, at(path).path, times, AT_SYMLINK_NOFOLLOW));
}
static int change_size(const char* path, off_t bytes, struct fuse_file_info* info) {
    (void)info;
    return result_of(truncate(at(path).path, bytes));
}
static int tell_space(const char* path, struct statvfs* facts) {
    return result_of(statvfs(at(path).path, facts));
}

static int open_with(const char* path, struct fuse_file_info* info, mode_t mode) {
    const int file = open(at(path).path, info->flags & ~(O_APPEND | O_EXCL), mode);
    if (file < 0) return -errno;
    const char* const name = strrchr(path, '/');
    info->fh = (uint64_t)file | (name != NULL && strstr(name, name_part) != NULL ? OF_NAME : 0);
    return 0;
}
static int open_file(const char* path, struct fuse_file_info* info) {
    return open_with(path, info, 0);
}
static int create_file(const char* path, mode_t mode, struct fuse_file_info* info) {
    return open_with(path, info, mode);
}
static int read_file(const char* path, char* to, size_t bytes, off_t from, struct fuse_file_info* info) {
    (void)path;
    const ssize_t got = pread(number_of(info), to, bytes, from);
    return got < 0 ? -errno : (int)got;
}

/* Which descriptors have lost something; files are few. */
static atomic_char has_lost[65536];

static int write_file(const char* path, const char* from, size_t bytes, off_t to,
                      struct fuse_file_info* info) {
    (void)path;
    const int file = number_of(info);
    size_t kept = bytes;
    if ((info->fh & OF_NAME) != 0) {
        unsigned long long room = atomic_load(&left);
        do kept = room < bytes ? (size_t)room : bytes;
        while (!atomic_compare_exchange_weak(&left, &room, room - kept));
    }
    if (kept != bytes) has_lost[file] = 1;
    const ssize_t done = pwrite(file, from, kept, to);
    return done < 0 ? -errno : (int)bytes;
}
static int say(const struct fuse_file_info* info) {
    return has_lost[number_of(info)] ? -report : 0;
}
static int flush_file(const char* path, struct fuse_file_info* info) {
    (void)path;
    return say(info);
}
static int synchronise(const char* path, int data_only, struct fuse_file_info* info) {
    (void)path, (void)data_only;
    return say(info);
}
static int close_file(const char* path, struct fuse_file_info* info) {
    (void)path;
    has_lost[number_of(info)] = 0;
    return result_of(close(number_of(info)));
}

static void* begin(struct fuse_conn_info* connection, struct fuse_config* config) {
    (void)connection;
    config->use_ino = config->hard_remove = 1;
    config->nullpath_ok = 0;
    config->attr_timeout = config->entry_timeout = config->negative_timeout = 0;
    puts("there");
    fflush(stdout);
    return NULL;
}

static int number_named(const char* name) {
    if (strcmp(name, "ENOSPC") == 0) return ENOSPC;
    if (strcmp(name, "EDQUOT") == 0) return EDQUOT;
    return strcmp(name, "EIO") == 0 ? EIO : 0;
}

int main(int count, char** words) {
    if (count != 6) return 2;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    umask(0);
    folder = words[2];
    report = number_named(words[3]);
    left = strtoull(words[4], NULL, 10);
    name_part = words[5];
    const struct fuse_operations operations = {.getattr = get_attributes,
                                               .readdir = list,
                                               .mkdir = make_folder,
                                               .rmdir = remove_folder,
                                               .unlink = remove_file,
                                               .rename = move,
                                               .link = make_link,
                                               .symlink = make_symlink,
                                               .readlink = read_symlink,
                                               .chmod = change_mode,
                                               .chown = change_owner,
                                               .utimens = change_times,
                                               .truncate = change_size,
                                               .statfs = tell_space,
                                               .open = open_file,
                                               .create = create_file,
                                               .read = read_file,
                                               .write = write_file,
                                               .flush = flush_file,
                                               .fsync = synchronise,
                                               .release = close_file,
                                               .init = begin};
    char* own[] = {words[0], "-f", words[1], NULL};
    return fuse_main(3, own, &operations, NULL);
}
