import { RemoteUnavailable } from '../remote/failures.ts';
import { checkCount, type Embedded, Embedder, type EmbeddingPurpose, unitVector } from './embedder.ts';
import { type ChildAnswer, ChildFailed, MiniLmChild } from './minilm-child.ts';

/** Texts per request to the process. A query waits for at most one request of documents. */
const BATCH_TEXTS = 16;
/** Characters per request: about 500 tokens, which take about a quarter of a second. */
const BATCH_CHARACTERS = 2_000;
/** Characters past this limit cannot be within the 256 tokens that the model reads, except in texts with very long words. */
const MOST_CHARACTERS = 8_192;
const ANSWER_MILLIS = 60_000;
/** An unused process is ended after this time, because it takes about 260 MB. */
const IDLE_MILLIS = 300_000;

interface Job {
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
  done(answer: ChildAnswer): void;
  failed(error: unknown): void;
}

export interface MiniLmOptions {
  readonly id: string;
  readonly directory: string;
  readonly threads?: number;
  readonly answerMillis?: number;
  readonly idleMillis?: number;
  /** The child's program, for tests. */
  readonly program?: string;
}

/** all-MiniLM-L6-v2 in a child process on this machine. */
export class MiniLmEmbedder extends Embedder {
  readonly id: string;
  readonly space = 'local/all-MiniLM-L6-v2-int8';
  private width: number | null = null;
  private readonly child: MiniLmChild;
  private readonly queues: Readonly<Record<EmbeddingPurpose, Job[]>> = { query: [], document: [] };
  private working: Promise<void> | null = null;
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly options: MiniLmOptions) {
    super();
    this.id = options.id;
    const { directory, threads = 1, program } = options;
    this.child = new MiniLmChild({ directory, threads, ...(program !== undefined && { program }) });
  }

  get dimensions(): number | null {
    return this.width;
  }

  /** The process ID of the child while it runs. */
  get pid(): Promise<number | undefined> {
    return this.child.pid;
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<Embedded> {
    checkCount(texts);
    signal.throwIfAborted();
    const cut = texts.map((text) => text.slice(0, MOST_CHARACTERS));
    const vectors = Array.from<Float32Array>({ length: texts.length });
    let tokens = 0;
    for (const places of batchesByLength(cut)) {
      const batch = places.map((place) => cut[place]!);
      const answer = await this.asked(batch, purpose, signal);
      for (const [row, place] of places.entries()) vectors[place] = vectorAt(answer, row);
      tokens += answer.tokens;
      this.width = answer.dimensions;
    }
    return { vectors, tokens, estimated: false };
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    const closed = new RemoteUnavailable('The local embedding model', 'it is being closed');
    for (const queue of Object.values(this.queues)) for (const job of queue.splice(0)) job.failed(closed);
    await this.child.stop();
    await this.working;
  }

  private asked(texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<ChildAnswer> {
    return new Promise((done, failed) => {
      const abort = () => failed(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      const settle =
        <Value>(then: (value: Value) => void) =>
        (value: Value) => {
          signal.removeEventListener('abort', abort);
          then(value);
        };
      this.queues[purpose].push({ texts, signal, done: settle(done), failed: settle(failed) });
      this.working ??= this.work();
    });
  }

  private async work(): Promise<void> {
    clearTimeout(this.idle);
    for (let job; (job = this.queues.query.shift() ?? this.queues.document.shift());) {
      if (job.signal.aborted) continue;
      try {
        job.done(await this.child.ask(job.texts, this.options.answerMillis ?? ANSWER_MILLIS));
      } catch (error) {
        const reason = error instanceof ChildFailed ? error.message : 'its process failed';
        job.failed(new RemoteUnavailable('The local embedding model', reason));
      }
    }
    // In the same step as the last check of the queues: a job that is added later starts the work again.
    this.working = null;
    this.rest();
  }

  private rest(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => void this.child.stop(), this.options.idleMillis ?? IDLE_MILLIS).unref();
  }
}

/** The indices of texts in batches. Texts of similar length are batched together, because the model pads each batch to its longest text. */
function batchesByLength(texts: readonly string[]): number[][] {
  const places = texts.map((_, place) => place).sort((a, b) => texts[a]!.length - texts[b]!.length || a - b);
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const place of places) {
    const longest = texts[place]!.length;
    if (batch.length >= BATCH_TEXTS || (batch.length > 0 && longest * (batch.length + 1) > BATCH_CHARACTERS)) {
      batches.push(batch);
      batch = [];
    }
    batch.push(place);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

function vectorAt({ means, dimensions }: ChildAnswer, row: number): Float32Array {
  const vector = unitVector(means.subarray(row * dimensions, (row + 1) * dimensions));
  if (vector === null) throw new RemoteUnavailable('The local embedding model', 'it answered a vector without a direction');
  return vector;
}
