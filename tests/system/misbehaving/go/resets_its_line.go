package main

import (
	"context"
	"net"

	"google.golang.org/grpc"
)

// Reset its TCP connection under the library while its decision is open.
func init() {
	zoo["resets_its_line"] = func(v *visit) {
		var line *net.TCPConn
		dialer := func(ctx context.Context, address string) (net.Conn, error) {
			connection, err := new(net.Dialer).DialContext(ctx, "tcp", address)
			if err == nil {
				line = connection.(*net.TCPConn)
			}
			return connection, err
		}
		l := v.seated(context.Background(), grpc.WithContextDialer(dialer))
		l.nextDecision()
		check(line.SetLinger(0))
		check(line.Close())
	}
}
