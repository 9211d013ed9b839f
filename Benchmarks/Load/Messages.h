// The few messages of belfry.v1 that the load consists of, written without generated code, so that
// nothing but gRPC is needed to build it and making one costs next to nothing.

#ifndef LOAD_MESSAGES_H
#define LOAD_MESSAGES_H

#include <random>
#include <string>
#include <string_view>
#include <vector>

/// A RequestAuthorizationRequest for alerts, sounds and badges.
std::string AuthorizationMessage();

/// An AddRequest or an AddBatchRequest, changed for each call.
///
/// A request has a random identifier of 20 bytes, about 300 bytes of content, and an interval of
/// one to two years: random as well, so that nothing fires and the index of due instants is written
/// all over, not only at its end.
class AddMessage {
   public:
    /// `count` requests in each message.
    explicit AddMessage(size_t count);

    /// The message for the next call; lent until the next one.
    const std::string& Next();

   private:
    // Where a request's changing parts begin.
    struct Offsets {
        size_t identifier;
        size_t seconds;
    };

    std::string bytes_;
    std::vector<Offsets> requests_;
    std::mt19937_64 random_;
};

/// How many results of an AddBatchResponse are not refusals.
size_t CountAdded(std::string_view response);

#endif
