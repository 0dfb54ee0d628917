// iconv(3) of the C library for Swift.
#pragma once
#include <errno.h>
#include <iconv.h>
#include <string.h>
#include <sys/types.h>

// Converts a text to UTF-8 by iconv(3); with `repairs` an invalid byte becomes U+FFFD. The number of
// bytes in `room`; -1 for an unknown character set, an invalid byte, or a result that has no room.
static inline ssize_t lull_to_utf8(const char *name, int repairs, const unsigned char *text,
                                   size_t length, unsigned char *room, size_t size) {
    iconv_t conversion = iconv_open("UTF-8", name);
    if (conversion == (iconv_t)-1) return -1;
    char *in = (char *)text, *out = (char *)room;
    size_t left = length, space = size;
    int failed = 0;
    while (left > 0 && !failed) {
        if (iconv(conversion, &in, &left, &out, &space) != (size_t)-1) break;
        failed = !repairs || (errno != EILSEQ && errno != EINVAL) || space < 3;
        if (failed) break;
        memcpy(out, "\xef\xbf\xbd", 3);
        out += 3, space -= 3, in += 1, left -= 1;
    }
    // A set with states ends in its first one.
    if (!failed && iconv(conversion, NULL, NULL, &out, &space) == (size_t)-1) failed = 1;
    iconv_close(conversion);
    return failed ? -1 : (ssize_t)(size - space);
}
