#include "CGRPCListener.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>

#include "CGRPCFaults.h"

namespace cgrpc {

namespace {

constexpr int kBacklog = 1024;
constexpr int kSocketType = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;

[[noreturn]] void Fail(const std::string& what, int error) {
    throw ListenError(what + ": " + std::strerror(error));
}

bool IsTrusted(uid_t owner) {
    return owner == geteuid() || owner == 0 || IsPlanted("directory-owner-not-checked");
}

/// Creates the directory of `path` for this user alone, if the directory is absent. A directory
/// that another user made or may write to is refused: that user could replace the socket.
void CreateDirectory(const std::string& path) {
    const size_t slash = path.rfind('/');
    const std::string directory =
        slash == std::string::npos ? "." : path.substr(0, std::max<size_t>(slash, 1));
    if (mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
        Fail("cannot create the directory " + directory, errno);
    }
    struct stat named;
    struct stat found;
    if (lstat(directory.c_str(), &named) != 0 || stat(directory.c_str(), &found) != 0) {
        Fail("cannot look at the directory " + directory, errno);
    }
    // The owner of a symbolic link is checked too: another user's link could lead elsewhere later.
    if (!IsTrusted(named.st_uid) || !IsTrusted(found.st_uid)) {
        throw ListenError("the directory " + directory + " belongs to another user (" +
                          std::to_string(IsTrusted(named.st_uid) ? found.st_uid : named.st_uid) +
                          "): remove it, or listen elsewhere with --listen unix:/path/to.sock");
    }
    const bool is_sticky = (found.st_mode & S_ISVTX) != 0;
    if ((found.st_mode & S_IWGRP) != 0 && found.st_gid != getegid() && !is_sticky) {
        throw ListenError("the group " + std::to_string(found.st_gid) +
                          " may write into the directory " + directory + ": chmod g-w it");
    }
    if ((found.st_mode & S_IWOTH) != 0 && !is_sticky) {
        throw ListenError("everybody may write into the directory " + directory +
                          ": chmod o-w it, or listen elsewhere with --listen unix:/path/to.sock");
    }
}

/// Takes the lock that decides which server owns `path`. The lock is released with the descriptor,
/// so also when the server is killed. The file stays, because after a removal two servers could
/// lock two files of the same name.
Descriptor Lock(const std::string& path) {
    const std::string name = path + ".lock";
    Descriptor lock(open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (lock.get() < 0) Fail("cannot open " + name, errno);
    if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) throw ListenError("another server is listening on " + path);
        Fail("cannot lock " + name, errno);
    }
    return lock;
}

/// Whether a program listens at an address, such as one that does not take the lock.
bool IsAnswered(const sockaddr_un& address) {
    Descriptor probe(socket(AF_UNIX, kSocketType, 0));
    if (probe.get() < 0) Fail("cannot make a socket", errno);
    // Any other error, as of a missing right or a full queue, is no proof that nobody listens.
    const auto* name = reinterpret_cast<const sockaddr*>(&address);
    return connect(probe.get(), name, sizeof address) == 0 || errno != ECONNREFUSED;
}

/// Removes the socket that a killed server left behind. The caller holds the lock.
void RemoveStale(const std::string& path, const sockaddr_un& address) {
    struct stat found;
    if (lstat(path.c_str(), &found) != 0) {
        if (errno == ENOENT) return;
        Fail("cannot look at " + path, errno);
    }
    if (!S_ISSOCK(found.st_mode)) throw ListenError(path + " exists and is not a socket");
    if (IsAnswered(address)) throw ListenError("another program is listening on " + path);
    if (unlink(path.c_str()) != 0) Fail("cannot remove the stale socket " + path, errno);
}

/// Binds and listens on one resolved address; false with errno set.
bool BindTo(const addrinfo& address, Descriptor& socket_out) {
    Descriptor descriptor(socket(address.ai_family, kSocketType, address.ai_protocol));
    if (descriptor.get() < 0) return false;
    const int on = 1;
    // SO_REUSEADDR lets a restart pass over TIME_WAIT; it does not share a listening port.
    // Accepted sockets inherit TCP_NODELAY.
    setsockopt(descriptor.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(descriptor.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (bind(descriptor.get(), address.ai_addr, address.ai_addrlen) != 0) return false;
    if (listen(descriptor.get(), kBacklog) != 0) return false;
    socket_out = std::move(descriptor);
    return true;
}

}  // namespace

void Descriptor::Close() {
    const int number = std::exchange(number_, -1);
    if (number >= 0) close(number);
}

Listener Listener::Unix(const std::string& path) {
    sockaddr_un address;
    std::memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path) {
        throw ListenError("a socket path has 1 to " +
                          std::to_string(sizeof address.sun_path - 1) + " bytes: " + path);
    }
    std::memcpy(address.sun_path, path.data(), path.size());

    CreateDirectory(path);
    Descriptor lock = Lock(path);
    RemoveStale(path, address);
    Listener listener(Descriptor(socket(AF_UNIX, kSocketType, 0)));
    const int descriptor = listener.descriptor();
    if (descriptor < 0) Fail("cannot make a socket", errno);
    if (bind(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        Fail("cannot bind " + path, errno);
    }
    struct stat bound;
    if (lstat(path.c_str(), &bound) != 0) Fail("cannot look at " + path, errno);
    listener.lock_ = std::move(lock);
    listener.path_ = path;
    listener.device_ = bound.st_dev;
    listener.inode_ = bound.st_ino;
    // No client can connect before listen(), so the mode applies to the first connection too.
    if (chmod(path.c_str(), 0600) != 0) Fail("cannot set the mode of " + path, errno);
    if (listen(descriptor, kBacklog) != 0) Fail("cannot listen on " + path, errno);
    return listener;
}

Listener Listener::Tcp(const std::string& host, uint16_t port, bool is_encrypted) {
    addrinfo hints;
    std::memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const std::string service = std::to_string(port);
    const int failure = getaddrinfo(host.c_str(), service.c_str(), &hints, &found);
    if (failure != 0) {
        throw ListenError("cannot resolve " + host + ": " + gai_strerror(failure));
    }
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, freeaddrinfo);
    int error = EADDRNOTAVAIL;
    for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
        Descriptor descriptor;
        if (BindTo(*address, descriptor)) {
            Listener listener(std::move(descriptor));
            listener.is_encrypted_ = is_encrypted;
            return listener;
        }
        error = errno;
    }
    if (error == EADDRINUSE) {
        throw ListenError("another server is listening on " + host + ":" + service);
    }
    Fail("cannot listen on " + host + ":" + service, error);
}

