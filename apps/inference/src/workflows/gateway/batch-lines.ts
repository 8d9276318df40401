import { Refusal } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { CallerBody } from '../../adapters/calls/caller-body.ts';
import { membersOf, parsed } from '../../adapters/calls/json-members.ts';
import { MAX_BATCH_LINE_BYTES, MAX_CUSTOM_ID } from '../../domain/gateway/gateway-limits.ts';
import { ENDPOINTS } from '../calls/gateway-calls.ts';

/** The endpoints that a batch may call, by their paths below `/v1/`. */
export const BATCH_ENDPOINTS = ['chat/completions', 'responses', 'embeddings', 'moderations'] as const;
export type BatchEndpoint = (typeof BATCH_ENDPOINTS)[number];

/** One request of an input file. */
export interface BatchLine {
  readonly customId: string;
  readonly body: Buffer;
}

/** A line of an input file that is no valid request. Its message has no content of the file. */
export class InvalidLine extends Error {
  constructor(
    readonly code: 'line_too_large' | 'invalid_json' | 'invalid_line' | 'duplicate_custom_id' | 'url_mismatch',
    message: string,
    /** Null if the code that reads the lines knows it. */
    readonly line: number | null = null,
  ) {
    super(message);
    this.name = 'InvalidLine';
  }
}

const END_OF_LINE = 0x0a;
/** Empty lines that are skipped before other work may have a turn. */
const LINES_IN_SLICE = 1_024;
const NOTHING: Buffer = Buffer.alloc(0);

/** The lines of a file that are not empty, with their numbers from 1. Throws `InvalidLine` with its number for a line that is too long. */
export async function* linesIn(file: AsyncIterable<Buffer>): AsyncGenerator<{ readonly line: number; readonly bytes: Buffer }> {
  let line = 1;
  let waiting: Buffer = NOTHING;
  for await (const chunk of file) {
    let from = 0;
    for (let end = chunk.indexOf(END_OF_LINE); end >= 0; end = chunk.indexOf(END_OF_LINE, from)) {
      const part = chunk.subarray(from, end);
      const bytes = waiting.length === 0 ? part : Buffer.concat([waiting, part]);
      waiting = NOTHING;
      // A file may have millions of empty lines.
      if (line % LINES_IN_SLICE === 0 && isTurnOver()) await nextTurn();
      if (!isBlank(bytes)) yield { line, bytes: checked(bytes, line) };
      line++;
      from = end + 1;
    }
    waiting = checked(Buffer.concat([waiting, chunk.subarray(from)]), line);
  }
  if (!isBlank(waiting)) yield { line, bytes: waiting };
}

/** Throws `InvalidLine`. */
export async function batchLineIn(bytes: Buffer, endpoint: BatchEndpoint): Promise<BatchLine> {
  const members = await membersOf(bytes).catch(() => {
    throw new InvalidLine('invalid_json', 'The line is no JSON object.');
  });
  const valueOf = (name: string) => {
    const span = members.get(name);
    // Long values are not parsed: none of these may be long.
    if (!span || span.to - span.from > MAX_CUSTOM_ID * 6) return undefined;
    try {
      return parsed(bytes, span);
    } catch {
      throw new InvalidLine('invalid_json', 'The line is no JSON object.');
    }
  };
  const customId = valueOf('custom_id');
  if (typeof customId !== 'string' || customId === '' || customId.length > MAX_CUSTOM_ID)
    throw new InvalidLine('invalid_line', `The field custom_id must be a text of 1 to ${MAX_CUSTOM_ID} characters.`);
  if (valueOf('method') !== 'POST') throw new InvalidLine('invalid_line', 'The field method must be POST.');
  if (valueOf('url') !== `/v1/${endpoint}`)
    throw new InvalidLine('url_mismatch', `The field url must be /v1/${endpoint}, as in the batch.`);
  const span = members.get('body');
  if (!span) throw new InvalidLine('invalid_line', 'The field body is missing.');
  const body = bytes.subarray(span.from, span.to);
  await requireRequest(body, endpoint);
  return { customId, body };
}

async function requireRequest(body: Buffer, endpoint: BatchEndpoint): Promise<void> {
  try {
    const request = await CallerBody.read(body, ENDPOINTS[endpoint].format);
    if (request.isStreamed) throw new InvalidLine('invalid_line', 'The field stream of the body must not be true.');
    if (endpoint === 'responses' && (await wantsStoredResponses(body)))
      throw new InvalidLine('invalid_line', 'The fields store and previous_response_id of the body are not possible in a batch.');
  } catch (error) {
    if (error instanceof Refusal) throw new InvalidLine('invalid_line', `The body is not valid. ${error.message}`);
    throw error;
  }
}

/** Batches neither store responses nor continue them. The provider must not be asked for responses of other callers of its account. */
async function wantsStoredResponses(body: Buffer): Promise<boolean> {
  const members = await membersOf(body);
  return ['store', 'previous_response_id'].some((name) => {
    const span = members.get(name);
    return span !== undefined && !['null', 'false'].includes(body.toString('latin1', span.from, span.to).trim());
  });
}

function checked(bytes: Buffer, line: number): Buffer {
  if (bytes.length <= MAX_BATCH_LINE_BYTES) return bytes;
  throw new InvalidLine('line_too_large', `A line may have ${MAX_BATCH_LINE_BYTES} bytes.`, line);
}

/** Ends at the first other byte, which is usually the first one. */
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
