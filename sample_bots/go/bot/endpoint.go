package bot

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// endpoint is an arena as one bot reaches it.
type endpoint struct {
	address  string // host:port or unix:///path
	token    string // empty on a socket that is itself the bot's identity
	security credentials.TransportCredentials
}

// endpointFromEnvironment reads the variables that docs/protocol.md names under "Connecting". Its errors are sentences
// for the one who starts the bot.
func endpointFromEnvironment() (endpoint, error) {
	address := os.Getenv("ARENA_ADDRESS")
	if address == "" {
		return endpoint{}, errors.New("ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it")
	}
	if _, _, err := net.SplitHostPort(address); err != nil && !isSocket(address) {
		return endpoint{}, fmt.Errorf("ARENA_ADDRESS is %q: give the arena's host:port or unix:///path in it", address)
	}
	token := os.Getenv("ARENA_TOKEN")
	if strings.ContainsFunc(token, func(letter rune) bool { return letter < ' ' || letter > '~' }) {
		return endpoint{}, errors.New("ARENA_TOKEN holds characters that cannot be sent")
	}
	security, err := securityFor(address)
	return endpoint{address: address, token: token, security: security}, err
}

func isSocket(address string) bool {
	return strings.HasPrefix(address, "unix:")
}

// securityFor is how the connection is encrypted; a Unix socket never is.
func securityFor(address string) (credentials.TransportCredentials, error) {
	authorities, certificate := os.Getenv("ARENA_TLS_CA"), os.Getenv("ARENA_TLS_CERT")
	encrypted := os.Getenv("ARENA_TLS") == "1" || authorities != "" || certificate != ""
	if !encrypted || isSocket(address) {
		return insecure.NewCredentials(), nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if err := trust(config, authorities); err != nil {
		return nil, err
	}
	if err := identify(config, certificate, os.Getenv("ARENA_TLS_KEY")); err != nil {
		return nil, err
	}
	return credentials.NewTLS(config), nil
}

// trust has the connection trust the authorities of a PEM file; without a file those of the system.
func trust(config *tls.Config, file string) error {
	if file == "" {
		return nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("ARENA_TLS_CA cannot be read: %w", err)
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(pem) {
		return fmt.Errorf("ARENA_TLS_CA names %s, which holds no certificate in PEM form", file)
	}
	return nil
}

// identify has the connection show a certificate of the bot's own, if there is one.
func identify(config *tls.Config, certificate, key string) error {
	if (certificate == "") != (key == "") {
		return errors.New("ARENA_TLS_CERT and ARENA_TLS_KEY belong together: set both, or neither")
	}
	if certificate == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return fmt.Errorf("ARENA_TLS_CERT and ARENA_TLS_KEY cannot be used: %w", err)
	}
	config.Certificates = []tls.Certificate{pair}
	return nil
}
