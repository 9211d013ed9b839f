// Streams of the events of one center, read as fast as they come.

#ifndef LOAD_SUBSCRIBERS_H
#define LOAD_SUBSCRIBERS_H

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "Client.h"

/// Subscribers that count what they are told was delivered, on a channel and a thread of their own.
class Subscribers {
   public:
    /// Returns when each of them has begun.
    Subscribers(const Target& target, int center, int count);
    ~Subscribers();

    /// Waits until each was told of so many deliveries, and gives the instant at which the last
    /// one was.
    Clock::time_point Wait(uint64_t deliveries);

   private:
    struct Stream;

    void Follow();
    void Proceed(Stream& stream);
    void Read(Stream& stream);
    bool HaveAll(uint64_t deliveries) const;

    grpc::GenericStub stub_;
    grpc::CompletionQueue queue_;
    std::vector<std::unique_ptr<Stream>> streams_;
    std::mutex mutex_;
    std::condition_variable changed_;
    // Held by the mutex: how many streams have begun, and when the newest message came.
    size_t started_ = 0;
    Clock::time_point newest_;
    std::thread thread_;
};

#endif
