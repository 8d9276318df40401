/** Fields of requests and answers whose values are words of the provider's API, names or ciphertexts, but no texts. New fields count as texts. */
const NO_TEXT = new Set([
  'model',
  'role',
  'type',
  'id',
  'name',
  'object',
  'index',
  'tool_call_id',
  'tool_use_id',
  'call_id',
  'file_id',
  'tool_choice',
  'detail',
  'format',
  'media_type',
  'mime_type',
  'encoding_format',
  'effort',
  'reasoning_effort',
  'verbosity',
  'service_tier',
  'system_fingerprint',
  'modalities',
  'voice',
  'status',
  'ttl',
  'finish_reason',
  'native_finish_reason',
  'stop_reason',
  'signature',
  'encrypted_content',
  'encrypted_index',
  'file_data',
  'b64_json',
  // JSON Schema.
  'required',
  'pattern',
  '$ref',
  '$id',
  '$schema',
]);
/** Objects whose fields callers and models name. All their values are texts. */
const FREE = new Set(['input', 'arguments', 'metadata']);
/** Fields with an address, unless it is no address. */
const ADDRESSES = new Set(['url', 'image_url', 'file_url']);
const ADDRESS = /^(?:https?:|data:)/i;
/** Types of objects whose field `data` is no text. */
const BINARY = new Set(['base64', 'redacted_thinking']);

/** `arguments`: a text with JSON. */
export type TextKind = 'text' | 'arguments' | null;

/** What a text in the field is. `beginning`: its first characters. */
export function kindOfText(field: string, isFree: boolean, beginning: string): TextKind {
  if (isFree) return 'text';
  if (NO_TEXT.has(field) || (ADDRESSES.has(field) && ADDRESS.test(beginning))) return null;
  return field === 'arguments' || field === 'partial_json' ? 'arguments' : 'text';
}

export const isFreeObject = (field: string): boolean => FREE.has(field);

/** Whether the field `data` of an object is a text. */
export const isDataText = (type: string | null, field: string): boolean =>
  field !== 'input_audio' && field !== 'audio' && !BINARY.has(type ?? '');
