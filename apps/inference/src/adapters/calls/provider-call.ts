import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { failureOf, GenerationFailed, LinkedAbort, type ProviderGate } from '@parlance/chat-models';
import { Refusal, refuse, type Sentence } from '@parlance/decider';
import type { PassingProvider } from '../model-providers.ts';

/** Bytes of an error that is passed on. */
const MOST_ERROR_BYTES = 64 * 1024;
/** When a call that has waited too long may be sent again. */
const RETRY_AFTER_SECONDS = 5;
/** How often an answer is checked for silence. */
const LOOK_MILLIS = 1_000;
/** Headers of a caller that its provider receives, besides the content type. */
const PASSED_HEADERS = /^(openai-(?!organization|project)|anthropic-)[a-z-]+$/;

/** A call of a caller. */
export interface Call {
  readonly userId: string;
  /** Ends the call while it waits for its turn. It is then free. */
  readonly waiting: AbortSignal;
  /** Ends the call after it was sent. The provider may bill it then. */
  readonly signal: AbortSignal;
  /** The time limit for the first byte, if it is shorter than the provider's. */
  readonly firstByteMillis?: number;
  /** Called with the headers of each answer. */
  readonly onHeaders?: (headers: IncomingHttpHeaders) => void;
}

/** A request of a caller for its provider. */
export interface PassedCall extends Call {
  readonly endpoint: string;
  readonly contentType: string;
  readonly parts: readonly Buffer[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The body of an answer. */
export interface AnswerBody extends Readable {
  readonly headers: IncomingHttpHeaders;
  /** Whether all of it has arrived. */
  readonly complete: boolean;
  /** What the model has written so far, if the bytes follow only when the answer is complete. */
  readonly produced?: (() => string) | undefined;
}

/** The provider's answer. Of its body, the first bytes have arrived, but are not read yet, or the whole body of a refusal of the request. */
export interface ProviderAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: AnswerBody;
  /** Set if the provider refuses the request. */
  readonly refusal: Buffer | null;
  /** Call it when the answer was read: then another call may begin. `failed` is counted by the circuit breaker. */
  readonly end: (failed: GenerationFailed | null) => void;
  readonly silence: SilenceLimit;
  /** Whether the provider answered in another format. */
  readonly isTranslated?: true;
  /** The time from the request to the first byte. */
  readonly waitedMillis: number;
}

/** Thrown if no answer has begun. */
export class NotAnswered extends Error {
  override readonly name = 'NotAnswered';

