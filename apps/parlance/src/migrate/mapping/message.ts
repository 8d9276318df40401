import { isMap } from '../source/dynamo-item.ts';

/** A message in the form of inference's route for imports. */
export interface OutMessage {
  id: string;
  role: 'user' | 'assistant';
  parent: string | null;
  at: number;
  model: string;
  text: string | null;
  reasoning?: string;
  files?: ({ kind: 'image'; body: string } | { kind: 'attachment'; name: string; body: string })[];
  chunks?: OutChunk[];
  feedback?: { thumbs_up: boolean; category: string | null; comment: string | null };
}

interface OutChunk {
  content: string;
  source: string;
  source_name: string;
  source_id: string;
  page_number: number | null;
  rank: number;
}

const LONGEST_COMMENT = 10_000;
const LONGEST_CATEGORY = 200;
const LONGEST_FILE_NAME = 255;
const MOST_CHUNKS = 100;

type Source = Readonly<Record<string, unknown>>;
/** The fields of a message beside its place in the conversation. */
export type Content = Pick<OutMessage, 'text' | 'reasoning' | 'files' | 'chunks' | 'feedback'>;

/** Earlier versions of the source store one part alone, and the oldest a text. */
const partsOf = (content: unknown): readonly unknown[] => (Array.isArray(content) ? content : content === undefined ? [] : [content]);

/** What a message holds: its text, its files, what the model reasoned and which tools it called, sources and rating. */
export function contentOf(message: Source): Content {
  const texts: string[] = [];
  const reasoned: string[] = [];
  const files: NonNullable<OutMessage['files']> = [];
  for (const part of partsOf(message['content'])) {
    if (typeof part === 'string') texts.push(part);
    else if (isMap(part)) read(part, texts, reasoned, files);
  }
  for (const turn of Array.isArray(message['thinking_log']) ? message['thinking_log'] : [])
    for (const part of partsOf(isMap(turn) ? turn['content'] : undefined)) if (isMap(part)) read(part, reasoned, reasoned, []);
  const chunks = chunksOf(message['used_chunks']);
  const feedback = feedbackOf(message['feedback']);
  return {
    text: texts.length === 0 ? null : texts.join('\n'),
    ...(reasoned.length > 0 && { reasoning: reasoned.join('\n') }),
    ...(files.length > 0 && { files }),
    ...(chunks.length > 0 && { chunks }),
    ...(feedback && { feedback }),
  };
}

function read(part: Source, texts: string[], reasoned: string[], files: NonNullable<OutMessage['files']>): void {
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
      if (isMap(body)) reasoned.push(`Result (${String(body['status'] ?? 'success')}): ${resultOf(body['content'])}`);
      break;
  }
}

const nameOf = (part: Source) => String(part['file_name'] ?? 'file').slice(-LONGEST_FILE_NAME);

/** Images and documents that a tool answered with are left out. */
function resultOf(content: unknown): string {
  return partsOf(content)
    .flatMap((part) => (isMap(part) ? (part['text'] ?? (part['json'] === undefined ? [] : JSON.stringify(part['json']))) : []))
    .map(String)
    .join('\n');
}

function chunksOf(given: unknown): OutChunk[] {
  const chunks = Array.isArray(given) ? given.filter(isMap) : [];
  return chunks.slice(0, MOST_CHUNKS).map((chunk, nth) => {
    const source = String(chunk['source'] ?? '');
    const rank = Number(chunk['rank'] ?? nth);
    const name = source.slice(source.lastIndexOf('/') + 1) || source;
    const at = { source, source_name: name, source_id: `import-${nth + 1}`, page_number: null };
    // The source counts from 0.
    return { content: String(chunk['content'] ?? ''), ...at, rank: Number.isInteger(rank) ? rank + 1 : nth + 1 };
  });
}

function feedbackOf(given: unknown): OutMessage['feedback'] | null {
  if (!isMap(given) || typeof given['thumbs_up'] !== 'boolean') return null;
  const category = String(given['category'] ?? '').slice(0, LONGEST_CATEGORY);
  const comment = String(given['comment'] ?? '').slice(0, LONGEST_COMMENT);
  return { thumbs_up: given['thumbs_up'], category: category === '' ? null : category, comment: comment === '' ? null : comment };
}
