// Makes the calls that standard input asks for, of the server that the argument names.

#include <absl/strings/escaping.h>
#include <google/protobuf/message.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/codegen/proto_utils.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>

using google::protobuf::DescriptorPool;
using google::protobuf::Message;
using google::protobuf::MessageFactory;
using google::protobuf::Struct;

using Stub = grpc::TemplatedGenericStub<Message, Message>;

// A line of standard input or output, which is one JSON object.
using Fields = google::protobuf::Map<std::string, google::protobuf::Value>;

static void check(bool holds, const std::string &message) {
    if (holds) return;
    std::cerr << message << std::endl;
    std::abort();
}

static void parse(const std::string &json, Message &message) {
    auto status = google::protobuf::util::JsonStringToMessage(json, &message);
    check(status.ok(), status.ToString());
}

static std::string json(const Message &message) {
    std::string text;
    auto status = google::protobuf::util::MessageToJsonString(message, &text);
    check(status.ok(), status.ToString());
    return text;
}

// An empty message of the generated type with this name.
static std::unique_ptr<Message> make(const std::string &name) {
    auto type = DescriptorPool::generated_pool()->FindMessageTypeByName(name);
    check(type != nullptr, name + " is not generated");
    auto prototype = MessageFactory::generated_factory()->GetPrototype(type);
    return std::unique_ptr<Message>(prototype->New());
}

static void write(const Struct &line) {
    static std::mutex lock;
    std::lock_guard<std::mutex> guard(lock);
    std::cout << json(line) << std::endl;
}

// A call until its end. One with a single answer is a stream of one message.
class Call final : public grpc::ClientBidiReactor<Message, Message> {
public:
    Call(Stub &stub, const Fields &command)
        : id_(command.at("id").number_value()),
          request_(make(command.at("input").string_value())),
          response_(make(command.at("output").string_value())) {
        parse(command.at("request").string_value(), *request_);
        auto timeout = std::chrono::duration<double>(command.at("timeout").number_value());
        context_.set_deadline(
            std::chrono::system_clock::now() +
            std::chrono::duration_cast<std::chrono::system_clock::duration>(timeout));
        auto &method = command.at("method").string_value();
        stub.PrepareBidiStreamingCall(&context_, method, {}, this);
        StartWriteLast(request_.get(), {});
        StartRead(response_.get());
        StartCall();
    }

    void cancel() { context_.TryCancel(); }

    void OnReadDone(bool ok) override {
        if (!ok) return;
        Struct line = report();
        (*line.mutable_fields())["message"].set_string_value(json(*response_));
        write(line);
        StartRead(response_.get());
    }

    void OnDone(const grpc::Status &status) override {
        Struct line = report();
        auto &fields = *line.mutable_fields();
        fields["code"].set_number_value(status.error_code());
        fields["text"].set_string_value(status.error_message());
        fields["details"].set_string_value(absl::Base64Escape(status.error_details()));
        write(line);
    }

private:
    Struct report() const {
        Struct line;
        (*line.mutable_fields())["id"].set_number_value(id_);
        return line;
    }

    const double id_;
    const std::unique_ptr<Message> request_;
    const std::unique_ptr<Message> response_;
    grpc::ClientContext context_;
};

int main(int, char **arguments) {
    Stub stub(grpc::CreateChannel(arguments[1], grpc::InsecureChannelCredentials()));
    std::map<double, std::unique_ptr<Call>> calls;
    for (std::string line; std::getline(std::cin, line);) {
        Struct parsed;
        parse(line, parsed);
        auto &command = parsed.fields();
        auto id = command.at("id").number_value();
        if (command.contains("cancel")) {
            calls.at(id)->cancel();
        } else {
            calls[id] = std::make_unique<Call>(stub, command);
        }
    }
    // Calls that are open end with the process.
    std::_Exit(0);
}
