import type { ServerResponse } from 'node:http';
import { refuse } from '@parlance/decider';
import { RequestContext } from '@parlance/observability';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { HeldBytes } from './held-bytes.ts';
import { Turns } from './turns.ts';
import { PATIENCE_MILLIS } from './unread-answers.ts';

/** An answer up to this size is not counted, because it fits into the buffers of its connection. */
const UNCOUNTED = 32 * 1024;
/** The smallest size that a page is limited to. */
const LEAST_PAGE = 32 * 1024;
/** While a page is made, it is in memory twice: as rows and as the text of the answer. */
const COPIES = 2;
/** Pages of one client may take this share of the memory that is free for it: three quarters of the limit, less the bytes of other clients. */
const PART = 1 / 8;
/** Pages, and answers that cannot be refused, take at most this share of the memory, except for a few of the smallest pages. */
const SHARED = 3 / 4;
/** The share of all memory that one client's answers may take if they are not pages. */
const MOST_PART = 1 / 4;
/**
 * How many further pages of the smallest size a client may have, from the last quarter. With fifty clients that read nothing, there is
 * still room for another.
 */
const LEAST_PAGES = 4;

/**
 * The bytes of one answer, counted from before it is made until its client has read it. If the client disconnects before the answer is
 * made, its bytes and its turn are held until then, because the rows that it is made from stay in memory.
 */
class HeldAnswer {
  private bytes = 0;
  private isMade = false;
  private isGone: boolean;

  constructor(
    private readonly held: HeldBytes,
    private readonly client: string | null,
    res: ServerResponse,
    /** Ends the turn in which the answer is made. */
    private readonly endTurn: () => void,
  ) {
    // If the client disconnected while the answer was made, no further event is emitted.
    this.isGone = res.destroyed;
    res.once('close', () => this.leave());
    // A call within the process has no connection that closes.
    res.once('finish', () => {
      this.isMade = true;
      this.leave();
    });
  }

  get counted(): number {
    return this.bytes;
  }

  count(bytes: number): void {
    this.held.remove(this.bytes, this.client);
    this.held.add(bytes, this.client);
    this.bytes = bytes;
  }

  /** The answer is complete or sent as a stream. A turn of a stream ends with its connection. */
  made(): void {
    this.isMade = true;
    if (this.isGone) this.free();
  }

  /** Nothing long is needed any more to make the answer, and it takes these bytes. */
  madeOf(bytes: number): void {
    this.endTurn();
    this.count(bytes);
    this.made();
  }

  private leave(): void {
    this.isGone = true;
    if (this.isMade) this.free();
  }

  private free(): void {
    this.endTurn();
    this.count(0);
  }
}

/** Answers by response. The edge and a service in one process share a response. */
const answers = new WeakMap<ServerResponse, HeldAnswer>();

/**
 * Limits the memory for the answers of a process. While other clients hold much of it, pages get smaller; clients continue with `next_token`.
 */
export class AnswerMemory {
  private readonly turns = new Turns();

  constructor(private readonly held: HeldBytes) {}

  /**
   * Waits for a turn, because one message may be longer than its page, so only a few pages are made at the same time. Returns how many bytes the
   * page may have: `most` if little memory is in use. Rejects with `busy` (unavailable) before any work.
   */
  async ofPage({ raw }: FastifyReply, most: number): Promise<number> {
    const client = currentClient();
    if (answers.has(raw)) throw new Error('an answer has one turn');
    const { turn, leave } = this.turns.take(client, client !== null && client === RequestContext.current()?.ip);
    raw.once('close', leave);
    const endTurn = await turn;
    raw.off('close', leave);
    if (!endTurn) throw busy();
    try {
      if (raw.destroyed) throw busy();
      const bytes = this.bytesFor(client, most);
      const answer = new HeldAnswer(this.held, client, raw, endTurn);
      answers.set(raw, answer);
      answer.count(bytes * COPIES);
      return bytes;
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  /** Ends the turn of an answer that is sent as a stream, once nothing long is in memory. */
  release(raw: ServerResponse): void {
    answers.get(raw)?.madeOf(0);
  }

  /** The answer is sent, and was counted before it was made if that was necessary. */
  made(raw: ServerResponse): void {
    answers.get(raw)?.made();
  }

  private bytesFor(client: string | null, most: number): number {
    const byClient = client === null ? 0 : this.held.of(client);
    const own = Math.max(0, this.held.most * SHARED - (this.held.all - byClient)) * PART;
    // Half of the client's free memory, so that its concurrent requests get pages too.
    const bytes = Math.max(LEAST_PAGE, Math.min(most, Math.floor((own - byClient) / 2 / COPIES)));
    const mostOfClient = own + LEAST_PAGES * LEAST_PAGE * COPIES;
    if (byClient + bytes * COPIES > mostOfClient || this.held.all + bytes * COPIES > this.held.most) throw busy();
    return bytes;
  }

  /** Counts a complete answer. Throws `busy` (unavailable) if too little memory is left. */
  take(raw: ServerResponse, bytes: number, mayBeRefused: boolean): void {
    const known = answers.get(raw);
    if (!known && bytes <= UNCOUNTED) return;
    const client = currentClient();
    const others = this.held.all - (known?.counted ?? 0);
    const byClient = (client === null ? 0 : this.held.of(client)) - (known?.counted ?? 0);
    const isTooMuch = others + bytes > this.held.most || byClient + bytes > this.held.most * MOST_PART;
    if (mayBeRefused && isTooMuch) throw busy();
    // An answer that cannot be refused is not counted in the last quarter, which remains for other clients' bodies.
    const toCount = mayBeRefused ? bytes : Math.min(bytes, Math.max(0, this.held.most * SHARED - others));
    const answer = known ?? new HeldAnswer(this.held, client, raw, () => undefined);
    answers.set(raw, answer);
    answer.madeOf(toCount);
    raw.setTimeout(PATIENCE_MILLIS, () => raw.destroy());
  }
}

const memories = new WeakMap<HeldBytes, AnswerMemory>();

/** Applications that share a byte account also share the turns. */
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
      // A request that changed something must not be answered with a refusal.
      if (bytes > 0) memory().take(raw, bytes, method === 'GET');
      else memory().made(raw);
      // While a text is sent, Node keeps three bytes for each of its characters.
      done(null, typeof payload === 'string' && bytes > UNCOUNTED ? Buffer.from(payload) : payload);
    } catch (error) {
      done(error as Error);
    }
  });
}

/** The client to which a request's bytes and turns are counted: the API key, the user, or the address of an anonymous caller. */
export function currentClient(): string | null {
  const { caller, ip } = RequestContext.current() ?? {};
  if (caller?.kind === 'api') return `api-key:${caller.api?.keyId}`;
  return caller?.userId ?? ip ?? null;
}

const busy = () =>
  refuse('unavailable', 'busy', 'The server has no memory left for further answers. Try again in a moment.', {
    retry_after: 1,
  });
