import { Suspense } from 'react';
import { colourOf } from './appearance.ts';
import { initialOf } from './initial.ts';
import { lazyPart, Nothing } from '../../../ui/lazy-part.tsx';

/** The lines of the icons are only loaded if one is shown. */
const LineIcon = lazyPart(() => import('./line-icon.tsx'), 'LineIcon', Nothing);

const SIZES = {
  small: 'size-7 rounded-sm text-xs',
  medium: 'size-10 rounded-sm text-md',
  large: 'size-14 rounded-md text-xl',
};

interface BotIconProps {
  /** The lists of analytics do not have the types of the names. */
  readonly bot: { readonly title: string; readonly icon: string | null; readonly colour: string | null };
  readonly size?: keyof typeof SIZES;
}

/** The icon of a bot, or the initial of its title, in the colour of the bot. Its title is beside it, so screen readers skip it. */
export function BotIcon({ bot: { title, icon, colour }, size = 'small' }: BotIconProps) {
  const initial = icon === null ? initialOf(title) : null;
  const look = colour === null ? 'border border-line bg-raised text-accent' : 'bg-current/15';
  return (
    <span
      aria-hidden
      className={`flex shrink-0 items-center justify-center font-semibold ${look} ${SIZES[size]}`}
      style={colour === null ? undefined : { color: colourOf(colour) }}
    >
      {initial ?? (
        <Suspense>
          <LineIcon name={icon ?? 'chat'} />
        </Suspense>
      )}
    </span>
  );
}
