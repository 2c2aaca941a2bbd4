#!/bin/sh
# Starts the build that this processor can run: the one for AVX2 says so and ends where there is none.
if /usr/lib/kagetsu/kagetsu-avx2 --version > /dev/null 2>&1; then
    exec /usr/lib/kagetsu/kagetsu-avx2 "$@"
fi
exec /usr/lib/kagetsu/kagetsu-baseline "$@"
