import type { CallFormat } from '../../../adapters/calls/call-formats.ts';
import { GenerationFailed } from '@parlance/chat-models';
import type { Masking, Verdicts } from '@parlance/guardrails';
import { isDataText, isFreeObject, kindOfText } from '../../../adapters/calls/texts/text-fields.ts';
import { AnswerText } from '../../guardrails/call-guardrails.ts';
import { ArgumentText } from './argument-text.ts';
import { type Event, groupOf, isLastOfChoice, isPartOfText, type Path, type StreamText, textEvent } from './stream-texts.ts';

const NONE = Buffer.alloc(0);
const DONE = '[DONE]';
const DATA = /^data: ?/;

/**
 * Checks the events of a stream. A text is divided among events, so its end is held back until it is decided, and sent before the event that ends
 * the text. Events without texts pass as they are.
 */
export class GuardedStream {
  private readonly texts = new Map<string, StreamText>();
  private lines: string[] = [];
  private last: Event = {};

  constructor(
    private readonly format: CallFormat,
    private readonly output: Verdicts,
    private readonly masking: Masking,
  ) {}

  /** Takes whole lines. Returns what the caller receives now. Throws `GenerationFailed` for an event that cannot be checked. */
  async pass(lines: Buffer): Promise<Buffer> {
    if (lines.length === 0) return NONE;
    const shown: string[] = [];
    for (const line of lines.toString('utf8').split(/(?<=\n)/)) {
      if (this.isBlocked) break;
      this.lines.push(line);
      if (line.trim() === '') shown.push(await this.event());
    }
    return Buffer.from(shown.join(''));
  }

  /** The rest of the stream, with the texts that were held back. */
  async end(rest: Buffer): Promise<Buffer> {
    if (this.isBlocked) return NONE;
    const shown = [await this.pass(rest)];
    if (this.lines.length > 0) shown.push(Buffer.from(await this.event()));
    if (!this.isBlocked) shown.push(Buffer.from(this.flushed()));
    return Buffer.concat(shown);
  }

  get isBlocked(): boolean {
    return this.output.blockedBy !== null;
  }

  private async event(): Promise<string> {
    const lines = this.lines;
    this.lines = [];
    const raw = lines.join('');
    const data = lines.filter((line) => DATA.test(line)).map((line) => line.replace(DATA, '').replace(/\r?\n$/, ''));
    if (data.length === 0) return raw;
    if (data.join('\n').trim() === DONE) {
      const ends = this.flushed();
      return this.isBlocked ? ends : ends + raw;
    }
    const event = eventIn(data.join('\n'));
    const changed = new ChangedEvent(this, event);
    await changed.visit(event, [], { name: '', isFree: false });
    if (!this.isBlocked) {
      changed.before.push(...this.endedBy(event));
      if (this.isBlocked) return changed.before.join('');
    }
    const isSame = !this.withoutTokens(event) && !changed.isChanged;
    const others = lines.filter((line) => !DATA.test(line) && line.trim() !== '');
    const shown = isSame ? raw : `${others.join('')}data: ${JSON.stringify(event)}\n\n`;
    if (this.format === 'anthropic' || Array.isArray(event['choices'])) this.last = event;
    return changed.before.join('') + shown;
  }

  /** The end of texts that this event ends. Texts of a choice that this event itself continues are already in it. */
  private endedBy(event: Event): string[] {
    if (this.format === 'anthropic') {
      if (event['type'] === 'content_block_stop') return [this.flushed(String(event['index']))];
      return event['type'] === 'message_delta' || event['type'] === 'message_stop' ? [this.flushed()] : [];
    }
    const choices = Array.isArray(event['choices']) ? (event['choices'] as readonly Event[]) : [];
    return choices.filter((choice) => choice['finish_reason']).map((choice) => this.flushed(String(choice['index'] ?? 0), event));
  }

  /** Events with the ends of the texts of a group, or of all. */
  flushed(group?: string, head: Event = this.last): string {
    let shown = '';
    for (const [key, text] of this.texts) {
      if (group !== undefined && text.group !== group) continue;
      this.texts.delete(key);
      const rest = text.checked.end();
      if (rest !== '') shown += textEvent(this.format, head, text, rest);
      if (this.isBlocked) break;
    }
    return shown;
  }

