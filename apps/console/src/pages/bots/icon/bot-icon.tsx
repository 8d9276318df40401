import { lazy, Suspense } from 'react';
import { type Appearance, colourOf } from './appearance.ts';
import { initialOf } from './initial.ts';

/** The lines of the icons are only loaded if one is shown. */
const LineIcon = lazy(() => import('./line-icon.tsx').then((its) => ({ default: its.LineIcon })));

const SIZES = {
  small: 'size-7 rounded-sm text-xs',
  medium: 'size-10 rounded-sm text-md',
  large: 'size-14 rounded-md text-xl',
};

interface BotIconProps {
  readonly bot: Appearance & { readonly title: string };
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
