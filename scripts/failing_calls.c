/* Makes one system call on files under one folder fail, for scripts/stress_faults.py --calls.
 *
 * Loaded by LD_PRELOAD, so that it sees what SQLite, tantivy and Python do to files alike. Calls are counted
 * once fail_arm was called; the call number `at` (from 0) meets a fault: 1 an I/O error, 2 a full disk, which
 * stays full for all that takes space, 3 the end of the process. Of a write that fails, half is done.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { NONE, FAIL, FULL, END };

static char root[4096];
static atomic_long seen;
static long failing_at = -1;
static int kind = NONE;
static atomic_int armed, is_full;

void fail_arm(const char *folder, long at, int fault) {
    snprintf(root, sizeof root, "%s", folder);
    failing_at = at;
    kind = fault;
    seen = 0;
    is_full = 0;
    armed = 1;
}

long fail_disarm(void) {
    armed = 0;
    return seen;
}

static int is_ours(const char *path) { return armed && path && strncmp(path, root, strlen(root)) == 0; }

static int fd_is_ours(int fd) {
    char link[64], path[4096];
    if (!armed) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_ours(path);
}

static int at_is_ours(int fd, const char *path) {
    return path && path[0] == '/' ? is_ours(path) : fd == AT_FDCWD ? 0 : fd_is_ours(fd);
}

/* The error number that this call meets, 0 for none; -1: the process is to end. */
static int met(int takes_space) {
    long number = atomic_fetch_add(&seen, 1);
    if (kind == FULL) {
        if (number == failing_at) is_full = 1;
        return is_full && takes_space ? ENOSPC : 0;
    }
    if (number != failing_at) return 0;
    return kind == END ? -1 : kind == FAIL ? EIO : 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define GUARD(ours, takes_space)                                                                              \
    if (ours) {                                                                                               \
        int error = met(takes_space);                                                                         \
        if (error < 0) _exit(137);                                                                            \
        if (error > 0) {                                                                                      \
            errno = error;                                                                                    \
            return -1;                                                                                        \
        }                                                                                                     \
    }
#define WRITE_GUARD(fd, half)                                                                                 \
    if (fd_is_ours(fd)) {                                                                                     \
        int error = met(1);                                                                                   \
        if (error) {                                                                                          \
            half;                                                                                             \
            if (error < 0) _exit(137);                                                                        \
            errno = error;                                                                                    \
            return -1;                                                                                        \
        }                                                                                                     \
    }

#define OPEN(name, ours_of, parameters, call)                                                                 \
    int name parameters {                                                                                     \
        mode_t mode = 0;                                                                                      \
        if (flags & (O_CREAT | O_TMPFILE)) {                                                                  \
            va_list list;                                                                                     \
            va_start(list, flags);                                                                            \
            mode = va_arg(list, mode_t);                                                                      \
            va_end(list);                                                                                     \
        }                                                                                                     \
        GUARD(ours_of, (flags & O_CREAT) != 0)                                                                \
        return REAL(name) call;                                                                               \
    }

OPEN(open, is_ours(path), (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, is_ours(path), (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, at_is_ours(fd, path), (int fd, const char *path, int flags, ...), (fd, path, flags, mode))
OPEN(openat64, at_is_ours(fd, path), (int fd, const char *path, int flags, ...), (fd, path, flags, mode))

ssize_t write(int fd, const void *data, size_t size) {
    WRITE_GUARD(fd, REAL(write)(fd, data, size / 2))
    return REAL(write)(fd, data, size);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
    WRITE_GUARD(fd, REAL(pwrite)(fd, data, size / 2, at))
    return REAL(pwrite)(fd, data, size, at);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    WRITE_GUARD(fd, REAL(pwrite64)(fd, data, size / 2, at))
    return REAL(pwrite64)(fd, data, size, at);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    WRITE_GUARD(fd, REAL(writev)(fd, parts, count / 2))
    return REAL(writev)(fd, parts, count);
}
ssize_t sendfile(int fd, int from, off_t *at, size_t size) {
    WRITE_GUARD(fd, REAL(sendfile)(fd, from, at, size / 2))
    return REAL(sendfile)(fd, from, at, size);
}
ssize_t copy_file_range(int from, off64_t *at, int fd, off64_t *to, size_t size, unsigned flags) {
    WRITE_GUARD(fd, REAL(copy_file_range)(from, at, fd, to, size / 2, flags))
    return REAL(copy_file_range)(from, at, fd, to, size, flags);
}
ssize_t read(int fd, void *data, size_t size) {
    GUARD(fd_is_ours(fd), 0)
    return REAL(read)(fd, data, size);
}
ssize_t pread(int fd, void *data, size_t size, off_t at) {
    GUARD(fd_is_ours(fd), 0)
    return REAL(pread)(fd, data, size, at);
}
ssize_t pread64(int fd, void *data, size_t size, off64_t at) {
    GUARD(fd_is_ours(fd), 0)
    return REAL(pread64)(fd, data, size, at);
}

#define ON_FD(name, takes_space, parameters, call)                                                            \
    int name parameters {                                                                                     \
        GUARD(fd_is_ours(fd), takes_space)                                                                    \
        return REAL(name) call;                                                                               \
    }
ON_FD(fsync, 1, (int fd), (fd))
ON_FD(fdatasync, 1, (int fd), (fd))
ON_FD(ftruncate, 1, (int fd, off_t size), (fd, size))
ON_FD(ftruncate64, 1, (int fd, off64_t size), (fd, size))

#define ON_PATH(name, takes_space, parameters, call)                                                          \
    int name parameters {                                                                                     \
        GUARD(is_ours(path), takes_space)                                                                     \
        return REAL(name) call;                                                                               \
    }
ON_PATH(mkdir, 1, (const char *path, mode_t mode), (path, mode))
ON_PATH(rmdir, 0, (const char *path), (path))
ON_PATH(unlink, 0, (const char *path), (path))
ON_PATH(rename, 0, (const char *path, const char *to), (path, to))
ON_PATH(link, 1, (const char *path, const char *to), (path, to))

#define ON_AT(name, takes_space, parameters, call)                                                            \
    int name parameters {                                                                                     \
        GUARD(at_is_ours(fd, path), takes_space)                                                              \
        return REAL(name) call;                                                                               \
    }
ON_AT(mkdirat, 1, (int fd, const char *path, mode_t mode), (fd, path, mode))
ON_AT(unlinkat, 0, (int fd, const char *path, int flags), (fd, path, flags))
ON_AT(renameat, 0, (int fd, const char *path, int to_fd, const char *to), (fd, path, to_fd, to))
ON_AT(linkat, 1, (int fd, const char *path, int to_fd, const char *to, int flags), (fd, path, to_fd, to, flags))
