// Standard input, output and error lead nowhere where a program was started without them.
//
// gRPC's library opens a descriptor as soon as it is loaded. It would get the number of a standard
// one that is missing, as would the next file, and with it what is printed or logged.

#include <fcntl.h>

namespace {

void OpenMissing() {
    for (int number = 0; number <= 2; ++number) {
        // It takes the lowest number that is free, which is this one.
        if (fcntl(number, F_GETFD) < 0) (void)open("/dev/null", O_RDWR);
    }
}

/// What an executable has here runs before the initializers of its libraries.
__attribute__((section(".preinit_array"), used)) void (*const open_missing)() = OpenMissing;

}  // namespace
