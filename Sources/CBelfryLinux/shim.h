#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

// What Swift's Glibc module leaves out; each line can go when it no longer does.
#include <linux/memfd.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/timerfd.h>

// The system's headers declare these for _GNU_SOURCE alone.
int dup3(int descriptor, int number, int flags);
int memfd_create(const char *name, unsigned flags);
int pthread_setname_np(pthread_t thread, const char *name);

#endif
