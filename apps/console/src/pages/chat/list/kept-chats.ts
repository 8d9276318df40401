export interface NamedChat {
  readonly id: string;
  readonly title: string;
}

/** A chat that the user has pinned or put into a folder. Kept in this browser, because the API does not store pins and folders. */
export interface KeptChat extends NamedChat {
  /** Null for a pinned chat. */
  readonly folder: string | null;
}

export const MOST_KEPT = 200;
export const LONGEST_FOLDER = 60;
const LONGEST_TITLE = 200;

type Kept = Pick<Storage, 'getItem' | 'setItem'>;

/** Pinned chats and folders of a user. */
export class KeptChats {
  private chats: readonly KeptChat[];
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly storage: Kept,
    private readonly key: string,
  ) {
    this.chats = read(storage, key);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly all = (): readonly KeptChat[] => this.chats;

  /** Pins a chat, or moves it to a folder; it is never in both. The oldest is dropped when there are too many. */
  keep({ id, title, folder }: KeptChat): void {
    this.reload();
    const name = folder?.trim().slice(0, LONGEST_FOLDER) || null;
    this.change(
      [...this.chats.filter((each) => each.id !== id), { id, title: title.slice(0, LONGEST_TITLE), folder: name }].slice(-MOST_KEPT),
    );
  }

  drop(id: string): void {
    this.reload();
    if (this.chats.some((each) => each.id === id)) this.change(this.chats.filter((each) => each.id !== id));
  }

  /** Updates titles that have changed. */
  rename(titles: ReadonlyMap<string, string>): void {
    this.reload();
    const isNew = ({ id, title }: KeptChat) => (titles.get(id)?.slice(0, LONGEST_TITLE) ?? title) !== title;
    if (this.chats.some(isNew))
      this.change(this.chats.map((each) => ({ ...each, title: titles.get(each.id)?.slice(0, LONGEST_TITLE) ?? each.title })));
  }

  /** Called when another tab has changed a key of the storage; null for all keys. */
  readonly changedElsewhere = ({ key }: Pick<StorageEvent, 'key'>): void => {
    if (key !== null && key !== this.key) return;
    this.reload();
    this.tell();
  };

  /** Read again, because another tab may have changed them. */
  private reload(): void {
    this.chats = read(this.storage, this.key);
  }

  private change(chats: readonly KeptChat[]): void {
    this.chats = chats;
    try {
      this.storage.setItem(this.key, JSON.stringify(chats));
    } catch {
      // The browser's storage is full or disabled. The state lasts until the page is closed.
    }
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

function read(storage: Kept, key: string): readonly KeptChat[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? '[]');
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
  'title' in each &&
  typeof each.title === 'string' &&
  'folder' in each;

/** The pinned chats, then the folders by name. */
export function shelves(chats: readonly KeptChat[]): readonly { readonly folder: string | null; readonly chats: readonly KeptChat[] }[] {
  const names = [...new Set(chats.map(({ folder }) => folder))];
  const sorted = names.toSorted((one, other) => (one === null ? -1 : other === null ? 1 : one.localeCompare(other)));
  return sorted.map((folder) => ({ folder, chats: chats.filter((each) => each.folder === folder) }));
}
