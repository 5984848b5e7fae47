# Two stages: Swift builds, Debian runs. Nothing is written outside /var/lib/tollgate, and no shell is needed there.
FROM docker.io/library/swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libnghttp2-dev libpq-dev libsqlite3-dev libssl-dev libxml2-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
# Packages are only fetched again when they change.
COPY Package.swift ./
RUN swift package resolve
COPY Sources Sources
# What the program brings along. File by file: merchants that were made in the checkout stay out of the image.
COPY Config/simulator.yaml Config/
COPY Config/trust Config/trust
COPY openapi.yaml ./
RUN swift build -c release --static-swift-stdlib --product tollgate \
    && install -D --strip .build/release/tollgate /out/tollgate

FROM docker.io/library/debian:bookworm-slim
# The user has a number and no name, so that a cluster can see that it isn't root.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
    ca-certificates libnghttp2-14 libpq5 libsqlite3-0 libssl3 libstdc++6 libxml2 \
    && rm -rf /var/lib/apt/lists/* \
    && install --directory --owner=65532 --group=65532 --mode=0700 /var/lib/tollgate /var/lib/tollgate-keys
COPY --from=build /out/tollgate /usr/local/bin/tollgate
# A container has no certificate of its own, and what is in front of it most often encrypts: an ingress, a mesh, a port that
# is published on the host's loopback. Where nothing does, mount a certificate and its key, and name them in
# TOLLGATE_TLS_CERTIFICATE and TOLLGATE_TLS_KEY: the port then speaks TLS and nothing else.
# Swift's crash reporter prints memory beside the registers, which may hold card data.
ENV TOLLGATE_HOST=0.0.0.0 TOLLGATE_ALLOW_PLAINTEXT=true SWIFT_BACKTRACE=enable=no
USER 65532:65532
# Every command finds the data directory, .tollgate, here.
WORKDIR /var/lib/tollgate
VOLUME /var/lib/tollgate
EXPOSE 8080 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s --retries=3 CMD ["/usr/local/bin/tollgate", "ready"]
ENTRYPOINT ["/usr/local/bin/tollgate"]
CMD ["serve"]
