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
# No client is on the container's loopback, so sandbox control has a port of its own. Its bearer token is made on the first start
# and lies in the data directory.
# Swift's crash reporter prints memory beside the registers, which may hold card data.
# `container` says to the gateway that its banner is read outside.
ENV TOLLGATE_HOST=0.0.0.0 TOLLGATE_CONTROL_PORT=9090 TOLLGATE_ALLOW_PLAINTEXT=true SWIFT_BACKTRACE=enable=no container=oci
USER 65532:65532
# Every command finds the data directory, .tollgate, here.
WORKDIR /var/lib/tollgate
VOLUME /var/lib/tollgate
EXPOSE 8080 9090 9464
# Images in the OCI format have none: docker build, or podman build --format docker, keeps it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s --retries=3 CMD ["/usr/local/bin/tollgate", "ready"]
ENTRYPOINT ["/usr/local/bin/tollgate"]
CMD ["serve"]
# docker build --build-arg VERSION=… names another build of the same version, 1.0.0-4.
ARG VERSION=1.0.0
LABEL org.opencontainers.image.title="Tollgate" \
    org.opencontainers.image.description="A payment gateway for tests and staging that really opens Apple Pay tokens" \
    org.opencontainers.image.version="$VERSION" \
    org.opencontainers.image.base.name="docker.io/library/debian:bookworm-slim"
