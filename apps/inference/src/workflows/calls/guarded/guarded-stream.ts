import type { CallFormat } from '../../../adapters/calls/call-formats.ts';
import { GenerationFailed } from '@parlance/chat-models';
import { type Masking, Verdicts } from '@parlance/guardrails';
import { isDataText, isFreeObject, kindOfText } from '../../../adapters/calls/texts/text-fields.ts';
import { AnswerText } from '../../guardrails/call-guardrails.ts';
import { ArgumentText } from './argument-text.ts';
import {
  endedGroups,
  type Event,
  groupOf,
  hasArguments,
  hasTypedEvents,
  isLastOfChoice,
  isLastOfResponse,
  isOfModel,
  isPartOfText,
  type Path,
  type StreamText,
  textEvent,
} from './stream-texts.ts';

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
  /** What was found in texts that a response repeats as a whole. */
  private readonly repeated: Verdicts;
  private hasParts = false;

  constructor(
    readonly format: CallFormat,
    private readonly output: Verdicts,
    readonly masking: Masking,
  ) {
    this.repeated = new Verdicts(output.checks);
  }

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
      if (event['type'] === 'content_block_stop') return [this.flushed(is(event['index']))];
      return event['type'] === 'message_delta' || event['type'] === 'message_stop' ? [this.flushed()] : [];
    }
    if (hasTypedEvents(this.format)) {
      const ends = endedGroups(event);
      return ends ? [this.flushed(ends, event)] : [];
    }
    const choices = Array.isArray(event['choices']) ? (event['choices'] as readonly Event[]) : [];
    return choices.filter((choice) => choice['finish_reason']).map((choice) => this.flushed(is(choice['index'] ?? 0), event));
  }

  /** Events with the ends of the texts of a group, or of all. */
  flushed(ends: (group: string) => boolean = () => true, head: Event = this.last): string {
    let shown = '';
    for (const [key, text] of this.texts) {
      if (!ends(text.group)) continue;
      this.texts.delete(key);
      const rest = text.checked.end();
      if (rest !== '') shown += textEvent(this.format, head, text, rest);
      if (this.isBlocked) break;
    }
    return shown;
  }

  get hidesTokens(): boolean {
    return this.output.checks.changesTexts;
  }

  /** Tokens would show what a policy hides. */
  private withoutTokens(event: Event): boolean {
    if (!this.hidesTokens || !Array.isArray(event['choices'])) return false;
    let isChanged = false;
    for (const choice of event['choices'] as Record<string, unknown>[])
      if (choice['logprobs']) {
        choice['logprobs'] = null;
        isChanged = true;
      }
    return isChanged;
  }

  private checkedText(kind: 'text' | 'arguments', output = this.output): AnswerText | ArgumentText {
    return kind === 'arguments' ? new ArgumentText(output, this.masking) : new AnswerText(output, this.masking);
  }

  /** A whole text. Those of a response have come in parts before, and come again with the last event, so they are counted once. */
  async wholeText(text: string, kind: 'text' | 'arguments', event: Event): Promise<string> {
    const counts = !hasTypedEvents(this.format) || (isLastOfResponse(event) && !this.hasParts);
    const its = this.checkedText(kind, counts ? this.output : this.repeated);
    const shown = (await its.add(text)) + its.end();
    // There were no parts, or they differ.
    if (!counts && this.repeated.blockedBy !== null) await this.checkedText(kind).add(text);
    return shown;
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
    this.hasParts = true;
    const before = this.flushed(is(group), event);
    const text: StreamText = { group, path, begun: { ...event }, checked: this.checkedText(kind) };
    this.texts.set(key, text);
    return { text, before };
  }

  isPart(path: Path, event: Event): boolean {
    return isPartOfText(this.format, path, event);
  }
}

const is = (group: unknown) => (other: string) => other === String(group);

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
      if (name === 'logprobs' && this.skipsTokens(object, path)) continue;
      if (name === 'data' && !field.isFree && !isDataText(textOr(object['type']), field.name)) continue;
      const isObject = typeof each === 'object' && !Array.isArray(each);
      object[name] = await this.visit(each, [...path, name], { name, isFree: field.isFree || (isObject && isFreeObject(name)) });
    }
    return object;
  }

  private skipsTokens(object: Record<string, unknown>, path: Path): boolean {
    if (path[0] === 'choices') return true;
    if (!hasTypedEvents(this.stream.format)) return false;
    if (this.stream.hidesTokens && Array.isArray(object['logprobs']) && object['logprobs'].length > 0) {
      object['logprobs'] = [];
      this.isChanged = true;
    }
    return true;
  }

  private async changed(text: string, path: Path, { name, isFree }: Field): Promise<string> {
    const { stream, event } = this;
    const found = kindOfText(name, isFree, text);
    if (found === null) return text;
    const shown = await this.shown(text, path, stream.isPart(path, event) && hasArguments(event) ? 'arguments' : found);
    this.isChanged ||= shown !== text;
    return shown;
  }

  private async shown(text: string, path: Path, kind: 'text' | 'arguments'): Promise<string> {
    const { stream, event } = this;
    if (stream.format === 'responses' && path[0] === 'response' && !isOfModel(String(path[1]))) return stream.masking.unmask(text);
    if (!stream.isPart(path, event)) return stream.isBlocked ? '' : stream.wholeText(text, kind, event);
    const checked = this.part(path, kind);
    // What follows a blocked value is not sent.
    if (stream.isBlocked) return '';
    const shown = await checked.add(text);
    return isLastOfChoice(path, event) ? shown + stream.endOf(path, event) : shown;
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
