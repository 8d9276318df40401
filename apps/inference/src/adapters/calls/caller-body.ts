import { Refusal, refuse } from '@parlance/decider';
import type { CallFormat } from './call-formats.ts';
import { membersOf, parsed, type Span } from './json-members.ts';
import { requireNoConversation, STATE_FIELDS } from './response-state.ts';

/** The fields that bound the output of a call, by format. Servers differ in which of them counts, so the largest one is assumed. */
const OUTPUT_FIELDS = {
  openai: ['max_completion_tokens', 'max_tokens'],
  anthropic: ['max_tokens'],
  responses: ['max_output_tokens'],
  rerank: [],
  moderation: [],
  images: [],
  speech: [],
  transcription: [],
} as const satisfies Record<CallFormat, readonly string[]>;
/** The fields that are read here. */
const READ = new Set(['model', 'stream', 'stream_options', 'n', ...Object.values(OUTPUT_FIELDS).flat(), ...STATE_FIELDS]);
/** Bytes of a value that is read here. */
const LONGEST_VALUE_BYTES = 4_096;
export const LONGEST_MODEL = 200;
const MOST_CHOICES = 128;

/** A caller's request to a model, whose bytes are kept. */
export interface CallBody {
  readonly bytes: Buffer;
  readonly length: number;
  readonly contentType: string;
  readonly model: string;
  readonly isStreamed: boolean;
  /** The most output tokens of one choice. Null if the request names none. */
  readonly maxTokens: number | null;
  readonly choices: number;
  /** Whether the caller wants the event with the usage of a stream. */
  readonly wantsUsage: boolean;
  /** The bytes for the provider. */
  partsFor(model: string): readonly Buffer[];
}

/** A request in JSON. */
export class CallerBody implements CallBody {
  readonly contentType = 'application/json';
  readonly model: string;
  readonly isStreamed: boolean;
  readonly maxTokens: number | null;
  readonly choices: number;
  readonly wantsUsage: boolean;

  /** Rejects with the refusals `malformed_body` and `invalid_body` (invalid). */
  static async read(bytes: Buffer, format: CallFormat): Promise<CallerBody> {
    return new CallerBody(bytes, format, await membersOf(bytes));
  }

  private constructor(
    readonly bytes: Buffer,
    private readonly format: CallFormat,
    private readonly members: ReadonlyMap<string, Span>,
  ) {
    for (const name of this.members.keys()) requireExact(name);
    const model = this.value('model');
    if (typeof model !== 'string' || model === '' || model.length > LONGEST_MODEL) throw invalid('model', 'must be the ID of a model');
    this.model = model;
    this.isStreamed = this.flag('stream');
    const bounds = OUTPUT_FIELDS[format].flatMap((name) => this.count(name) ?? []);
    this.maxTokens = bounds.length === 0 ? null : Math.max(...bounds);
    this.choices = Math.min(this.count('n') ?? 1, MOST_CHOICES);
    this.wantsUsage = format !== 'openai' || streamOptionsOf(this.value('stream_options')).include_usage === true;
    if (format === 'responses') requireNoConversation((name) => this.value(name));
  }

  get length(): number {
    return this.bytes.length;
  }

  /** The fields, and the bytes of their values. */
  fields(): [string, Buffer][] {
    return Array.from(this.members, ([name, { from, to }]) => [name, this.bytes.subarray(from, to)]);
  }

  /**
   * The bytes for the provider. Nothing but the model is changed, in a stream the wish for its usage, and a response that would be stored by
   * default.
   */
  partsFor(model: string): readonly Buffer[] {
    const changes = [{ ...this.members.get('model')!, text: JSON.stringify(model) }];
    if (this.isStreamed && !this.wantsUsage)
      changes.push(this.with('stream_options', { ...streamOptionsOf(this.value('stream_options')), include_usage: true }));
    if (this.format === 'responses' && this.value('store') !== false) changes.push(this.with('store', false));
    const parts: Buffer[] = [];
    let at = 0;
    for (const { from, to, text } of changes.toSorted((a, b) => a.from - b.from)) {
      parts.push(this.bytes.subarray(at, from), Buffer.from(text));
      at = to;
    }
    return [...parts, this.bytes.subarray(at)];
  }

  /** The change by which a member has this value. */
  private with(name: string, value: unknown): Span & { readonly text: string } {
    const span = this.members.get(name);
    const text = JSON.stringify(value);
    if (span) return { ...span, text };
    const start = this.bytes.indexOf('{') + 1;
    return { from: start, to: start, text: `"${name}":${text},` };
  }

  private value(name: string): unknown {
    const span = this.members.get(name);
    if (span && span.to - span.from > LONGEST_VALUE_BYTES) throw invalid(name, 'is too long');
    return span && parsed(this.bytes, span);
  }

  private flag(name: string): boolean {
    const value = this.value(name) ?? false;
    if (typeof value !== 'boolean') throw invalid(name, 'must be true or false');
    return value;
  }

  private count(name: string): number | null {
    const value = this.value(name) ?? null;
    if (value === null) return null;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) throw invalid(name, 'must be a positive whole number');
    return value;
  }
}

/** Some servers read names in any case, and take the last one: `MODEL` would replace the model that the token allows. */
function requireExact(name: string): void {
  // In this order, letters such as the Kelvin sign become the letters that these servers take them for.
  const folded = name.toUpperCase().toLowerCase();
  if (folded !== name && READ.has(folded)) throw invalid(folded, 'must be written in small letters');
}

function streamOptionsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid('stream_options', 'must be an object');
  return value as Readonly<Record<string, unknown>>;
}

export function invalid(path: string, message: string): Refusal {
  return refuse('invalid', 'invalid_body', `The field ${path} ${message}.`, { errors: [{ path, message }] });
}
