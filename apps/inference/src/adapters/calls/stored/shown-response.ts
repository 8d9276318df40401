import type { AnswerFilter } from '../passed-answer.ts';
import { membersOf } from '../json-members.ts';
import { withMembers } from './with-members.ts';

const NEW_LINE = 0x0a;
const DATA = 'data:';
/** Where the type of an event is in its line. */
const HEAD_BYTES = 256;
/** The lines of events that have the response. Servers may leave out the one with the name. In a text of the model, the quotes would be escaped. */
const WITH_RESPONSE =
  /^(?:event: ?|data: ?\{.{0,120}"type": ?")response\.(created|queued|in_progress|completed|incomplete|failed)(?:\s*$|")/;
const LAST = new Set(['completed', 'incomplete', 'failed']);

/** Shows the caller Parlance's own ID of a response instead of the provider's, and keeps the whole response. */
export class ShownResponse implements AnswerFilter {
  /** As the caller receives it. Null until all of it is known. */
  response: Buffer | null = null;
  /** The type of the event whose data comes next. */
  private type: string | null = null;

  /** `fields`: values as JSON. */
  constructor(
    private readonly fields: Readonly<Record<string, string>>,
    private readonly inner: AnswerFilter | null,
  ) {}

  get isBlocked(): boolean {
    return this.inner?.isBlocked ?? false;
  }

  async pass(lines: Buffer): Promise<Buffer> {
    return this.events(this.inner ? await this.inner.pass(lines) : lines);
  }

  async end(rest: Buffer): Promise<Buffer> {
    return this.events(this.inner ? await this.inner.end(rest) : rest);
  }

  async whole(answer: Buffer): Promise<Buffer> {
    const passed = this.inner ? await this.inner.whole(answer) : answer;
    if (this.isBlocked) return passed;
    return (this.response = await withMembers(passed, this.fields));
  }

  private async events(lines: Buffer): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let start = 0; start < lines.length;) {
      const newLine = lines.indexOf(NEW_LINE, start);
      const end = newLine < 0 ? lines.length : newLine + 1;
      parts.push(await this.line(lines.subarray(start, end)));
      start = end;
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  private async line(line: Buffer): Promise<Buffer> {
    const head = line.toString('latin1', 0, HEAD_BYTES).trimEnd();
    const named = WITH_RESPONSE.exec(head)?.[1] ?? null;
    if (!head.startsWith(DATA)) {
      if (head !== '') this.type = named;
      return line;
    }
    const type = named ?? this.type;
    this.type = null;
    return type === null ? line : this.shown(line, type);
  }

  private async shown(line: Buffer, type: string): Promise<Buffer> {
    const event = line.subarray(DATA.length);
    const span = (await membersOf(event)).get('response');
    if (!span) return line;
    const response = await withMembers(event.subarray(span.from, span.to), this.fields);
    if (LAST.has(type)) this.response = response;
    return Buffer.concat([line.subarray(0, DATA.length + span.from), response, event.subarray(span.to)]);
  }
}
