# The parts of the image postgres:15 that compose.yaml needs, made of Debian's package because no
# registry is asked.
FROM debian:bookworm-slim
RUN mkdir -p /etc/postgresql-common \
    && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf \
    && apt-get update && apt-get install -y --no-install-recommends postgresql-15
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/data
COPY Tests/Containers/postgres-entrypoint /usr/local/bin/postgres-entrypoint
# The modes are those of the official image: a volume that is mounted on the second folder gets its
# mode.
RUN install -d -o postgres -g postgres -m 0700 /var/lib/postgresql/data \
    && install -d -o postgres -g postgres -m 3777 /var/run/postgresql
VOLUME /var/lib/postgresql/data
STOPSIGNAL SIGINT
ENTRYPOINT ["postgres-entrypoint"]
CMD ["postgres"]
