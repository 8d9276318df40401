import { Readable } from 'node:stream';
import type { PageMarks } from './page-marks.ts';
import { slices } from './slices.ts';

/** Bytes at the beginning of a page that are searched for marks of the whole page, such as noindex. */
const MAX_HEAD_BYTES = 128 * 1024;

type Translate = (error: unknown) => unknown;

/**
 * The body of a page, searched while it is read. Resolves when the head of the page is known. The returned body still contains the bytes read
 * until then.
 */
export async function watchedBody(body: Readable, marks: PageMarks, translate: Translate): Promise<Readable> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const head: Buffer[] = [];
  let bytes = 0;
  try {
    while (!marks.isHeadOver && bytes < MAX_HEAD_BYTES) {
      const { value, done } = await chunks.next();
      if (done) break;
      await search(body, marks, value);
      head.push(value);
      bytes += value.length;
    }
  } catch (error) {
    throw translate(error);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield* head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      await search(body, marks, next.value);
      yield next.value;
    }
  }
  return translated(all(), body, translate);
}

/** Bodies whose last chunk is still being searched, and the end of that search. */
const searches = new WeakMap<Readable, Promise<void>>();

async function search(body: Readable, marks: PageMarks, chunk: Buffer): Promise<void> {
  const searching = (async () => {
    for await (const slice of slices(chunk)) marks.feed(slice);
  })();
  searches.set(body, searching);
  await searching;
}

/** Calls back when the body of an answer is closed and everything read from it has been searched. */
export function whenSearched(body: Readable | null, done: () => void): void {
  const finish = () => void (body && searches.get(body) ? searches.get(body) : Promise.resolve())?.finally(done);
  if (body === null || body.closed) finish();
  else body.once('close', finish);
}

/** The same bytes, with errors translated for the bot's owner. */
export function translatedBody(body: Readable, translate: Translate): Readable {
  return translated(body, body, translate);
}

function translated(chunks: AsyncIterable<Buffer>, source: Readable, translate: Translate): Readable {
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield* chunks;
    } catch (error) {
      throw translate(error);
    }
  }
  const result = Readable.from(all(), { objectMode: false });
  // An error may arrive before the reader listens. The reader then gets it from the first read.
  result.on('error', () => {});
  const destroy = result.destroy.bind(result);
  result.destroy = (error) => {
    // Ends a wait for the next chunk, which would keep the generator from finishing.
    source.destroy();
    return destroy(error);
  };
  source.once('close', () => {
    if (source.errored !== null) result.destroy(translate(source.errored) as Error);
  });
  return result;
}
