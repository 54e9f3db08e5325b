package main

// completion gives the completion script of a shell.
func completion(shell string) string { return "# " + shell + "\n" }
