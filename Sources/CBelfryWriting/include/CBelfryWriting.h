/// How the pages of a file are written.
#pragma once

#include <sys/uio.h>

/// Writes parts of memory to a file, as the C library's function of this name, which it replaces in
/// each program that has the store.
///
/// LMDB writes up to 64 pages that follow each other with one call, and offers no other place where
/// a program could split it. Linux keeps what is written so as one folio, and ext4 goes by all
/// blocks of a folio for each page of it that is written later: merges, which write single pages
/// all over the file, spent a quarter of their time there. So whole pages of a regular file are
/// written by a call for each: pages that several writers append to one file do not stay together.
/// Anything else is written as the C library does.
ssize_t writev(int descriptor, const struct iovec *parts, int count);
