import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Counts of the records that were read, or that were imported. */
export interface Counts {
  users: number;
  bots: number;
  stars: number;
  conversations: number;
  messages: number;
  nano_dollars: number;
}

export const noCounts = (): Counts => ({ users: 0, bots: 0, stars: 0, conversations: 0, messages: 0, nano_dollars: 0 });

/** A record that was left out, or was imported without one of its parts. */
export interface Entry {
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly id: string;
  readonly reason: string;
  readonly detail?: string;
  /** The record was imported without this part. */
  readonly partly?: true;
}

export interface Place {
  readonly file: string;
  readonly line: number;
}

interface Progress {
  readonly read: Counts;
  readonly taken: Counts;
  readonly reasons: Readonly<Record<string, number>>;
  readonly reportBytes: number;
  /** The last line with a finished conversation; null before the first. */
  readonly after: Place | null;
  readonly areBotsDone: boolean;
  readonly isDone: boolean;
}

const PROGRESS = 'progress.json';
export const REPORT = 'left-out.jsonl';
const SAVED_EVERY_MILLIS = 500;
/** The maximum number of entries in memory. An export can have millions of records with an unknown field. */
const MOST_WAITING = 1_000;

/**
 * The report and the progress of a run, in their own directory. The progress covers only records that are already in the report, so that a
 * killed run continues with the report of that moment.
 */
export class Ledger {
  readonly read: Counts;
  readonly taken: Counts;
  readonly reasons: Record<string, number>;
  private bytes: number;
  private after: Place | null;
  private savedAt = 0;
  private waiting: string[] = [];
  private readonly report: number;

  private constructor(
    private readonly directory: string,
    before: Progress | null,
    /** An earlier run has imported all bots. Their owners may have changed them since. */
    readonly wereBotsDone: boolean,
  ) {
    const { read = noCounts(), taken = noCounts(), reasons = {}, reportBytes = 0, after = null } = before ?? {};
    [this.read, this.taken, this.reasons, this.bytes, this.after] = [{ ...read }, { ...taken }, { ...reasons }, reportBytes, after];
    this.report = openSync(join(directory, REPORT), 'a');
    ftruncateSync(this.report, reportBytes);
  }

  static open(directory: string): Ledger {
    mkdirSync(directory, { recursive: true });
    const progress = earlier(directory);
    const isUnfinished = progress !== null && !progress.isDone && progress.after !== null;
    return new Ledger(directory, isUnfinished ? progress : null, progress?.areBotsDone ?? false);
  }

  /** The last line that a killed run finished; null for a new run. */
  get resumesAfter(): Place | null {
    return this.after;
  }

  leave(entry: Entry): void {
    this.reasons[entry.reason] = (this.reasons[entry.reason] ?? 0) + 1;
    this.waiting.push(`${JSON.stringify(entry)}\n`);
    if (this.waiting.length >= MOST_WAITING) this.flush();
  }

  /** When a run continues, the report is truncated to the length that the progress has recorded. */
  private flush(): void {
    const text = this.waiting.join('');
    this.waiting = [];
    writeSync(this.report, text);
    this.bytes += Buffer.byteLength(text);
  }

  /** All lines up to this one are done. */
  reached(after: Place): void {
    this.after = after;
    if (performance.now() - this.savedAt > SAVED_EVERY_MILLIS) this.save({ areBotsDone: true, isDone: false });
  }

  save(state: { readonly areBotsDone: boolean; readonly isDone: boolean }): void {
    this.flush();
    const { read, taken, reasons, bytes: reportBytes, after } = this;
    const progress: Progress = { read, taken, reasons, reportBytes, after, ...state, areBotsDone: state.areBotsDone || this.wereBotsDone };
    const path = join(this.directory, PROGRESS);
    writeFileSync(`${path}.new`, JSON.stringify(progress));
    renameSync(`${path}.new`, path);
    this.savedAt = performance.now();
  }

  close(): void {
    closeSync(this.report);
  }
}

function earlier(directory: string): Progress | null {
  try {
    return JSON.parse(readFileSync(join(directory, PROGRESS), 'utf8')) as Progress;
  } catch {
    return null;
  }
}
