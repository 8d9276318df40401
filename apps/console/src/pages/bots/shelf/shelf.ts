import type { BotItem } from '@parlance/client/types';

export type ShelfBot = Pick<BotItem, 'id' | 'title' | 'description' | 'icon' | 'colour' | 'picture' | 'is_starred' | 'status'>;

export const isPinned = ({ status }: Pick<ShelfBot, 'status'>): boolean => status.startsWith('pinned@');

/** Joins lists. Each bot is kept once, where it comes first. */
export function joined<Bot extends ShelfBot>(...lists: readonly (readonly Bot[] | undefined)[]): readonly Bot[] {
  const byId = new Map<string, Bot>();
  for (const bot of lists.flatMap((list) => list ?? [])) if (!byId.has(bot.id)) byId.set(bot.id, bot);
  return [...byId.values()];
}

/** The bots whose title or description contains the text. Titles that begin with it come first. */
export function matching<Bot extends ShelfBot>(bots: readonly Bot[], text: string): readonly Bot[] {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return bots;
  const rank = ({ title, description }: Bot): number => {
    const name = title.toLocaleLowerCase();
    if (name.startsWith(wanted)) return 0;
    if (name.includes(wanted)) return 1;
    return description.toLocaleLowerCase().includes(wanted) ? 2 : 3;
  };
  return bots
    .map((bot) => ({ bot, at: rank(bot) }))
    .filter(({ at }) => at < 3)
    .toSorted((one, other) => one.at - other.at)
    .map(({ bot }) => bot);
}
