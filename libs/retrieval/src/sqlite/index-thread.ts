// In tests Node runs this source without compiling it: only `node:` imports, packages from outside the repository, files of this package that
// follow the same rules, and erasable types.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { IndexFileWriter } from './index-file.ts';
import { IndexReader } from './index-reader.ts';
import { OpenFiles } from './open-files.ts';
import type { CallAnswer, CallRequest, Calls } from './protocol.ts';
import { QueryStems } from './query-stems.ts';

const port = parentPort!;
const { vectorBytes } = workerData as { vectorBytes: number };
const files = new OpenFiles(vectorBytes);
const builds = new Map<string, IndexFileWriter>();
let stems: QueryStems | undefined;

function build(path: string): IndexFileWriter {
  const writer = builds.get(path);
  if (!writer) throw named('BuildLost', 'the build has ended: its thread was started again');
  return writer;
}

/** Reads what was written so far, through the writing connection. */
function readerOf(writer: IndexFileWriter): IndexReader {
  writer.flush();
  const { dimensions, embeddingModel } = writer.options;
  return new IndexReader(writer.database, { dimensions, embeddingModel, chunks: writer.chunks, sources: 0, common: [] });
}

const calls: Calls = {
  search: (path, search) => files.use(path, (reader, mayHold) => reader.search(search, (stems ??= new QueryStems()), mayHold)) ?? null,
  describe: (path) =>
    files.use(path, ({ about: { chunks, sources, dimensions, embeddingModel } }) => ({ chunks, sources, dimensions, embeddingModel })) ??
    null,
  sources: (path, after, limit) => files.use(path, (reader) => reader.sources(after, limit)) ?? null,
  chunksOf: (path, sourceId, after, limit) => files.use(path, (reader) => reader.chunksOf(sourceId, after, limit)) ?? null,
  evict: (path) => files.evict(path),
  footprint: () => files.footprint(),
  openBuilds: () => builds.size,
  begin({ unfinished, finished }, options) {
    if (existsSync(finished)) throw named('IndexFinished', 'the index is finished already');
    calls.drop(unfinished);
    mkdirSync(dirname(unfinished), { recursive: true });
    builds.set(unfinished, new IndexFileWriter(unfinished, options));
  },
  add(path, source, chunks) {
    const writer = build(path);
    writer.add(source, chunks);
    return writer.chunks;
  },
  sourcesOfBuild: (path, after, limit) => readerOf(build(path)).sources(after, limit),
  chunksOfBuild: (path, sourceId, after, limit) => readerOf(build(path)).chunksOf(sourceId, after, limit),
  // The rename happens in this thread, which does one thing after the other: a removal or the next build comes before or after all of it.
  finish({ unfinished, finished }) {
    const { sources, chunks } = build(unfinished).finish();
    builds.delete(unfinished);
    sync(unfinished);
    renameSync(unfinished, finished);
    // A new file is safe only if the directory entries on its path are on disk as well.
    sync(dirname(finished));
    sync(dirname(dirname(finished)));
    return { sources, chunks };
  },
  drop(unfinished) {
    builds.get(unfinished)?.close();
    builds.delete(unfinished);
    for (const suffix of ['', '-journal']) rmSync(unfinished + suffix, { force: true });
  },
  remove({ unfinished, finished }) {
    calls.drop(unfinished);
    rmSync(finished, { force: true });
    try {
      rmdirSync(dirname(finished));
    } catch {
      // The bot has other indexes, or never had one.
    }
  },
};

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function answer({ id, call, args }: CallRequest): CallAnswer {
  try {
    return { id, result: (calls[call] as (...args: readonly unknown[]) => unknown)(...args) };
  } catch (error) {
    const { name, message } = error as Error;
    return { id, error: { name, message } };
  }
}

port.on('message', (request: CallRequest) => port.postMessage(answer(request)));
