// Calls on files that exist only with _GNU_SOURCE.
#pragma once
#include <linux/fs.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// Opens a path beneath a directory: no component may be a link or lead out of it; see openat2(2).
static inline int lull_open_beneath(int directory, const char *path, int flags) {
    struct open_how how = {
        .flags = (unsigned long long)flags,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

// Waits for what is being written and reports an error of write-back that this descriptor has not seen.
static inline int lull_await_writeback(int fd) {
    return (int)syscall(SYS_sync_file_range, fd, (off_t)0, (off_t)0, SYNC_FILE_RANGE_WAIT_BEFORE);
}
