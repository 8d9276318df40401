import { GenerationFailed } from '@parlance/chat-models';
import { membersOf, parsed } from './json-members.ts';
import type { PassedStream } from './passed-stream.ts';
import { merged } from './reported-usage.ts';

const NEW_LINE = 0x0a;
const NONE = Buffer.alloc(0);
const DATA = 'data:';
/** Bytes of an answer that are kept to count its tokens if the provider reports none. */
const MOST_KEPT_BYTES = 256 * 1024;
/** Bytes of one event. The last one has the whole answer, images included. It is kept until the charge is recorded. */
const MOST_EVENT_BYTES = 32 * 1024 * 1024;
/** Where the type of an event is in its line. */
const HEAD_BYTES = 256;
const DELTA = /^data: ?\{.{0,120}"type": ?"[a-z_.]+\.delta"/;

/** The line in which the last event begins. Servers may leave out the one with its name. In a text of the model, the quotes would be escaped. */
const LAST_EVENT =
  /^(?:event: ?|data: ?\{.{0,120}"type": ?")(?:response\.(?:completed|incomplete|failed)|image_generation\.completed|speech\.audio\.done|transcript\.text\.done)(?:\s*$|")/;

type Report = NonNullable<PassedStream['report']>;

/** Passes on a stream whose last event has its usage. That event is kept back until the charge is recorded. */
export class LastEventStream implements PassedStream {
  report: PassedStream['report'] = null;
  isFinal = false;
  bytes = 0;
  private readonly kept: Buffer[] = [];
  /** The beginning of a line without its end, or of the last event. */
  private parts: Buffer[] = [];
  private held = 0;
  private isLast = false;

  constructor(private readonly memory: { add(bytes: number): void }) {}

  get hasLast(): boolean {
    return this.isLast;
  }

  pass(chunk: Buffer): Buffer {
    this.hold(chunk);
    if (this.isLast || !chunk.includes(NEW_LINE)) return NONE;
    const all = this.end();
    const end = all.lastIndexOf(NEW_LINE) + 1;
    const last = lastEventIn(all.subarray(0, end));
    this.isLast = last >= 0;
    const passed = all.subarray(0, this.isLast ? last : end);
    this.parts = [];
    this.memory.add(-this.held);
    this.held = 0;
    this.hold(all.subarray(passed.length));
    if (this.bytes < MOST_KEPT_BYTES) this.kept.push(passed);
    this.bytes += passed.length;
    return passed;
  }

  end(): Buffer {
    return this.parts.length === 1 ? this.parts[0]! : Buffer.concat(this.parts);
  }

  /** Reads the report in the last event, or the sum if several images have ended. */
  async settle(): Promise<void> {
    if (!this.isLast) return;
    const kept = this.end();
    for (let at = kept.indexOf(DATA); at >= 0; at = kept.indexOf(DATA, at + 1)) {
      const end = kept.indexOf(NEW_LINE, at);
      const usage = await usageIn(kept.subarray(at + DATA.length, end < 0 ? kept.length : end));
      if (usage) this.report = this.report ? sumOf(this.report, usage) : usage;
    }
    this.isFinal = this.report !== null;
  }

  texts(): { readonly text: string; readonly share: number } {
    const kept = Buffer.concat(this.kept);
    const texts: string[] = [];
    for (const line of kept.toString('utf8').split('\n')) {
      const delta = DELTA.test(line) ? deltaOf(line) : null;
      if (typeof delta === 'string') texts.push(delta);
    }
    return { text: texts.join(''), share: kept.length === 0 ? 1 : kept.length / this.bytes };
  }

  private hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.parts.push(bytes);
    this.held += bytes.length;
    this.memory.add(bytes.length);
    if (this.held > MOST_EVENT_BYTES) throw new GenerationFailed('answer_invalid');
  }
}

/** Where the last event begins in these lines. Negative if it is not there. */
function lastEventIn(lines: Buffer): number {
  let start = 0;
  for (let end = lines.indexOf(NEW_LINE); end >= 0; end = lines.indexOf(NEW_LINE, start)) {
    if (end > start && LAST_EVENT.test(lines.toString('latin1', start, Math.min(end, start + HEAD_BYTES)))) return start;
    start = end + 1;
  }
  return -1;
}

function sumOf(one: Report, other: Report): Report {
  const added = Object.entries(other).map(([name, value]) => {
    const before = one[name];
    return [name, typeof value === 'number' && typeof before === 'number' ? before + value : value];
  });
  return { ...one, ...Object.fromEntries(added) };
}

/** The usage in an event, or in the response that it has. Images in it are not parsed. */
async function usageIn(event: Buffer): Promise<Report | null> {
  try {
    const within = await membersOf(event);
    const usage = within.get('usage');
    if (usage) return merged(null, parsed(event, usage));
    const response = within.get('response');
    return response ? await usageIn(event.subarray(response.from, response.to)) : null;
  } catch {
    return null;
  }
}

function deltaOf(line: string): unknown {
  try {
    return (JSON.parse(line.slice(line.indexOf('{'))) as { readonly delta?: unknown }).delta;
  } catch {
    return null;
  }
}
