# The parts of the image nginx:1.28-alpine that compose.replicas.yaml needs, made of Debian's
# package.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends nginx-light
# The number of the official image's user.
RUN groupadd --gid 101 proxy-user || true; useradd --uid 101 --gid 101 --no-create-home proxy-user || true
STOPSIGNAL SIGQUIT
CMD ["nginx", "-e", "/dev/stderr", "-g", "daemon off;"]
