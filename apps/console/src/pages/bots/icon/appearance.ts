import type { BotItem } from '@parlance/client/types';

export type Appearance = Pick<BotItem, 'icon' | 'colour'>;
export type IconName = NonNullable<Appearance['icon']>;
export type ColourName = NonNullable<Appearance['colour']>;

/** A colour that the server adds does not compile without an entry here. Their values are in styles.css. */
const ALL: Readonly<Record<ColourName, true>> = {
  red: true,
  orange: true,
  yellow: true,
  green: true,
  teal: true,
  blue: true,
  indigo: true,
  purple: true,
  pink: true,
  grey: true,
};
export const COLOURS = Object.keys(ALL) as readonly ColourName[];

/** The style for a colour in the current theme. */
export const colourOf = (name: string): string => `var(--bot-${name})`;
