import { tmpdir } from 'node:os';
import { DocumentReader } from '@parlance/documents';
import { FileReader } from '../../adapters/files/file-reader.ts';
import { READING_MILLIS } from '../../files.module.ts';
import { checkedConversation } from '../../http/imports/import-body.ts';
import type { ImportOutcome } from './conversation-imports.ts';
import { importedFiles } from './imported-files.ts';

/** The checks of an import, for the dry run of `parlance migrate`, which starts no service. */
export class ImportRules {
  private readonly documents = new DocumentReader({ directory: tmpdir(), timeoutMillis: READING_MILLIS });
  private readonly reader = new FileReader(this.documents);

  /** The outcome of an import into an empty installation. */
  async outcomeOf(given: object): Promise<{ readonly id: string } & ImportOutcome> {
    const conversation = checkedConversation(given);
    if ('status' in conversation) return conversation;
    const { left } = await importedFiles(this.reader, conversation);
    return { id: conversation.id, status: 'imported', ...(left.length > 0 && { left_files: left }) };
  }

  async close(): Promise<void> {
    await this.documents.close();
  }
}
