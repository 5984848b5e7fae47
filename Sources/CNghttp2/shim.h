// The whole of nghttp2's header. What Tollgate uses of it are functions and enumerations, which Swift sees as they are.
#pragma once

#include <malloc.h>
#include <nghttp2/nghttp2.h>
