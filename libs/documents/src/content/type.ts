import type { DocumentType } from '../chunk.ts';
import { DocumentRefused } from '../document-refused.ts';
import { decodeText } from './decoding.ts';
import { inflatedBytesOf } from './pdf-streams.ts';
import { ZipArchive } from './zip-archive.ts';

export type Content =
  | { readonly type: 'pdf'; readonly bytes: Buffer }
  | { readonly type: 'docx' | 'xlsx' | 'pptx' | 'epub'; readonly archive: ZipArchive }
  | { readonly type: 'html' | 'markdown' | 'csv' | 'tsv' | 'json' | 'text'; readonly text: string };

/** The bytes that a parser receives, as far as they are known in advance. Rejects with `DocumentRefused` for a PDF that inflates too much. */
export async function parsedBytesOf(content: Content, bytes: Buffer): Promise<number> {
  if (content.type === 'pdf') return Math.max(bytes.length, await inflatedBytesOf(bytes));
  return 'archive' in content ? content.archive.declaredBytes : bytes.length;
}

type TextType = Extract<Content, { text: string }>['type'];

const SUPPORTED = 'PDF, TXT, MD, CSV, TSV, XLSX, DOCX, PPTX, HTML, EPUB or JSON';
const unknown = (what = 'The content of this file is of a type that cannot be read.', remedy = `Upload it as ${SUPPORTED}.`) =>
  new DocumentRefused('type_unknown', `${what} ${remedy}`);

const PDF_WITHIN = 1024;
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HTML = /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[\s\S]{0,4000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;
const HTML_PART = /<(?:p|div|h[1-6]|table|ul|ol|span|a|br|section|article|main|title|meta)\b[^>]{0,2000}>/i;

const BY_EXTENSION: Readonly<Record<string, TextType>> = {
  txt: 'text', text: 'text', log: 'text', md: 'markdown', markdown: 'markdown', csv: 'csv', tsv: 'tsv', tab: 'tsv',
  json: 'json', jsonl: 'json', ndjson: 'json', html: 'html', htm: 'html', xhtml: 'html',
}; // prettier-ignore
const BY_CONTENT_TYPE: Readonly<Record<string, TextType>> = {
  'text/markdown': 'markdown', 'text/csv': 'csv', 'text/tab-separated-values': 'tsv', 'application/json': 'json',
  'application/x-ndjson': 'json', 'application/jsonl': 'json', 'text/html': 'html', 'application/xhtml+xml': 'html', 'text/plain': 'text',
}; // prettier-ignore

function named(name: string, contentType: string | null): TextType | undefined {
  const extension = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase();
  const media = contentType?.split(';')[0]?.trim().toLowerCase();
  return BY_EXTENSION[extension ?? ''] ?? BY_CONTENT_TYPE[media ?? ''];
}

function looksLikeJson(text: string): boolean {
  const start = text.slice(0, 1000).trimStart();
  if (!/^[[{]/.test(start)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function textType(text: string, name: string, contentType: string | null): TextType {
  const start = text.slice(0, 8192);
  if (HTML.test(start)) return 'html';
  const expected = named(name, contentType);
  if (expected === 'html') return HTML_PART.test(start) ? 'html' : 'text';
  if (expected !== undefined) return expected;
  return looksLikeJson(text) ? 'json' : 'text';
}

async function zipContent(bytes: Buffer): Promise<Content> {
  const archive = await ZipArchive.open(bytes);
  const mimetype = (await archive.read('mimetype'))?.toString('latin1').trim();
  if (mimetype === 'application/epub+zip') return { type: 'epub', archive };
  const types = (await archive.read('[Content_Types].xml'))?.toString('latin1');
  if (types === undefined) throw unknown('This file is an archive.', 'Unpack it, and upload the files in it.');
  const main: readonly [string, Extract<DocumentType, 'docx' | 'xlsx' | 'pptx'>][] = [
    ['word/document.xml', 'docx'],
    ['xl/workbook.xml', 'xlsx'],
    ['ppt/presentation.xml', 'pptx'],
  ];
  const [, type] = main.find(([part]) => archive.has(part)) ?? [];
  if (type === undefined) throw unknown();
  return { type, archive };
}

function oleRefusal(bytes: Buffer): DocumentRefused {
  if (bytes.includes(Buffer.from('EncryptedPackage', 'utf16le')))
    return new DocumentRefused('encrypted', 'This file is protected with a password. Save it without a password and upload it again.');
  return unknown('This file has an old Office format (DOC, XLS, PPT, MSG).');
}

/** Detects the type by content. The name and the content type decide only between types of text. Rejects with `DocumentRefused`. */
export async function contentOf(bytes: Buffer, name: string, contentType: string | null): Promise<Content> {
  if (bytes.length === 0) throw new DocumentRefused('no_text', 'This file is empty. Upload a file with content.');
  const start = bytes.subarray(0, PDF_WITHIN + 5).toString('latin1');
  if (start.startsWith('PK\u0003\u0004') || start.startsWith('PK\u0005\u0006')) return zipContent(bytes);
  if (bytes.subarray(0, 8).equals(OLE)) throw oleRefusal(bytes);
  if (start.startsWith('{\\rtf')) throw unknown('This file is in Rich Text Format.');
  if (start.includes('%PDF-') && !HTML.test(start)) return { type: 'pdf', bytes };
  const text = decodeText(bytes, contentType);
  if (text === undefined) throw unknown();
  return { type: textType(text, name, contentType), text };
}