Listener Listener::Inherited(int number) {
    const std::string name = "the inherited descriptor " + std::to_string(number);
    Listener listener{Descriptor(number)};
    int type = 0;
    int is_listening = 0;
    socklen_t size = sizeof type;
    if (getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM ||
        getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &size) != 0 ||
        is_listening == 0) {
        throw ListenError(name + " is not a stream socket that listens");
    }
    sockaddr_un address;
    socklen_t length = sizeof address;
    if (getsockname(number, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
        Fail("cannot look at " + name, errno);
    }
    if (address.sun_family != AF_UNIX) throw ListenError(name + " is not a unix socket");
    const size_t capacity = length - std::min<size_t>(length, offsetof(sockaddr_un, sun_path));
    listener.path_.assign(address.sun_path, strnlen(address.sun_path, capacity));
    if (listener.path_.empty()) throw ListenError(name + " has no path in the file system");
    if (fcntl(number, F_SETFL, O_NONBLOCK) != 0 || fcntl(number, F_SETFD, FD_CLOEXEC) != 0) {
        Fail("cannot set the flags of " + name, errno);
    }
    return listener;
}

Listener::~Listener() {
    // The socket of a service manager has no lock here: its file is the manager's.
    if (descriptor() < 0 || lock_.get() < 0) return;
    struct stat found;
    if (lstat(path_.c_str(), &found) == 0 && found.st_dev == device_ && found.st_ino == inode_) {
        unlink(path_.c_str());
    }
    // Closing is not enough: a child between its fork and its exec would still hold the lock.
    flock(lock_.get(), LOCK_UN);
}

uint16_t Listener::port() const {
    sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getsockname(descriptor(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
    if (address.ss_family == AF_INET) {
        return ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
    }
    if (address.ss_family == AF_INET6) {
        return ntohs(reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port);
    }
    return 0;
}

}  // namespace cgrpc
