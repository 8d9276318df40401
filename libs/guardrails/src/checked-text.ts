import { isTurnOver, nextTurn } from '@parlance/event-loop';
import type { Kind } from './detector.ts';
import type { Masking } from './masking.ts';
import type { PolicyVerdict, StageChecks } from './policies.ts';
import { type Found, Scanner } from './scanner.ts';

/** Code units that are checked before other work may get a turn of the event loop. */
const SLICE = 1_024;

/** Counts what the policies of one stage find in any number of texts of one call. */
export class Verdicts {
  private readonly counts = new Map<string, Map<Kind, number>>();
  /** The first policy that has blocked a text. */
  blockedBy: string | null = null;

  constructor(readonly checks: StageChecks) {}

  count(id: string, kind: Kind): void {
    const counts = this.counts.get(id) ?? new Map<Kind, number>();
    this.counts.set(id, counts.set(kind, (counts.get(kind) ?? 0) + 1));
  }

  all(): readonly PolicyVerdict[] {
    const { stage, actions } = this.checks;
    return [...this.counts].map(([id, counts]) => ({ id, stage, action: actions.get(id)!, found: Object.fromEntries(counts) }));
  }
}

/**
 * Checks a text that arrives in parts. Values to mask are replaced by placeholders, and after a value that is blocked nothing follows. At most
 * `StageChecks.window` code units are held back. The result is the same however the text is divided.
 */
export class CheckedText {
  private readonly scanner: Scanner;
  private held = '';
  private base = 0;
  /** The end of the last replaced value. */
  private replacedTo = 0;
  private isBlocked = false;

  constructor(
    private readonly verdicts: Verdicts,
    private readonly masking: Masking,
  ) {
    this.scanner = new Scanner(verdicts.checks.checks.map(({ detector }) => detector));
  }

  /** Returns the text that can be passed on after this part. A long part belongs in `checkText`. */
  add(part: string): string {
    return this.take(part, false);
  }

  /** Returns the text that was held back. Call it after the last part. */
  end(): string {
    return this.take('', true);
  }

  private take(part: string, isEnd: boolean): string {
    if (this.isBlocked) return '';
    if (this.verdicts.checks.isEmpty) return part;
    this.held += part;
    const found = this.scanner.add(part, isEnd);
    let shown = '';
    for (const span of found) {
      shown += this.decide(span);
      if (this.isBlocked) return shown;
    }
    return shown + this.upTo(Math.max(this.scanner.decided, this.replacedTo));
  }

  /** The text up to the end of the span, as far as it is replaced. */
  private decide(span: Found): string {
    const { action, policies } = this.verdicts.checks.checks[span.by]!;
    for (const { id } of policies) this.verdicts.count(id, span.kind);
    if (action === 'block') {
      this.verdicts.blockedBy ??= policies.find((policy) => policy.action === 'block')!.id;
      this.isBlocked = true;
      return this.upTo(Math.max(span.start, this.base));
    }
    // A part of this value may be replaced already, with a value that began before it.
    if (action === 'flag' || span.end <= this.replacedTo) return '';
    const start = Math.max(span.start, this.replacedTo);
    const before = this.upTo(start);
    const value = this.held.slice(start - this.base, span.end - this.base);
    this.drop(span.end);
    this.replacedTo = span.end;
    return before + (this.verdicts.checks.stage === 'input' ? this.masking.mask(span, value) : this.masking.hide(span, value));
  }

  private upTo(offset: number): string {
    const shown = this.held.slice(0, Math.max(0, offset - this.base));
    this.drop(offset);
    return shown;
  }

  private drop(offset: number): void {
    if (offset <= this.base) return;
    this.held = this.held.slice(offset - this.base);
    this.base = offset;
  }
}

/** Checks a whole text in slices of the event loop. After a value that is blocked, the text ends. */
export async function checkText(text: string, verdicts: Verdicts, masking: Masking): Promise<string> {
  if (verdicts.checks.isEmpty) return text;
  const checked = new CheckedText(verdicts, masking);
  const parts: string[] = [];
  for await (const part of slicesOf(text)) {
    parts.push(checked.add(part));
    if (verdicts.blockedBy !== null) return parts.join('');
  }
  parts.push(checked.end());
  return parts.join('');
}

/** A long text in slices, between which other work gets turns of the event loop. */
export async function* slicesOf(text: string): AsyncGenerator<string, void, void> {
  for (let at = 0; at < text.length; at += SLICE) {
    if (isTurnOver()) await nextTurn();
    yield text.slice(at, at + SLICE);
  }
}
