import { Injectable } from '@nestjs/common';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { derivedId } from '@parlance/http';
import type { FileKey } from '@parlance/privacy';
import { type BatchRef, BatchResultStore } from '../../adapters/gateway/batch-results.ts';
import type { BatchResults, EndReason } from '../../domain/gateway/gateway-batch.ts';
import { GATEWAY_FILE_SECONDS } from '../../domain/gateway/gateway-limits.ts';
import { BatchInput, InputRemoved, type InputFile } from './batch-input.ts';
import type { BatchLine } from './batch-lines.ts';
import { StoredFiles } from './stored-files.ts';

/** What a request that was not sent gets in the file of errors. */
const UNSENT: Readonly<Record<Exclude<EndReason, 'done'>, string>> = {
  cancelled: 'The batch was cancelled before this request was sent.',
  expired: 'The batch expired before this request was sent.',
  token_ended: 'The token of the batch may no longer call models.',
  input_removed: 'The input file of the batch was removed or is damaged.',
  internal_error: 'The server failed too often while it processed the batch.',
};
/** What a request gets whose result was stored and cannot be read. */
const LOST = {
  code: 'result_damaged',
  message: 'The stored result of this request is damaged or missing. Its call is in the list of calls, with its cost.',
};

const KINDS = ['output', 'errors'] as const;
type Kind = (typeof KINDS)[number];

export interface OutputsOf {
  readonly batch: BatchRef;
  readonly file: InputFile;
  readonly key: FileKey;
  readonly lines: number;
  /** The first requests: all of them have ended. */
  readonly through: number;
  readonly because: EndReason;
  /** Two workers never write the same file. */
  readonly claim: string;
  /** Throws to stop. */
  readonly checkIn: () => void;
}

/** Puts the results of a batch together: one file of answers and one of errors, in the order of the requests. */
@Injectable()
export class BatchOutputs {
  constructor(
    private readonly results: BatchResultStore,
    private readonly input: BatchInput,
    private readonly files: StoredFiles,
  ) {}

  /** If it rejects, it has left no file. */
  async write(of: OutputsOf): Promise<BatchResults> {
    const outputs = { answers: 0, errors: 0, failed: 0 };
    try {
      // The first pass also counts the errors.
      const outputFileId = await this.store(of, 'output', this.answers(of, outputs), () => outputs.answers > 0);
      const hasErrors = outputs.answers < of.lines;
      const errorFileId = hasErrors ? await this.store(of, 'errors', this.errors(of, outputs), () => outputs.errors > 0) : null;
      return { outputFileId, errorFileId, completed: outputs.answers, failed: outputs.failed };
    } catch (error) {
      await this.remove(of.batch, of.claim).catch(() => undefined);
      throw error;
    }
  }

  /** Removes the files of a worker that could not end the batch. */
  async remove({ userId, batchId }: BatchRef, claim: string): Promise<void> {
    for (const kind of KINDS) await this.files.discard(userId, fileIdOf(batchId, kind, claim));
  }

  /** Null without a line. */
  private async store(of: OutputsOf, kind: Kind, lines: AsyncGenerator<Buffer>, isNeeded: () => boolean): Promise<string | null> {
    const { userId, batchId } = of.batch;
    const first = await lines.next();
    if (first.done || !isNeeded()) return null;
    const fileId = fileIdOf(batchId, kind, of.claim);
    const name = `batch_${batchId}_${kind}.jsonl`;
    const file = { fileId, userId, purpose: 'batch_output', name, seconds: GATEWAY_FILE_SECONDS } as const;
    await this.files.addOutput(file, startingWith(first.value, lines));
    return fileId;
  }

  private async *answers({ batch, key, lines, checkIn }: OutputsOf, counted: { answers: number }): AsyncGenerator<Buffer> {
    for (let number = 0; number < lines; number++) {
      checkIn();
      if (isTurnOver()) await nextTurn();
      const result = await this.results.get(batch, number, key);
      if (result === 'damaged' || !result?.isCompleted) continue;
      counted.answers++;
      yield result.line;
    }
  }

  private async *errors(of: OutputsOf, counted: { errors: number; failed: number }): AsyncGenerator<Buffer> {
    const { batch, key, lines, through, because, checkIn } = of;
    let [from, chunk]: [number, readonly BatchLine[]] = [0, []];
    for (let number = 0; number < lines; number++) {
      checkIn();
      if (isTurnOver()) await nextTurn();
      const result = await this.results.get(batch, number, key);
      if (result !== null && result !== 'damaged') {
        if (result.isCompleted) continue;
        counted.failed++;
        counted.errors++;
        yield result.line;
        continue;
      }
      const isLost = result === 'damaged' || number < through || because === 'done';
      if (isLost) counted.failed++;
      if (number >= from + chunk.length) [from, chunk] = [number, await this.read(of, number)];
      const line = chunk[number - from];
      // The input is gone, and with it the names of the requests.
      if (!line && !isLost) continue;
      counted.errors++;
      const error = isLost ? LOST : { code: `batch_${because}`, message: UNSENT[because] };
      const id = `batch_req_${derivedId(batch.batchId, String(number))}`;
      yield Buffer.from(`${JSON.stringify({ id, custom_id: line?.customId ?? null, response: null, error })}\n`);
    }
  }

  private async read({ file }: OutputsOf, number: number): Promise<readonly BatchLine[]> {
    return this.input.from(file, number).catch((error: unknown) => {
      if (error instanceof InputRemoved) return [];
      throw error;
    });
  }
}

const fileIdOf = (batchId: string, kind: Kind, claim: string): string => derivedId(batchId, `${kind} ${claim}`);

async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
