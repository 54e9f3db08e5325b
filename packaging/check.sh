#!/bin/sh
# Takes apart what make dist made for this machine, without installing anything, and runs it: the archive, the deb, and the
# other packages where their tools are there.
set -eu
cd "$(dirname "$0")/../dist"
arch=$(go env GOARCH)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "packaging: $*" >&2; exit 1; }

# runs FOLDER: the program in it works
runs() {
  test "$("$1/llmcall" -p mock 'Say hi' </dev/null)" = 'Say hi' || fail "$1/llmcall does not answer"
  "$1/llmcall" --version
}

sha256sum --quiet -c SHA256SUMS
mkdir "$work/tar" "$work/deb"
tar -C "$work/tar" -xzf llmcall-*-linux-"$arch".tar.gz
runs "$(echo "$work"/tar/*)"
dpkg-deb -I llmcall_*_"$arch".deb >/dev/null
dpkg-deb -x llmcall_*_"$arch".deb "$work/deb"
runs "$work/deb/usr/bin"
cd "$work/deb/usr/share"
gzip -dc man/man1/llmcall.1.gz | cmp - "$OLDPWD/../man/llmcall.1"
for shell in bash zsh fish; do
  case $shell in
    bash) file=bash-completion/completions/llmcall ;;
    zsh) file=zsh/vendor-completions/_llmcall ;;
    fish) file=fish/vendor_completions.d/llmcall.fish ;;
  esac
  "$work/deb/usr/bin/llmcall" --completion $shell | cmp - $file
  ! command -v $shell >/dev/null || $shell -n $file
done
for file in doc/llmcall/copyright doc/llmcall/README.md doc/llmcall/CHANGELOG.md; do test -s $file || fail "no $file"; done
cd "$OLDPWD"
if command -v rpm >/dev/null; then
  rpm -qpl --nosignature llmcall-*."$(uname -m)".rpm | grep -qx /usr/bin/llmcall || fail "the rpm has no program"
fi
mkdir "$work/apk"
tar -C "$work/apk" -xzf llmcall_*_"$(uname -m)".apk 2>/dev/null
runs "$work/apk/usr/bin"
