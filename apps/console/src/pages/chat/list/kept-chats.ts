/** A chat that an earlier release has pinned, or put into a folder, in this browser. */
export interface KeptChat {
  readonly id: string;
  /** Null for a pinned chat. */
  readonly folder: string | null;
}

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const keyOf = (userId: string): string => `parlance.kept-chats.${userId}`;

export function keptChats(storage: Pick<Kept, 'getItem'>, userId: string): readonly KeptChat[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isKept) : [];
  } catch {
    return [];
  }
}

const isKept = (each: unknown): each is KeptChat =>
  typeof each === 'object' &&
  each !== null &&
  'id' in each &&
  typeof each.id === 'string' &&
  'folder' in each &&
  (each.folder === null || typeof each.folder === 'string');

/** Called when the server has the chat. The chats are read again, because another tab may have removed some. */
function forget(storage: Kept, userId: string, id: string): void {
  const left = keptChats(storage, userId).filter((each) => each.id !== id);
  if (left.length === 0) storage.removeItem(keyOf(userId));
  else storage.setItem(keyOf(userId), JSON.stringify(left));
}

/** What the move needs from the server. `false`: the chat no longer exists there, or cannot be moved. */
export interface Mover {
  /** The ID of the user's own project with this title, which is created if there is none. */
  readonly project: (title: string) => Promise<string>;
  readonly pin: (id: string) => Promise<boolean>;
  readonly move: (id: string, projectId: string) => Promise<boolean>;
}

/**
 * Moves pins to the server, and folders to projects of the same name. Each chat is removed from the browser only once the server has it, or
 * does not know it. If the move is interrupted, the next one continues. Returns how many the server has now.
 */
export async function moveKeptChats(storage: Kept, userId: string, { project, pin, move }: Mover): Promise<number> {
  let moved = 0;
  for (const { id, folder } of keptChats(storage, userId)) {
    const name = folder?.trim() ?? '';
    const isMoved = name === '' ? await pin(id) : await move(id, await project(name));
    if (isMoved) moved++;
    forget(storage, userId, id);
  }
  return moved;
}
