import { networkInterfaces } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { LOGGER } from '@parlance/foundation';
import { CallerStatements, STATEMENT_HEADER } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import type { Logger } from 'pino';
import { type Followed, idOf, positionIn, type StreamEvent, type StreamPosition, type Told } from './stream-events.ts';

/** A replica that does not begin to answer in this time is not waited for. */
const ANSWER_MILLIS = 2_000;
/** A stream without a byte for this long is given up. The other replica sends a comment every 15 s. */
const SILENCE_MILLIS = 20_000;

/**
 * Asks the replica that writes a reply. Its address is the one of the reply's claim, which only replicas of this service write. A replica
 * that does not answer is no error, because the reply is stored, or taken over, without it.
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

  /** What the other replica produces, behind a position. Ends when that replica has no more, and when it cannot be reached. */
  async *follow(worker: string, followed: Followed, after: StreamPosition | null, reader: AbortSignal): AsyncGenerator<Told> {
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
      watch = setTimeout(() => giveUp.abort(), SILENCE_MILLIS);
      let text = '';
      for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
        clearTimeout(watch);
        const events = (text + chunk).split('\n\n');
        text = events.pop()!;
        for (const event of events) {
          const told = toldIn(event);
          if (told) yield told;
        }
        // A slow reader of ours is no silence of theirs.
        watch = setTimeout(() => giveUp.abort(), SILENCE_MILLIS);
      }
    } catch (error) {
      if (!reader.aborted)
        this.log.warn({ err: error }, 'the replica that writes a reply did not answer; the reply is read when it is stored');
    } finally {
      clearTimeout(watch);
    }
  }

  /** Resolves also when that replica cannot be reached. It then learns of it when it renews its lease. */
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
      (error: unknown) => this.log.warn({ err: error }, 'the replica that writes a cancelled reply did not answer; it learns of it later'),
    );
  }

  private headers({ userId }: Followed): Record<string, string> {
    const { requestId: rid, correlationId: cid } = RequestContext.current() ?? RequestContext.background();
    const statement = { sub: userId, groups: [], sid: null, kind: 'user', ip: null, ua: null, rid, cid, call: true } as const;
    return { [STATEMENT_HEADER]: this.statements.sign(statement, Instant.ofMillis(Date.now())) };
  }
}

/** Where other replicas reach this process; null in one process, and where the address cannot be known. */
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
function toldIn(text: string): Told | null {
  const fields = new Map(text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
  const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
  const at = positionIn(id);
  if (!at || id === undefined || data === undefined) return null;
  return { at, told: { id, event: event as StreamEvent['event'], data: JSON.parse(data) as object } };
}
