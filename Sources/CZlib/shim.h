// zlib for Swift.
#pragma once
#define ZLIB_CONST
#include <zlib.h>

/* deflateInit2 and inflateInit2 are macros. The format is that of RFC 1952, with the largest window. */
static inline int lull_gzip_begin(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}
static inline int lull_gunzip_begin(z_stream *stream) { return inflateInit2(stream, MAX_WBITS + 16); }
