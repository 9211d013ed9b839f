# Makes the calls that standard input asks for, of the server that the argument names.

require "grpc"
require "json"

Dir.glob("belfry/v1/*_pb.rb", base: ARGV[1]).each { |file| require file }

TYPES = Google::Protobuf::DescriptorPool.generated_pool
OUTPUT = Mutex.new

def type(name)
  TYPES.lookup(name).msgclass
end

def write(line)
  OUTPUT.synchronize do
    $stdout.puts(JSON.generate(line))
    $stdout.flush
  end
end

# Prepares a call. What it gives is executed, and can be cancelled meanwhile.
def operation(stub, command)
  input, output = type(command["input"]), type(command["output"])
  send = command["streams"] ? :server_streamer : :request_response
  stub.public_send(
    send, command["method"], input.decode_json(command["request"]),
    input.method(:encode), output.method(:decode),
    deadline: Time.now + command["timeout"], return_op: true
  )
end

# Makes a call to its end.
def run(operation, command)
  tell = ->(response) { write(id: command["id"], message: response.class.encode_json(response)) }
  if command["streams"]
    operation.execute.each(&tell)
  else
    tell.call(operation.execute)
  end
  write(id: command["id"], code: 0)
rescue GRPC::BadStatus => error
  details = [error.metadata["grpc-status-details-bin"].to_s].pack("m0")
  write(id: command["id"], code: error.code, text: error.details, details: details)
end

Thread.abort_on_exception = true
stub = GRPC::ClientStub.new(ARGV[0], :this_channel_is_insecure)
running = {}
$stdin.each_line do |line|
  command = JSON.parse(line)
  if command["cancel"]
    running[command["id"]].cancel
  else
    running[command["id"]] = operation(stub, command)
    Thread.new { run(running[command["id"]], command) }
  end
end
# Calls that are open end with the process.
exit!(0)
