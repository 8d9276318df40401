import { Refusal } from '@parlance/decider';
import type { FileReader } from '../../adapters/files/file-reader.ts';
import type { CheckedFile } from '../../adapters/files/message-files.ts';
import type { ConversationToImport } from '../../http/imports/import-body.ts';

/** A file that is not imported. The rest of its conversation is imported without it. */
export interface LeftFile {
  readonly message_id: string;
  readonly name: string | null;
  readonly reason: string;
}

export interface ImportedFiles {
  /** By the ID of the message. */
  readonly checked: ReadonlyMap<string, readonly CheckedFile[]>;
  readonly left: readonly LeftFile[];
}

/** Reads the files of an imported conversation. Rejects only with errors that may not occur on a retry. */
export async function importedFiles(reader: FileReader, { user_id, messages }: ConversationToImport): Promise<ImportedFiles> {
  const checked = new Map<string, CheckedFile[]>();
  const left: LeftFile[] = [];
  for (const { id, files = [] } of messages)
    for (const file of files) {
      const name = file.kind === 'attachment' ? file.name : null;
      try {
        const [read] = await reader.check(user_id, [{ ...file, path: 'body' }]);
        checked.set(id, [...(checked.get(id) ?? []), read!]);
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error;
        left.push({ message_id: id, name, reason: error.message });
      }
    }
  return { checked, left };
}
