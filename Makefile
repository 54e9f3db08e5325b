# What a developer types; `make` alone builds.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COMMIT  ?= $(shell git rev-parse --short=12 HEAD 2>/dev/null)
EPOCH   ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
PREFIX  ?= /usr/local
DESTDIR ?=

GO       = go
TAGS     = urfave_cli_no_docs
LDFLAGS  = -s -w -X main.version=$(VERSION:v%=%) -X main.commit=$(COMMIT)
BUILD    = CGO_ENABLED=0 $(GO) build -trimpath -tags $(TAGS) -ldflags '$(LDFLAGS)'
FUZZTIME = 30s

.PHONY: build test lint fuzz bench bench-batch man completions install uninstall dist clean cross
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
	    echo "$$pkg $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x -parallel 2 $$pkg || exit 1; \
	  done; \
	done

# Ratios to curl, and what a batch costs over the ideal; benchmarks of the parts stand beside the code (go test -bench).
bench: build
	$(GO) run ./bench calls

bench-batch: build
	$(GO) run ./bench batch

# The man page and the completions are committed; tests say when they are old.
man:
	cd tools && $(GO) build -o ../.bin/ github.com/cpuguy83/go-md2man/v2
	.bin/go-md2man -in man/llmcall.1.md -out man/llmcall.1
	sed -i.old -f packaging/man.sed man/llmcall.1 && rm man/llmcall.1.old

completions: build
	./llmcall --completion bash >completions/llmcall.bash
	./llmcall --completion zsh >completions/_llmcall
	./llmcall --completion fish >completions/llmcall.fish

# A build made before, by another user say, is installed as it is.
install:
	@test -x llmcall || $(MAKE) build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 llmcall $(DESTDIR)$(PREFIX)/bin/llmcall
	install -m 644 man/llmcall.1 $(DESTDIR)$(PREFIX)/share/man/man1/llmcall.1
	install -m 644 completions/llmcall.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/llmcall
	install -m 644 completions/_llmcall $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_llmcall
	install -m 644 completions/llmcall.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/llmcall.fish

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/llmcall $(DESTDIR)$(PREFIX)/share/man/man1/llmcall.1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/llmcall $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_llmcall \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/llmcall.fish

# What a release has, in dist/: an archive for each target, packages for Linux, checksums. The same commit gives the same bytes.
dist:
	cd tools && $(GO) build -o ../.bin/ github.com/goreleaser/nfpm/v2/cmd/nfpm
	GO='$(GO)' TAGS='$(TAGS)' LDFLAGS='$(LDFLAGS)' VERSION='$(VERSION)' SOURCE_DATE_EPOCH='$(EPOCH)' \
	  sh packaging/dist.sh $(TARGETS)

clean:
	rm -rf llmcall .bin dist

# Every target that a release has.
TARGETS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 freebsd/amd64 freebsd/arm64 windows/amd64
cross:
	@for t in $(TARGETS); do echo "$$t"; GOOS=$${t%/*} GOARCH=$${t#*/} $(BUILD) -o /dev/null ./cmd/llmcall || exit 1; done
