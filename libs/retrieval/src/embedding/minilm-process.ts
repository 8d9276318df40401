// The child process of the local embedding model. It loads the model, then answers one request at a time. It imports nothing from the workspace
// and is written so that Node can run the source directly.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The parts of onnxruntime-node and @huggingface/tokenizers that are used. Both packages are outside the workspace. */
interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}
interface Onnx {
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
  readonly InferenceSession: { create(path: string, options: object): Promise<Session> };
}
interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, unknown>): Promise<Record<string, Tensor>>;
}
interface Tokenizer {
  encode(text: string): { ids: number[] };
}
interface Tokenizers {
  readonly Tokenizer: new (tokenizer: object, config: object) => Tokenizer;
}

/** The model was trained to read at most this many tokens, including [CLS] and [SEP]. */
const MOST_TOKENS = 256;
const SEPARATOR = 102;

const [directory = '.', threads = '1'] = process.argv.slice(2);

// The channel closes when the parent ends, even if it is killed.
process.on('disconnect', () => process.exit());

const require = createRequire(join(directory, 'package.json'));
const readJson = (file: string) => JSON.parse(readFileSync(join(directory, file), 'utf8')) as object;

const onnx = require('onnxruntime-node') as Onnx;
const { Tokenizer } = require('@huggingface/tokenizers') as Tokenizers;
const tokenizer = new Tokenizer(readJson('tokenizer.json'), readJson('tokenizer_config.json'));
const session = await onnx.InferenceSession.create(join(directory, 'model.onnx'), {
  intraOpNumThreads: Number(threads),
  interOpNumThreads: 1,
  // Without an arena, the memory of a large batch is returned.
  enableCpuMemArena: false,
});

function idsOf(text: string): number[] {
  const { ids } = tokenizer.encode(text);
  return ids.length <= MOST_TOKENS ? ids : [...ids.slice(0, MOST_TOKENS - 1), SEPARATOR];
}

/** The mean of the token vectors of each text, in one array. */
async function vectorsOf(texts: readonly string[]) {
  const all = texts.map(idsOf);
  const width = Math.max(...all.map(({ length }) => length));
  const shape = [all.length, width];
  const ids = new BigInt64Array(all.length * width);
  const mask = new BigInt64Array(all.length * width);
  for (const [row, tokens] of all.entries())
    for (const [column, token] of tokens.entries()) {
      ids[row * width + column] = BigInt(token);
      mask[row * width + column] = 1n;
    }
  const types = new BigInt64Array(ids.length);
  const given: Record<string, BigInt64Array> = { input_ids: ids, attention_mask: mask, token_type_ids: types };
  const feeds = Object.fromEntries(session.inputNames.map((name) => [name, new onnx.Tensor('int64', given[name]!, shape)]));
  const { data, dims } = (await session.run(feeds))[session.outputNames[0]!]!;
  const dimensions = dims[2]!;
  const means = new Float32Array(all.length * dimensions);
  for (const [row, tokens] of all.entries())
    for (let column = 0; column < tokens.length; column++)
      for (let each = 0; each < dimensions; each++)
        means[row * dimensions + each]! += data[(row * width + column) * dimensions + each]! / tokens.length;
  return { means, dimensions, tokens: all.reduce((sum, { length }) => sum + length, 0) };
}

process.on('message', (texts: readonly string[]) => {
  vectorsOf(texts).then(
    (answer) => process.send!(answer),
    (error: unknown) => process.send!({ error: error instanceof Error ? error.message : 'unknown' }),
  );
});
process.send!({ ready: true });
