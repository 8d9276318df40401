import { isMap } from '../source/dynamo-item.ts';
import { textOf } from '../source/related-documents.ts';
import { cited, type OutChunk } from './citations.ts';
import type { ConversationDocuments } from './conversation-documents.ts';
import { readableName } from './names.ts';
import type { Note } from './note.ts';
import { unknownFields } from './unknown-fields.ts';

/** A message in the format of the import route of inference. */
export interface OutMessage {
  id: string;
  role: 'user' | 'assistant';
  parent: string | null;
  at: number;
  model: string;
  text: string | null;
  reasoning?: string;
  files?: ({ kind: 'image'; body: string } | { kind: 'attachment'; name: string; body: string })[];
  chunks?: readonly OutChunk[];
  feedback?: { thumbs_up: boolean; category: string | null; comment: string | null };
}

const LONGEST_COMMENT = 10_000;
const LONGEST_CATEGORY = 200;
const LONGEST_FILE_NAME = 255;
const MOST_CHUNKS = 100;

type Source = Readonly<Record<string, unknown>>;
/** The content of a message, without its position in the conversation. */
export type Content = Pick<OutMessage, 'text' | 'reasoning' | 'files' | 'chunks' | 'feedback'>;

/** Earlier versions of the source store a single part, and the oldest version a text. */
const partsOf = (content: unknown): readonly unknown[] => (Array.isArray(content) ? content : content === undefined ? [] : [content]);

/**
 * The content of a message: its text, files, reasoning, tool calls, sources and rating. Parts that are not imported are added to `notes`.
 */
export function contentOf(key: string, message: Source, documents: ConversationDocuments, notes: Note[]): Content {
  const note: Left = (reason, detail = '') =>
    void notes.push({ reason, detail: detail === '' ? `message ${key}` : `message ${key}: ${detail}` });
  notes.push(...unknownFields('message', message, `message ${key}: `));
  const texts: string[] = [];
  const reasoned: string[] = [];
  const files: NonNullable<OutMessage['files']> = [];
  for (const part of partsOf(message['content'])) {
    if (typeof part === 'string') texts.push(part);
    else if (isMap(part)) read(part, { texts, reasoned, files }, note);
  }
  for (const turn of Array.isArray(message['thinking_log']) ? message['thinking_log'] : [])
    for (const part of partsOf(isMap(turn) ? turn['content'] : undefined))
      if (isMap(part)) read(part, { texts: reasoned, reasoned, files: [] }, note);
  const joined = texts.join('\n');
  const { text, chunks, missing } = cited(joined, message['used_chunks'], documents.of(key, message, joined));
  for (const id of missing) note('citation_without_source', id);
  for (const { source_name: name } of chunks.slice(MOST_CHUNKS)) note('source_not_taken', `${name}: a reply has at most ${MOST_CHUNKS}.`);
  const feedback = feedbackOf(message['feedback'], note);
  return {
    text: texts.length === 0 ? null : text,
    ...(reasoned.length > 0 && { reasoning: reasoned.join('\n') }),
    ...(files.length > 0 && { files }),
    ...(chunks.length > 0 && { chunks: chunks.slice(0, MOST_CHUNKS) }),
    ...(feedback && { feedback }),
  };
}

type Left = (reason: string, detail?: string) => void;

interface Read {
  readonly texts: string[];
  readonly reasoned: string[];
  readonly files: NonNullable<OutMessage['files']>;
}

function read(part: Source, { texts, reasoned, files }: Read, note: Left): void {
  const body = part['body'];
  switch (part['content_type']) {
    case 'text':
      texts.push(String(body ?? ''));
      break;
    case 'reasoning':
      reasoned.push(String(part['text'] ?? body ?? ''));
      break;
    case 'image':
      files.push({ kind: 'image', body: String(body ?? '') });
      break;
    case 'attachment':
      files.push({ kind: 'attachment', name: nameOf(part), body: String(body ?? '') });
      break;
    case 'textAttachment':
      files.push({ kind: 'attachment', name: nameOf(part), body: Buffer.from(String(body ?? '')).toString('base64') });
      break;
    case 'toolUse':
      if (isMap(body)) reasoned.push(`Tool ${String(body['name'])}: ${JSON.stringify(body['input'] ?? {})}`);
      break;
    case 'toolResult':
      if (isMap(body)) reasoned.push(`Result (${String(body['status'] ?? 'success')}): ${resultOf(body['content'], note)}`);
      break;
    default:
      note('content_type_unknown', String(part['content_type']));
  }
}

const nameOf = (part: Source) => readableName(String(part['file_name'] ?? '')).slice(-LONGEST_FILE_NAME) || 'file';

function resultOf(content: unknown, note: Left): string {
  return partsOf(content)
    .flatMap((part) => {
      const text = textOf(part);
      if (text === null) note('tool_result_file_not_taken', isMap(part) ? String(part['name'] ?? part['format'] ?? '') : '');
      return text ?? [];
    })
    .join('\n');
}

function feedbackOf(raw: unknown, note: Left): OutMessage['feedback'] | null {
  if (!isMap(raw) || typeof raw['thumbs_up'] !== 'boolean') return null;
  const short = (name: string, longest: number) => {
    const text = String(raw[name] ?? '');
    if (text.length > longest) note(`feedback_${name}_shortened`, `${text.length} characters`);
    return text.slice(0, longest) || null;
  };
  return {
    thumbs_up: raw['thumbs_up'],
    category: short('category', LONGEST_CATEGORY),
    comment: short('comment', LONGEST_COMMENT),
  };
}
