import type { SharedChunk } from '@parlance/client/types';

/** Heading marks: a chunk's text is Markdown, but is shown as plain text. */
const HEADING_MARKS = /^#{1,6} +/gm;

/** The displayed text of a chunk: each title once, above its text. */
export function chunkText({ source_name, heading, content }: Pick<SharedChunk, 'source_name' | 'heading' | 'content'>) {
  const text = content.replaceAll(HEADING_MARKS, '').trim();
  const [first = ''] = text.split('\n', 1);
  const isRepeated = heading !== null && (heading === source_name || heading === first.trim());
  return { heading: isRepeated ? null : heading, text };
}
