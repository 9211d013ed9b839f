#include "Options.h"

#include <getopt.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace {

constexpr char kUsage[] =
    "usage: Load --server unix:/path|host:port [options]\n"
    "  --kind add         what is called: a durable Add, or info for GetServerInfo, which touches\n"
    "                     no store, or echo for the method of the echo servers\n"
    "  --in-flight 1,16,64\n"
    "  --seconds 10       for each of them, after one second of warm-up\n"
    "  --batch 256        AddBatch with as many requests in each call\n"
    "  --fill 1000000     adds as many requests first\n"
    "  --server-pid 123   tells the CPU time of the server as well\n";

[[noreturn]] void Refuse() {
    std::fputs(kUsage, stderr);
    std::exit(64);
}

long Number(const std::string& text, long least, long most) {
    char* end;
    const long value = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0' || value < least || value > most) Refuse();
    return value;
}

std::vector<int> Numbers(const std::string& text) {
    std::vector<int> numbers;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        numbers.push_back(static_cast<int>(Number(part, 1, 1000)));
    }
    if (numbers.empty()) Refuse();
    return numbers;
}

Options::Kind KindOf(const std::string& text) {
    if (text == "add") return Options::Kind::kAdd;
    if (text == "info") return Options::Kind::kInfo;
    if (text == "echo") return Options::Kind::kEcho;
    Refuse();
}

}  // namespace

Options Options::Parse(int count, char** arguments) {
    static const option kOptions[] = {
        {"server", required_argument, nullptr, 's'},
        {"kind", required_argument, nullptr, 'k'},
        {"in-flight", required_argument, nullptr, 'n'},
        {"seconds", required_argument, nullptr, 't'},
        {"batch", required_argument, nullptr, 'b'},
        {"fill", required_argument, nullptr, 'f'},
        {"server-pid", required_argument, nullptr, 'p'},
        {nullptr, 0, nullptr, 0}};
    Options options;
    for (int key; (key = getopt_long(count, arguments, "", kOptions, nullptr)) != -1;) {
        const std::string value = optarg == nullptr ? "" : optarg;
        switch (key) {
            case 's':
                options.server = value;
                break;
            case 'k':
                options.kind = KindOf(value);
                break;
            case 'n':
                options.in_flight = Numbers(value);
                break;
            case 't':
                options.seconds = static_cast<int>(Number(value, 1, 86400));
                break;
            case 'b':
                options.batch = static_cast<int>(Number(value, 1, 1000));
                break;
            case 'f':
                options.fill = Number(value, 0, 1000000000);
                break;
            case 'p':
                options.server_pid = static_cast<int>(Number(value, 1, 1 << 22));
                break;
            default:
                Refuse();
        }
    }
    if (options.server.empty() || optind != count) Refuse();
    return options;
}
