import type { ConversationImport } from '@parlance/client/types';
import { longUpload } from '../../../api/long-request.ts';

/** The server's limit. A larger file is not sent. */
const MOST_BYTES = 16 * 1024 * 1024;

export const isTooLarge = ({ size }: Blob): boolean => size > MOST_BYTES;

/** What would be imported, or what was imported. */
export async function importOf(file: Blob, isDryRun: boolean): Promise<ConversationImport> {
  const type = (await isArchive(file)) ? 'application/zip' : 'application/json';
  return longUpload(`/conversations/imports?dry_run=${isDryRun}`, file, type);
}

/** Checked by its first bytes, because file names may lack the extension. */
const isArchive = async (file: Blob): Promise<boolean> => (await file.slice(0, 2).text()) === 'PK';
