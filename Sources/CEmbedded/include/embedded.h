#pragma once
#include <stddef.h>

/// A file that is compiled in.
struct embedded_file {
    /// Its path in the repository, or beside embedded.c.
    const char *name;
    const unsigned char *bytes;
    size_t length;
};

/// The first of the files, which stand one behind the other.
const struct embedded_file *embedded_files(void);
/// The number of the files.
extern const size_t embedded_file_count;
