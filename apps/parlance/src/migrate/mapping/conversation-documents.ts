import { isMap } from '../source/dynamo-item.ts';
import { type FoundDocument, originOf, type RelatedDocument, textOf } from '../source/related-documents.ts';

type Source = Readonly<Record<string, unknown>>;

/** The documents of a conversation, assigned to the replies that used them. */
export class ConversationDocuments {
  private readonly used = new Set<string>();

  constructor(private readonly all: readonly FoundDocument[]) {}

  /** The documents that the tools of a reply have found, and the documents of earlier replies that it cites. */
  of(key: string, message: Source, text: string): readonly RelatedDocument[] {
    const log = turnsOf(message);
    const origins = new Set([key, ...log.flatMap(({ id }) => id)]);
    const documents: RelatedDocument[] = this.all.filter(({ id }) => origins.has(originOf(id)) || text.includes(`[^${id}]`));
    for (const { id } of documents) this.used.add(id);
    const ids = new Set(documents.map(({ id }) => id));
    // The log of a reply also has the texts, but not the names of the documents.
    for (const document of log.flatMap(({ results }) => results))
      if (!ids.has(document.id) && text.includes(`[^${document.id}]`)) documents.push(document);
    return documents;
  }

  /** Documents without an existing reply. */
  get unused(): readonly FoundDocument[] {
    return this.all.filter(({ id }) => !this.used.has(id));
  }

  /** Images and files. Only their names are imported. */
  get withoutText(): readonly FoundDocument[] {
    return this.all.filter(({ id, hasText }) => this.used.has(id) && !hasText);
  }
}

interface Turn {
  /** The ID of the tool call; empty if the log has none. */
  readonly id: readonly string[];
  readonly results: readonly RelatedDocument[];
}

function turnsOf(message: Source): readonly Turn[] {
  const turns = Array.isArray(message['thinking_log']) ? message['thinking_log'].filter(isMap) : [];
  return turns
    .flatMap(({ content }) => (Array.isArray(content) ? content : [content]).filter(isMap))
    .flatMap(({ body }) => (isMap(body) ? [body] : []))
    .map(({ tool_use_id: id, content }) => ({ id: typeof id === 'string' ? [id] : [], results: resultsIn(content) }));
}

function resultsIn(content: unknown): readonly RelatedDocument[] {
  return (Array.isArray(content) ? content : [content]).filter(isMap).flatMap(({ json, text }) => {
    // Some models received all results of a call as one text.
    const raw = json ?? (typeof text === 'string' && text.startsWith('[') ? parsed(text) : null);
    return (Array.isArray(raw) ? raw : [raw]).filter(isMap).flatMap((result) => {
      const { source_id: id } = result;
      if (typeof id !== 'string') return [];
      const { content: of } = result;
      return [{ id, name: '', link: '', page: null, content: textOf(of) ?? JSON.stringify(of ?? '') }];
    });
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
