#include "CGRPCPeerName.h"

#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

namespace cgrpc {

namespace {

/// The user whose name the peers have on this thread.
thread_local std::optional<uid_t> named;

}  // namespace

PeerName::PeerName(std::optional<uid_t> user) { named = user; }
PeerName::~PeerName() { named.reset(); }

bool IsPeerNamed() {
    return dlsym(RTLD_DEFAULT, "getpeername") == reinterpret_cast<void*>(&getpeername);
}

}  // namespace cgrpc

/// Replaces the C library's function, in this program and in the libraries that it loads. Where no
/// user is named, the function does what the C library's does.
extern "C" int getpeername(int descriptor, sockaddr* address, socklen_t* size) noexcept {
    if (!cgrpc::named) {
        return static_cast<int>(syscall(SYS_getpeername, descriptor, address, size));
    }
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    const std::string path = "uid/" + std::to_string(*cgrpc::named);
    std::memcpy(name.sun_path, path.c_str(), path.size() + 1);
    const size_t length = offsetof(sockaddr_un, sun_path) + path.size() + 1;
    std::memcpy(address, &name, std::min<size_t>(*size, length));
    *size = static_cast<socklen_t>(length);
    return 0;
}
