// Makes the calls that standard input asks for, of the server that the argument names.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log"
	"os"
	"sync"
	"time"

	"belfry.org/go/belfry"
	_ "belfry.org/go/belfry/v1"

	// What the statuses of this gRPC are made with.
	older "github.com/golang/protobuf/proto"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// A line of standard input: a call to make, or one to cancel.
type command struct {
	ID      int
	Cancel  bool
	Method  string
	Input   string
	Output  string
	Streams bool
	Timeout float64
	Request string
}

// A line of standard output: a message of a call, or how the call ended.
type report struct {
	ID      int     `json:"id"`
	Message *string `json:"message,omitempty"`
	Code    *int    `json:"code,omitempty"`
	Text    string  `json:"text,omitempty"`
	Details []byte  `json:"details,omitempty"`
}

var (
	output = json.NewEncoder(os.Stdout)
	lock   sync.Mutex
)

func write(line report) {
	lock.Lock()
	defer lock.Unlock()
	check(output.Encode(line))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// message makes an empty message of the type with a name.
func message(name string) proto.Message {
	found, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(name))
	check(err)
	return found.New().Interface()
}

// run makes a call to its end.
func run(ctx context.Context, connection *grpc.ClientConn, call command) {
	request := message(call.Input)
	check(protojson.Unmarshal([]byte(call.Request), request))
	ctx, cancel := context.WithTimeout(ctx, time.Duration(call.Timeout*float64(time.Second)))
	defer cancel()
	var err error
	if call.Streams {
		err = stream(ctx, connection, call, request)
	} else {
		response := message(call.Output)
		if err = connection.Invoke(ctx, call.Method, request, response); err == nil {
			tell(call, response)
		}
	}
	found := status.Convert(err)
	code := int(found.Code())
	end := report{ID: call.ID, Code: &code, Text: found.Message()}
	if whole := found.Proto(); len(whole.GetDetails()) > 0 {
		end.Details, err = older.Marshal(whole)
		check(err)
	}
	write(end)
}

// stream tells of each message until the stream ends.
func stream(
	ctx context.Context, connection *grpc.ClientConn, call command, request proto.Message,
) error {
	description := &grpc.StreamDesc{ServerStreams: true}
	messages, err := connection.NewStream(ctx, description, call.Method)
	if err != nil {
		return err
	}
	if err := messages.SendMsg(request); err != nil && err != io.EOF {
		return err
	}
	if err := messages.CloseSend(); err != nil {
		return err
	}
	for {
		response := message(call.Output)
		if err := messages.RecvMsg(response); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		tell(call, response)
	}
}

func tell(call command, response proto.Message) {
	data, err := protojson.Marshal(response)
	check(err)
	text := string(data)
	write(report{ID: call.ID, Message: &text})
}

func main() {
	client, err := belfry.Dial(belfry.WithServer(os.Args[1]))
	check(err)
	running := map[int]context.CancelFunc{}
	input := json.NewDecoder(bufio.NewReader(os.Stdin))
	for {
		var call command
		if err := input.Decode(&call); err == io.EOF {
			return
		} else {
			check(err)
		}
		if call.Cancel {
			running[call.ID]()
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		running[call.ID] = cancel
		go run(ctx, client.Conn, call)
	}
}
