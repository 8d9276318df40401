import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reapLeftovers, type Unwatch, watch } from './leftovers.ts';
import { patience } from './patience.ts';
import { unwatchLog, watchLog } from './server-log.ts';
import { noteStart } from './starts.ts';
import { waitFor } from './wait-for.ts';

/** A server that a test can kill and restart. */
export interface Server {
  /** The process ID while the server runs; undefined for a server of the environment. */
  readonly pid: number | undefined;
  /** Sends SIGKILL, so that buffers are not flushed and peers are not notified. Resolves when the process has ended. */
  kill(): Promise<void>;
  /** Restarts the server on the same directory and port, after an orderly stop if it still runs. Resolves when it is ready. */
  restart(): Promise<void>;
  /** Stops the server, and removes its directory unless the test has passed one. May be called twice. */
  stop(): Promise<void>;
}

export interface Place {
  /** The folder of the data. Without it, a new folder is used and removed with the server. */
  readonly directory?: string;
  /** True for a new server even if the environment names one. With a directory, the server is always new. */
  readonly isOwn?: boolean;
}

export interface ServerPlan {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Resolves if the server can be used, otherwise rejects. */
  ready(): Promise<void>;
  /** Called when the process ends by itself after it was ready, with its exit code or signal. */
  onLost?(server: Server, why: number | NodeJS.Signals): void;
}

const READY_WITHIN = 180_000;
const STOPPED_WITHIN = 30_000;
let reaped = false;

/** The folder for a server's files, and whether to remove it afterwards. */
export async function placeFor(name: string, { directory }: Place): Promise<{ directory: string; temporary: boolean }> {
  if (directory === undefined) return { directory: await mkdtemp(join(tmpdir(), `parlance-${name}-`)), temporary: true };
  await mkdir(directory, { recursive: true });
  return { directory, temporary: false };
}

/** Starts a server and waits until it is ready. Rejects with the end of its output if it exits or is not ready in time. */
export async function startServer(plan: ServerPlan, { directory, temporary }: { directory: string; temporary: boolean }): Promise<Server> {
  if (!reaped) reapLeftovers();
  reaped = true;
  const server = new ChildServer(plan, directory, temporary);
  try {
    await server.restart();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

class ChildServer implements Server {
  private child: ChildProcess | undefined;
  private unwatch: Unwatch = () => undefined;

  constructor(
    private readonly plan: ServerPlan,
    private readonly directory: string,
    private readonly temporary: boolean,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  async restart(): Promise<void> {
    await this.end('SIGTERM');
    const { name, command, args, env, ready, onLost } = this.plan;
    noteStart(name);
    const log = openSync(this.log, 'w');
    watchLog(this.log);
    // In its own process group: Ctrl-C at a terminal then reaches only this process, which stops the servers in order.
    const child = spawn(command, args, {
      cwd: this.directory,
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    const failed = new AbortController();
    child.once('error', (error) => failed.abort(new Error(`${name} could not be started: ${error.message}`)));
    child.once('exit', (code, signal) =>
      failed.abort(new Error(`${name} ended with ${code ?? signal} before it was ready:\n${this.tail()}`)),
    );
    child.unref();
    this.child = child;
    if (child.pid !== undefined) this.unwatch = watch(child.pid, this.temporary ? this.directory : undefined);
    await waitFor(() => ready().then(() => true), { timeout: patience(READY_WITHIN), what: `${name} to be ready`, signal: failed.signal });
    const lost = () => this.child === child && onLost?.(this, child.exitCode ?? child.signalCode ?? 0);
    if (child.exitCode === null && child.signalCode === null) child.once('exit', lost);
    else lost();
  }

  async stop(): Promise<void> {
    await this.end(this.temporary ? 'SIGKILL' : 'SIGTERM');
    if (this.temporary) await rm(this.directory, { recursive: true, force: true, maxRetries: 3 });
  }

  private async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      child.ref();
      const ended = once(child, 'exit');
      child.kill(signal);
      const impatient = setTimeout(() => child.kill('SIGKILL'), patience(STOPPED_WITHIN));
      await ended;
      clearTimeout(impatient);
    }
    if (child) unwatchLog(this.log);
    this.unwatch();
    this.unwatch = () => undefined;
  }

  private get log(): string {
    return join(this.directory, 'server.log');
  }

  private tail(): string {
    return readFileSync(this.log, 'utf8').trim().split('\n').slice(-20).join('\n');
  }
}

/** A server of the environment, which must not be ended. `kill` and `restart` reject. */
export function givenServer(name: string, stop: () => Promise<void>): Server {
  const refuse = async (): Promise<never> => {
    throw new Error(`${name} was given by the environment: ask for a directory to get one that may be killed.`);
  };
  return { pid: undefined, kill: refuse, restart: refuse, stop };
}
