#include "CGRPCDecrypted.h"

#include <dlfcn.h>
#include <openssl/ssl.h>

#include <memory>
#include <utility>

#include "CGRPCFaults.h"

namespace cgrpc {

namespace {

/// Given to the next TLS connection of this thread.
thread_local std::shared_ptr<Unfinished> awaited;

void Delete(void*, void* meter, CRYPTO_EX_DATA*, int, long, void*) {
    delete static_cast<ConnectionMeter*>(meter);
}

/// Where a TLS connection keeps its ConnectionMeter, which ends with it.
int Index() {
    static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, Delete);
    return index;
}

template <typename Function>
Function* Next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

DecryptedMetering::DecryptedMetering(std::shared_ptr<Unfinished> unfinished) {
    awaited = std::move(unfinished);
}
DecryptedMetering::~DecryptedMetering() { awaited.reset(); }

bool DecryptedMetering::has_begun() const { return awaited == nullptr; }

}  // namespace cgrpc

/// Replaces OpenSSL's function, in this program and in the libraries that it loads.
extern "C" SSL* SSL_new(SSL_CTX* context) {
    static const auto next = cgrpc::Next<SSL*(SSL_CTX*)>("SSL_new");
    SSL* connection = next(context);
    if (connection == nullptr || cgrpc::awaited == nullptr) return connection;
    auto meter = std::make_unique<cgrpc::ConnectionMeter>(std::move(cgrpc::awaited));
    cgrpc::awaited.reset();
    if (SSL_set_ex_data(connection, cgrpc::Index(), meter.get()) == 1) {
        meter.release();
        return connection;
    }
    SSL_free(connection);
    return nullptr;
}

/// Replaces OpenSSL's function, in this program and in the libraries that it loads: gRPC 1.51
/// decrypts with it, and ends a connection for which it fails.
extern "C" int SSL_read(SSL* connection, void* bytes, int count) {
    static const auto next = cgrpc::Next<int(SSL*, void*, int)>("SSL_read");
    const int size = next(connection, bytes, count);
    auto* meter =
        static_cast<cgrpc::ConnectionMeter*>(SSL_get_ex_data(connection, cgrpc::Index()));
    if (meter == nullptr || size <= 0 || cgrpc::IsPlanted("decrypted-not-metered")) return size;
    return meter->Take(bytes, static_cast<size_t>(size)) ? size : -1;
}
