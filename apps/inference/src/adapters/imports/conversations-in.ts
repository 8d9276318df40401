// Node runs this source without compiling it in tests; see limits.ts.
import { entriesOf } from './archive.ts';
import { isObject, memberOf, type Source } from './drafts.ts';
import { ImportFault } from './import-fault.ts';
import { BoundedJson } from './json-bounds.ts';
import { MOST_CONVERSATIONS } from './limits.ts';
import { CONVERSATION_FORMAT, OWN_DATA_FORMAT } from './parlance.ts';

export interface Found {
  readonly source: Source;
  readonly conversations: readonly unknown[];
}

const MANIFEST = 'manifest.json';
const OWN_ENTRY = /^conversations\/[^/]+\.json$/;
/** Large exports of ChatGPT have numbered files. */
const LISTS = /(^|\/)conversations(-\d+)?\.json$/;
const ENTRIES = new RegExp(`^${MANIFEST.replace('.', '\\.')}$|${OWN_ENTRY.source}|${LISTS.source}`);

const unknownFormat = (what: string) =>
  new ImportFault(
    'invalid_import',
    `${what} is not an export that can be imported. Send conversations of Parlance, or the conversations.json of ChatGPT or Claude, or a ZIP with one of these.`,
  );

/** The unparsed conversations of a body. Throws `ImportFault`. */
export async function conversationsIn(bytes: Buffer, isArchive: boolean, wanted: Source | 'auto'): Promise<Found> {
  const { source, conversations } = isArchive ? await inArchive(bytes) : inJson(bytes);
  if (source !== null && wanted !== 'auto' && wanted !== source)
    throw new ImportFault(
      'invalid_import',
      `This is an export of ${NAMES[source]}, not of ${NAMES[wanted]}. Change the source, or send auto.`,
    );
  const its = source ?? (wanted === 'auto' ? null : wanted);
  if (its === null) throw unknownFormat('The file');
  if (conversations.length > MOST_CONVERSATIONS)
    throw new ImportFault(
      'import_too_large',
      `The import has ${conversations.length} conversations. Send at most ${MOST_CONVERSATIONS} in one request: split it into several files.`,
    );
  return { source: its, conversations };
}

const NAMES: Readonly<Record<Source, string>> = { parlance: 'Parlance', chatgpt: 'ChatGPT', claude: 'Claude' };

interface DetectedSource {
  /** Null for an empty list. */
  readonly source: Source | null;
  readonly conversations: readonly unknown[];
}

function inJson(bytes: Buffer): DetectedSource {
  const value = new BoundedJson().parse(bytes, 'The body');
  const conversations = Array.isArray(value) ? (value as readonly unknown[]) : isObject(value) ? [value] : null;
  if (conversations === null) throw unknownFormat('The body');
  return { source: detectedSource(conversations, 'The body'), conversations };
}

async function inArchive(bytes: Buffer): Promise<DetectedSource> {
  const entries = await entriesOf(bytes, ENTRIES);
  const json = new BoundedJson();
  const manifest = entries.get(MANIFEST);
  const isOwn = manifest !== undefined && memberOf(json.parse(manifest, `The entry ${MANIFEST}`), 'format') === OWN_DATA_FORMAT;
  const names = [...entries.keys()].filter((name) => (isOwn ? OWN_ENTRY : LISTS).test(name));
  const conversations: unknown[] = [];
  for (const name of names) {
    const value = json.parse(entries.get(name)!, `The entry ${name.slice(0, 200)}`);
    // One by one, because the number of arguments of a call is limited.
    if (Array.isArray(value) && !isOwn) for (const each of value as readonly unknown[]) conversations.push(each);
    else conversations.push(value);
  }
  if (isOwn) return { source: 'parlance', conversations };
  if (names.length === 0)
    throw new ImportFault('invalid_import', 'The archive has no file conversations.json. Archives within the archive are not opened.');
  return { source: detectedSource(conversations, 'The archive'), conversations };
}

/** Detects the source by the first conversation that has a known format. */
function detectedSource(conversations: readonly unknown[], what: string): Source | null {
  if (conversations.length === 0) return null;
  for (const each of conversations) {
    if (memberOf(each, 'format') === CONVERSATION_FORMAT) return 'parlance';
    if (memberOf(each, 'mapping') !== undefined) return 'chatgpt';
    if (memberOf(each, 'chat_messages') !== undefined) return 'claude';
  }
  throw unknownFormat(what);
}
