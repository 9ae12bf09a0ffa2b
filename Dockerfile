# Two images: `hub` (the hub alone, for runners on other machines) and, by default, the hub with a runner and
# Claude Code. docs/running.md describes both. `npm run test:image` tries these steps without a container engine.
FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && npm run build:binary -- --out /out/signalbox

FROM node:22-bookworm-slim AS claude
ARG CLAUDE_CODE_VERSION=latest
RUN npm install --prefix /out "@anthropic-ai/claude-code@${CLAUDE_CODE_VERSION}"

FROM debian:bookworm-slim AS hub
COPY scripts/container/prepare.sh /tmp/prepare.sh
RUN sh /tmp/prepare.sh && rm /tmp/prepare.sh
COPY --from=build /out/signalbox /usr/local/bin/signalbox
USER signalbox
ENV SIGNALBOX_DATA=/data
WORKDIR /projects
VOLUME /data
ENTRYPOINT ["signalbox"]
CMD ["serve", "--runner-service"]

FROM hub
COPY --from=claude /out /opt/claude
ENV PATH=/opt/claude/node_modules/.bin:/usr/local/bin:/usr/bin:/bin
CMD ["serve", "--root", "/projects"]
