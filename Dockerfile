# One image for every process: the service, the admin commands and the tools.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm install --no-audit --no-fund --loglevel=error \
 && npx turbo run generate build \
 && npm prune --omit=dev --loglevel=error

FROM node:24-bookworm-slim
ENV NODE_ENV=production ORT_DISABLE_TELEMETRY=1 ASSAY_HOST=0.0.0.0 ASSAY_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app /app
RUN useradd --system --uid 10001 --home-dir /data assay && install -d -o assay -g assay /data
USER assay
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# exec form: SIGTERM reaches the service, which finishes what it has begun.
CMD ["node", "--enable-source-maps", "apps/api/dist/main.js"]
