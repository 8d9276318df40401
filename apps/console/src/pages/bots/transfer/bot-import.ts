import type { BotImport } from '@parlance/client/types';
import { longPost } from '../../../api/long-request.ts';
import { parlance } from '../../../session/parlance.ts';
import { newBotId } from './new-bot-id.ts';

const ARCHIVE = 'bot.zip';
/** The server's limit for a YAML text. A larger file is not read. */
const MOST_YAML_BYTES = 2 * 1024 * 1024;

/** The request's source: the YAML text itself, or the name of an archive that was uploaded for the ID. */
interface Source {
  readonly id: string;
  readonly body: { readonly yaml: string } | { readonly archive: string };
}

export interface CheckedImport {
  readonly source: Source;
  readonly report: BotImport;
}

/** Previews the import of a file. An archive is uploaded first. Null if the file is too large for a YAML text and is not an archive. */
export async function checkedImport(file: File): Promise<CheckedImport | null> {
  const id = newBotId();
  const isZip = await isArchive(file);
  if (!isZip && file.size > MOST_YAML_BYTES) return null;
  if (isZip) await parlance.bots.upload(id, ARCHIVE, 'application/zip', file);
  const source = { id, body: isZip ? { archive: ARCHIVE } : { yaml: await file.text() } };
  return { source, report: await importOf(source, true) };
}

/** Creates the bot. A repeated request returns the bot created for the ID. */
export const importBot = (source: Source): Promise<BotImport> => importOf(source, false);

const importOf = ({ id, body }: Source, dryRun: boolean): Promise<BotImport> =>
  longPost(`/bot/import?id=${id}&dry_run=${dryRun}`, body, newBotId());

/** Checked by its first bytes, because file names may lack the extension. */
const isArchive = async (file: File): Promise<boolean> => (await file.slice(0, 2).text()) === 'PK';
