import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { OBJECTS } from '@parlance/installation';
import type { ListedObject, ObjectStore } from '@parlance/object-store';
import { isStoredIn, openFileObjectStore } from '@parlance/object-store/files';
import { type FileListMark, FileListWriter } from '../backup/file-list.ts';

const PAGE = 1_000;
/** For objects without a type, such as the files of indexes. */
const UNTYPED = 'application/octet-stream';

/** The objects of a backup, as files in the same form as the objects of the single process. */
export const objectsOf = (directory: string): Promise<ObjectStore> =>
  openFileObjectStore({ directory: join(directory, OBJECTS), baseUrl: '', secret: new Uint8Array(32), isOnlyUser: true });

/** Whether a backup has an object, or an object in a folder. */
export const hasObject = (directory: string, key: string): Promise<boolean> => isStoredIn(join(directory, OBJECTS), key);

export async function* listAll(store: ObjectStore): AsyncGenerator<ListedObject> {
  for (let after: string | undefined; ;) {
    const page = await store.list('', { limit: PAGE, ...(after !== undefined && { after }) });
    yield* page;
    after = page.at(-1)?.key;
    if (page.length < PAGE) return;
  }
}

/** Copies all objects but those that `isCopied`, one after the other. An object that is removed meanwhile is left out. */
export async function copyObjects(
  from: ObjectStore,
  to: ObjectStore,
  isCopied: (listed: ListedObject) => Promise<boolean> = async () => false,
  onCopied: (copied: number) => void = () => undefined,
): Promise<number> {
  let copied = 0;
  for await (const listed of listAll(from)) {
    if (await isCopied(listed)) continue;
    const object = await from.get(listed.key);
    if (!object) continue;
    await to.put(listed.key, object.body, { contentType: object.contentType || UNTYPED, size: object.size });
    onCopied(++copied);
  }
  return copied;
}

/** Writes the list of the files of a backup. */
export async function listFiles(directory: string): Promise<FileListMark> {
  const writer = await FileListWriter.create(directory);
  try {
    for await (const path of filesIn(directory, OBJECTS)) await writer.add(path);
    return await writer.finish();
  } finally {
    await writer.close();
  }
}

async function* filesIn(directory: string, inside: string): AsyncGenerator<string> {
  for await (const entry of await opendir(join(directory, inside))) {
    const path = `${inside}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(directory, path);
    else yield path;
  }
}
