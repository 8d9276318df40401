import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { newId } from '@parlance/event-store';
import { isTransient } from '@parlance/http';
import type { FileKey } from '@parlance/privacy';
import { membersOf } from '../../adapters/calls/json-members.ts';
import type { BatchRef, BatchResultStore } from '../../adapters/gateway/batch-results.ts';
import type { Ended, EndReason } from '../../domain/gateway/gateway-batch.ts';
import { remainingIn } from '../calls/call-limits.ts';
import { type BatchInput, InputRemoved, type InputFile } from './batch-input.ts';
import type { BatchLine } from './batch-lines.ts';
import { type BatchToken, TokenEnded } from './batch-tokens.ts';
import { type LineAnswer, type LineCalls, refused } from './line-calls.ts';

/** Requests of one batch that are in flight at the same time. */
const LINES_AT_ONCE = 4;
/** How far requests may run ahead of the first one that has not ended. After a crash, so many results are looked for. */
const MOST_AHEAD = 64;
/** How often a request is sent if the model cannot be reached. */
const MOST_TRIES = 5;
/** Line breaks that are replaced before other work may have a turn. */
const ENDS_IN_SLICE = 1_024;
const [LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x0a, 0x0d, 0x20];
const FIRST_PAUSE_MILLIS = 1_000;
const LONGEST_PAUSE_MILLIS = 60_000;

/** Refusals of a request that becomes possible by waiting, as far as it depends on other calls. */
const WAITS = new Set(['rate_limit_exceeded', 'too_many_parallel_requests', 'busy', 'calls_settled', 'object_store_unavailable']);

export interface RunParts {
  readonly input: BatchInput;
  readonly results: BatchResultStore;
  readonly calls: LineCalls;
  readonly token: BatchToken;
}

export interface RunOf {
  readonly batch: BatchRef;
  readonly file: InputFile;
  readonly key: FileKey;
  readonly lines: number;
  readonly begun: Ended;
  /** Ends the calls in flight. */
  readonly signal: AbortSignal;
}

/** Sends the requests of one batch that have no result. */
export class BatchRun {
  /** Set when no further request may begin. */
  ending: Exclude<EndReason, 'done'> | 'stopping' | null = null;
  private readonly waking = new AbortController();
  private next: number;
  private through: number;
  private completed: number;
  private failed: number;
  /** Requests after `through` that have ended. */
  private readonly ended = new Map<number, boolean>();
  /** Earlier workers may have stored results up to here: they were never further ahead of one that they had stored. */
  private lookUntil: number;
  private chunk: { readonly from: number; readonly lines: readonly BatchLine[] } = { from: 0, lines: [] };
  private reading: Promise<unknown> = Promise.resolve();
  private moved = Promise.withResolvers<void>();

  constructor(
    private readonly parts: RunParts,
    private readonly of: RunOf,
  ) {
    this.next = this.through = of.begun.through;
    this.lookUntil = this.through + MOST_AHEAD;
    this.completed = of.begun.completed;
    this.failed = of.begun.failed;
  }

  get progress(): Ended {
    return { through: this.through, completed: this.completed, failed: this.failed };
  }

  /** No further request begins. Those in flight go on. */
  end(why: NonNullable<BatchRun['ending']>): void {
    this.ending ??= why;
    this.waking.abort();
    this.moved.resolve();
  }

  /** Resolves when all requests have ended, or `ending` is set and none is in flight. */
  async run(): Promise<void> {
    const done = await Promise.allSettled(Array.from({ length: LINES_AT_ONCE }, () => this.work()));
    for (const each of done) if (each.status === 'rejected') throw each.reason;
  }

  private async work(): Promise<void> {
    while (this.ending === null && this.next < this.of.lines) {
      if (this.next >= this.through + MOST_AHEAD) {
        await this.moved.promise;
        continue;
      }
      const number = this.next++;
      try {
        const isCompleted = (await this.found(number)) ?? (await this.decide(number, await this.line(number)));
        if (isCompleted === null) return;
        this.note(number, isCompleted);
      } catch (error) {
        if (error instanceof TokenEnded) return this.end('token_ended');
        if (error instanceof InputRemoved) return this.end('input_removed');
        this.end('stopping');
        throw error;
      }
    }
  }

  /** Whether the result that an earlier worker has stored is an answer. Null if there is none. */
  private async found(number: number): Promise<boolean | null> {
    if (number >= this.lookUntil) return null;
    const result = await this.parts.results.get(this.of.batch, number, this.of.key);
    if (!result) return null;
    this.lookUntil = Math.max(this.lookUntil, number + 1 + MOST_AHEAD);
    // A damaged one is not sent again either, because it was charged.
    return result !== 'damaged' && result.isCompleted;
  }

