import { invalidField, unsupported } from './request-fields.ts';
import type { FilePart } from '../translation-target.ts';

const DATA_URL = /^data:([a-z]+\/[a-z0-9.+-]+)(?:;[a-z0-9=-]+)*;base64,/i;
/** Characters of a data URL before its data. */
const LONGEST_HEAD = 200;

/** An image or a document. Only data and addresses of the web are sent: other schemes would be read by the provider. */
export function fileAt(url: string, path: string, mediaType: string): FilePart {
  const head = DATA_URL.exec(url.slice(0, LONGEST_HEAD));
  if (head) return fileOf(head[1]!.toLowerCase(), url.slice(head[0].length), path);
  if (url.startsWith('data:')) throw invalidField(path, 'must be a data URL in base64');
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw unsupported(path, 'must be a data URL, or an address with https');
  return { type: 'file', mediaType, data: { type: 'url', url: new URL(url) } };
}

/** `data`: in base64. The SDK would decode a text, which policies and the estimate of tokens have not seen. */
export function fileOf(mediaType: string, data: string, path: string, filename?: string): FilePart {
  if (/^\s*text\b/i.test(mediaType)) throw unsupported(path, 'must not be a text in base64: send it as a text');
  return { type: 'file', mediaType, data: { type: 'data', data }, ...(filename !== undefined && { filename }) };
}
