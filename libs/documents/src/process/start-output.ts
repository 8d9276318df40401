import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/** The beginning of the output is kept. V8 and Node print the reason there, before the stack. */
const KEPT_CHARACTERS = 2_000;

/** What a process prints before it is ready, and so before it has seen any document. */
export class StartOutput {
  private readonly child: ChildProcess;
  private readonly stderr: Socket;
  private readonly closed: Promise<void>;
  private text = '';
  private error: Error | undefined;

  constructor(child: ChildProcess) {
    this.child = child;
    this.stderr = child.stderr as Socket;
    this.closed = new Promise((resolve) => this.stderr.once('close', () => resolve()));
    this.stderr.setEncoding('utf8').on('data', (text: string) => (this.text = (this.text + text).slice(0, KEPT_CHARACTERS)));
    child.once('error', (error) => (this.error = error));
  }

  /** Why the process has ended. */
  async cause(): Promise<Error> {
    await this.closed;
    const { exitCode, signalCode } = this.child;
    return this.error ?? new Error(this.text.trim() || `It ended with ${signalCode ?? `exit code ${exitCode}`}.`);
  }

  /** The process is ready. What it prints while it reads a document is dropped, because it may contain parts of the document. */
  ignore(): void {
    this.stderr.removeAllListeners('data').resume().unref();
  }
}