  private async line(number: number): Promise<BatchLine> {
    const read = this.reading.then(async () => {
      const { from, lines } = this.chunk;
      if (number < from || number >= from + lines.length)
        this.chunk = { from: number, lines: await this.parts.input.from(this.of.file, number) };
      return this.chunk.lines[number - this.chunk.from];
    });
    this.reading = read.catch(() => undefined);
    const line = await read;
    if (!line) throw new InputRemoved();
    return line;
  }

  /** Sends a request until it has a result. Whether that is an answer; null if it may not be sent now. */
  private async decide(number: number, { customId, body }: BatchLine): Promise<boolean | null> {
    const { batch, key, file, signal } = this.of;
    let isCompleted: boolean | null = null;
    let tries = 0;
    const store = async (answer: LineAnswer) => {
      const isAnswer = answer.status === 200;
      const line = await resultLine(customId, answer);
      await this.whileAway(() => this.parts.results.put(batch, number, key, { isCompleted: isAnswer, line }));
      isCompleted = isAnswer;
    };
    while (this.ending === null) {
      const callId = newId();
      try {
        const caller = await this.parts.token.caller();
        tries++;
        const request = { callId, endpoint: file.endpoint, caller, bytes: body, signal: AbortSignal.any([signal]) };
        await this.parts.calls.run(request, store);
        if (isCompleted !== null) return isCompleted;
      } catch (error) {
        if (error instanceof TokenEnded || signal.aborted) throw error;
        // The result is stored, so the charge of its call has failed in a way that is settled later.
        if (isCompleted !== null) return isCompleted;
        if (mayPass(error)) {
          tries = Math.max(0, tries - 1);
          await this.pause(retryAfter(error));
        } else if (isUnsent(error) && tries < MOST_TRIES) await this.pause(Math.max(pauseAfter(tries), retryAfter(error)));
        else await store(refused(error, callId));
        if (isCompleted !== null) return isCompleted;
      }
    }
    return null;
  }

  /** Repeats the storing of a result while the store is away. */
  private async whileAway(put: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await put();
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind !== 'unavailable') throw error;
        await pause(FIRST_PAUSE_MILLIS, undefined, { signal: this.of.signal });
      }
    }
  }

  private async pause(millis: number): Promise<void> {
    await pause(millis, undefined, { signal: this.waking.signal }).catch(() => undefined);
  }

  private note(number: number, isCompleted: boolean): void {
    this.ended.set(number, isCompleted);
    for (let its = this.ended.get(this.through); its !== undefined; its = this.ended.get(this.through)) {
      this.ended.delete(this.through++);
      if (its) this.completed++;
      else this.failed++;
    }
    this.moved.resolve();
    this.moved = Promise.withResolvers();
  }
}

/** Whether the request waits for other calls, or for a service. A request that needs more tokens than a whole minute has never passes. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof Refusal)) return isTransient(error);
  if (error.code === 'service_unavailable') return true;
  const tokens = remainingIn(error)?.tokens;
  const requests = remainingIn(error)?.requests;
  if (error.code === 'rate_limit_exceeded' && tokens && tokens.remaining === tokens.limit && requests?.remaining !== 0) return false;
  return WAITS.has(error.code);
}

/** Whether a refused request was not sent, and cost nothing. */
const isUnsent = (error: unknown): boolean =>
  error instanceof Refusal && error.kind === 'unavailable' && error.code !== 'recorded_not_visible';

function retryAfter(error: unknown): number {
  const seconds = error instanceof Refusal ? Number(error.facts['retry_after'] ?? 1) : 1;
  return Math.min(LONGEST_PAUSE_MILLIS, Math.max(100, seconds * 1_000));
}

const pauseAfter = (tries: number): number => Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS * 2 ** (tries - 1));

/** The result of a request in OpenAI's format. */
async function resultLine(customId: string, { status, callId, body }: LineAnswer): Promise<Buffer> {
  const head = `{"id":"batch_req_${callId}","custom_id":${JSON.stringify(customId)},"response":{"status_code":${status},"request_id":"${callId}","body":`;
  return Buffer.concat([Buffer.from(head), await inOneLine(body), Buffer.from('},"error":null}\n')]);
}

/** Line breaks between the tokens of JSON are white space. Another text becomes a string. */
export async function inOneLine(body: Buffer): Promise<Buffer> {
  try {
    await membersOf(body);
  } catch {
    return Buffer.from(JSON.stringify(body.toString()));
  }
  if (!body.includes(LINE_FEED) && !body.includes(CARRIAGE_RETURN)) return body;
  const line = Buffer.from(body);
  for (const end of [LINE_FEED, CARRIAGE_RETURN])
    for (let [at, steps] = [line.indexOf(end), 1]; at >= 0; at = line.indexOf(end, at + 1), steps++) {
      line[at] = SPACE;
      if (steps % ENDS_IN_SLICE === 0 && isTurnOver()) await nextTurn();
    }
  return line;
}
