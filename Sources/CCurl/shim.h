// libcurl for Swift: only what Swift cannot import by itself (variadic calls, macros).
#pragma once
#include <curl/curl.h>
#include <openssl/ssl.h>

static inline CURLcode lull_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

static inline CURLcode lull_set_long(CURL *easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode lull_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode lull_set_text(CURL *easy, CURLoption option, const char *value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode lull_set_pointer(CURL *easy, CURLoption option, void *value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode lull_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode lull_set_blob(CURL *easy, CURLoption option, void *bytes, size_t count) {
    struct curl_blob blob = {bytes, count, CURL_BLOB_COPY};
    return (curl_easy_setopt)(easy, option, &blob);
}

static inline CURLcode lull_set_data_callback(CURL *easy, CURLoption option,
                                              size_t (*value)(char *, size_t, size_t, void *)) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode lull_set_opensocket(CURL *easy, curl_opensocket_callback value) {
    return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode lull_set_seek(CURL *easy, curl_seek_callback value) {
    return (curl_easy_setopt)(easy, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode lull_set_prereq(CURL *easy, curl_prereq_callback value) {
    return (curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode lull_set_debug(CURL *easy, curl_debug_callback value) {
    return (curl_easy_setopt)(easy, CURLOPT_DEBUGFUNCTION, value);
}

// Reads bytes that libcurl has left in a socket, without waiting; the connection is not used any
// more. At most 0 if there are none.
static inline int lull_receive_rest(CURL *easy, int socket, int is_secure, void *bytes, int count) {
    struct curl_tlssessioninfo *session = NULL;
    if (!is_secure) return (int)recv(socket, bytes, (size_t)count, MSG_DONTWAIT);
    if ((curl_easy_getinfo)(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL ||
        session->internals == NULL)
        return 0;
    return SSL_read((SSL *)session->internals, bytes, count);
}

// Whether TLS has decrypted bytes, or records, that libcurl has not read.
static inline int lull_has_unread_tls(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if ((curl_easy_getinfo)(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL ||
        session->internals == NULL)
        return 0;
    return SSL_has_pending((const SSL *)session->internals);
}

// OpenSSL tells an end of the connection from one of TLS only if the BIO says that it is at its end.
// The BIO of libcurl 7.88 never does; this wraps it, see BIO_set_callback_ex(3).
static inline long lull_note_end(BIO *bio, int operation, const char *bytes, size_t count,
                                 int command, long number, int result, size_t *processed) {
    (void)bytes, (void)count, (void)number, (void)processed;
    if (operation == (BIO_CB_READ | BIO_CB_RETURN))
        BIO_set_callback_arg(bio, result == 0 ? (char *)bio : NULL);
    if (operation == (BIO_CB_CTRL | BIO_CB_RETURN) && command == BIO_CTRL_EOF &&
        BIO_get_callback_arg(bio) != NULL)
        return 1;
    return result;
}

static inline void lull_follow_handshake(const SSL *tls, int event, int result) {
    (void)result;
    if (event == SSL_CB_HANDSHAKE_DONE) BIO_set_callback_ex(SSL_get_rbio(tls), &lull_note_end);
}

// CURLOPT_SSL_CTX_FUNCTION(3); later versions of libcurl set the option that is taken back here.
static inline CURLcode lull_expect_close_notify(CURL *easy, void *context, void *own) {
    (void)easy, (void)own;
    SSL_CTX_clear_options((SSL_CTX *)context, SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_info_callback((SSL_CTX *)context, &lull_follow_handshake);
    return CURLE_OK;
}

static inline CURLcode lull_report_missing_close_notify(CURL *easy) {
    return (curl_easy_setopt)(easy, CURLOPT_SSL_CTX_FUNCTION, &lull_expect_close_notify);
}

static inline CURLcode lull_get_long(CURL *easy, CURLINFO info, long *value) {
    return (curl_easy_getinfo)(easy, info, value);
}

static inline CURLcode lull_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return (curl_easy_getinfo)(easy, info, value);
}

static inline CURLcode lull_get_text(CURL *easy, CURLINFO info, const char **value) {
    return (curl_easy_getinfo)(easy, info, value);
}

static inline CURLcode lull_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return (curl_easy_getinfo)(easy, info, value);
}

static inline CURLMcode lull_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

static inline CURLMcode lull_multi_set_socket_callback(CURLM *multi, curl_socket_callback value,
                                                       void *context) {
    CURLMcode result = (curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, value);
    return result ? result : (curl_multi_setopt)(multi, CURLMOPT_SOCKETDATA, context);
}

static inline CURLMcode lull_multi_set_timer_callback(CURLM *multi,
                                                      curl_multi_timer_callback value,
                                                      void *context) {
    CURLMcode result = (curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, value);
    return result ? result : (curl_multi_setopt)(multi, CURLMOPT_TIMERDATA, context);
}

// The message's union, read where C can name its active member.
static inline CURLcode lull_message_result(const CURLMsg *message) { return message->data.result; }

// Enumerators of <sys/socket.h>: curl.h includes it too, and then it depends on the order of files
// through which module Swift sees them.
static const int lull_stream_socket = SOCK_STREAM;
static const int lull_close_on_exec = SOCK_CLOEXEC;
