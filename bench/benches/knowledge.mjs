import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@parlance/testing';
import { collectionIn, ndcgOf, syntheticCollection } from '../load/collection.mjs';
import { saveAndSync, search, upload } from '../load/knowledge.mjs';
import { environment, signIn } from '../load/product.mjs';
import { forkServer, unpin } from '../measure/cores.mjs';
import { figure, invariant, percentile } from '../measure/figures.mjs';
import { childrenOf, cpuMicros, memory } from '../measure/process.mjs';

const FULL = { documents: 5_183, queries: 300 };
const SHORT = { documents: 150, queries: 30 };
const SECONDS = 20;
const BLOCKED_MS = 50;
/** The targets for SciFact. */
const NDCG = { lexical: 0.69, hybrid: 0.715 };

const subject = fileURLToPath(new URL('../subjects/product.mjs', import.meta.url));
/** The flags of `npm start`. */
const { nodeFlags } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).config;
const models = {
  extends: 'builtin',
  providers: { here: { type: 'local' } },
  models: [{ id: 'minilm', provider: 'here', model: 'minilm', context_window: 256 }],
  defaults: { embedding: 'minilm' },
};

/** SCIFACT names the folder of the collection, MINILM the folder of the local embedding model. */
export async function run({ short }) {
  const { SCIFACT: folder, MINILM: minilm } = process.env;
  const size = short ? SHORT : FULL;
  const isReal = !short && folder !== undefined;
  const collection = isReal ? await collectionIn(folder) : syntheticCollection(size.documents, size.queries);
  const skipped = [];
  if (!isReal) skipped.push('the quality of search: name the folder of SciFact in SCIFACT, in a full run; the files are made up');
  const results = [await measure('lexical', collection, {}, isReal)];
  if (!short && minilm !== undefined) results.push(await measure('hybrid', collection, { minilm }, isReal));
  else skipped.push('hybrid search: name the directory of the local embedding model (npm run minilm) in MINILM, in a full run');
  const note = 'The product uses both cores, as in practice. During the run, the load asks for its state every 100 ms.';
  return { rows: results.flatMap(({ rows }) => rows), invariants: results.flatMap(({ invariants }) => invariants), skipped, notes: [note] };
}

async function measure(type, { documents, queries }, { minilm }, isReal) {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
  const product = await start(directory, minilm);
  try {
    const { url, pid, longestBlock } = product;
    const headers = await signIn(url);
    const began = performance.now();
    const botId = await upload(url, headers, documents);
    const uploadSeconds = (performance.now() - began) / 1_000;
    await longestBlock();
    const before = cpuOf(pid);
    const { seconds, state } = await saveAndSync(url, headers, botId, documents);
    const cpu = cpuOf(pid) - before;
    const blocked = await longestBlock();
    let [ndcg, other] = [0, 0];
    const times = [];
    for (const { text, grades } of queries) {
      const { found, type: used, millis } = await search(url, headers, botId, text, type);
      ndcg += ndcgOf(found, grades) / queries.length;
      times.push(millis);
      if (used !== type) other++;
    }
    const { sync_status: status, sources, chunks_in_service: chunks } = state;
    const what = type === 'lexical' ? 'no embedding model' : 'MiniLM on this machine';
    return {
      rows: [
        figure(`${documents.length} files, ${what}: from the save to the end of the run`, seconds, 's', {
          // Each chunk takes the model about 70 ms of a core.
          bar: minilm === undefined ? { atMost: SECONDS } : null,
        }),
        figure('  event loop blocked by the run', blocked.longest, 'ms', { bar: { atMost: BLOCKED_MS } }),
        figure('    by processor time of its own', blocked.own, 'ms'),
        figure('  CPU of a file', cpu / 1_000 / documents.length, 'ms'),
        figure('  chunks', chunks, ''),
        figure('  highest resident memory', memory(pid).highest, 'MB'),
        figure('  uploads before it', uploadSeconds, 's'),
        figure(`${type} search through the API: nDCG@10`, ndcg, '', { bar: isReal ? { atLeast: NDCG[type] } : null }),
        figure('  p50', percentile(times, 0.5), 'ms'),
        figure('  p99', percentile(times, 0.99), 'ms'),
      ],
      invariants: [
        invariant(`${what}: the run succeeds`, status === 'SUCCEEDED', `${status}: ${state.reason}`),
        invariant(`${what}: every file is read`, sources.files.done === documents.length, `${sources.files.done} of ${documents.length}`),
        invariant(`${what}: every search is ${type}`, other === 0, `${other} are not`),
        ...(isReal ? [] : [invariant(`${what}: a word of one file finds it first`, ndcg > 0.999, `nDCG@10 is ${ndcg}`)]),
      ],
    };
  } finally {
    await product.stop();
    await rm(directory, { recursive: true, maxRetries: 3 });
  }
}

async function start(directory, minilm) {
  // Upload URLs contain the port.
  const settings = { ...environment, PARLANCE_DATA_DIR: directory, PARLANCE_PORT: String(await freePort()) };
  if (minilm !== undefined) {
    if (!existsSync(join(minilm, 'model.onnx'))) throw new Error(`there is no embedding model in ${minilm}: npm run minilm`);
    await mkdir(join(directory, 'models'), { recursive: true });
    await symlink(minilm, join(directory, 'models/minilm'));
    settings.PARLANCE_MODELS = JSON.stringify(models);
  }
  const server = forkServer(subject, [JSON.stringify(settings)], nodeFlags);
  const [{ url }] = await once(server, 'message');
  unpin(server.pid);
  return {
    url,
    pid: server.pid,
    /** The longest block of the event loop since the last call. */
    async longestBlock() {
      server.send('own');
      return (await once(server, 'message'))[0];
    },
    async stop() {
      server.disconnect();
      await once(server, 'exit');
    },
  };
}

/** Memory of the product and of the processes that read files or embed for it. */
const cpuOf = (pid) => [pid, ...childrenOf(pid)].reduce((sum, each) => sum + cpuMicros(each), 0);
