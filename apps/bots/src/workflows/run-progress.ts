import type { OnSourceError } from '../domain/configuration.ts';
import { SYNC_STEPS, type SyncCount, type SyncCounts, type SyncStep } from '../domain/knowledge/sync-events.ts';
import { MOST_WARNINGS, type SourceProblem, type SourceWarning } from '../domain/knowledge/source-warnings.ts';
import type { SyncCause } from '../domain/knowledge/sync-causes.ts';

export type SourceKind = Exclude<keyof SyncCounts, 'chunks'>;

/** The number of sources that a reason names. The others are only counted. */
const NAMED_SOURCES = 20;
const LONGEST_NAME = 300;
const LONGEST_REASON = 500;

/** A run that does not succeed leaves the index in service, or leaves the bot without one. */
export const UNCHANGED = 'The knowledge of the bot has not changed.';

const noSources = () => ({ pages: none(), sitemaps: none(), s3: none(), files: none() });
const none = (): { -readonly [Name in keyof SyncCount]: SyncCount[Name] } => ({ done: 0, failed: 0, total: 0, unchanged: 0 });

/** Progress of a run that has just begun is recorded this often, so that its owner sees it advance. */
const SHORTEST_PAUSE_MILLIS = 3_000;
/** A worker shows this often that it is alive, which must be well within its lease. */
const LONGEST_PAUSE_MILLIS = 10_000;
const PAUSES_OF_AGE = 20;

/** Whether a worker has to record its progress again. Each record is an event, so long runs record it less often. */
export function isDue(millis: { readonly sinceStart: number; readonly sinceLast: number }, hasMoved: boolean): boolean {
  const pause = hasMoved ? Math.min(LONGEST_PAUSE_MILLIS, millis.sinceStart / PAUSES_OF_AGE) : LONGEST_PAUSE_MILLIS;
  return millis.sinceLast >= Math.max(SHORTEST_PAUSE_MILLIS, pause);
}

/** Counts what a run has done, and collects the sources that have failed or have no text. */
export class RunProgress {
  chunks = 0;
  private at: SyncStep = 'download';
  private kinds = noSources();
  private failures = new SourceList();
  private empties = new SourceList();

  /** All sources are read again. */
  restart(): void {
    this.chunks = 0;
    this.kinds = noSources();
    [this.failures, this.empties] = [new SourceList(), new SourceList()];
  }

  /** The furthest step that an item has reached. */
  get step(): SyncStep {
    return this.at;
  }

  /** Several items are read concurrently, so a step before the furthest one changes nothing. */
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

  /** An item that turned out to contain no knowledge, such as a dead link. */
  skipped(kind: SourceKind): void {
    this.kinds[kind].total--;
  }

  failure(kind: SourceKind, name: string, { code, message }: { readonly code: SourceProblem; readonly message: string }): void {
    this.kinds[kind].failed++;
    this.failures.add(name, code, message);
  }

  /** An item that was read and has no text. */
  empty(kind: SourceKind, name: string, message: string): void {
    this.done(kind, false);
    this.empties.add(name, 'no_text', message);
  }

  get failureCount(): number {
    return this.failures.count;
  }

  /** Whether the run fails, regardless of the sources that are left to read. */
  hasFailed(onSourceError: OnSourceError): boolean {
    return this.failures.count > 0 && onSourceError === 'fail';
  }

  /**
   * Whether the new index may go into service once everything is read. An index without any text may not if sources have failed, or if its
   * sources are empty and `chunksInService` would be lost.
   */
  mayTakeOver(onSourceError: OnSourceError, chunksInService: number): boolean {
    if (this.hasFailed(onSourceError)) return false;
    if (this.chunks > 0) return true;
    return this.failures.count === 0 && (this.empties.count === 0 || chunksInService === 0);
  }

  /** Sources without text in the new index. The list is limited. */
  get warnings(): readonly SourceWarning[] {
    return [...this.failures.kept, ...this.empties.kept].slice(0, MOST_WARNINGS);
  }

  get warningCount(): number {
    return this.failures.count + this.empties.count;
  }

  /** Why the run fails: the sources, and what is wrong with them. */
  cause(): SyncCause {
    const { pages, sitemaps, s3, files } = this.kinds;
    const total = pages.total + sitemaps.total + s3.total + files.total;
    const hasFailures = this.failures.count > 0;
    const { count, kept } = hasFailures ? this.failures : this.empties;
    return { code: hasFailures ? 'sources_failed' : 'sources_empty', failed: count, total, sources: kept.slice(0, NAMED_SOURCES) };
  }

  /** The cause in sentences, for the owner of the bot, and what to do. */
  reason(): string {
    const { code, failed, total, sources } = this.cause();
    const others = failed - sources.length;
    return [
      code === 'sources_failed' ? `${countOf(failed, total)} could not be read. ${UNCHANGED}` : `No source has text. ${UNCHANGED}`,
      ...sources.map(warningText),
      ...(others > 0 ? [`There are ${others} more.`] : []),
      `Correct or remove ${failed === 1 ? 'this source' : 'these sources'}, and read the sources again.`,
    ].join('\n');
  }
}

const countOf = (failed: number, total: number) => (total === 1 ? 'The only source' : `${failed} of ${total} sources`);

/** The first of many sources, and their number. */
class SourceList {
  readonly kept: SourceWarning[] = [];
  count = 0;

  add(name: string, code: SourceProblem, reason: string): void {
    this.count++;
    if (this.kept.length < MOST_WARNINGS) this.kept.push({ source: cut(name, LONGEST_NAME), reason: cut(reason, LONGEST_REASON), code });
  }
}

const cut = (text: string, longest: number) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** Messages about addresses begin with the address. */
const warningText = ({ source, reason }: SourceWarning) => (reason.startsWith(source) ? reason : `${source}: ${reason}`);
