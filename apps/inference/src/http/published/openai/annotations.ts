import { markerOf } from '@parlance/chat-models';
import { z } from 'zod';
import type { UsedChunk } from '../../answers.ts';

const range = {
  start_index: z.int().describe('Start of the marker [^n] in the text, in UTF-16 code units.'),
  end_index: z.int().describe('End of the marker, exclusive.'),
};

export const UrlCitation = z.object({ type: z.literal('url_citation'), ...range, title: z.string(), url: z.string() });
export const FileCitation = z.object({
  type: z.literal('file_citation'),
  file_id: z.string().describe('ID of the document.'),
  filename: z.string(),
  index: z.int().describe('Start of the marker [^n] in the text, in UTF-16 code units.'),
});

/** An annotation of the Responses API. */
export const Annotation = z.discriminatedUnion('type', [UrlCitation, FileCitation]);
export type Annotation = z.infer<typeof Annotation>;

/** An annotation of chat completions. The standard only has `url_citation`. A file has the same form under its own name. */
export const ChatAnnotation = z.discriminatedUnion('type', [
  z.object({ type: z.literal('url_citation'), url_citation: UrlCitation.omit({ type: true }) }),
  z.object({ type: z.literal('file_citation'), file_citation: FileCitation.omit({ type: true }) }),
]);
export type ChatAnnotation = z.infer<typeof ChatAnnotation>;

/** The limit for one text. */
const MOST_ANNOTATIONS = 500;

/** The sources of a text, one for each of its markers [^n], in the order of the markers. */
export function annotationsOf(text: string, chunks: readonly UsedChunk[]): Annotation[] {
  const found: Annotation[] = [];
  for (const chunk of chunks) {
    const marker = markerOf(chunk.rank);
    for (let at = text.indexOf(marker); at >= 0 && found.length < MOST_ANNOTATIONS; at = text.indexOf(marker, at + marker.length))
      found.push(annotationOf(chunk, at, marker.length));
  }
  return found.sort((a, b) => startOf(a) - startOf(b));
}

export const chatAnnotationOf = ({ type, ...its }: Annotation): ChatAnnotation =>
  (type === 'url_citation' ? { type, url_citation: its } : { type, file_citation: its }) as ChatAnnotation;

const startOf = (annotation: Annotation): number => (annotation.type === 'url_citation' ? annotation.start_index : annotation.index);

function annotationOf({ source, source_name, source_id }: UsedChunk, at: number, length: number): Annotation {
  return /^https?:\/\//i.test(source)
    ? { type: 'url_citation', start_index: at, end_index: at + length, title: source_name, url: source }
    : { type: 'file_citation', file_id: source_id, filename: source_name, index: at };
}
