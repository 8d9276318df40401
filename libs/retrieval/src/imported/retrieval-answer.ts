import { type ImportedChunk, MOST_CHUNK_CHARACTERS } from './imported-retriever.ts';

/** Thrown if an answer breaks the contract. The message names the field and is the end of a sentence. */
export class BadRetrievalAnswer extends Error {
  constructor(place: string, rule: string) {
    super(`${place} of its answer has to be ${rule}`);
    this.name = 'BadRetrievalAnswer';
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** `content` in Parlance's answers, `text` in the contract of retrieval endpoints. */
export type TextField = 'text' | 'content';

const MOST_NAME_CHARACTERS = 2_048;
const MOST_PAGE = 1_000_000;

/**
 * The chunks of an answer `{"results": [...]}` (docs/reference/retrieval-endpoint.md), with the text of a chunk in `textField`. Unknown fields
 * are ignored, so that an endpoint may add its own. Throws `BadRetrievalAnswer`.
 */
export function chunksOf(answer: unknown, limit: number, textField: TextField = 'text'): readonly ImportedChunk[] {
  const results = isFields(answer) ? answer['results'] : undefined;
  if (!Array.isArray(results)) throw new BadRetrievalAnswer('`results`', 'a list');
  if (results.length > limit) throw new BadRetrievalAnswer('`results`', `a list of at most ${limit} chunks`);
  return results.map((result: unknown, index) => {
    const place = `results[${index}]`;
    if (!isFields(result)) throw new BadRetrievalAnswer(place, 'an object');
    return chunkOf(result, place, index, textField);
  });
}

function chunkOf(result: Fields, place: string, index: number, textField: TextField): ImportedChunk {
  const text = (field: string, most: number) => textIn(result, field, most, place);
  const content = text(textField, MOST_CHUNK_CHARACTERS);
  const source = text('source', MOST_NAME_CHARACTERS);
  if (content === null) throw new BadRetrievalAnswer(`${place}.${textField}`, 'a text');
  if (source === null) throw new BadRetrievalAnswer(`${place}.source`, 'a text');
  return {
    id: text('id', MOST_NAME_CHARACTERS) ?? `${source}#${index}`,
    text: content,
    source,
    source_name: text('source_name', MOST_NAME_CHARACTERS) ?? source,
    page_number: numberIn(result, 'page_number', place, isPage, `a whole number from 1 to ${MOST_PAGE} or null`),
    heading: text('heading', MOST_NAME_CHARACTERS),
    score: numberIn(result, 'score', place, Number.isFinite, 'a number or null') ?? 0,
  };
}

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const isPage = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= MOST_PAGE;

function textIn(result: Fields, field: string, most: number, place: string): string | null {
  const value = result[field] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string' || value.length === 0 || value.length > most)
    throw new BadRetrievalAnswer(`${place}.${field}`, `a text of 1 to ${most} characters`);
  return value;
}

function numberIn(result: Fields, field: string, place: string, holds: (value: number) => boolean, rule: string): number | null {
  const value = result[field] ?? null;
  if (value === null) return null;
  if (typeof value !== 'number' || !holds(value)) throw new BadRetrievalAnswer(`${place}.${field}`, rule);
  return value;
}
