#include "CGRPCAcceptor.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>

#include "CGRPCDecrypted.h"
#include "CGRPCFaults.h"

namespace cgrpc {

namespace {

/// How long the thread ignores its listeners when no descriptor or memory is left to accept with.
constexpr int kBackOffMilliseconds = 20;
/// How many connections one listener accepts before the next listener has its turn.
constexpr int kAcceptsInTurn = 64;
/// How many connections one `poll` checks: when many end at once, the first `poll` finds one.
constexpr size_t kLooksAtOnce = 64;

/// Descriptors that connections never use, so that files can be opened. When the process may have
/// only few descriptors, a quarter of them is left.
constexpr rlim_t kLeftToFiles = 32;

/// The bound of the descriptors of connections: the system gives out the lowest free number.
size_t DescriptorLimit() {
    rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
    return limit.rlim_cur - std::min(kLeftToFiles, limit.rlim_cur / 4);
}

Descriptor OpenReserve() { return Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)); }

/// The number that stands for every user whom this process's user namespace does not have; nothing
/// in the namespace that has all.
std::optional<uid_t> StandIn() {
    std::ifstream map("/proc/self/uid_map");
    uint64_t first = 0, outside = 0, count = 0;
    if (map >> first >> outside >> count && first == 0 && outside == 0 && count == UINT32_MAX) {
        return std::nullopt;
    }
    uid_t number = 65534;
    std::ifstream("/proc/sys/kernel/overflowuid") >> number;
    return number;
}

/// The user whose process connected; nothing when the system does not tell.
std::optional<uid_t> UserOf(int descriptor) {
    static const std::optional<uid_t> stand_in = StandIn();
    ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
    if (peer.uid == stand_in) return std::nullopt;
    return peer.uid;
}

/// The number that all connections of one machine share: its IPv4 address, or the network part of
/// its IPv6 address, because one machine may have any number of IPv6 addresses in its network.
uint64_t PeerOf(const sockaddr_storage& address) {
    uint64_t peer = 0;
    if (address.ss_family == AF_INET) {
        peer = reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr;
    } else if (address.ss_family == AF_INET6) {
        const in6_addr& bytes = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
        const size_t begin = IN6_IS_ADDR_V4MAPPED(&bytes) ? sizeof peer : 0;
        std::memcpy(&peer, bytes.s6_addr + begin, sizeof peer);
    }
    return peer;
}

std::shared_ptr<Unfinished> UpTo(size_t limit) {
    auto unfinished = std::make_shared<Unfinished>();
    unfinished->limit = limit;
    return unfinished;
}

}  // namespace

Acceptor::Acceptor(size_t connection_limit, size_t unfinished_limit)
    : connection_limit_(connection_limit),
      unfinished_(UpTo(unfinished_limit)),
      stop_event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      reserve_(OpenReserve()) {}

void Acceptor::Start() {
    thread_ = std::thread([this] { Run(); });
}

void Acceptor::Stop() {
    if (thread_.joinable()) {
        eventfd_write(stop_event_.get(), 1);
        thread_.join();
    }
    listeners_.clear();
}

void Acceptor::Run() {
    std::vector<pollfd> watched{{stop_event_.get(), POLLIN, 0}};
    for (const Listener& listener : listeners_) {
        watched.push_back({listener.descriptor(), POLLIN, 0});
    }
    bool back_off = false;
    for (;;) {
        // During a back-off only the stop event is watched, because the listeners would be ready at
        // once.
        const int ready = poll(watched.data(), back_off ? 1 : watched.size(),
                               back_off ? kBackOffMilliseconds : -1);
        if (ready < 0 && errno != EINTR) return;
        if (watched[0].revents != 0) return;
        const bool all = back_off;
        back_off = false;
        for (size_t i = 0; i < listeners_.size(); ++i) {
            const bool may_accept = all || (ready > 0 && watched[i + 1].revents != 0);
            if (!may_accept || AcceptAll(listeners_[i])) continue;
            if (IsPlanted("listener-deaf")) {
                watched[i + 1].fd = -1;
            } else {
                back_off = true;
            }
        }
    }
}

