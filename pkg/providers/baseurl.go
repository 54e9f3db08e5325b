package providers

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// ParseBaseURL reads a base URL as users write it: white space round it, trailing and repeated slashes, and the whole
// endpoint /chat/completions are understood; a query is kept for each request; a user name and password become basic
// authentication where no other credential is given. Nothing is guessed: a scheme (http, https, mock) is required, and no
// /v1 is added. An error is a *ConfigError.
func ParseBaseURL(s string) (*url.URL, error) {
	s = strings.TrimSpace(s)
	scheme, _, found := strings.Cut(s, "://")
	switch {
	case s == "":
		return nil, &ConfigError{"base URL: empty"}
	case !found:
		return nil, &ConfigError{fmt.Sprintf("base URL %s: no scheme; write https:// or http:// before it", quoteURL(s))}
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mock":
	default:
		return nil, &ConfigError{fmt.Sprintf("base URL %s: scheme is not http or https", quoteURL(s))}
	}
	u, err := url.Parse(s)
	if err != nil || strings.ContainsAny(s, " \t\r\n") {
		return nil, &ConfigError{fmt.Sprintf("base URL %s: not a URL", quoteURL(s))}
	}
	if port, err := strconv.Atoi(u.Port()); u.Hostname() == "" || u.Port() != "" && (err != nil || port > 65535) {
		return nil, &ConfigError{fmt.Sprintf("base URL %s: no host, or a port that cannot be", quoteURL(s))}
	}
	var path []string
	for part := range strings.SplitSeq(u.EscapedPath(), "/") {
		if part != "" {
			path = append(path, "/"+part)
		}
	}
	u.RawPath = strings.TrimSuffix(strings.Join(path, ""), "/chat/completions")
	if u.Path, err = url.PathUnescape(u.RawPath); err != nil {
		return nil, &ConfigError{fmt.Sprintf("base URL %s: not a URL", quoteURL(s))}
	}
	u.Fragment, u.RawFragment, u.ForceQuery = "", "", false
	return u, nil
}

// ShowURL is a URL as messages show it: without userinfo, query and fragment.
func ShowURL(u *url.URL) string {
	shown := url.URL{Scheme: u.Scheme, Opaque: u.Opaque, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	return shown.String()
}

// quoteURL is the text of what may not be a URL, as messages show it.
func quoteURL(s string) string {
	s, _, _ = strings.Cut(s, "?")
	s, _, _ = strings.Cut(s, "#")
	scheme, rest, found := strings.Cut(s, "://")
	if !found {
		scheme, rest = "", s
	} else {
		scheme += "://"
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	return strconv.Quote(scheme + rest)
}

// endpoint is the base URL with path, such as "/models", after it.
func endpoint(base *url.URL, path string) *url.URL {
	u := *base
	u.User = nil
	u.Path += path
	if u.RawPath != "" {
		u.RawPath += path
	}
	return &u
}

// isLoopback says whether host, without its port, is this machine.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
