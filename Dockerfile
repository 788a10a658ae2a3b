# Ginhouse as a container: no root, the database on a volume, stopped by SIGTERM.
FROM python:3.12-slim

RUN useradd --create-home --uid 1000 ginhouse && mkdir /data && chown ginhouse /data
WORKDIR /app
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY gin gin
COPY db db
COPY bot bot
COPY cogs cogs
COPY playground playground
RUN pip install --no-cache-dir -c constraints.txt .

USER ginhouse
ENV DATABASE_URL=sqlite+aiosqlite:////data/ginhouse.db \
    METRICS_PORT=9100
VOLUME /data
STOPSIGNAL SIGTERM
# Asks over the figures, which tell when the event loop last came by.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["python", "-m", "bot", "health"]
ENTRYPOINT ["python", "-m", "bot"]
