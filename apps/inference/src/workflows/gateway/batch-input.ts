import { Injectable } from '@nestjs/common';
import { Refusal } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Tampered } from '@parlance/privacy';
import type { BatchError } from '../../domain/gateway/gateway-batch.ts';
import { MAX_BATCH_LINES, MOST_BATCH_ERRORS } from '../../domain/gateway/gateway-limits.ts';
import { type BatchEndpoint, type BatchLine, batchLineIn, InvalidLine, linesIn } from './batch-lines.ts';
import { StoredFiles } from './stored-files.ts';

/** Requests that are read from a file at once. */
const LINES_AT_ONCE = 256;
const BYTES_AT_ONCE = 1024 * 1024;

export interface InputFile {
  readonly userId: string;
  readonly fileId: string;
  readonly endpoint: BatchEndpoint;
}

export type CheckedInput = { readonly lines: number } | { readonly errors: readonly BatchError[] };

/** Thrown when the input file of a batch was removed or is damaged. */
export class InputRemoved extends Error {
  constructor() {
    super('the input file of a batch was removed or is damaged');
    this.name = 'InputRemoved';
  }
}

/** Reads input files in parts, so that no part of a file is kept and no download is open for long. */
@Injectable()
export class BatchInput {
  constructor(private readonly files: StoredFiles) {}

  /** Checks all requests of a file. `checkIn` is called now and then, and throws to stop. Rejects with `InputRemoved`. */
  async check(file: InputFile, checkIn: () => void): Promise<CheckedInput> {
    const errors: BatchError[] = [];
    const ids = new Set<string>();
    let lines = 0;
    const note = (error: unknown, line: number | null) => {
      if (!(error instanceof InvalidLine)) throw error;
      errors.push({ code: error.code, message: error.message, line: error.line ?? line });
    };
    try {
      for await (const { line, bytes } of this.lines(file)) {
        checkIn();
        if (isTurnOver()) await nextTurn();
        if (++lines > MAX_BATCH_LINES) {
          errors.push({ code: 'too_many_lines', message: `A batch may have ${MAX_BATCH_LINES} requests.`, line });
          break;
        }
        try {
          const { customId } = await batchLineIn(bytes, file.endpoint);
          if (ids.has(customId)) throw new InvalidLine('duplicate_custom_id', 'Another line has the same custom_id.');
          ids.add(customId);
        } catch (error) {
          note(error, line);
        }
        if (errors.length >= MOST_BATCH_ERRORS) break;
      }
    } catch (error) {
      // A line that is too long cannot be skipped.
      note(error, null);
    }
    if (lines === 0 && errors.length === 0) errors.push({ code: 'empty_file', message: 'The file has no requests.', line: null });
    return errors.length > 0 ? { errors } : { lines };
  }

  /** Some requests from a number on, the first of which is 0. Empty at the end. Rejects with `InputRemoved`. */
  async from(file: InputFile, number: number): Promise<readonly BatchLine[]> {
    const found: BatchLine[] = [];
    let [at, size] = [0, 0];
    for await (const { bytes } of this.lines(file)) {
      if (isTurnOver()) await nextTurn();
      if (at++ < number) continue;
      const { customId, body } = await batchLineIn(bytes, file.endpoint);
      // A view would keep the whole part of the file.
      found.push({ customId, body: Buffer.from(body) });
      size += body.length;
      if (found.length === LINES_AT_ONCE || size >= BYTES_AT_ONCE) break;
    }
    return found;
  }

  private async *lines({ userId, fileId }: InputFile): ReturnType<typeof linesIn> {
    try {
      const body = await this.files.open(await this.files.of(userId, fileId));
      if (!body) throw new InputRemoved();
      yield* linesIn(body as AsyncIterable<Buffer>);
    } catch (error) {
      const isGone = error instanceof Tampered || (error instanceof Refusal && error.kind === 'missing');
      throw isGone ? new InputRemoved() : error;
    }
  }
}
