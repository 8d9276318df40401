import type { ServerResponse } from 'node:http';
import { refuse } from '@parlance/decider';
import { RequestContext } from '@parlance/observability';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { HeldBytes } from './held-bytes.ts';
import { Turns } from './turns.ts';

/** An answer up to this size is not counted: the buffers of its connection take it. */
const UNCOUNTED = 32 * 1024;
/** A page is never wanted smaller. */
const LEAST_PAGE = 32 * 1024;
/** A page is held as rows and as the text of the answer while it is made. */
const COPIES = 2;
/** A client may have this part of what the others leave of three quarters of the memory … */
const PART = 1 / 8;
const SHARED = 3 / 4;
/** What answers that are no pages may take for one client. */
const MOST_PART = 1 / 4;
/** … and pages of the least size from the last quarter, so that fifty clients who read nothing leave something for the next one. */
const LEAST_PAGES = 4;
/** A client that takes nothing of an answer for this long is disconnected. */
export const PATIENCE_MILLIS = 10_000;

/** The bytes of one answer, counted from before it is made until its reader has taken it. */
class HeldAnswer {
  bytes = 0;
  private isOver: boolean;
  /** Ends the turn in which it is made. */
  made: () => void = () => undefined;

  constructor(
    private readonly held: HeldBytes,
    private readonly client: string | null,
    res: ServerResponse,
  ) {
    // The client may have gone while the answer was made, so no event comes.
    this.isOver = res.destroyed;
    // A call within the process has no connection that closes.
    for (const event of ['finish', 'close']) res.once(event, () => this.end());
  }

  private end(): void {
    this.made();
    this.become(0);
    this.isOver = true;
  }

  become(bytes: number): void {
    if (this.isOver) return;
    this.held.remove(this.bytes, this.client);
    this.held.add(bytes, this.client);
    this.bytes = bytes;
  }
}

/** By response. The edge and a service in one process share it. */
const answers = new WeakMap<ServerResponse, HeldAnswer>();

/**
 * Keeps the answers that a process holds within its memory. While others hold much, pages get smaller: their clients go on with `next_token`.
 */
export class AnswerMemory {
  private readonly turns = new Turns();

  constructor(private readonly held: HeldBytes) {}

  /**
   * How many bytes a page may have, `most` if nobody holds much. A few pages are made at a time, because one message may be longer than its page.
   * Rejects with `busy` (unavailable) before any work.
   */
  async ofPage({ raw }: FastifyReply, most: number): Promise<number> {
    const client = currentClient();
    if (answers.has(raw)) throw new Error('an answer has one turn');
    const { turn, leave } = this.turns.take(client);
    if (!turn) throw busy();
    raw.once('close', leave);
    const made = await turn;
    raw.off('close', leave);
    try {
      if (raw.destroyed) throw busy();
      const bytes = this.bytesFor(client, most);
      this.hold(raw, client, bytes * COPIES).made = made;
      return bytes;
    } catch (error) {
      made();
      throw error;
    }
  }

  private bytesFor(client: string | null, most: number): number {
    const its = client === null ? 0 : this.held.of(client);
    const own = Math.max(0, this.held.most * SHARED - (this.held.all - its)) * PART;
    // Half of what the client has left, so that several requests at a time get pages of some size.
    const bytes = Math.max(LEAST_PAGE, Math.min(most, Math.floor((own - its) / 2 / COPIES)));
    const mostOfClient = own + LEAST_PAGES * LEAST_PAGE * COPIES;
    if (its + bytes * COPIES > mostOfClient || this.held.all + bytes * COPIES > this.held.most) throw busy();
    return bytes;
  }

  /** Counts an answer that is complete. Throws `busy` (unavailable) if too little memory is left. */
  take(raw: ServerResponse, bytes: number, mayBeRefused: boolean): void {
    const before = answers.get(raw);
    if (!before && bytes <= UNCOUNTED) return;
    const client = currentClient();
    const others = this.held.all - (before?.bytes ?? 0);
    const its = (client === null ? 0 : this.held.of(client)) - (before?.bytes ?? 0);
    const isTooMuch = others + bytes > this.held.most || its + bytes > this.held.most * MOST_PART;
    if (mayBeRefused && isTooMuch) throw busy();
    // What cannot be refused leaves the last quarter to the bodies of others.
    const counted = mayBeRefused ? bytes : Math.min(bytes, Math.max(0, this.held.most * SHARED - others));
    this.hold(raw, client, counted).made();
    raw.setTimeout(PATIENCE_MILLIS, () => raw.destroy());
  }

  private hold(raw: ServerResponse, client: string | null, bytes: number): HeldAnswer {
    const answer = answers.get(raw) ?? new HeldAnswer(this.held, client, raw);
    answers.set(raw, answer);
    answer.become(bytes);
    return answer;
  }
}

const memories = new WeakMap<HeldBytes, AnswerMemory>();

/** The applications of one process share the turns as they share the account. */
export function answerMemoryOf(held: HeldBytes): AnswerMemory {
  const memory = memories.get(held) ?? new AnswerMemory(held);
  memories.set(held, memory);
  return memory;
}

/** Counts each answer of some size when it is sent. */
export function countAnswers(instance: FastifyInstance, memory: () => AnswerMemory): void {
  instance.addHook('onSend', ({ method }, { raw }, payload, done) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;
    try {
      // An answer that refuses is small. What a request has changed is not denied.
      if (bytes > 0) memory().take(raw, bytes, method === 'GET');
      done(null, payload);
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Whom the request is counted for: the API key, the user, or the address of a stranger. */
export function currentClient(): string | null {
  const { caller, ip } = RequestContext.current() ?? {};
  if (caller?.kind === 'api') return `api-key:${caller.api?.keyId}`;
  return caller?.userId ?? ip ?? null;
}

const busy = () =>
  refuse('unavailable', 'busy', 'The server holds as many answers as it can for clients that have not read them. Try again in a moment.', {
    retry_after: 1,
  });
