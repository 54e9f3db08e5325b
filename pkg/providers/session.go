package providers

import (
	"net/http"
	"slices"
	"strings"
	"sync"
)

// session holds what a response has renewed of a session's credential, in memory only. A session is a credential with a
// refresh-token beside the access token. Whether Exascale sends new tokens back is not documented (providers.md B1), so
// that every name it might use is looked at.
type session struct {
	mu      sync.Mutex
	access  string // value of Authorization; empty: as given
	refresh string
}

const refreshHeader = "Refresh-Token"

var (
	accessTokenHeaders  = [...]string{"Access-Token", "X-Access-Token", "New-Access-Token", "Authorization"}
	refreshTokenHeaders = [...]string{refreshHeader, "X-Refresh-Token"}
)

// isSession says whether the credential is an access token with its refresh token.
func (c Credential) isSession() bool {
	return len(c.Headers) > 1 && slices.ContainsFunc(c.Headers, func(h Header) bool { return http.CanonicalHeaderKey(h.Name) == refreshHeader })
}

// renew keeps the tokens of a response for later requests, and takes them out of h so that nothing shows them.
func (c *Client) renew(h http.Header) {
	if !c.Credential.isSession() {
		return
	}
	access, refresh := takeToken(h, accessTokenHeaders[:]), takeToken(h, refreshTokenHeaders[:])
	if access == "" && refresh == "" {
		return
	}
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	if access != "" {
		c.session.access = "Bearer " + access
	}
	if refresh != "" {
		c.session.refresh = refresh
	}
}

// takeToken removes the headers of these names and gives the first value that can be a key.
func takeToken(h http.Header, names []string) (token string) {
	for _, name := range names {
		if value, err := CleanKey(h.Get(name), name); err == nil && token == "" && !strings.Contains(value, " ") {
			token = value
		}
		h.Del(name)
	}
	return token
}

// credential gives the headers to authenticate the next request with.
func (c *Client) credential() []Header {
	headers := c.Credential.Headers
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	if c.session.access == "" && c.session.refresh == "" {
		return headers
	}
	headers = slices.Clone(headers)
	for i, h := range headers {
		switch name := http.CanonicalHeaderKey(h.Name); {
		case name == "Authorization" && c.session.access != "":
			headers[i].Value = c.session.access
		case name == refreshHeader && c.session.refresh != "":
			headers[i].Value = c.session.refresh
		}
	}
	return headers
}