bool Acceptor::AcceptAll(const Listener& listener) {
    for (int turn = 0; turn < kAcceptsInTurn; ++turn) {
        const int descriptor =
            accept4(listener.descriptor(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor >= 0) {
            Admit(descriptor, listener);
            continue;
        }
        switch (errno) {
            case EAGAIN:
                return true;
            case EMFILE:
            case ENFILE:
                RefuseWithReserve(listener);
                return false;
            case ENOBUFS:
            case ENOMEM:
                return false;
            default:
                // The connection failed before it was accepted; the next connection may succeed.
                continue;
        }
    }
    return true;
}

void Acceptor::Admit(int number, const Listener& listener) {
    Descriptor descriptor(number);
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    struct stat socket;
    if (fstat(number, &socket) != 0) return;
    if (getpeername(number, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return;
    const std::optional<uid_t> user = listener.is_unix() ? UserOf(number) : std::nullopt;
    // The server's own user may have all connections of a unix socket.
    const bool is_shared = user != geteuid();
    const uint64_t one = user ? uint64_t{*user} : PeerOf(peer);
    const Connection connection{number, socket.st_ino, listener.descriptor(), one,
                                listener.is_encrypted()};
    if (!Register(connection, is_shared)) return;
    Handoff::NewConnectionParameters parameters;
    parameters.listener_fd = listener.descriptor();
    parameters.fd = number;
    descriptor.Release();
    const PeerName name(user);
    if (!listener.is_encrypted()) return handoff_->HandleNewConnection(&parameters);
    const DecryptedMetering metering(unfinished_);
    encrypted_handoff_->HandleNewConnection(&parameters);
    // A connection that nobody would meter does not go on.
    if (!metering.has_begun() && connection.IsOpen()) shutdown(number, SHUT_RDWR);
}

/// Accepts and closes one waiting connection, so that its client retries instead of hanging.
void Acceptor::RefuseWithReserve(const Listener& listener) {
    reserve_.Close();
    Descriptor refused(
        accept4(listener.descriptor(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    refused.Close();
    reserve_ = OpenReserve();
}

bool Acceptor::Register(const Connection& connection, bool is_shared) {
    std::lock_guard<std::mutex> lock(mutex_);
    const bool is_pressed = unfinished_->bytes > unfinished_->limit / 4;
    if (is_pressed || !IsWithinShares(connection, is_shared)) ForgetClosed();
    if (static_cast<size_t>(connection.descriptor) >= DescriptorLimit()) return false;
    if (!IsWithinShares(connection, is_shared)) return false;
    // An encrypted connection receives no frames: they are metered once they are decrypted.
    if (!connection.is_encrypted && !Meter(connection.descriptor, connection.inode, unfinished_)) {
        return false;
    }
    connections_.push_back(connection);
    return true;
}

bool Acceptor::IsWithinShares(const Connection& connection, bool is_shared) const {
    size_t of_listener = 0;
    size_t of_peer = 0;
    for (const Connection& other : connections_) {
        if (other.listener != connection.listener) continue;
        ++of_listener;
        if (other.peer == connection.peer) ++of_peer;
    }
    const size_t limit = ListenerLimit();
    if (of_listener >= limit) return false;
    if (IsPlanted("address-takes-all")) return true;
    return !is_shared || of_peer < limit - of_listener;
}

size_t Acceptor::ListenerLimit() const {
    // The descriptors that were open when the last listener was made stay open.
    const size_t used = static_cast<size_t>(listeners_.back().descriptor()) + 1;
    const size_t all = DescriptorLimit();
    return std::min(connection_limit_, all > used ? (all - used) / listeners_.size() : 0);
}

void Acceptor::ForgetClosed() {
    const auto is_gone = [](const Connection& connection) {
        if (connection.IsOpen()) return false;
        Unmeter(connection.descriptor, connection.inode);
        return true;
    };
    connections_.erase(std::remove_if(connections_.begin(), connections_.end(), is_gone),
                       connections_.end());
}

size_t Acceptor::ConnectionCount() {
    std::lock_guard<std::mutex> lock(mutex_);
    ForgetClosed();
    return connections_.size();
}

bool Acceptor::IsAnyEnding() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::array<pollfd, kLooksAtOnce> looked;
    size_t end = connections_.size();
    while (end > 0) {
        const size_t count = std::min(end, looked.size());
        end -= count;
        for (size_t i = 0; i < count; ++i) {
            looked[i] = {connections_[end + i].descriptor, POLLRDHUP, 0};
        }
        if (poll(looked.data(), count, 0) <= 0) continue;
        // From the back, because a removed connection is replaced by the last one, which was
        // checked.
        for (size_t i = count; i-- > 0;) {
            if (looked[i].revents == 0) continue;
            if (connections_[end + i].IsOpen()) return true;
            Unmeter(connections_[end + i].descriptor, connections_[end + i].inode);
            connections_[end + i] = connections_.back();
            connections_.pop_back();
        }
    }
    return false;
}

}  // namespace cgrpc
