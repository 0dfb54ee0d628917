// libpq for Swift. Debian keeps its headers in a folder of their own.
#pragma once
#include <postgresql/libpq-fe.h>
