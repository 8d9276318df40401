import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Chunk, Chunking, DocumentType } from './chunk.ts';
import type { Embed } from './chunking/breakpoints.ts';
import { chunksOf } from './chunking/chunks.ts';
import { contentOf, parsedBytesOf } from './content/type.ts';
import { DocumentRefused } from './document-refused.ts';
import { ReadingStopped } from './reading-stopped.ts';
import type { ReadPages } from './drawn-page.ts';
import { parse } from './formats/parse.ts';
import { MAX_FILE_BYTES } from './limits.ts';

export type DocumentFile = Described &
  (
    | { readonly path: string }
    /** Sent to the process, so that a small file is not written to disk. At most `MAX_SENT_BYTES`. */
    | { readonly bytes: Uint8Array }
  );

interface Described {
  /** The name of the uploaded file. It decides only between types of text. */
  readonly name: string;
  readonly contentType: string | null;
  /** Part of the chunks' ids. */
  readonly sourceId: string;
  /** True for a web page: only its main text is kept. */
  readonly isWebPage?: boolean;
}

export interface ReadDocument {
  readonly type: DocumentType;
  readonly title: string | null;
  /** The pages of a PDF. */
  readonly pages?: number;
  readonly chunks: number;
  readonly tokens: number;
}

/** Synchronous, because this process does nothing else, and four thread switches take longer than reading a small file. */
function bytesOf(document: DocumentFile): Buffer {
  if ('bytes' in document) return Buffer.from(document.bytes.buffer, document.bytes.byteOffset, document.bytes.byteLength);
  const file = openSync(document.path, 'r');
  try {
    if (fstatSync(file).size > MAX_FILE_BYTES)
      throw new DocumentRefused('too_large', `This file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB. Split it into several files.`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

export const UNREADABLE = 'This file could not be read. Open it in its program, save it again and upload the new file.';

/** Turns a parser's error into a refusal. File system errors are thrown unchanged. */
function refusalOf(error: unknown): unknown {
  if (error instanceof DocumentRefused || error instanceof ReadingStopped) return error;
  if (error instanceof RangeError && /call stack/i.test(error.message))
    return new DocumentRefused('too_deep', 'This file is nested too deep. Save it in a simpler form, such as PDF or TXT.');
  if (error instanceof RangeError && /allocation failed|string length|array length/i.test(error.message))
    return new DocumentRefused('memory_exceeded', 'Reading this file needs more memory than is allowed. Split it into several files.');
  return new DocumentRefused('damaged', UNREADABLE);
}

/** What the process requests from the service while it reads. */
export interface Helpers {
  readonly embed?: Embed | undefined;
  /** Called with the bytes that will be parsed, before they are parsed. */
  readonly onSize?: ((bytes: number) => Promise<void>) | undefined;
  /** If present, a model reads the pages of PDFs. */
  readonly readPages?: ReadPages | undefined;
}

/** What is known about a document when its first chunks are delivered. */
export type DocumentHead = Pick<ReadDocument, 'type' | 'title' | 'pages'>;

/** Reads a document in this process and delivers its chunks one by one. Rejects with `DocumentRefused`. */
export async function readDocument(
  file: DocumentFile,
  chunking: Chunking,
  onChunk: (chunk: Chunk, document: DocumentHead) => Promise<void> | void,
  { embed, onSize, readPages }: Helpers = {},
): Promise<ReadDocument> {
  const bytes = bytesOf(file);
  const content = await contentOf(bytes, file.name, file.contentType);
  await onSize?.(await parsedBytesOf(content, bytes));
  const { title, segments, pages } = await parse(content, file.isWebPage === true, readPages).catch((error: unknown) => {
    throw refusalOf(error);
  });
  const head = { type: content.type, title, ...(pages !== undefined && { pages }) };
  let chunks = 0;
  let tokens = 0;
  for await (const chunk of chunksOf(segments, chunking, file.sourceId, embed)) {
    chunks++;
    tokens += chunk.tokens;
    const handedOver = onChunk(chunk, head);
    if (handedOver !== undefined) await handedOver;
  }
  if (chunks === 0)
    throw new DocumentRefused(
      'no_text',
      'No text was found in this file. Upload a file with text; for images, run text recognition (OCR) first.',
    );
  return { ...head, chunks, tokens };
}
