import { ParlanceError } from '@parlance/client';
import { parlance } from '../session/parlance.ts';
import { saveFile } from './save-file.ts';

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Saves a list of the API as CSV: the same path and filters, all pages. */
export async function downloadCsv(path: string, query: Query, name: string): Promise<void> {
  const filters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined && value !== null) filters.set(key, String(value));
  const answer = await fetch(filters.size > 0 ? `${path}?${filters}` : path, {
    headers: { ...(await parlance.session.headers()), accept: 'text/csv' },
  });
  if (!answer.ok) throw await ParlanceError.of(answer);
  saveFile(await answer.blob(), name);
}
