#include "CBelfryWriting.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static ssize_t write_parts(int descriptor, const struct iovec *parts, int count) {
  return syscall(SYS_writev, descriptor, parts, count);
}

static bool are_pages_of_a_file(int descriptor, const struct iovec *parts, int count,
                                size_t page_size) {
  // Leave to the kernel what it refuses.
  if (count <= 0 || count > UIO_MAXIOV) return false;
  for (int i = 0; i < count; ++i) {
    if (parts[i].iov_len == 0 || parts[i].iov_len % page_size != 0) return false;
  }
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  const size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
  if (!are_pages_of_a_file(descriptor, parts, count, page_size)) {
    return write_parts(descriptor, parts, count);
  }
  ssize_t written = 0;
  for (int i = 0; i < count; ++i) {
    for (size_t offset = 0; offset < parts[i].iov_len; offset += page_size) {
      const struct iovec page = {(char *)parts[i].iov_base + offset, page_size};
      const ssize_t result = write_parts(descriptor, &page, 1);
      // As the kernel does, tell what is written, which is less than was asked.
      if (result < 0) return written > 0 ? written : result;
      written += result;
      if ((size_t)result < page_size) return written;
    }
  }
  return written;
}
