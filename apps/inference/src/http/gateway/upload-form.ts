import { refuse } from '@parlance/decider';
import { formPartsOf, type FormPart } from '../../adapters/calls/multipart-body.ts';
import {
  GATEWAY_FILE_SECONDS,
  LEAST_GATEWAY_FILE_SECONDS,
  MAX_GATEWAY_FILE_BYTES,
  MAX_GATEWAY_FILE_NAME,
} from '../../domain/gateway/gateway-limits.ts';

export interface Upload {
  readonly name: string;
  readonly bytes: Buffer;
  /** How long the file is kept. */
  readonly seconds: number;
}

const FIELDS = ['file', 'purpose', 'expires_after[anchor]', 'expires_after[seconds]'] as const;
type Field = (typeof FIELDS)[number];
/** Bytes of a value that is no file. */
const LONGEST_VALUE = 64;
const SECONDS = /^[1-9]\d{0,8}$/;
// oxlint-disable-next-line no-control-regex
const NOT_IN_NAMES = /[\\/\u0000-\u001f\u007f\ufffd]/g;

/** The file in a form of OpenAI's format. Rejects with the refusals `malformed_body` and `invalid_body` (invalid), and `body_too_large` (too large). */
export async function uploadIn(bytes: Buffer, contentType: string | undefined): Promise<Upload> {
  const parts = new Map<Field, FormPart>();
  for (const part of await formPartsOf(bytes, contentType)) {
    const field = FIELDS.find((each) => each === part.name);
    if (field === undefined) throw invalid(part.name.slice(0, 100), 'is not a known field');
    if (parts.has(field)) throw invalid(field, 'is given more than once');
    parts.set(field, part);
  }
  const valueOf = (field: Field) => {
    const part = parts.get(field);
    return part && bytes.toString('utf8', part.from, Math.min(part.to, part.from + LONGEST_VALUE));
  };
  const purpose = valueOf('purpose');
  if (purpose !== 'batch') throw invalid('purpose', 'must be batch');
  const file = parts.get('file');
  if (!file?.isFile) throw invalid('file', 'must be a file');
  const size = file.to - file.from;
  if (size === 0) throw invalid('file', 'must not be empty');
  if (size > MAX_GATEWAY_FILE_BYTES) throw refuse('too_large', 'body_too_large', `A file may have ${MAX_GATEWAY_FILE_BYTES} bytes.`);
  return {
    name: fileNameOf(file.fileName),
    bytes: bytes.subarray(file.from, file.to),
    seconds: secondsIn(valueOf('expires_after[anchor]'), valueOf('expires_after[seconds]')),
  };
}

function secondsIn(anchor: string | undefined, text: string | undefined): number {
  if (anchor === undefined && text === undefined) return GATEWAY_FILE_SECONDS;
  if (anchor !== 'created_at') throw invalid('expires_after[anchor]', 'must be created_at');
  const seconds = SECONDS.test(text ?? '') ? Number(text) : 0;
  if (seconds < LEAST_GATEWAY_FILE_SECONDS || seconds > GATEWAY_FILE_SECONDS)
    throw invalid('expires_after[seconds]', `must be ${LEAST_GATEWAY_FILE_SECONDS} to ${GATEWAY_FILE_SECONDS}`);
  return seconds;
}

function fileNameOf(text: string): string {
  const bytes = Buffer.from(text.replace(NOT_IN_NAMES, '_')).subarray(0, MAX_GATEWAY_FILE_NAME);
  // A character that is cut in the middle is left out.
  const name = bytes.toString().replace(/\uFFFD$/, '');
  return name === '' ? 'file.jsonl' : name;
}

const invalid = (path: string, message: string) =>
  refuse('invalid', 'invalid_body', `The field ${path} ${message}.`, { errors: [{ path, message }] });
