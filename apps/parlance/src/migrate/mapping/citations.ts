import { createHash } from 'node:crypto';
import { isMap } from '../source/dynamo-item.ts';
import type { RelatedDocument } from '../source/related-documents.ts';
import { readableName } from './names.ts';

export interface OutChunk {
  readonly content: string;
  readonly source: string;
  readonly source_name: string;
  readonly source_id: string;
  readonly page_number: number | null;
  readonly rank: number;
}

/** A text whose markers `[^n]` name the chunks of rank n. */
export interface Cited {
  readonly text: string;
  readonly chunks: readonly OutChunk[];
  /** IDs in the source of cited documents that are missing. Their markers stay as they are. */
  readonly missing: readonly string[];
}

/** Matches code, which is skipped, a marker of version 2 with the rank of a chunk, or a marker of version 3 with the ID of a document. */
const MARKERS = /(`{3,}|~{3,})[\s\S]*?(?:\1|$(?![\s\S]))|`[^`\n]+`|\[\^(?<rank>\d{1,3})\]|\[\^(?<id>[^\]\s]{1,200}@\d{1,4})\]/g;
const FIRST_RANK = 1;

/**
 * Version 2 keeps chunks with their ranks in the reply, and counts from 0. Its markers and ranks are shifted together, so that they agree
 * and none is 0. Version 3 keeps documents as separate items, and the marker has the ID of the document. These documents get the ranks
 * after the chunks, in the order in which the text cites them, followed by documents that the text does not cite.
 */
export function cited(text: string, usedChunks: unknown, documents: readonly RelatedDocument[]): Cited {
  const raw = Array.isArray(usedChunks) ? usedChunks.filter(isMap).map(chunkOf) : [];
  const shift = raw.some(({ rank }) => rank < FIRST_RANK) ? FIRST_RANK : 0;
  const earlier = raw.map((chunk) => ({ ...chunk, rank: chunk.rank + shift }));
  const byId = new Map(documents.map((document) => [document.id, document]));
  const markers = [...text.matchAll(MARKERS)].map(({ groups }) => groups!);
  const ids = new Set(markers.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const inOrder = new Set([...[...ids].filter((id) => byId.has(id)), ...byId.keys()]);
  const usedRanks = [
    ...earlier.map(({ rank }) => rank),
    ...markers.flatMap(({ rank }) => (rank === undefined ? [] : [Number(rank) + shift])),
  ];
  const last = Math.max(FIRST_RANK - 1, ...usedRanks);
  const ranks = new Map([...inOrder].map((id, index) => [id, last + 1 + index]));
  const renumbered = (marker: string, ...rest: unknown[]): string => {
    const { rank, id } = rest.at(-1) as { rank?: string; id?: string };
    if (rank !== undefined) return `[^${Number(rank) + shift}]`;
    return id !== undefined && ranks.has(id) ? `[^${ranks.get(id)}]` : marker;
  };
  return {
    text: text.replaceAll(MARKERS, renumbered),
    chunks: [...earlier, ...[...ranks].map(([id, rank]) => chunkOfDocument(byId.get(id)!, rank))],
    missing: [...ids].filter((id) => !byId.has(id)),
  };
}

function chunkOf(chunk: Readonly<Record<string, unknown>>, index: number): OutChunk {
  const source = String(chunk['source'] ?? '');
  const rank = Number(chunk['rank'] ?? index);
  return {
    content: String(chunk['content'] ?? ''),
    source,
    source_name: readableName(source) || source,
    source_id: documentId(source),
    page_number: null,
    rank: Number.isInteger(rank) && rank >= 0 ? rank : index,
  };
}

function chunkOfDocument({ id, name, link, page, content }: RelatedDocument, rank: number): OutChunk {
  return {
    content,
    source: link || name,
    source_name: readableName(name || link) || id,
    source_id: documentId(link || `${name} ${id}`),
    page_number: page,
    rank,
  };
}

/** All chunks of a document have the same ID, because a conversation lists its documents by this ID. */
const documentId = (source: string): string => `import-${createHash('sha256').update(source).digest('hex').slice(0, 24)}`;
