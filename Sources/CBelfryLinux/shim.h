#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

// What Swift's Glibc module leaves out; each line can go when it no longer does.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#endif
