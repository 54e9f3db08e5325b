# What a developer types; `make` alone builds. CI calls .ci/run, which calls `make check`.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COMMIT  ?= $(shell git rev-parse --short=12 HEAD 2>/dev/null)
PREFIX  ?= /usr/local
DESTDIR ?=

GO       = go
TAGS     = urfave_cli_no_docs
LDFLAGS  = -s -w -X main.version=$(VERSION:v%=%) -X main.commit=$(COMMIT)
BUILD    = CGO_ENABLED=0 $(GO) build -trimpath -tags $(TAGS) -ldflags '$(LDFLAGS)'
FUZZTIME = 30s

.PHONY: build test lint fuzz bench man completions install uninstall clean check cross
.DEFAULT_GOAL = build

build:
	$(BUILD) -o llmcall ./cmd/llmcall

test:
	$(GO) test -race ./...

# Formatting, vet, staticcheck, and the import rule: a package under pkg/ imports none of ours but the two leaves.
lint:
	@test -z "$$(gofmt -l cmd pkg)" || { gofmt -d cmd pkg; exit 1; }
	$(GO) vet ./...
	cd tools && $(GO) build -o ../.bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	.bin/staticcheck ./...
	@! $(GO) list -f '{{range .Imports}}{{$$.ImportPath}} {{.}}{{"\n"}}{{end}}' ./pkg/... \
	  | grep ' github.com/llmcall/llmcall/' | grep -v -e 'pkg/sse$$' -e 'pkg/object$$' \
	  || { echo 'a package under pkg/ imports another of ours'; exit 1; }
	@! $(GO) list -f '{{range .Imports}}{{$$.ImportPath}} {{.}}{{"\n"}}{{end}}' ./pkg/sse ./pkg/object \
	  | grep ' github.com/llmcall/llmcall/' || { echo 'a leaf imports one of ours'; exit 1; }

# Each fuzz target in turn.
fuzz:
	@for pkg in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "$$pkg $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -parallel 2 $$pkg || exit 1; \
	  done; \
	done

clean:
	rm -rf llmcall .bin dist

# Every target that a release has.
TARGETS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 freebsd/amd64 freebsd/arm64 windows/amd64
cross:
	@for t in $(TARGETS); do echo "$$t"; GOOS=$${t%/*} GOARCH=$${t#*/} $(BUILD) -o /dev/null ./cmd/llmcall || exit 1; done
