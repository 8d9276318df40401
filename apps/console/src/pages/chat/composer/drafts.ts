/** Unsent texts by chat. */
type Drafts = Readonly<Record<string, { readonly text: string; time: number }>>;

/** The key of a new chat without a bot. */
export const NEW_CHAT = 'new';
/** The key of a new chat with a bot. */
export const draftOfBot = (botId: string): string => `${NEW_CHAT}-${botId}`;
/** The key of a draft's privacy, which is kept in letters, follows this. */
const PRIVACY = 'privacy-';

/** How a new chat is kept, and what it may know. */
export interface Privacy {
  readonly isTemporary: boolean;
  readonly hasMemory: boolean;
}
export const NOT_PRIVATE: Privacy = { isTemporary: false, hasMemory: true };
/** What a user did not want to be kept or known must not be, also if the text comes from elsewhere. */
export const stricter = (one: Privacy, other: Privacy): Privacy => ({
  isTemporary: one.isTemporary || other.isTemporary,
  hasMemory: one.hasMemory && other.hasMemory,
});

/** All drafts of a user in this browser. The oldest are dropped beyond a limit. */
const MOST_DRAFTS = 50;
const MOST_CHARACTERS = 200_000;

type Kept = Pick<Storage, 'getItem' | 'setItem'>;

export class DraftStore {
  constructor(
    private readonly storage: Kept,
    private readonly key: string,
    private readonly now: () => number = Date.now,
  ) {}

  of(chat: string): string {
    return this.read()[chat]?.text ?? '';
  }

  keep(chat: string, text: string): void {
    const { [chat]: _, ...others } = this.read();
    const time = this.now();
    const privacy = others[PRIVACY + chat];
    // As old as its text, and before it: it must not be dropped while the text is kept.
    if (privacy) privacy.time = time;
    this.write(text.trim() === '' ? others : { ...others, [chat]: { text, time } });
  }

  privacyOf(chat: string): Privacy {
    const letters = this.of(PRIVACY + chat);
    return { isTemporary: letters.includes('t'), hasMemory: !letters.includes('m') };
  }

  keepPrivacy(chat: string, { isTemporary, hasMemory }: Privacy): void {
    this.keep(PRIVACY + chat, `${isTemporary ? 't' : ''}${hasMemory ? '' : 'm'}`);
  }

  private read(): Drafts {
    try {
      const kept: unknown = JSON.parse(this.storage.getItem(this.key) ?? '{}');
      return typeof kept === 'object' && kept !== null ? (kept as Drafts) : {};
    } catch {
      return {};
    }
  }

  private write(drafts: Drafts): void {
    try {
      this.storage.setItem(this.key, JSON.stringify(bounded(drafts)));
    } catch {
      // The browser's storage is full or disabled. The draft stays in the field.
    }
  }
}

function bounded(drafts: Drafts): Drafts {
  let left = MOST_CHARACTERS;
  const newest = Object.entries(drafts).toSorted(([, one], [, other]) => other.time - one.time);
  const fits = ([, { text }]: (typeof newest)[number]) => {
    // The letters of a privacy always fit.
    if (text.length > 2 && text.length > left) return false;
    left -= text.length;
    return true;
  };
  return Object.fromEntries(newest.slice(0, MOST_DRAFTS).filter(fits));
}
