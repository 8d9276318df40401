import { SYNC_STEPS, type SyncCount, type SyncCounts, type SyncStep } from '../domain/knowledge-sync.ts';

export type SourceKind = Exclude<keyof SyncCounts, 'chunks'>;

/** Failures that a reason names. The others are counted. */
const NAMED_FAILURES = 20;
const LONGEST_NAME = 300;

const none = (): { -readonly [Name in keyof SyncCount]: SyncCount[Name] } => ({ done: 0, failed: 0, total: 0, unchanged: 0 });

/** Progress of a run that has just begun is recorded this often, so that its owner sees it move. */
const SHORTEST_PAUSE_MILLIS = 3_000;
/** A worker shows this often that it is alive, which must be well within its lease. */
const LONGEST_PAUSE_MILLIS = 10_000;
const PAUSES_OF_AGE = 20;

/** Whether a worker has to record its progress again. Each record is an event, so long runs record it less often. */
export function isDue(millis: { readonly sinceStart: number; readonly sinceLast: number }, hasMoved: boolean): boolean {
  const pause = hasMoved ? Math.min(LONGEST_PAUSE_MILLIS, millis.sinceStart / PAUSES_OF_AGE) : LONGEST_PAUSE_MILLIS;
  return millis.sinceLast >= Math.max(SHORTEST_PAUSE_MILLIS, pause);
}

/** Counts what a run has done, and collects what has failed. */
export class RunProgress {
  chunks = 0;
  private at: SyncStep = 'download';
  private readonly kinds = { pages: none(), sitemaps: none(), s3: none(), files: none() };
  private readonly failures: string[] = [];
  private failed = 0;

  /** The furthest step that an item has reached. */
  get step(): SyncStep {
    return this.at;
  }

  /** Several items are read at the same time, so a step that is behind the furthest one changes nothing. */
  reaches(step: SyncStep): void {
    if (SYNC_STEPS.indexOf(step) > SYNC_STEPS.indexOf(this.at)) this.at = step;
  }

  counts(): SyncCounts {
    const { pages, sitemaps, s3, files } = this.kinds;
    return { pages: { ...pages }, sitemaps: { ...sitemaps }, s3: { ...s3 }, files: { ...files }, chunks: this.chunks };
  }

  found(kind: SourceKind): void {
    this.kinds[kind].total++;
  }

  done(kind: SourceKind, isUnchanged: boolean): void {
    this.kinds[kind].done++;
    if (isUnchanged) this.kinds[kind].unchanged++;
  }

  /** An item that turned out to hold no knowledge, such as a link that leads nowhere. */
  skipped(kind: SourceKind): void {
    this.kinds[kind].total--;
  }

  failure(kind: SourceKind, name: string, message: string): void {
    this.kinds[kind].failed++;
    this.failed++;
    // Messages about addresses begin with the address.
    const text = message.startsWith(name) ? message : `${name.slice(0, LONGEST_NAME)}: ${message}`;
    if (this.failures.length < NAMED_FAILURES) this.failures.push(text);
  }

  get failureCount(): number {
    return this.failed;
  }

  /** For the owner of the bot: the failed sources, why they failed, and what to do. */
  reason(): string {
    const { pages, sitemaps, s3, files } = this.kinds;
    const total = pages.total + sitemaps.total + s3.total + files.total;
    const others = this.failed - this.failures.length;
    return [
      `${this.failed} of ${total} sources failed. The earlier knowledge stays in service.`,
      ...this.failures,
      ...(others > 0 ? [`There are ${others} more.`] : []),
      'Correct or remove these sources, and save the bot again.',
    ].join('\n');
  }
}
