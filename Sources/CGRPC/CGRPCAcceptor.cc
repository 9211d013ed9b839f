#include "CGRPCAcceptor.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace cgrpc {

namespace {

/// How long the thread leaves its listeners alone when there is nothing left to accept with.
constexpr int kBackOffMilliseconds = 20;
/// How many connections one listener may take before the others have their turn.
constexpr int kAcceptsInTurn = 64;
/// How many connections one look takes in: where many end at once, the first look finds one.
constexpr size_t kLooksAtOnce = 64;

Descriptor OpenReserve() { return Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)); }

bool IsOwnUser(int descriptor) {
    ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           peer.uid == geteuid();
}

}  // namespace

Acceptor::Acceptor(size_t connection_limit)
    : connection_limit_(connection_limit),
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
        // While backing off only the stop event is watched: the listeners would be ready at once.
        const int ready = poll(watched.data(), back_off ? 1 : watched.size(),
                               back_off ? kBackOffMilliseconds : -1);
        if (ready < 0 && errno != EINTR) return;
        if (watched[0].revents != 0) return;
        const bool all = back_off;
        back_off = false;
        for (size_t i = 0; i < listeners_.size(); ++i) {
            const bool may_accept = all || (ready > 0 && watched[i + 1].revents != 0);
            if (may_accept && !AcceptAll(listeners_[i])) back_off = true;
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
                // The connection failed before it was accepted; the next may be well.
                continue;
        }
    }
    return true;
}

void Acceptor::Admit(int number, const Listener& listener) {
    Descriptor descriptor(number);
    struct stat socket;
    if (listener.is_unix() && !IsOwnUser(number)) return;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!HasRoom() || fstat(number, &socket) != 0) return;
        connections_.push_back({number, socket.st_ino});
    }
    Handoff::NewConnectionParameters parameters;
    parameters.listener_fd = listener.descriptor();
    parameters.fd = number;
    descriptor.Release();
    handoff_->HandleNewConnection(&parameters);
}

/// Answers one waiting connection with a close, so that its client tries again instead of hanging.
void Acceptor::RefuseWithReserve(const Listener& listener) {
    reserve_.Close();
    Descriptor refused(
        accept4(listener.descriptor(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    refused.Close();
    reserve_ = OpenReserve();
}

bool Acceptor::HasRoom() {
    if (connections_.size() < connection_limit_) return true;
    const auto is_gone = [](const Connection& connection) { return !connection.IsOpen(); };
    connections_.erase(std::remove_if(connections_.begin(), connections_.end(), is_gone),
                       connections_.end());
    return connections_.size() < connection_limit_;
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
        // From the back, so that what takes the place of one that is gone was looked at before.
        for (size_t i = count; i-- > 0;) {
            if (looked[i].revents == 0) continue;
            if (connections_[end + i].IsOpen()) return true;
            connections_[end + i] = connections_.back();
            connections_.pop_back();
        }
    }
    return false;
}

bool Acceptor::Connection::IsOpen() const {
    struct stat now;
    return fstat(descriptor, &now) == 0 && now.st_ino == inode && S_ISSOCK(now.st_mode);
}

}  // namespace cgrpc
