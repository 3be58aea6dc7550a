# Two stages: what builds stays behind. Run it with a read-only root if you like; only /data is written.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts: the package's own would build before its sources are here.
RUN npm ci --ignore-scripts
COPY . .
# The client names the builder and the compiler as optional peers, which would stay.
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json /app/schema.graphql /app/CHANGELOG.md ./
COPY --from=build /app/docs docs
COPY --from=build /app/client/README.md client/
COPY --from=build /app/prisma/migrations prisma/migrations
COPY --from=build /app/assets assets
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/bin bin
RUN install -d -o node -g node -m 0700 /data
VOLUME /data
# By number, so that a platform can see that it is not root.
USER 1000:1000
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The command itself, not npm, which would not pass on signals.
CMD ["bin/revgate", "serve"]
