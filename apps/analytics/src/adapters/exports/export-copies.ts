import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import type { Period } from '../../domain/export-period.ts';
import type { ExportFiles } from './export-files.ts';

const MIB = 1024 * 1024;
/** The number of files that are fetched concurrently. */
const AT_ONCE = 8;

/** One version of an export's file. */
export interface ExportVersion {
  readonly period: Period;
  readonly key: string;
  readonly bytes: number;
  readonly writes: number;
}

const nameOf = ({ period, writes }: ExportVersion) => `${period}-${writes}.parquet`;

/**
 * Local copies of exports, which queries read. A copy is fetched when a query needs it. It is removed when its export was rewritten, and
 * when no later query has needed it.
 */
export class ExportCopies {
  private readonly fetching = new Map<string, Promise<void>>();
  /** How many queries are reading each copy. */
  private readonly inUse = new Map<string, number>();

  constructor(
    readonly directory: string,
    private readonly files: ExportFiles,
    private readonly maxMebibytes: number,
  ) {}

  /**
   * Calls `read` with the names of the copies in the directory. Exports that were removed meanwhile are left out. Throws the refusal
   * `exports_too_large` (invalid).
   */
  async use<Result>(versions: readonly ExportVersion[], read: (names: readonly string[]) => Promise<Result>): Promise<Result> {
    const bytes = versions.reduce((sum, version) => sum + version.bytes, 0);
    if (bytes > this.maxMebibytes * MIB)
      throw refuse(
        'invalid',
        'exports_too_large',
        `The exports of these days have ${Math.ceil(bytes / MIB)} MiB, but a query can read at most ${this.maxMebibytes} MiB. Ask for fewer days.`,
      );
    const names = versions.map(nameOf);
    this.count(names, 1);
    try {
      const waiting = [...versions];
      const work = async () => {
        for (let version = waiting.pop(); version; version = waiting.pop()) await this.fetched(version);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      const there = new Set(await readdir(this.directory));
      return await read(names.filter((name) => there.has(name)));
    } finally {
      this.count(names, -1);
    }
  }

  /** Removes the copies that are not of these versions. A copy that a query is reading stays until the next call. */
  async keepOnly(versions: readonly ExportVersion[]): Promise<void> {
    const kept = new Set(versions.map(nameOf));
    for (const name of await readdir(this.directory))
      if (name.endsWith('.parquet') && !kept.has(name) && !this.inUse.has(name)) await rm(join(this.directory, name), { force: true });
  }

  private async fetched(version: ExportVersion): Promise<void> {
    const name = nameOf(version);
    if (await stat(join(this.directory, name)).catch(() => null)) return;
    const running = this.fetching.get(name) ?? this.fetch(version.key, name).finally(() => this.fetching.delete(name));
    this.fetching.set(name, running);
    await running;
  }

  private async fetch(key: string, name: string): Promise<void> {
    const object = await this.files.get(key);
    if (!object) return;
    const partial = join(this.directory, `${newId()}.part`);
    try {
      await pipeline(object.body, createWriteStream(partial));
      await rename(partial, join(this.directory, name));
    } finally {
      await rm(partial, { force: true });
    }
  }

  private count(names: readonly string[], by: number): void {
    for (const name of names) {
      const uses = (this.inUse.get(name) ?? 0) + by;
      if (uses > 0) this.inUse.set(name, uses);
      else this.inUse.delete(name);
    }
  }
}
