# What compose.replicas.yaml needs of the image nginx:1.28-alpine, made of Debian's package.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends nginx-light
# The number that the official image has for its user.
RUN groupadd --gid 101 proxy-user || true; useradd --uid 101 --gid 101 --no-create-home proxy-user || true
STOPSIGNAL SIGQUIT
CMD ["nginx", "-e", "/dev/stderr", "-g", "daemon off;"]
