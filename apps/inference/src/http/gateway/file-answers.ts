import { ULID_PATTERN } from '@parlance/http';
import { component } from '@parlance/openapi';
import { Instant } from '@parlance/decider';
import type { FilePurpose } from '../../domain/gateway/gateway-files.ts';
import type { GatewayFileRow } from '../../projections/gateway/gateway-files.ts';
import { gatewayFileNotFound } from '../../workflows/gateway/stored-files.ts';
import { unknownAfter } from './unknown-after.ts';

export interface FileAnswer {
  readonly id: string;
  readonly object: 'file';
  readonly bytes: number;
  readonly created_at: number;
  readonly expires_at: number;
  readonly filename: string;
  readonly purpose: FilePurpose;
  readonly status: 'processed';
}

const FILE_ID = new RegExp(`^file-(${ULID_PATTERN.slice(1, -1)})$`);
const TIME = { type: 'integer', description: 'In epoch seconds.' } as const;

export const FILE = component('GatewayFile', {
  type: 'object',
  required: ['id', 'object', 'bytes', 'created_at', 'expires_at', 'filename', 'purpose', 'status'],
  properties: {
    id: { type: 'string', examples: ['file-01K0000000000000000000000F'] },
    object: { const: 'file' },
    bytes: { type: 'integer' },
    created_at: TIME,
    expires_at: { ...TIME, description: 'When the file is removed, in epoch seconds.' },
    filename: { type: 'string' },
    purpose: { enum: ['batch', 'batch_output'] },
    status: { const: 'processed', description: "Always this. OpenAI's clients expect it." },
  },
});

const idOrNull = { type: ['string', 'null'] } as const;

/** The schema of a list in OpenAI's format. */
export const listOf = (name: string, item: object) =>
  component(name, {
    type: 'object',
    required: ['object', 'data', 'first_id', 'last_id', 'has_more'],
    properties: {
      object: { const: 'list' },
      data: { type: 'array', items: item },
      first_id: idOrNull,
      last_id: { ...idOrNull, description: 'Send it as `after` for the next page.' },
      has_more: { type: 'boolean' },
    },
  });

export const FILE_LIST = listOf('GatewayFileList', FILE);

export const DELETED_FILE = component('DeletedGatewayFile', {
  type: 'object',
  required: ['id', 'object', 'deleted'],
  properties: { id: { type: 'string' }, object: { const: 'file' }, deleted: { const: true } },
});

export const UPLOAD_FORM = component('GatewayFileForm', {
  type: 'object',
  required: ['file', 'purpose'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'A file of 1 byte to 25 MiB.' },
    purpose: { const: 'batch' },
    'expires_after[anchor]': { const: 'created_at' },
    'expires_after[seconds]': { type: 'string', description: 'How long the file is kept: 3600 to 2592000 seconds. Default: 30 days.' },
  },
});

export const fileIdOf = (id: string): string => `file-${id}`;

/** The ID within a file's ID. Throws `file_not_found` (missing) for another text. */
export function idInFileId(text: string): string {
  const [, id] = FILE_ID.exec(text) ?? [];
  if (id === undefined) throw gatewayFileNotFound();
  return id;
}

/** As `idInFileId`, for the parameter `after`. Throws `invalid_query` (invalid). */
export function idInAfter(text: string | undefined): string | null {
  if (text === undefined) return null;
  const [, id] = FILE_ID.exec(text) ?? [];
  if (id === undefined) throw unknownAfter('a file');
  return id;
}

export const fileAnswer = (row: GatewayFileRow, filename: string): FileAnswer => ({
  id: fileIdOf(row.file_id),
  object: 'file',
  bytes: row.bytes,
  created_at: Instant.toSeconds(row.at),
  expires_at: Instant.toSeconds(row.expires_at),
  filename,
  purpose: row.purpose,
  status: 'processed',
});

/** A page in OpenAI's format. `found` has an item after the page if there are more. */
export function pageIn<Item extends { readonly id: string }>(found: readonly Item[], limit: number) {
  const data = found.slice(0, limit);
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: found.length > limit,
  };
}
