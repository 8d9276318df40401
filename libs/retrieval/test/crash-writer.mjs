// Builds one index after the other in a thread, as the adapter does, until it is killed. Prints a line for each index that it starts.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const [directory, round, chunks] = process.argv.slice(2);
const worker = new Worker(new URL('../src/sqlite/index-thread.ts', import.meta.url), { workerData: { vectorBytes: 0 } });
const waiting = new Map();
let lastId = 0;
worker.on('message', ({ id, error }) => {
  if (error) throw new Error(error.message);
  waiting.get(id)();
});

const call = (name, ...args) =>
  new Promise((resolve) => {
    waiting.set(++lastId, resolve);
    worker.postMessage({ id: lastId, call: name, args });
  });

for (let index = 0; ; index++) {
  const file = join(directory, `bot${round}`, `g${index}`);
  const paths = { unfinished: `${file}.building`, finished: `${file}.sqlite` };
  await call('begin', paths, { dimensions: null, embeddingModel: null });
  console.log(index);
  const source = { id: 's', kind: 'file', name: 's', title: null, etag: null, lastModified: null, hash: null };
  for (let ordinal = 0; ordinal < Number(chunks); ordinal++) {
    const chunk = {
      id: `c${ordinal}`,
      sourceId: 's',
      ordinal,
      text: 'a heron '.repeat(50),
      parent: null,
      page_number: null,
      heading: null,
    };
    await call('add', paths.unfinished, source, [{ chunk, vector: null }]);
  }
  await call('finish', paths);
}
