#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

// Swift's Glibc module leaves these headers out.
#include <malloc.h>
#include <sys/epoll.h>

// prctl(2) is variadic, which Swift can't call. No core is written, and only root may look in.
#include <sys/prctl.h>
static inline int linux_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// Glibc declares accept4(2) under _GNU_SOURCE alone, which is not set where Swift reads its headers.
// address: struct sockaddr *
int linux_accept4(int descriptor, void *address, unsigned int *address_bytes, int flags) __asm__("accept4");

#endif
