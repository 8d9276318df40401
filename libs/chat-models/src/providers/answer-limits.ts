import { AnswerTooLarge } from './generation-failed.ts';

/** Bytes of a streamed answer. A token adds about 300 bytes. */
export const MOST_ANSWER_BYTES = 64 * 1024 * 1024;
/** Bytes of an answer that is not a stream, such as an error. */
export const MOST_WHOLE_BYTES = 1024 * 1024;
/** Bytes of one event of a stream. The SDK buffers an event until it is complete. */
export const MOST_EVENT_BYTES = 1024 * 1024;

/** The content type of an answer whose events are text. */
export const EVENT_STREAM = 'text/event-stream';

const NEW_LINE = 10;
const EVENT_LENGTH_BYTES = 4;

/** Throws `AnswerTooLarge` if the next piece exceeds a limit. */
export type Limit = (piece: Buffer) => void;

/** The limits of an answer, by its content type. */
export function limitOf(contentType: string | undefined): Limit {
  if (contentType?.startsWith(EVENT_STREAM)) return both(total(MOST_ANSWER_BYTES), lines());
  if (contentType?.startsWith('application/vnd.amazon.eventstream')) return both(total(MOST_ANSWER_BYTES), frames());
  return total(MOST_WHOLE_BYTES);
}

const both =
  (one: Limit, other: Limit): Limit =>
  (piece) => {
    one(piece);
    other(piece);
  };

function total(most: number): Limit {
  let bytes = 0;
  return ({ byteLength }) => {
    bytes += byteLength;
    if (bytes > most) throw new AnswerTooLarge();
  };
}

/** Text events end with a line. */
function lines(): Limit {
  let bytes = 0;
  return (piece) => {
    const end = piece.lastIndexOf(NEW_LINE);
    bytes = end < 0 ? bytes + piece.byteLength : piece.byteLength - end - 1;
    if (bytes > MOST_EVENT_BYTES) throw new AnswerTooLarge();
  };
}

/** Binary events of Amazon Bedrock start with their length in four bytes. */
function frames(): Limit {
  let remaining = 0;
  let prefix: number[] = [];
  return (piece) => {
    for (let at = 0; at < piece.byteLength;) {
      if (remaining > 0) {
        const consumed = Math.min(remaining, piece.byteLength - at);
        remaining -= consumed;
        at += consumed;
        continue;
      }
      prefix.push(piece[at++]!);
      if (prefix.length < EVENT_LENGTH_BYTES) continue;
      const length = Buffer.from(prefix).readUInt32BE();
      if (length > MOST_EVENT_BYTES) throw new AnswerTooLarge();
      remaining = Math.max(0, length - EVENT_LENGTH_BYTES);
      prefix = [];
    }
  };
}
