import type { ServerResponse } from 'node:http';
import { GenerationFailed } from '@parlance/chat-models';
import type { CallFormat } from './call-formats.ts';
import { BinaryStream } from './binary-stream.ts';
import { LastEventStream } from './last-event-stream.ts';
import type { AnswerBody, SilenceLimit } from './provider-call.ts';
import { membersOf, parsed } from './json-members.ts';
import type { PassedStream } from './passed-stream.ts';
import { merged } from './reported-usage.ts';
import { outputIn, StreamUsage } from './stream-usage.ts';

/** Bytes of an answer that is no stream. They are kept until the charge is recorded. The largest batch of embeddings has 33 MiB in base64. */
export const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/** The content type of an answer in events. */
export const EVENT_STREAM = 'text/event-stream';

/** What is known of an answer when all of it but its end has been passed on. */
export interface ReadAnswer {
  /** As the provider reports it. Null without a report. */
  readonly report: Readonly<Record<string, unknown>> | null;
  /** False if more output may have followed the report. */
  readonly isFinal: boolean;
  /** What the caller receives after the charge is recorded. */
  readonly rest: Buffer;
  readonly bytes: number;
  /** The output, for counting. `share` of it is in `text`. */
  readonly texts: () => { readonly text: string; readonly share: number };
  readonly firstByteAt: number | null;
  /** Why the answer ended too early. `left`: the caller is gone. */
  readonly failure: GenerationFailed | 'left' | null;
}

/** Changes an answer on its way to the caller. Its methods throw `GenerationFailed` for an answer that they cannot read. */
export interface AnswerFilter {
  /** Whether the rest of the answer must not be sent. */
  readonly isBlocked: boolean;
  /** Takes whole lines of a stream. */
  pass(lines: Buffer): Promise<Buffer>;
  /** Takes the rest of a stream. */
  end(rest: Buffer): Promise<Buffer>;
  /** Takes an answer that is no stream. */
  whole(answer: Buffer): Promise<Buffer>;
}

/** The connection of the client, or what stands for it in a batch. */
export interface AnswerReader {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

export interface Passing {
  readonly res: ServerResponse;
  readonly format: CallFormat;
  /** Called before the first bytes are sent. */
  readonly begin: () => void;
  readonly silence: SilenceLimit;
  /** Counts what is kept of the answer. */
  readonly held: { add(bytes: number): void };
  /** Null for an answer that is passed on as it is. */
  readonly filter: AnswerFilter | null;
}

/** Passes a stream on, as fast as the caller reads it. */
export async function passStream(
  body: AnswerBody,
  wantsUsage: boolean,
  { res, format, begin, silence, held, filter }: Passing,
): Promise<ReadAnswer> {
  const hasEvents = body.headers['content-type']?.startsWith(EVENT_STREAM) === true;
  const stream: PassedStream = !hasEvents
    ? new BinaryStream()
    : format === 'openai' || format === 'anthropic'
      ? new StreamUsage(format, wantsUsage)
      : new LastEventStream(held);
  let firstByteAt: number | null = null;
  const leave = () => body.destroy();
  res.once('close', leave);
  let failure: ReadAnswer['failure'] = null;
  try {
    if (res.destroyed) leave();
    else begin();
    for await (const chunk of body as AsyncIterable<Buffer>) {
      firstByteAt ??= performance.now();
      silence.stop();
      const lines = stream.pass(chunk);
      const passed = filter ? await filter.pass(lines) : lines;
      if (passed.length > 0 && !res.write(passed) && !res.destroyed) await drained(res);
      silence.restart();
      if (filter?.isBlocked) break;
    }
    if (!stream.hasLast && !body.complete && !filter?.isBlocked) failure = new GenerationFailed('stream_broken');
  } catch (error) {
    failure = failureIn(error);
  } finally {
    res.off('close', leave);
  }
  // A caller who has the last event has everything.
  if (res.destroyed && !stream.hasLast) failure = 'left';
  if (stream.hasLast && !isUnreadable(failure)) failure = null;
  await stream.settle?.();
  let rest = stream.end();
  if (filter && failure === null)
    rest = await filter.end(rest).catch((error: unknown) => {
      failure = failureIn(error);
      return rest;
    });
  const { report, isFinal, bytes } = stream;
  return { report, isFinal: isFinal && failure === null, rest, bytes, texts: () => stream.texts(), firstByteAt, failure };
}

const failureIn = (error: unknown): GenerationFailed => (error instanceof GenerationFailed ? error : new GenerationFailed('stream_broken'));

const isUnreadable = (failure: ReadAnswer['failure']): boolean => failure instanceof GenerationFailed && failure.code === 'answer_invalid';

/** Resolves when the caller has read, or is gone. */
function drained(res: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    res.off('drain', done).off('close', done);
    resolve();
  };
  res.on('drain', done).on('close', done);
  return promise;
}

/** Reads an answer that is no stream, for as long as there is a reader. Without one, it is read to its end, because the provider bills all of it. */
export async function readWhole(
  body: AnswerBody,
  { reader, silence, filter, held }: Pick<Passing, 'silence' | 'filter' | 'held'> & { readonly reader?: AnswerReader },
): Promise<ReadAnswer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  let firstByteAt: number | null = null;
  let failure: ReadAnswer['failure'] = null;
  const leave = () => body.destroy();
  reader?.once('close', leave);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      firstByteAt ??= performance.now();
      silence.restart();
      bytes += chunk.length;
      held.add(chunk.length);
      if (bytes > MOST_ANSWER_BYTES) throw new GenerationFailed('answer_invalid');
      parts.push(chunk);
    }
    if (!body.complete) failure = new GenerationFailed('stream_broken');
  } catch (error) {
    failure = failureIn(error);
  } finally {
    reader?.off('close', leave);
  }
  if (failure && reader?.destroyed) failure = 'left';
  const rest = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  const report = failure ? null : await usageIn(rest);
  const shown = filter && failure === null ? await filter.whole(rest).catch((error: unknown) => void (failure = failureIn(error))) : rest;
  // The provider bills what it has written, although the caller gets none of it.
  const texts = () => ({ text: bytes === 0 ? (body.produced?.() ?? '') : outputIn(rest), share: 1 });
  return { report, isFinal: true, rest: shown ?? rest, bytes, texts, firstByteAt, failure };
}

async function usageIn(bytes: Buffer): Promise<ReadAnswer['report']> {
  try {
    const members = await membersOf(bytes);
    // Cohere reports in `meta`.
    const [span, tier] = [members.get('usage') ?? members.get('meta'), members.get('service_tier')];
    const seconds = members.get('duration');
    if (!span && seconds) return { type: 'duration', seconds: parsed(bytes, seconds) };
    const report = span ? merged(null, parsed(bytes, span)) : null;
    // OpenAI has it beside the usage.
    return report && tier ? merged(report, { service_tier: parsed(bytes, tier) }) : report;
  } catch {
    return null;
  }
}
