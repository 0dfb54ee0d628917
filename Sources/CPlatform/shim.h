// System calls that Swift's Glibc module hides, and macros that it cannot import.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static inline int lull_accept4(int fd, struct sockaddr *address, socklen_t *length) {
    return accept4(fd, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline int lull_rename_noreplace(int from_directory, const char *from, int to_directory,
                                        const char *to) {
    return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, RENAME_NOREPLACE);
}

static inline int lull_syncfs(int fd) { return syncfs(fd); }

static inline int lull_fallocate_keep_size(int fd, off_t offset, off_t length) {
    return (int)syscall(SYS_fallocate, fd, FALLOC_FL_KEEP_SIZE, offset, length);
}
