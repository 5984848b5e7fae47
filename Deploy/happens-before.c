// Tells the thread sanitizer what happens before what where a `Mutex` sees to it; Deploy/sanitize builds this and preloads
// it. Each function stands before the library's of the same name and calls it.
//
// On Linux a `Mutex` that is free is locked, and one that nobody waits for is unlocked, by a compare-and-exchange that the
// compiler puts into the caller, which the sanitizer sees. Under contention both happen in libswiftSynchronization, which
// is not instrumented, by FUTEX_LOCK_PI, and what two threads do one after the other, each under the lock, would be taken
// for a race. Nothing is suppressed: what races although there is a lock is still reported.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Absent from programs that are not instrumented, which this is loaded into as well.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

static void acquire(void *address) {
    if (__tsan_acquire) __tsan_acquire(address);
}

static void release(void *address) {
    if (__tsan_release) __tsan_release(address);
}

// Swift's calling convention has a register for `self`.
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT bool tryLock(SELF void *handle) __asm__(TRY_LOCK);
SWIFT void unlock(SELF void *handle) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF void *handle) {
    typedef SWIFT void Function(uint32_t, SELF void *);
    ((Function *)dlsym(RTLD_NEXT, LOCK))(thread, handle);
    acquire(handle);
}

SWIFT bool tryLock(SELF void *handle) {
    typedef SWIFT bool Function(SELF void *);
    bool isLocked = ((Function *)dlsym(RTLD_NEXT, TRY_LOCK))(handle);
    if (isLocked) acquire(handle);
    return isLocked;
}

SWIFT void unlock(SELF void *handle) {
    typedef SWIFT void Function(SELF void *);
    release(handle);
    ((Function *)dlsym(RTLD_NEXT, UNLOCK))(handle);
}
