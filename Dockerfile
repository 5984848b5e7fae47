# Two stages: Swift builds, Debian runs. The sandbox's data lie in /var/lib/tollgate; mount a volume there to keep them.
FROM swift:6.3-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends libssl-dev libnghttp2-dev libsqlite3-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
RUN swift build -c release --static-swift-stdlib --product tollgate \
    && install -D -s .build/release/tollgate /out/tollgate

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends libssl3 libnghttp2-14 libsqlite3-0 libstdc++6 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --home-dir /var/lib/tollgate --create-home tollgate
COPY --from=build /out/tollgate /usr/local/bin/tollgate
COPY Config openapi.yaml /etc/tollgate/
# Swift's crash reporter prints memory beside the registers, which may hold card data.
ENV SWIFT_BACKTRACE=enable=no
USER tollgate
WORKDIR /var/lib/tollgate
VOLUME /var/lib/tollgate
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s --retries=3 \
    CMD ["tollgate", "ready", "--data", "/var/lib/tollgate/data"]
ENTRYPOINT ["tollgate"]
# A container has no certificate of its own, and what is in front of it most often encrypts: an ingress, a mesh, a port that
# is published on the host's loopback. Where nothing does, mount a certificate and its key, and say --tls-certificate and
# --tls-key in place of --allow-plaintext.
CMD ["serve", "--host", "0.0.0.0", "--allow-plaintext", "--data", "/var/lib/tollgate/data"]
