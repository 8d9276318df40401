import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { refuse } from '@parlance/decider';
import { readJson } from '@parlance/http';
import type { YamlResult } from './yaml-json.ts';

/** The most bytes of a YAML text. The package reads 1 MiB in about 3 s on a busy machine. */
export const MOST_YAML_BYTES = 2 * 1024 * 1024;
/** Some short texts, such as 200,000 open brackets, keep the package busy for minutes. */
const READING_MILLIS = 20_000;
const MOST_MEBIBYTES = 512;

/** Reads users' YAML in a separate thread, with limits of time and memory, because the package `yaml` has neither. */
export class YamlReader {
  /** One text at a time, because four threads at their limits would use up the memory of a pod. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly millis = READING_MILLIS) {}

  /**
   * Resolves with the value. Rejects with the refusals `yaml_too_large` (too large) and `invalid_yaml` (invalid). Names, texts and depth
   * are subject to the limits of JSON bodies: `malformed_body` (invalid).
   */
  async read(text: string): Promise<unknown> {
    if (Buffer.byteLength(text) > MOST_YAML_BYTES) throw yamlTooLarge();
    const mine = this.last.then(() => this.parsed(text));
    this.last = mine.catch(() => undefined);
    const result = await mine;
    if ('fault' in result) throw invalidYaml(result.fault);
    return readJson(Buffer.from(result.json));
  }

  private async parsed(text: string): Promise<YamlResult> {
    const source = new URL(import.meta.url.endsWith('.ts') ? './yaml-thread.ts' : './yaml-thread.js', import.meta.url);
    const resourceLimits = { maxOldGenerationSizeMb: MOST_MEBIBYTES };
    // Flags of the program, such as --input-type, would keep the thread from starting.
    const worker = new Worker(source, { name: 'yaml', execArgv: [], workerData: { text }, resourceLimits });
    // An error that arrives after the time limit has no other listener, and would crash the process.
    worker.on('error', () => undefined);
    try {
      const [result] = (await once(worker, 'message', { signal: AbortSignal.timeout(this.millis) })) as [YamlResult];
      return result;
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException;
      if (code === 'ERR_WORKER_OUT_OF_MEMORY' || name === 'AbortError') return { fault: 'takes too long or too much memory to read' };
      throw error;
    } finally {
      await worker.terminate();
    }
  }
}

export const yamlTooLarge = () => refuse('too_large', 'yaml_too_large', `The YAML has more than ${MOST_YAML_BYTES / 1024 / 1024} MiB.`);

const invalidYaml = (message: string) => refuse('invalid', 'invalid_yaml', `The YAML ${message}.`, { errors: [{ path: 'yaml', message }] });
