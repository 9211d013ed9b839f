// Opens /dev/null as standard input, output and error when the program was started without them.
//
// gRPC's library opens a descriptor as soon as it is loaded. That descriptor, or the next file,
// would get the number of a missing standard descriptor, and would receive the printed and logged
// text.

#include <fcntl.h>

namespace {

void OpenMissing() {
    for (int number = 0; number <= 2; ++number) {
        // open() takes the lowest free number, which is `number`.
        if (fcntl(number, F_GETFD) < 0) (void)open("/dev/null", O_RDWR);
    }
}

/// The functions of this section run before the initializers of the libraries.
__attribute__((section(".preinit_array"), used)) void (*const open_missing)() = OpenMissing;

}  // namespace
