// A listening socket that the shim owns, because gRPC 1.51 shares TCP ports silently, and replaces
// and removes unix sockets without checking their owner.

#ifndef CGRPC_LISTENER_H
#define CGRPC_LISTENER_H

#include <sys/types.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace cgrpc {

/// The reason why a listener could not be made, in one line.
struct ListenError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Owns a descriptor and closes it in the destructor.
class Descriptor {
   public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { Close(); }

    int get() const { return number_; }
    void Close();
    /// Gives up the ownership of the descriptor without closing it.
    int Release() { return std::exchange(number_, -1); }

   private:
    int number_;
};

class Listener {
   public:
    /// Binds `path` while holding a lock on `<path>.lock`. Throws ListenError.
    static Listener Unix(const std::string& path);
    /// Binds `host` and `port`; 0 takes a free port. Throws ListenError.
    static Listener Tcp(const std::string& host, uint16_t port, bool is_encrypted);
    /// Takes over a unix socket that a service manager listens on, whose file stays at the end.
    /// Throws ListenError; the descriptor is closed in any case.
    static Listener Inherited(int descriptor);

    Listener(Listener&&) = default;
    ~Listener();

    int descriptor() const { return socket_.get(); }
    bool is_unix() const { return !path_.empty(); }
    /// Whether the connections begin with a handshake of TLS.
    bool is_encrypted() const { return is_encrypted_; }
    uint16_t port() const;

   private:
    explicit Listener(Descriptor socket) : socket_(std::move(socket)) {}

    Descriptor socket_;
    // For a unix socket that the listener bound; empty otherwise.
    Descriptor lock_;
    // For a unix socket; empty otherwise.
    std::string path_;
    dev_t device_ = 0;  // With `inode_`: identifies the socket of this listener.
    ino_t inode_ = 0;
    bool is_encrypted_ = false;
};

}  // namespace cgrpc

#endif
