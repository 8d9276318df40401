import {
  type Chunk,
  type DocumentHead,
  type DocumentReader,
  DocumentReaderBusy,
  DocumentReaderFailed,
  DocumentRefused,
  type DocumentType,
  imageKind,
  type ReadOptions,
} from '@parlance/documents';
import { refuse, type Sentence } from '@parlance/decider';
import { MAX_ATTACHMENT_BYTES, MAX_FILE_TEXT_BYTES, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from '../../domain/file-limits.ts';
import { bytesOfBase64, decodeBase64, type Decoded } from './base64-bytes.ts';
import type { CheckedFile } from './message-files.ts';

/** The base64 of a file, with its path in the body of a request. */
interface FileBody {
  readonly path: string;
  readonly body: string;
}

export type RequestFile = FileBody & ({ readonly kind: 'image' } | { readonly kind: 'attachment'; readonly name: string });

/** How long an attachment waits while others are read, in addition to its own reading time. */
const WAITING_MILLIS = 10_000;
/** The time limit for all attachments of a message. The edge ends a request after 30 s. */
const MESSAGE_MILLIS = 25_000;
/** The chunks are joined again, so their size matters little. */
const WHOLE = {
  chunking_strategy: 'fixed_size',
  fixed_size_chunking_configuration: { max_tokens: 2_000, overlap_percentage: 0 },
} as const;
const REST_LEFT_OUT = '[… the rest of this file was left out, because it is too long …]';
const SEPARATOR = '\n\n';
const SEPARATOR_TOKENS = 1;
const REST_LEFT_OUT_TOKENS = 20;
const PDF_WITHIN = 1_024;

const MEDIA_TYPES: Readonly<Record<DocumentType, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  epub: 'application/epub+zip',
  html: 'text/html',
  markdown: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  text: 'text/plain',
};

/** Checks the files of a message by their content, and reads the texts of attachments in separate processes. */
export class FileReader {
  constructor(private readonly documents: Pick<DocumentReader, 'read'>) {}

  /**
   * Attachments are read in the turn of `account`: a user, or the caller of a published bot. Throws the refusals `invalid_file` (invalid) with
   * the path of the file, and `busy` (unavailable) when it has to wait too long for other attachments.
   */
  async check(account: string, files: readonly RequestFile[]): Promise<CheckedFile[]> {
    const signal = AbortSignal.timeout(MESSAGE_MILLIS);
    const checked: CheckedFile[] = [];
    for (const file of files)
      checked.push(file.kind === 'image' ? await checkedImage(file) : await this.attachment(file, file.name, account, signal));
    return checked;
  }

  private async attachment(file: RequestFile, name: string, account: string, signal: AbortSignal): Promise<CheckedFile> {
    const { bytes, sha256 } = await decoded(file, MAX_ATTACHMENT_BYTES);
    const { type, ...read } = await this.read(file, name, bytes, account, signal);
    return { kind: 'attachment', mediaType: MEDIA_TYPES[type], name, bytes, sha256, ...read };
  }

  private async read(file: RequestFile, name: string, bytes: Buffer, account: string, signal: AbortSignal): Promise<ReadText> {
    const text = new LimitedText();
    try {
      const document = { bytes, name, contentType: null, sourceId: '' };
      const onChunks: ReadOptions['onChunks'] = async (chunks, head) => text.add(chunks, head);
      return text.of(await this.documents.read(document, WHOLE, { account, waitMillis: WAITING_MILLIS, onChunks, signal }));
    } catch (error) {
      if (error instanceof TextIsFull) return text.of(error.head);
      if (!(error instanceof DocumentRefused)) throw notRead(error, signal);
      // A scanned document, which models that accept documents can read.
      if (error.code === 'no_text' && isPdf(bytes)) return { type: 'pdf', text: null, ...pagesOf(error) };
      throw invalidFile(file.path, error.message as Sentence);
    }
  }
}

function notRead(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof DocumentReaderFailed) return Object.assign(notStarted(), { cause: error });
  return signal.aborted || error instanceof DocumentReaderBusy ? busy() : error;
}

/** Thrown to end the reading of a document whose text is long enough. */
class TextIsFull extends Error {
  constructor(readonly head: DocumentHead) {
    super('the text is full');
  }
}

interface ReadText extends Pick<CheckedFile, 'text' | 'textTokens' | 'pages'> {
  readonly type: DocumentType;
}

const pagesOf = ({ pages }: { readonly pages?: number | undefined }) => (pages === undefined ? {} : { pages });

class LimitedText {
  private readonly parts: string[] = [];
  private tokens = 0;
  private bytesLeft = MAX_FILE_TEXT_BYTES - Buffer.byteLength(REST_LEFT_OUT) - SEPARATOR.length;

  add(chunks: readonly Chunk[], head: DocumentHead): void {
    for (const { text, tokens } of chunks) {
      this.bytesLeft -= Buffer.byteLength(text) + SEPARATOR.length;
      if (this.bytesLeft < 0) {
        this.parts.push(REST_LEFT_OUT);
        this.tokens += REST_LEFT_OUT_TOKENS;
        throw new TextIsFull(head);
      }
      this.parts.push(text);
      this.tokens += tokens + SEPARATOR_TOKENS;
    }
  }

  of({ type, pages }: DocumentHead): ReadText {
    return { type, text: this.parts.join(SEPARATOR), textTokens: this.tokens, ...pagesOf({ pages }) };
  }
}

/** Throws the refusal `invalid_file` (invalid) with the path of the file. */
export async function checkedImage(file: FileBody): Promise<CheckedFile> {
  const { bytes, sha256 } = await decoded(file, MAX_IMAGE_BYTES);
  const kind = imageKind(bytes);
  if (!kind) throw invalidFile(file.path, 'This is not a PNG, JPEG, GIF or WebP image.');
  const { mediaType, width, height } = kind;
  if (Math.min(width, height) < 1 || Math.max(width, height) > MAX_IMAGE_SIDE)
    throw invalidFile(file.path, `This image has ${width} × ${height} pixels. Each side may have 1 to ${MAX_IMAGE_SIDE}.`);
  return { kind: 'image', mediaType, name: null, bytes, sha256, text: null };
}

async function decoded({ path, body }: FileBody, most: number): Promise<Decoded> {
  // Padding may count as up to two bytes.
  if (bytesOfBase64(body) - 2 > most) throw invalidFile(path, `This file is larger than ${most / 1024 / 1024} MiB.`);
  const found = await decodeBase64(body);
  if (!found) throw invalidFile(path, 'This is not base64. Encode the bytes of the file, without a prefix and without line breaks.');
  return found;
}

const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, PDF_WITHIN).includes('%PDF-');

const invalidFile = (path: string, message: Sentence) => refuse('invalid', 'invalid_file', message, { errors: [{ path, message }] });

const notStarted = () =>
  refuse(
    'unavailable',
    'busy',
    'The process that reads attachments does not start. Try again in a minute, send the message without attachments, or ask an administrator.',
    { retry_after: 60 },
  );

const busy = () => refuse('unavailable', 'busy', 'Too many attachments are being read. Try again in a few seconds.', { retry_after: 5 });
