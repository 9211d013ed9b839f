#include "CGRPCReceive.h"

#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>

namespace cgrpc {

namespace {

constexpr size_t kDescriptors = 65'536;

struct Metered {
    Metered(ino_t number, std::shared_ptr<Unfinished> unfinished)
        : inode(number), meter(std::move(unfinished)) {}

    const ino_t inode;
    ConnectionMeter meter;
    std::atomic<bool> is_cut = false;
};

/// The metered connections, by descriptor. A connection is removed only when no other thread can be
/// receiving from it: by the thread that receives, or after gRPC closed the descriptor, which gRPC
/// does only when it receives no more.
std::array<std::atomic<Metered*>, kDescriptors> connections;
/// Held while a connection is added or removed.
std::mutex mutex;

std::atomic<Metered*>* Slot(int descriptor) {
    if (descriptor < 0 || static_cast<size_t>(descriptor) >= kDescriptors) return nullptr;
    return &connections[static_cast<size_t>(descriptor)];
}

/// Gives the received bytes to the meter. False when the connection has to end.
bool Follow(Metered& metered, const msghdr& message, size_t count) {
    bool goes_on = true;
    for (size_t i = 0; goes_on && count > 0 && i < message.msg_iovlen; ++i) {
        const iovec& part = message.msg_iov[i];
        const size_t size = std::min(part.iov_len, count);
        goes_on = metered.meter.Take(part.iov_base, size);
        count -= size;
    }
    return goes_on;
}

/// gRPC also receives into buffers of no length, and then gets no bytes even when bytes have
/// arrived.
bool HasRoom(const msghdr& message) {
    return std::any_of(message.msg_iov, message.msg_iov + message.msg_iovlen,
                       [](const iovec& part) { return part.iov_len > 0; });
}

ssize_t FailAsReset() {
    errno = ECONNRESET;
    return -1;
}

}  // namespace

bool IsReceiveMetered() {
    return dlsym(RTLD_DEFAULT, "recvmsg") == reinterpret_cast<void*>(&recvmsg);
}

bool IsStill(int descriptor, ino_t inode) {
    struct stat now;
    return fstat(descriptor, &now) == 0 && now.st_ino == inode && S_ISSOCK(now.st_mode);
}

bool Meter(int descriptor, ino_t inode, std::shared_ptr<Unfinished> unfinished) {
    std::atomic<Metered*>* slot = Slot(descriptor);
    if (slot == nullptr) return false;
    std::lock_guard<std::mutex> lock(mutex);
    delete slot->exchange(new Metered(inode, std::move(unfinished)));
    return true;
}

void Unmeter(int descriptor, ino_t inode) {
    std::atomic<Metered*>* slot = Slot(descriptor);
    if (slot == nullptr) return;
    std::lock_guard<std::mutex> lock(mutex);
    const Metered* metered = slot->load();
    if (metered != nullptr && metered->inode == inode) delete slot->exchange(nullptr);
}

}  // namespace cgrpc

/// Replaces the C library's function, in this program and in the libraries that it loads.
///
/// gRPC 1.51 receives with `recvmsg`, and offers no other place where a program could read the
/// received bytes. For a descriptor that is not metered the function does what the C library's
/// does.
extern "C" ssize_t recvmsg(int descriptor, msghdr* message, int flags) {
    std::atomic<cgrpc::Metered*>* slot = cgrpc::Slot(descriptor);
    cgrpc::Metered* metered = slot == nullptr ? nullptr : slot->load(std::memory_order_acquire);
    if (metered != nullptr && metered->is_cut) {
        if (cgrpc::IsStill(descriptor, metered->inode)) return cgrpc::FailAsReset();
        cgrpc::Unmeter(descriptor, metered->inode);
        metered = nullptr;
    }
    const ssize_t count = syscall(SYS_recvmsg, descriptor, message, flags);
    if (metered == nullptr || flags != 0) return count;
    if (count > 0) {
        if (cgrpc::Follow(*metered, *message, static_cast<size_t>(count))) return count;
        if (cgrpc::IsStill(descriptor, metered->inode)) {
            metered->is_cut = true;
            shutdown(descriptor, SHUT_RDWR);
            return cgrpc::FailAsReset();
        }
    } else if (count == 0 ? !cgrpc::HasRoom(*message) : errno == EAGAIN || errno == EINTR) {
        return count;
    }
    // The connection has ended, or another file has its descriptor's number now.
    const int error = errno;
    cgrpc::Unmeter(descriptor, metered->inode);
    errno = error;
    return count;
}
