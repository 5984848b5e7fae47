// What PostgreSQL's client library and the watching of its sockets need, and what Swift can't see of them.
#pragma once

#include <libpq-fe.h>
// Swift's Glibc module leaves this header out.
#include <sys/epoll.h>

static const int shim_PG_DIAG_SQLSTATE = PG_DIAG_SQLSTATE;
static const int shim_PG_DIAG_MESSAGE_PRIMARY = PG_DIAG_MESSAGE_PRIMARY;
