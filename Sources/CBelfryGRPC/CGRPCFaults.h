// The faults that the tests plant in the debug build; the release build has none.

#ifndef CGRPC_FAULTS_H
#define CGRPC_FAULTS_H

#include <mutex>

#ifdef BELFRY_FAULTS
#include <cstdlib>
#include <cstring>
#endif

namespace cgrpc {

#ifdef BELFRY_FAULTS

/// Whether this process has the fault; `Sources/Faults/Fault.swift` says what each is.
inline bool IsPlanted(const char* name) {
    static const char* const planted = std::getenv("BELFRY_FAULT");
    return planted != nullptr && std::strcmp(planted, name) == 0;
}

/// `mutex`, or one that no other thread takes where the fault is planted.
inline std::mutex& LockUnless(const char* name, std::mutex& mutex) {
    thread_local std::mutex own;
    return IsPlanted(name) ? own : mutex;
}

#else

constexpr bool IsPlanted(const char*) { return false; }
constexpr std::mutex& LockUnless(const char*, std::mutex& mutex) { return mutex; }

#endif

}  // namespace cgrpc

#endif
