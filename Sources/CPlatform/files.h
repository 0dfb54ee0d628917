// Calls on files that exist only with _GNU_SOURCE.
#pragma once
#include <linux/fs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// Begins to write a range to disk and does not wait; see sync_file_range(2).
static inline int lull_start_writeback(int fd, off_t offset, off_t length) {
    return (int)syscall(SYS_sync_file_range, fd, offset, length, SYNC_FILE_RANGE_WRITE);
}

// Waits for what is being written and reports an error of write-back that this descriptor has not seen.
static inline int lull_await_writeback(int fd) {
    return (int)syscall(SYS_sync_file_range, fd, (off_t)0, (off_t)0, SYNC_FILE_RANGE_WAIT_BEFORE);
}
