// libcurl for Swift: only what Swift cannot import by itself (variadic calls, macros).
#pragma once
#include <curl/curl.h>
