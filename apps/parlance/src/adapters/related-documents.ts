import { DatabaseSync } from 'node:sqlite';
import type { SourceRecord } from '../migrate/source/records.ts';
import { documentOf, type FoundDocument, numberOf } from '../migrate/source/related-documents.ts';

interface Row {
  readonly document: string;
}

/** The documents of all conversations. They may be anywhere in the export, and may not fit into memory. */
export class RelatedDocuments {
  /** SQLite stores a database without a name in a temporary file, which it removes. */
  private readonly database = new DatabaseSync('');
  private readonly insert;
  private readonly select;

  constructor() {
    this.database.exec('CREATE TABLE documents (conversation TEXT, id TEXT, document TEXT, PRIMARY KEY (conversation, id)) WITHOUT ROWID');
    this.database.exec('BEGIN');
    this.insert = this.database.prepare('INSERT OR IGNORE INTO documents VALUES (?, ?, ?)');
    this.select = this.database.prepare('SELECT document FROM documents WHERE conversation = ? ORDER BY id');
  }

  add(record: SourceRecord, place: { readonly file: string; readonly line: number }): void {
    const document: FoundDocument = { ...documentOf(record), ...place };
    this.insert.run(keyOf(record.userId, record.id), document.id, JSON.stringify(document));
  }

  /** Both are IDs of the source. */
  of(userId: string, conversationId: string): readonly FoundDocument[] {
    return (this.select.all(keyOf(userId, conversationId)) as unknown as Row[])
      .map(({ document }) => JSON.parse(document) as FoundDocument)
      .toSorted((one, other) => numberOf(one.id) - numberOf(other.id));
  }

  close(): void {
    this.database.close();
  }
}

const keyOf = (userId: string, conversationId: string) => `${userId} ${conversationId}`;
