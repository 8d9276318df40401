import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { refuse, type Sentence } from '@parlance/decider';
import type { Source } from './drafts.ts';
import type { FaultCode } from './import-fault.ts';
import type { ThreadAnswer } from './import-thread.ts';
import type { Read } from './parts.ts';

/** The longest time for a file. The largest files take about 3 s on a busy machine. */
const READING_MILLIS = 20_000;
const MOST_MEBIBYTES = 512;
/** Waiting imports of a process. Each has its body in memory. */
const MOST_WAITING = 3;
/** An import that has waited longer is refused. Including its reading and writing it would take longer than edges wait for an answer (40 s). */
const LONGEST_WAIT = 15_000;
const RETRY_SECONDS = 5;

export interface ImportRequest {
  readonly bytes: Buffer;
  readonly isArchive: boolean;
  readonly source: Source | 'auto';
  readonly userId: string;
  readonly now: number;
}

/** A file that is being read. `next` resolves with null after the last batch. */
export interface OpenImport {
  readonly source: Source;
  readonly conversations: number;
  next(): Promise<readonly Read[] | null>;
}

/** Reads exports in a worker thread with limits of time and memory, so that no file blocks the event loop. */
export class ImportReader {
  private waiting = 0;
  /** Users with a waiting or running import. Each user has at most one, so that others are not blocked. */
  private readonly users = new Set<string>();
  /** One file at a time, because several threads at their limits would use up a pod's memory. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly millis = READING_MILLIS,
    private readonly longestWait = LONGEST_WAIT,
  ) {}

  /**
   * Calls `use` with the file, and ends the thread afterwards. Rejects with the refusals `invalid_import` (invalid), `import_too_large` (too large),
   * `import_running` (limited) and `busy` (unavailable).
   */
  async during<Result>(request: ImportRequest, use: (file: OpenImport) => Promise<Result>): Promise<Result> {
    if (this.users.has(request.userId)) throw importRunning();
    if (this.waiting > MOST_WAITING) throw busy();
    this.users.add(request.userId);
    this.waiting++;
    const requestedAt = performance.now();
    const turn = this.last.then(() => {
      if (performance.now() - requestedAt > this.longestWait) throw busy();
      return this.read(request, use);
    });
    this.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.waiting--;
      this.users.delete(request.userId);
    }
  }

  private async read<Result>({ bytes, ...rest }: ImportRequest, use: (file: OpenImport) => Promise<Result>): Promise<Result> {
    const its = new Uint8Array(bytes);
    const source = new URL(import.meta.url.endsWith('.ts') ? './import-thread.ts' : './import-thread.js', import.meta.url);
    const worker = new Worker(source, {
      name: 'import',
      // Flags of the program, such as --input-type, would prevent the thread from starting.
      execArgv: [],
      workerData: { ...rest, bytes: its },
      transferList: [its.buffer],
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEBIBYTES },
    });
    // An error after the time limit has no other listener, and would end the process.
    worker.on('error', () => undefined);
    try {
      const head = await this.answer(worker);
      if (!('source' in head)) throw new Error('the thread did not begin with the source');
      const next = async () => {
        const answered = this.answer(worker);
        worker.postMessage('next');
        const answer = await answered;
        return 'batch' in answer ? answer.batch : null;
      };
      return await use({ ...head, next });
    } finally {
      await worker.terminate();
    }
  }

  private async answer(worker: Worker): Promise<Exclude<ThreadAnswer, { fault: unknown }>> {
    let answer: ThreadAnswer;
    try {
      [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(this.millis) })) as [ThreadAnswer];
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException;
      if (code !== 'ERR_WORKER_OUT_OF_MEMORY' && name !== 'AbortError') throw error;
      throw faultOf('import_too_large', 'The import takes too long or too much memory to read. Split it into several files.');
    }
    if ('fault' in answer) throw faultOf(answer.fault.code, answer.fault.message);
    return answer;
  }
}

const busy = () =>
  refuse('unavailable', 'busy', 'The server is already reading as many imports as it can. Try again in a moment.', {
    retry_after: RETRY_SECONDS,
  });

const importRunning = () =>
  refuse('limited', 'import_running', 'Another import of yours is being read. Wait until it has finished, then send this one again.', {
    retry_after: RETRY_SECONDS,
  });

const faultOf = (code: FaultCode, detail: string) =>
  refuse(code === 'import_too_large' ? 'too_large' : 'invalid', code, detail as Sentence, {
    errors: [{ path: 'body', message: 'cannot be imported' }],
  });
