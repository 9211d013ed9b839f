// The few messages of belfry.v1 that the load consists of, written without generated code, so that
// nothing but gRPC is needed to build it and making one costs next to nothing.

#ifndef LOAD_MESSAGES_H
#define LOAD_MESSAGES_H

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// A RequestAuthorizationRequest for alerts, sounds and badges.
std::string AuthorizationMessage(int center);

/// An AdvanceClockRequest that moves a manual clock on by so many seconds.
std::string AdvanceMessage(uint64_t seconds);

/// A SubscribeRequest of an observer, from now on.
std::string SubscribeMessage(int center);

/// When the requests of a load become due: in seconds, from one on, spread over some more.
struct Due {
    uint64_t after, spread;
};

/// An AddRequest or an AddBatchRequest, changed for each call.
///
/// A request has a random identifier of 20 bytes, content, and a random interval, so that the index
/// of due instants is written all over, not only at its end. Encoded it takes 330 bytes.
class AddMessage {
   public:
    /// `count` requests in each message, which go to one center.
    AddMessage(int center, size_t count, Due due);

    /// The message for the next call, with an idempotency key of that instant of the server's
    /// clock, in milliseconds; lent until the next one.
    const std::string& Next(uint64_t milliseconds);

   private:
    // Where a request's changing parts begin.
    struct Offsets {
        size_t identifier;
        size_t seconds;
    };

    void WriteKey(uint64_t milliseconds);

    std::string bytes_;
    size_t key_;
    std::vector<Offsets> requests_;
    Due due_;
    std::mt19937_64 random_;
};

/// How many results of an AddBatchResponse, or of a ScheduleResponse, are not refusals.
size_t CountAdded(std::string_view response);

/// How many results a ScheduleResponse has.
size_t CountResults(std::string_view response);

/// How many occurrences an AdvanceClockResponse says were taken up.
uint64_t CountFired(std::string_view response);

/// The server's wall clock in a GetClockResponse, in milliseconds.
uint64_t ClockMilliseconds(std::string_view response);

/// What a SubscribeResponse tells.
struct Told {
    /// How many notifications were delivered.
    size_t delivered = 0;
    /// Whether the subscription has caught up with what was there before.
    bool started = false;
};
Told ReadEvents(std::string_view response);

#endif
