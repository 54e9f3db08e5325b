package providers

const maxMessage = 2 << 10

// SecretHeader says whether the value of a header is to be kept from every output: by its name, or by what the value looks like.
func SecretHeader(name, value string) bool { return false }

func oneLine(s string, max int) string { return s }