  constructor(
    /** Null if the caller left, or the process ends. */
    readonly failed: GenerationFailed | null,
    /** Whether the provider cannot have charged anything. */
    readonly isFree: boolean,
  ) {
    super(failed?.message ?? 'The caller left.');
  }
}

/** What a provider has answered. */
export type Exchanged = Pick<ProviderAnswer, 'status' | 'contentType' | 'body' | 'refusal' | 'isTranslated'>;

/** Sends a call when it is its turn, within the time limits of the provider. Throws `NotAnswered`. */
export const sendCall = ({ http, access, gate }: PassingProvider, call: PassedCall): Promise<ProviderAnswer> =>
  sendInTurn(gate, call, async (signal, charge) => {
    const sent = { headers: headersFor(call, access.headers), body: call.parts, signal };
    const answer = await http.pass(`${access.baseUrl}/${call.endpoint}`, sent).catch((error: unknown) => {
      signal.throwIfAborted();
      const failure = failureOf(error, 'sent');
      charge.isFree = failure.isFree;
      throw failure.failed;
    });
    const status = answer.statusCode ?? 0;
    answer.on('error', () => undefined);
    call.onHeaders?.(answer.headers);
    charge.isFree = status >= 400;
    const refusal = charge.isFree ? await refusalIn(answer, status) : null;
    if (!refusal) await firstByte(answer, signal);
    return { status, contentType: answer.headers['content-type'] ?? 'application/json', body: answer, refusal };
  });

/**
 * Sends a call with `exchange` when it is its turn. `charge.isFree` is set while the provider cannot have charged anything. Throws `NotAnswered`, or
 * a refusal of `exchange`.
 */
export async function sendInTurn(
  gate: ProviderGate,
  call: Call,
  exchange: (signal: AbortSignal, charge: { isFree: boolean }) => Promise<Exchanged>,
): Promise<ProviderAnswer> {
  const charge = { isFree: true };
  let endTurn = () => undefined as void;
  const within = new LinkedAbort(call.waiting);
  let timer: NodeJS.Timeout | undefined;
  try {
    gate.requireOpen();
    const { turnMillis, firstTokenMillis } = gate.limits;
    const { signal } = within;
    if (turnMillis !== undefined) timer = setTimeout(() => within.abort(waitedTooLong()), turnMillis);
    endTurn = await gate.turns.take(call.userId, signal);
    clearTimeout(timer);
    within.follow(call.signal);
    const longest = Math.min(firstTokenMillis, call.firstByteMillis ?? Infinity);
    timer = setTimeout(() => within.abort(new GenerationFailed('provider_timed_out')), longest);
    return await gate.begin(async () => {
      charge.isFree = false;
      const sentAt = performance.now();
      const exchanged = await exchange(signal, charge);
      const waitedMillis = performance.now() - sentAt;
      const end = (failed: GenerationFailed | null) => {
        within.unlink();
        endTurn();
        if (failed) gate.brokeOff(failed);
      };
      return { ...exchanged, end, silence: new SilenceLimit(exchanged.body, gate.limits.nextTokenMillis), waitedMillis };
    });
  } catch (error) {
    within.unlink();
    endTurn();
    if (error instanceof Refusal) throw error;
    throw new NotAnswered(error instanceof GenerationFailed ? error : null, charge.isFree);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when a part of the body or its end has arrived. Until then, another model may be called instead. */
async function firstByte(answer: IncomingMessage, signal: AbortSignal): Promise<void> {
  try {
    await once(answer, 'readable', { signal });
  } catch {
    answer.destroy();
    signal.throwIfAborted();
    throw new GenerationFailed('stream_broken');
  }
}

const waitedTooLong = (): GenerationFailed => new GenerationFailed('queue_timed_out', { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** Destroys an answer whose provider sends nothing for too long. */
export class SilenceLimit {
  private silent = 0;
  private isStopped = false;

  constructor(answer: AnswerBody, millis: number) {
    if (answer.destroyed) return;
    let seenAt = performance.now();
    const look = setInterval(() => {
      const now = performance.now();
      // A late look means that this process was busy, and what has arrived meanwhile is only read after it.
      if (!this.isStopped) this.silent += Math.min(now - seenAt, LOOK_MILLIS);
      seenAt = now;
      if (this.silent > millis) answer.destroy(new GenerationFailed('provider_timed_out'));
    }, LOOK_MILLIS).unref();
    answer.once('close', () => clearInterval(look));
  }

  /** Also if the provider waits for the caller to read. */
  restart(): void {
    this.silent = 0;
    this.isStopped = false;
  }

  /** Until the next restart. */
  stop(): void {
    this.silent = 0;
    this.isStopped = true;
  }
}

function headersFor({ headers, contentType, parts }: PassedCall, credentials: Readonly<Record<string, string>>): Record<string, string> {
  const passed: Record<string, string> = {
    'content-type': contentType,
    'content-length': String(parts.reduce((sum, { length }) => sum + length, 0)),
    ...credentials,
  };
  return Object.assign(passed, passedHeaders(headers));
}

/** The headers of a caller that its provider receives. */
export function passedHeaders(headers: PassedCall['headers']): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string' && PASSED_HEADERS.test(name)) passed[name] = value;
  return passed;
}

/** The provider's own words about a request that it refuses. Throws `GenerationFailed` for other errors, whose texts may contain keys and hosts. */
async function refusalIn(answer: IncomingMessage, statusCode: number): Promise<Buffer> {
  const { failed } = failureOf({ statusCode, responseHeaders: answer.headers as Record<string, string> }, 'sent');
  if (failed.code !== 'request_refused') {
    answer.destroy();
    throw failed;
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_ERROR_BYTES) throw failed;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The refusal of a call that its provider did not answer, and that is free. */
export const refusalOf = ({ code, message, retryAfterSeconds }: GenerationFailed): Refusal =>
  refuse('unavailable', code, message as Sentence, { retry_after: retryAfterSeconds ?? 1 });
