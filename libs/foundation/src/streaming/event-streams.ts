import { once, setMaxListeners } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { currentClient, PATIENCE_MILLIS } from '@parlance/http';
import { ShutdownPlan } from '@parlance/observability';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { LOGGER, SERVICE } from '../wiring/common.module.ts';

/** A server-sent event. A client that resumes sends the ID as `Last-Event-ID`. */
export interface SentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: object;
}

/** How often a comment is sent, so that proxies do not close an idle stream. */
const HEARTBEAT_MILLIS = 15_000;

/** Answers with server-sent events. Events are made as the client reads them, so a slow client costs no memory. */
@Injectable()
export class EventStreams implements OnApplicationBootstrap {
  private readonly open = new Set<AbortController>();
  private readonly closing = new AbortController();

  constructor(
    private readonly shutdown: ShutdownPlan,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(SERVICE) private readonly service: string,
  ) {
    setMaxListeners(0, this.ending);
  }

  /** Aborted when the process ends. */
  get ending(): AbortSignal {
    return this.closing.signal;
  }

  /** Streams may last longer than a shutdown may take, so they are ended. Clients resume at another replica, or here after the restart. */
  onApplicationBootstrap(): void {
    this.shutdown.stop('drain', `${this.service}: streams`, () => {
      this.closing.abort();
      for (const reader of this.open) reader.abort();
    });
  }

  /** Resolves when the stream has ended. `events` ends soon after its signal is aborted. */
  send(reply: FastifyReply, events: (reader: AbortSignal) => AsyncIterable<SentEvent>, heartbeatMillis?: number): Promise<void> {
    return this.sendTexts(reply, (reader) => textsOf(events(reader)), heartbeatMillis);
  }

  /** Runs work for a client that waits for one answer. The signal is aborted when the client disconnects or the process ends. */
  async whileOpen<Result>({ raw }: FastifyReply, work: (reader: AbortSignal) => Promise<Result>): Promise<Result> {
    const reader = this.begin(raw);
    try {
      return await work(reader.signal);
    } finally {
      this.open.delete(reader);
    }
  }

  private begin(raw: ServerResponse): AbortController {
    const reader = new AbortController();
    this.open.add(reader);
    // The client may have disconnected before the listener below was added.
    if (this.ending.aborted || raw.destroyed) reader.abort(null);
    // A null reason avoids creating an exception with a stack at the end of each answer.
    raw.on('close', () => reader.abort(null));
    return reader;
  }

  /** Like `send`, for events that are already formatted as another standard requires. */
  async sendTexts(
    reply: FastifyReply,
    texts: (reader: AbortSignal) => AsyncIterable<string>,
    heartbeatMillis = HEARTBEAT_MILLIS,
  ): Promise<void> {
    const { raw } = reply;
    reply.hijack();
    const reader = this.begin(raw);
    const client = currentClient() ?? undefined;
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    raw.flushHeaders();
    const heartbeat = setInterval(() => {
      if (!raw.writableNeedDrain) raw.write(':\n\n');
    }, heartbeatMillis);
    try {
      for await (const text of texts(reader.signal)) {
        if (!raw.write(text)) await drained(raw, reader);
        if (isTurnOver()) await nextTurn(client);
        if (raw.destroyed) break;
      }
    } catch (error) {
      // The stream ends without `done` or `error`, so that the client resumes.
      this.log.warn({ err: error }, 'a stream broke off; its client can resume it');
    } finally {
      clearInterval(heartbeat);
      this.open.delete(reader);
      if (!raw.destroyed) raw.end();
    }
  }
}

async function* textsOf(events: AsyncIterable<SentEvent>): AsyncGenerator<string> {
  for await (const { id, event, data } of events) yield `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

async function drained(raw: ServerResponse, reader: AbortController): Promise<void> {
  const leave = () => void raw.destroy();
  // Ends a stream whose client reads nothing for this long. The client can resume.
  raw.setTimeout(PATIENCE_MILLIS, leave);
  // Rejects when the client disconnects or the process ends.
  await once(raw, 'drain', { signal: reader.signal }).catch(() => undefined);
  raw.off('timeout', leave).setTimeout(0);
}
