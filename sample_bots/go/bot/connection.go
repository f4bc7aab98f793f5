package bot

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"

	arenav1 "caravanarena/arena/v1"
)

const (
	// acceptWithin is enough for the arena's initial metadata, which come at once.
	acceptWithin = 10 * time.Second
	// frameMessages is how many messages a frame may hold.
	frameMessages = 64
)

// connection is one Play call. A goroutine reads it and another one writes it, so whoever holds it need not wait for
// either.
type connection struct {
	// frames are those of the arena. Closed when the call has ended; err then tells how.
	frames chan *arenav1.PlayResponse
	// out takes the bot's frames. To close it is to half-close the call.
	out chan *arenav1.PlayRequest
	err error

	channel *grpc.ClientConn
	stream  grpc.BidiStreamingClient[arenav1.PlayRequest, arenav1.PlayResponse]
	cancel  context.CancelFunc
}

// connect returns once the arena has taken the call, before anything is written. It fails at once if `leave` is done.
func connect(leave context.Context, at endpoint) (*connection, error) {
	channel, err := grpc.NewClient(at.address,
		grpc.WithTransportCredentials(at.security),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: time.Minute}),
		grpc.WithDisableRetry()) // Coming back takes the resume token, which the library knows nothing of.
	if err != nil {
		return nil, err
	}
	call, cancel := context.WithCancel(callContext(at.token))
	c := &connection{
		frames:  make(chan *arenav1.PlayResponse),
		out:     make(chan *arenav1.PlayRequest),
		channel: channel,
		cancel:  cancel,
	}
	if err := c.open(leave, call); err != nil {
		c.close()
		return nil, err
	}
	go c.read(call)
	go c.write(call)
	return c, nil
}

func callContext(token string) context.Context {
	if token == "" {
		return context.Background()
	}
	return metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer "+token)
}

// open makes the call and waits for the initial metadata: a bot that writes earlier may miss why it is refused.
func (c *connection) open(leave, call context.Context) error {
	patience, done := context.WithTimeoutCause(leave, acceptWithin, errors.New("nothing answers at this address"))
	defer done()
	stop := context.AfterFunc(patience, c.cancel)
	defer stop()
	stream, err := arenav1.NewPlayServiceClient(c.channel).Play(call)
	if err == nil {
		c.stream = stream
		_, err = stream.Header()
	}
	if patience.Err() != nil {
		return context.Cause(patience)
	}
	return err
}

func (c *connection) read(call context.Context) {
	defer close(c.frames)
	for {
		frame, err := c.stream.Recv()
		if err != nil {
			c.err = err
			return
		}
		select {
		case c.frames <- frame:
		case <-call.Done():
			c.err = call.Err()
			return
		}
	}
}

// write ends with the first error: reading tells what was the matter.
func (c *connection) write(call context.Context) {
	for {
		select {
		case frame, more := <-c.out:
			if !more {
				_ = c.stream.CloseSend()
				return
			}
			if c.stream.Send(frame) != nil {
				return
			}
		case <-call.Done():
			return
		}
	}
}

// close ends the call, whatever state it is in.
func (c *connection) close() {
	c.cancel()
	_ = c.channel.Close()
}
