#!/bin/sh
# Makes dist/ for the targets given as OS/ARCH. `make dist` calls it and sets GO, TAGS, LDFLAGS, VERSION and SOURCE_DATE_EPOCH.
# All that could differ from run to run is fixed: order, owners, modes and times in archives, and what the linker writes.
set -eu
umask 022
export LC_ALL=C SOURCE_DATE_EPOCH CGO_ENABLED=0
version=${VERSION#v}

# Packages want a version of numbers. What is no release is one before the release that would come next.
PACKAGE_VERSION=$version
case $version in
  [0-9]*.[0-9]*.[0-9]*-*) PACKAGE_VERSION=${version%%-*}-git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d) ;;
  [0-9]*.[0-9]*.[0-9]*) ;;
  *) PACKAGE_VERSION=0.0.0-git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d) ;;
esac

rm -rf dist
mkdir dist
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gzip -9n <man/llmcall.1 >"$work/llmcall.1.gz"

for target; do
  GOOS=${target%/*} GOARCH=${target#*/}
  export GOOS GOARCH
  name=llmcall-$version-$GOOS-$GOARCH
  binary=llmcall
  if [ "$GOOS" = windows ]; then binary=llmcall.exe; fi
  echo "$target"
  mkdir "$work/$name" "$work/$name/man" "$work/$name/completions"
  $GO build -trimpath -buildvcs=false -tags "$TAGS" -ldflags "$LDFLAGS -buildid=" -o "$work/$name/$binary" ./cmd/llmcall
  cp LICENSE README.md CHANGELOG.md "$work/$name/"
  cp man/llmcall.1 "$work/$name/man/"
  cp completions/* "$work/$name/completions/"
  chmod -R u=rwX,go=rX "$work/$name"
  tar -C "$work" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" |
    gzip -9n >"dist/$name.tar.gz"
  if [ "$GOOS" = linux ]; then
    STAGE=$work/$name
    cp "$work/llmcall.1.gz" "$STAGE/"
    export STAGE PACKAGE_VERSION
    for packager in deb rpm apk; do
      .bin/nfpm package --config packaging/nfpm.yaml --packager "$packager" --target dist/ >"$work/log" || { cat "$work/log" >&2; exit 1; }
    done
  fi
done
cd dist
sha256sum -- * >SHA256SUMS
