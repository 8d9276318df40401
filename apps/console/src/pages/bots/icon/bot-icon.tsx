import { Suspense } from 'react';
import { colourOf, type MarkedBot } from './appearance.ts';
import { initialOf } from './initial.ts';
import { lazyPart, Nothing } from '../../../ui/lazy-part.tsx';

/** Pictures and the lines of the icons are only loaded if one is shown. */
const BotMark = lazyPart(() => import('./bot-mark.tsx'), 'BotMark', Nothing);

const SIZES = {
  small: 'size-7 rounded-sm text-xs',
  medium: 'size-10 rounded-sm text-md',
  large: 'size-14 rounded-md text-xl',
};

interface BotIconProps {
  readonly bot: MarkedBot;
  readonly size?: keyof typeof SIZES;
}

/** The picture or the icon of a bot, or the initial of its title, in the colour of the bot. Its title is beside it, so screen readers skip it. */
export function BotIcon({ bot, size = 'small' }: BotIconProps) {
  const { title, icon, colour, picture } = bot;
  const initial = icon || picture ? null : initialOf(title);
  const look = colour === null ? 'border border-line bg-raised text-accent' : 'bg-current/15';
  return (
    <span
      aria-hidden
      className={`flex shrink-0 items-center justify-center font-semibold ${look} ${SIZES[size]}`}
      style={colour === null ? undefined : { color: colourOf(colour) }}
    >
      {initial ?? (
        <Suspense>
          <BotMark bot={bot} />
        </Suspense>
      )}
    </span>
  );
}
