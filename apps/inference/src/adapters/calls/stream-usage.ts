import { GenerationFailed, type WireDialect } from '@parlance/chat-models';
import type { PassedStream } from './passed-stream.ts';
import { merged } from './reported-usage.ts';

const NEW_LINE = 0x0a;
const NONE = Buffer.alloc(0);
/** The last event of a stream, by dialect. */
const LAST = { openai: 'data: [DONE]', anthropic: 'event: message_stop' } as const;
const USAGE = '"usage"';
/** Bytes of an answer that are kept to count its tokens if the provider reports none. */
const MOST_KEPT_BYTES = 256 * 1024;
/** Bytes of one line of a stream. It is kept until it is complete. */
const MOST_LINE_BYTES = 4 * 1024 * 1024;

/**
 * Reads the usage of a stream in passing. Whole lines pass through as they are, except the event with the usage of a caller who did not ask for
 * it. Only lines with a usage are parsed. The last event is kept back until the charge is recorded.
 */
export class StreamUsage implements PassedStream {
  report: Readonly<Record<string, unknown>> | null = null;
  /** Whether the report is that of the end. Anthropic's message_start has an output of a few tokens. */
  isFinal = false;
  /** What the caller receives only after the charge is recorded. */
  last: Buffer = NONE;
  bytes = 0;
  private readonly kept: Buffer[] = [];
  private rest: Buffer = NONE;

  constructor(
    private readonly dialect: WireDialect,
    private readonly wantsUsage: boolean,
  ) {}

  /** Returns the bytes that the caller receives now. Throws `GenerationFailed` for a line that is too long. */
  pass(chunk: Buffer): Buffer {
    if (this.last.length > 0) {
      if (this.last.length < MOST_KEPT_BYTES) this.last = Buffer.concat([this.last, chunk]);
      return NONE;
    }
    if (this.bytes < MOST_KEPT_BYTES) this.kept.push(chunk);
    this.bytes += chunk.length;
    const all = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const end = all.lastIndexOf(NEW_LINE) + 1;
    this.rest = end === all.length ? NONE : all.subarray(end);
    if (this.rest.length > MOST_LINE_BYTES) throw new GenerationFailed('answer_invalid');
    const lines = end === all.length ? all : all.subarray(0, end);
    const passed = hasReport(lines) ? this.withoutReports(lines) : lines;
    const last = lineIn(passed, LAST[this.dialect]);
    if (last < 0) return passed;
    this.last = Buffer.concat([passed.subarray(last), this.rest]);
    return passed.subarray(0, last);
  }

  get hasLast(): boolean {
    return this.last.length > 0;
  }

  /** The rest of a stream that has ended without its last event. */
  end(): Buffer {
    return this.last.length > 0 ? this.last : this.rest;
  }

  /** The texts of the answer, for counting. Incomplete if the answer was long. */
  texts(): { readonly text: string; readonly share: number } {
    const kept = Buffer.concat(this.kept);
    const texts: string[] = [];
    for (const line of kept.toString('utf8').split('\n')) if (line.startsWith('data: {')) textsIn(eventOf(line), texts);
    return { text: texts.join(''), share: kept.length === 0 ? 1 : kept.length / this.bytes };
  }

  private withoutReports(lines: Buffer): Buffer {
    const kept: Buffer[] = [];
    let from = 0;
    let start = 0;
    for (let end = lines.indexOf(NEW_LINE); end >= 0; end = lines.indexOf(NEW_LINE, start)) {
      const line = lines.subarray(start, end);
      if (hasReport(line)) {
        const event = eventOf(line.toString('utf8'));
        const final = event?.['usage'] ?? null;
        this.isFinal ||= final !== null;
        // OpenAI has it beside the usage.
        if (event?.['service_tier'] !== undefined) this.report = merged(this.report, { service_tier: event['service_tier'] });
        this.report = merged(this.report, final ?? (event?.['message'] as { usage?: unknown } | undefined)?.usage);
        if (!this.wantsUsage && isOnlyUsage(event)) {
          kept.push(lines.subarray(from, start));
          // With the empty line that ends the event.
          from = lines[end + 1] === NEW_LINE ? end + 2 : end + 1;
        }
      }
      start = end + 1;
    }
    return kept.length === 0 ? lines : Buffer.concat([...kept, lines.subarray(from)]);
  }
}

/** Where a line with this beginning is. Texts of the model may contain the words too. */
function lineIn(lines: Buffer, beginning: string): number {
  for (let at = lines.indexOf(beginning); at >= 0; at = lines.indexOf(beginning, at + 1))
    if (at === 0 || lines[at - 1] === NEW_LINE) return at;
  return -1;
}

/** Most events of a stream have no usage, or null. */
function hasReport(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(USAGE); at >= 0; at = bytes.indexOf(USAGE, at + 1)) {
    const after = bytes.toString('latin1', at + USAGE.length, at + USAGE.length + 8);
    if (/^\s*:\s*\{/.test(after)) return true;
  }
  return false;
}

type Event = Readonly<Record<string, unknown>>;

function eventOf(line: string): Event | null {
  try {
    return JSON.parse(line.slice(line.indexOf('{'))) as Event;
  } catch {
    return null;
  }
}

const isOnlyUsage = (event: Event | null): boolean => Array.isArray(event?.['choices']) && event['choices'].length === 0;

/** Fields of an event that are no output of the model. */
const NO_OUTPUT = new Set([
  'id',
  'object',
  'model',
  'type',
  'role',
  'finish_reason',
  'system_fingerprint',
  'service_tier',
  'signature',
  'encrypted_content',
  'usage',
]);

/** The output in an answer that is no stream. All of its text if it is not complete. */
export function outputIn(answer: Buffer): string {
  const text = answer.toString();
  const whole = eventOf(text);
  if (whole === null) return text;
  const texts: string[] = [];
  // A response repeats its request, and a transcript its text in parts.
  textsIn(whole['object'] === 'response' ? whole['output'] : (whole['text'] ?? whole), texts);
  return texts.join('');
}

function textsIn(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) value.forEach((item) => textsIn(item, texts));
  else if (typeof value === 'object' && value !== null)
    for (const [name, field] of Object.entries(value)) if (!NO_OUTPUT.has(name)) textsIn(field, texts);
}
