import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface ChildAnswer {
  readonly means: Float32Array;
  readonly dimensions: number;
  readonly tokens: number;
}

export interface ChildOptions {
  readonly directory: string;
  readonly threads: number;
  /** The child's program, for tests. */
  readonly program?: string;
}

/** Thrown if the child process ended, did not answer in time, or could not run the model. */
export class ChildFailed extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ChildFailed';
  }
}

const MEMORY_MEBIBYTES = 256;

// The source and the built file have the same name in the same folder.
const PROGRAM = fileURLToPath(import.meta.url).replace(/minilm-child(\.[jt]s)$/, 'minilm-process$1');

/** The process that runs the local model. It is started at the first request, and restarted after a failure. */
export class MiniLmChild {
  private child: Promise<ChildProcess> | null = null;

  constructor(private readonly options: ChildOptions) {}

  /** One request at a time. Throws `ChildFailed`. */
  async ask(texts: readonly string[], withinMillis: number): Promise<ChildAnswer> {
    const deadline = AbortSignal.timeout(withinMillis);
    this.child ??= this.start(deadline);
    try {
      const child = await this.child;
      const answer = answerOf(child, deadline);
      child.send(texts);
      const said = (await answer) as ChildAnswer | { error: string };
      if ('error' in said) throw new ChildFailed(said.error);
      return said;
    } catch (error) {
      await this.stop();
      if (error instanceof ChildFailed) throw error;
      throw new ChildFailed(deadline.aborted ? `it did not answer within ${withinMillis / 1_000} s` : 'its process could not be started');
    }
  }

  get pid(): Promise<number | undefined> {
    return Promise.resolve(this.child).then((child) => child?.pid);
  }

  /** Ends the process and waits for its end. */
  async stop(): Promise<void> {
    const stopping = this.child;
    this.child = null;
    const child = await stopping?.catch(() => null);
    if (child) await end(child);
  }

  private async start(deadline: AbortSignal): Promise<ChildProcess> {
    const { directory, threads, program = PROGRAM } = this.options;
    const child = fork(program, [directory, String(threads)], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${MEMORY_MEBIBYTES}`],
      // This process's environment contains secrets.
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    try {
      await answerOf(child, deadline);
    } catch (error) {
      await end(child);
      throw error;
    }
    return child;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** The next message of the child. Rejects if the child ends or the time is over. */
async function answerOf(child: ChildProcess, deadline: AbortSignal): Promise<unknown> {
  const done = new AbortController();
  const signal = AbortSignal.any([deadline, done.signal]);
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new ChildFailed('its process ended');
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
    return message;
  } finally {
    done.abort();
    ended.catch(() => {});
  }
}
