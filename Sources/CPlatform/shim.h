// System calls that Swift's Glibc module hides, and macros that it cannot import.
// No _GNU_SOURCE here: it changes fd_set, and Dispatch's module would no longer agree with this one.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <malloc.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

static inline int lull_accept4(int fd, struct sockaddr *address, socklen_t *length) {
    return (int)syscall(SYS_accept4, fd, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline int lull_rename_noreplace(int from_directory, const char *from, int to_directory,
                                        const char *to) {
    return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, RENAME_NOREPLACE);
}

// A descriptor that is readable once a process has ended; close-on-exec.
static inline int lull_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

static inline int lull_syncfs(int fd) { return (int)syscall(SYS_syncfs, fd); }

// dup3(2) with O_CLOEXEC: another file under a number that is in use, in one step.
static inline int lull_dup3(int fd, int number) {
    return (int)syscall(SYS_dup3, fd, number, O_CLOEXEC);
}

// The bytes that came on a TCP connection, and its state (1: established); see tcp(7). They stand in
// struct tcp_info of <linux/tcp.h>, which cannot be included beside <netinet/tcp.h>. 0 on failure.
static inline int lull_received_bytes(int fd, uint64_t *bytes) {
    unsigned char info[256];
    socklen_t length = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, 11 /* TCP_INFO */, info, &length) != 0 || length < 136)
        return 0;
    memcpy(bytes, info + 128, sizeof *bytes);
    return info[0];
}

// The bytes of a TCP connection that the other side has acknowledged (tcpi_bytes_acked of struct
// tcp_info), and those that it has not (SIOCOUTQ of tcp(7)). 0 on failure.
static inline int lull_sent_bytes(int fd, uint64_t *acknowledged, int *outstanding) {
    unsigned char info[256];
    socklen_t length = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, 11 /* TCP_INFO */, info, &length) != 0 || length < 136 ||
        ioctl(fd, 0x5411 /* SIOCOUTQ */, outstanding) != 0)
        return 0;
    memcpy(acknowledged, info + 120, sizeof *acknowledged);
    return 1;
}

// Bounds the bytes that wait in a socket for their first sending, TCP_NOTSENT_LOWAT of tcp(7).
static inline void lull_limit_unsent_bytes(int fd, int bytes) {
    (void)setsockopt(fd, IPPROTO_TCP, 25 /* TCP_NOTSENT_LOWAT */, &bytes, sizeof bytes);
}

// Sends an acknowledgement that is due, TCP_QUICKACK of tcp(7).
static inline void lull_acknowledge(int fd) {
    int on = 1;
    (void)setsockopt(fd, IPPROTO_TCP, 12 /* TCP_QUICKACK */, &on, sizeof on);
}

// The flag of open(2) for reads and writes past the page cache.
static inline int lull_open_direct(void) { return __O_DIRECT; }

static inline int lull_fallocate_keep_size(int fd, off_t offset, off_t length) {
    return (int)syscall(SYS_fallocate, fd, FALLOC_FL_KEEP_SIZE, offset, length);
}

// epoll(7) with a 64-bit token per descriptor; Swift cannot read the packed union.
static inline int lull_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int lull_epoll_add(int epoll, int fd, unsigned events, unsigned long long token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static inline int lull_epoll_modify(int epoll, int fd, unsigned events, unsigned long long token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event);
}

static inline int lull_epoll_remove(int epoll, int fd) {
    struct epoll_event unused = {0};
    return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, &unused);
}

// Waits for ready descriptors, for some milliseconds at most; returns at most 256 of them.
static inline int lull_epoll_wait(int epoll, unsigned *events, unsigned long long *tokens,
                                  int capacity, int milliseconds) {
    struct epoll_event ready[256];
    int count = epoll_wait(epoll, ready, capacity < 256 ? capacity : 256, milliseconds);
    for (int index = 0; index < count; index++) {
        events[index] = ready[index].events;
        tokens[index] = ready[index].data.u64;
    }
    return count;
}

// A counter that wakes the thread which watches it in an epoll set; see eventfd(2).
static inline int lull_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline int lull_eventfd_signal(int fd) {
    unsigned long long one = 1;
    return write(fd, &one, sizeof one) == sizeof one ? 0 : -1;
}