  /** Tokens would show what a policy hides. */
  private withoutTokens(event: Event): boolean {
    if (!this.output.checks.changesTexts || !Array.isArray(event['choices'])) return false;
    let isChanged = false;
    for (const choice of event['choices'] as Record<string, unknown>[])
      if (choice['logprobs']) {
        choice['logprobs'] = null;
        isChanged = true;
      }
    return isChanged;
  }

  checkedText(kind: 'text' | 'arguments'): AnswerText | ArgumentText {
    return kind === 'arguments' ? new ArgumentText(this.output, this.masking) : new AnswerText(this.output, this.masking);
  }

  /** The end of a text, which the event itself has. */
  endOf(path: Path, event: Event): string {
    const key = keyOf(groupOf(this.format, path, event), path);
    const text = this.texts.get(key);
    this.texts.delete(key);
    return text?.checked.end() ?? '';
  }

  /** The text of which an event has a part. Other texts of its group end when it begins. */
  textAt(path: Path, event: Event, kind: 'text' | 'arguments'): { readonly text: StreamText; readonly before: string } {
    const group = groupOf(this.format, path, event);
    const key = keyOf(group, path);
    const known = this.texts.get(key);
    if (known) return { text: known, before: '' };
    const before = this.flushed(group, event);
    const text: StreamText = { group, path, deltaType: (event['delta'] as Event | undefined)?.['type'], checked: this.checkedText(kind) };
    this.texts.set(key, text);
    return { text, before };
  }

  isPart(path: Path, event: Event): boolean {
    return isPartOfText(this.format, path, event);
  }
}

const keyOf = (group: string, path: Path): string => JSON.stringify([group, ...path]);

interface Field {
  readonly name: string;
  readonly isFree: boolean;
}

/** Replaces the texts of an event. */
class ChangedEvent {
  /** Events that are sent before it. */
  readonly before: string[] = [];
  isChanged = false;

  constructor(
    private readonly stream: GuardedStream,
    private readonly event: Event,
  ) {}

  async visit(value: unknown, path: Path, field: Field): Promise<unknown> {
    if (typeof value === 'string') return this.changed(value, path, field);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) value[at] = await this.visit(item, [...path, indexOf(item, at)], field);
      return value;
    }
    const object = value as Record<string, unknown>;
    for (const [name, each] of Object.entries(object)) {
      if (name === 'logprobs' && path[0] === 'choices') continue;
      if (name === 'data' && !field.isFree && !isDataText(textOr(object['type']), field.name)) continue;
      const isObject = typeof each === 'object' && !Array.isArray(each);
      object[name] = await this.visit(each, [...path, name], { name, isFree: field.isFree || (isObject && isFreeObject(name)) });
    }
    return object;
  }

  private async changed(text: string, path: Path, { name, isFree }: Field): Promise<string> {
    const kind = kindOfText(name, isFree, text);
    if (kind === null) return text;
    const isPart = this.stream.isPart(path, this.event);
    const checked = isPart ? this.part(path, kind) : this.stream.checkedText(kind);
    // What follows a blocked value is not sent.
    if (this.stream.isBlocked) {
      this.isChanged = true;
      return '';
    }
    let shown = await checked.add(text);
    if (!isPart) shown += checked.end();
    else if (isLastOfChoice(path, this.event)) shown += this.stream.endOf(path, this.event);
    this.isChanged ||= shown !== text;
    return shown;
  }

  private part(path: Path, kind: 'text' | 'arguments'): AnswerText | ArgumentText {
    const { text, before } = this.stream.textAt(path, this.event, kind);
    this.before.push(before);
    return text.checked;
  }
}

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Parts of the same text have the same index, wherever they are in a list. */
const indexOf = (item: unknown, at: number): number => {
  const index = (item as { readonly index?: unknown } | null)?.index;
  return typeof index === 'number' ? index : at;
};

function eventIn(data: string): Event {
  try {
    const event: unknown = JSON.parse(data);
    if (typeof event === 'object' && event !== null && !Array.isArray(event)) return event as Event;
  } catch {
    // Below.
  }
  throw new GenerationFailed('answer_invalid');
}
