import { networkInterfaces } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { LOGGER } from '@parlance/foundation';
import { CallerStatements, STATEMENT_HEADER } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import type { Logger } from 'pino';
import { type Followed, idOf, positionIn, type StreamEvent, type StreamPosition, type PositionedEvent } from './stream-events.ts';

/** How long to wait for a replica's answer to begin. */
const ANSWER_MILLIS = 1_000;
/**
 * A stream without a byte for this long is abandoned. While its provider is silent, the other replica sends comments: as often as its answer
 * says, or every 15 s if it is of an earlier release.
 */
const SILENCE_MILLIS = 20_000;
/** How often the writing replica sends a comment, and how many of them may be missing. */
export const REPLICA_HEARTBEAT_MILLIS = 500;
const MOST_MISSED = 4;
export const HEARTBEAT_HEADER = 'x-parlance-heartbeat-ms';

/**
 * Calls the replica that writes a reply. Its address comes from the reply's claim, which only replicas of this service write. If the replica does
 * not answer, this is not an error: the reply will be stored or taken over anyway.
 */
@Injectable()
export class OtherReplicas {
  answerMillis = ANSWER_MILLIS;
  private readonly own: string | null;

  constructor(
    private readonly statements: CallerStatements,
    config: Config,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.own = replicaUrlOf(config);
  }

  /** Follows the other replica's output from a position. Ends when that replica has no more, or calls `onLost` when it does not answer. */
  async *follow(
    worker: string,
    followed: Followed,
    after: StreamPosition | null,
    reader: AbortSignal,
    onLost: () => void = () => undefined,
  ): AsyncGenerator<PositionedEvent> {
    if (worker === this.own) return;
    const giveUp = new AbortController();
    let watch = setTimeout(() => giveUp.abort(), this.answerMillis);
    try {
      const headers = { ...this.headers(followed), ...(after && { 'last-event-id': idOf(after) }) };
      const signal = AbortSignal.any([reader, giveUp.signal]);
      const answer = await fetch(addressOf(worker, followed, 'stream'), { headers, signal, redirect: 'error' });
      if (answer.status !== 200 || !answer.body) return void (await answer.body?.cancel());
      // A provider may be silent for longer than a replica.
      clearTimeout(watch);
      const silence = Number(answer.headers.get(HEARTBEAT_HEADER) ?? 0) * MOST_MISSED || SILENCE_MILLIS;
      watch = setTimeout(() => giveUp.abort(), silence);
      let text = '';
      for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
        clearTimeout(watch);
        const events = (text + chunk).split('\n\n');
        text = events.pop()!;
        for (const event of events) {
          const parsed = eventIn(event);
          if (parsed) yield parsed;
        }
        // Time spent by our own slow reader does not count as silence.
        watch = setTimeout(() => giveUp.abort(), silence);
      }
    } catch (error) {
      onLost();
      if (!reader.aborted)
        this.log.warn({ err: error }, 'the replica that writes a reply did not answer; the reply will be read once it is stored');
    } finally {
      clearTimeout(watch);
    }
  }

  /** Resolves even if that replica cannot be reached. It then notices the cancellation when it renews its lease. */
  async cancel(worker: string, followed: Followed): Promise<void> {
    if (worker === this.own) return;
    const options = {
      method: 'POST',
      headers: this.headers(followed),
      signal: AbortSignal.timeout(this.answerMillis),
      redirect: 'error',
    } as const;
    await fetch(addressOf(worker, followed, 'cancel'), options).then(
      (answer) => answer.body?.cancel(),
      (error: unknown) => this.log.warn({ err: error }, 'the replica that writes a cancelled reply did not answer; it will notice later'),
    );
  }

  private headers({ userId }: Followed): Record<string, string> {
    const { requestId: rid, correlationId: cid } = RequestContext.current() ?? RequestContext.background();
    const statement = { sub: userId, groups: [], sid: null, kind: 'user', ip: null, ua: null, rid, cid, call: true } as const;
    return { [STATEMENT_HEADER]: this.statements.sign(statement, Instant.ofMillis(Date.now())) };
  }
}

/** Where other replicas reach this process. Null in single-process mode, and if the address is unknown. */
export function replicaUrlOf({ replicaUrl, services, host, port }: Config): string | null {
  if (Object.keys(services).length === 0) return null;
  if (replicaUrl !== null) return replicaUrl.replace(/\/$/, '');
  const address = host === '0.0.0.0' || host === '::' ? ownAddress() : host;
  if (address === null || port === 0) return null;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

function ownAddress(): string | null {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outside = all.filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0);
  return (outside.find(({ family }) => family === 'IPv4') ?? outside[0])?.address ?? null;
}

const addressOf = (worker: string, { conversationId, replyId }: Followed, what: 'stream' | 'cancel') =>
  `${worker}/internal/replies/${conversationId}/${replyId}/${what}`;

/** Null for a comment. */
function eventIn(text: string): PositionedEvent | null {
  const fields = new Map(text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
  const [id, name, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
  const at = positionIn(id);
  if (!at || id === undefined || data === undefined) return null;
  return { at, event: { id, event: name as StreamEvent['event'], data: JSON.parse(data) as object } };
}
