import type { Kind, Span } from './detector.ts';
import { placeholder } from './detectors/placeholder.ts';
import { Scanner } from './scanner.ts';

/** Names in placeholders. */
const NAMES: Readonly<Record<Kind, string>> = {
  email: 'EMAIL',
  phone: 'PHONE',
  iban: 'IBAN',
  payment_card: 'CARD',
  national_id: 'ID',
  ip_address: 'IP',
  secret: 'SECRET',
  words: 'WORD',
  placeholder: 'TEXT',
};

/**
 * The placeholders of one call. A value has the same placeholder wherever it occurs. Text that looks like a placeholder gets one too, so that
 * unmasking restores every text.
 */
export class Masking {
  private readonly placeholders = new Map<string, string>();
  private readonly values = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  /** The placeholder of a value of the caller. `unmask` restores it. */
  mask({ kind }: Pick<Span, 'kind'>, value: string): string {
    return this.placeholderOf('own', kind, value);
  }

  /** The placeholder of a value that the caller must not see. It is not restored. */
  hide({ kind }: Pick<Span, 'kind'>, value: string): string {
    return this.placeholderOf('hidden', kind, value);
  }

  get isEmpty(): boolean {
    return this.values.size === 0;
  }

  unmask(text: string): string {
    if (this.isEmpty) return text;
    const unmasker = this.unmasker();
    return unmasker.add(text) + unmasker.end();
  }

  /** Restores a text that arrives in parts. Holds back less than the length of the longest placeholder. `written`: the form of a value there. */
  unmasker(written: (value: string) => string = asItIs): Unmasker {
    return new Unmasker(this.values, written);
  }

  private placeholderOf(owner: 'own' | 'hidden', kind: Kind, value: string): string {
    const key = `${owner} ${kind} ${value}`;
    const known = this.placeholders.get(key);
    if (known !== undefined) return known;
    const name = NAMES[kind];
    const count = (this.counts.get(name) ?? 0) + 1;
    const made = `[${name}_${count}]`;
    this.counts.set(name, count);
    this.placeholders.set(key, made);
    if (owner === 'own') this.values.set(made, value);
    return made;
  }
}

const asItIs = (value: string): string => value;

/** Replaces placeholders by their values. Other text that looks like a placeholder stays. */
export class Unmasker {
  private readonly scanner = new Scanner([placeholder]);
  private held = '';
  private base = 0;

  constructor(
    private readonly values: ReadonlyMap<string, string>,
    private readonly written: (value: string) => string,
  ) {}

  add(part: string): string {
    // Most calls mask nothing.
    return this.values.size === 0 && this.held === '' ? part : this.take(part, false);
  }

  end(): string {
    return this.take('', true);
  }

  private take(part: string, isEnd: boolean): string {
    this.held += part;
    const spans = this.scanner.add(part, isEnd);
    let shown = '';
    let at = 0;
    for (const { start, end } of spans) {
      const found = this.held.slice(start - this.base, end - this.base);
      const value = this.values.get(found);
      shown += this.held.slice(at, start - this.base) + (value === undefined ? found : this.written(value));
      at = end - this.base;
    }
    const decided = Math.max(at, this.scanner.decided - this.base);
    shown += this.held.slice(at, decided);
    this.held = this.held.slice(decided);
    this.base += decided;
    return shown;
  }
}
