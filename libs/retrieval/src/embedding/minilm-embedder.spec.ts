import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { embedderCases } from '../../test/embedder-contract.ts';
import { MiniLmEmbedder } from './minilm-embedder.ts';
import { checkMiniLm, MINILM_FILES } from './minilm-files.ts';
import { openEmbedder } from './open-embedder.ts';

/** A program with the same messages as the model's process. Its vectors depend only on the text. Some texts make it fail. */
const PROGRAM = `
  process.on('disconnect', () => process.exit());
  process.on('message', (texts) => {
    if (texts.includes('end')) process.exit(1);
    if (texts.includes('hang')) return;
    if (texts.includes('error')) return process.send({ error: 'the model failed' });
    const means = new Float32Array(texts.length * 3);
    texts.forEach((text, row) => means.set([text.length, 1, text.charCodeAt(text.length - 1)], row * 3));
    process.send({ means, dimensions: 3, tokens: texts.join('').length + Object.keys(process.env).filter((key) => key.startsWith('PARLANCE')).length * 1000 });
  });
  process.send({ ready: true });
`;

const never = new AbortController().signal;
let embedder: MiniLmEmbedder;
const directory = await mkdtemp(join(tmpdir(), 'minilm-'));
await writeFile(join(directory, 'program.mjs'), PROGRAM);
afterEach(() => embedder.close());
afterAll(() => rm(directory, { recursive: true }));

function open(more: { answerMillis?: number; idleMillis?: number } = {}): MiniLmEmbedder {
  return (embedder = new MiniLmEmbedder({ id: 'minilm', directory, program: join(directory, 'program.mjs'), ...more }));
}

describe('the process of the local embedding model', () => {
  it.each(embedderCases)('$name', ({ run }) => run(open()));

  it('is started at the first use, and has no secrets in its environment', async () => {
    process.env['PARLANCE_CANARY'] = 'canary-5e1f';
    expect(await open().pid).toBeUndefined();
    expect((await embedder.embed(['abc'], 'query', never)).tokens).toBe(3);
    expect(await embedder.pid).toBeGreaterThan(0);
    delete process.env['PARLANCE_CANARY'];
  });

  it.each([
    ['end', 'its process ended'],
    ['error', 'the model failed'],
  ])('is replaced after it failed: %s', async (text, reason) => {
    await expect(open().embed([text], 'document', never)).rejects.toThrow(`The local embedding model is not available: ${reason}.`);
    expect((await embedder.embed(['abc'], 'document', never)).vectors).toHaveLength(1);
  });

  it('is ended if it does not answer', async () => {
    await open({ answerMillis: 2_000 }).embed(['abc'], 'document', never);
    const pid = (await embedder.pid)!;
    await expect(embedder.embed(['hang'], 'document', never)).rejects.toThrow('it did not answer within 2 s');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('is ended if it is not used', async () => {
    await open({ idleMillis: 1 }).embed(['abc'], 'document', never);
    await waitFor(async () => (await embedder.pid) === undefined);
    expect((await embedder.embed(['abc'], 'document', never)).vectors).toHaveLength(1);
  });

  it('answers queries before waiting documents', async () => {
    await open().embed(['abc'], 'query', never);
    const order: string[] = [];
    const documents = Array.from({ length: 3 }, (_, index) =>
      embedder.embed([`document ${index}`], 'document', never).then(() => order.push(`document ${index}`)),
    );
    await Promise.all([...documents, embedder.embed(['query'], 'query', never).then(() => order.push('query'))]);
    // The first document was already being processed.
    expect(order).toEqual(['document 0', 'query', 'document 1', 'document 2']);
  });

  it('rejects waiting calls when it is closed', async () => {
    await open().embed(['abc'], 'query', never);
    const running = Promise.allSettled(['hang', 'abc'].map((text) => embedder.embed([text], 'document', never)));
    await embedder.close();
    expect((await running).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await embedder.pid).toBeUndefined();
  });
});

describe('the start with the local embedding model', () => {
  const none = { base_url: null, api_key: null, region: null, access_key_id: null, secret_access_key: null };
  const models = {
    providers: { here: { ...none, type: 'local' } },
    models: [{ id: 'minilm', provider: 'here', model: 'minilm', context_window: 256 }],
    defaults: { embedding: 'minilm' },
  };

  it('stops with the command that installs it', async () => {
    open();
    const place = join(directory, 'models', 'minilm');
    await expect(openEmbedder({ dataDir: directory, models })).rejects.toThrow(
      `The local embedding model is not installed in ${place}. Install it with: npm run minilm -- ${place}`,
    );
  });

  it('stops for a model that does not embed', async () => {
    open();
    const other = { ...models, models: [{ ...models.models[0]!, model: 'extractive' }] };
    await expect(openEmbedder({ dataDir: directory, models: other })).rejects.toThrow(
      'models.defaults.embedding = "minilm" is not allowed',
    );
    await expect(openEmbedder({ dataDir: directory, models: { ...models, models: [] } })).rejects.toThrow('"minilm" is not allowed');
  });

  it('has no embedder if none is configured', async () => {
    open();
    expect(await openEmbedder({ dataDir: directory, models: null })).toBeNull();
    expect(await openEmbedder({ dataDir: directory, models: { ...models, defaults: { embedding: null } } })).toBeNull();
  });
});

const installed = fileURLToPath(new URL('../../../../.cache/minilm', import.meta.url));
const isInstalled = MINILM_FILES.every((file) => existsSync(join(installed, file)));

// `npm run minilm -- .cache/minilm` installs the model for these cases.
(isInstalled ? describe : describe.skip)('the installed local model', () => {
  const openInstalled = () => (embedder = new MiniLmEmbedder({ id: 'minilm', directory: installed }));

  it('is found', () => {
    openInstalled();
    expect(() => checkMiniLm(installed)).not.toThrow();
  });

  it.each(embedderCases)('$name', ({ run }) => run(openInstalled()));

  it('gives texts with similar meaning similar vectors', async () => {
    const texts = ['A cat sits on the mat.', 'A kitten is on the rug.', 'Interest rates rose in May.'];
    const [cat, kitten, rates] = (await openInstalled().embed(texts, 'document', never)).vectors as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, number, index) => sum + number * b[index]!, 0);
    expect(embedder.dimensions).toBe(384);
    expect(cosine(cat, kitten)).toBeCloseTo(0.61, 1);
    expect(cosine(cat, rates)).toBeLessThan(0.1);
  });
});
