import { Pin, Star } from 'lucide-react';
import { useBotChoiceMessages } from '../../../messages/bot-choice-messages.ts';
import { isPinned, type ShelfBot } from './shelf.ts';

/** Marks a starred or pinned bot. */
export function BotMarks({ bot }: { readonly bot: Pick<ShelfBot, 'is_starred' | 'status'> }) {
  const texts = useBotChoiceMessages();
  const [Icon, text] = bot.is_starred ? [Star, texts.starred] : [Pin, texts.pinned];
  if (!bot.is_starred && !isPinned(bot)) return null;
  return (
    <span className="shrink-0 text-muted">
      <Icon aria-hidden className={`size-3.5 ${bot.is_starred ? 'fill-current text-warn' : ''}`} />
      <span className="sr-only">{text}</span>
    </span>
  );
}
