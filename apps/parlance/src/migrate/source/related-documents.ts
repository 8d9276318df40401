import { isMap } from './dynamo-item.ts';
import type { SourceRecord } from './records.ts';

/** A text that a reply used. Version 3 stores each one as an item. */
export interface RelatedDocument {
  /** The ID in the source, such as `tooluse_Kx9a@0`: the ID of the tool call or the reply, and the number of the document. */
  readonly id: string;
  readonly name: string;
  /** Empty if there is no link. */
  readonly link: string;
  readonly page: number | null;
  readonly content: string;
}

/** A document with the line of the export that has it. */
export interface FoundDocument extends RelatedDocument {
  readonly file: string;
  readonly line: number;
  /** False for an image or a file, whose content is not text. */
  readonly hasText: boolean;
}

/** The call or the reply that a document belongs to. */
export const originOf = (id: string): string => id.slice(0, id.lastIndexOf('@'));
export const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf('@') + 1)) || 0;

export function documentOf({ item, documentId: id = '' }: SourceRecord): Omit<FoundDocument, 'file' | 'line'> {
  const { SourceName: name, SourceLink: link, PageNumber: page, Content: content } = item;
  const text = textOf(content);
  return {
    id,
    name: typeof name === 'string' ? name : '',
    link: typeof link === 'string' ? link : '',
    page: Number.isInteger(Number(page ?? Number.NaN)) ? Number(page) : null,
    content: text ?? '',
    hasText: text !== null,
  };
}

/** Null for an image or a file. */
export function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!isMap(content)) return null;
  if (content['text'] !== undefined) return String(content['text']);
  return content['json'] === undefined ? null : JSON.stringify(content['json']);
}
