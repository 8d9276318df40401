import type { BotItem } from '@parlance/client/types';

export type Appearance = Pick<BotItem, 'icon' | 'colour'>;
/** What is drawn for a bot. */
export interface MarkedBot {
  readonly title: string;
  /** The lists of analytics do not have the types of the names. */
  readonly icon: string | null;
  readonly colour: string | null;
  /** Absent for a bot that is not saved yet. */
  readonly id?: string;
  readonly picture?: string | null;
}

export type IconName = NonNullable<Appearance['icon']>;
export type ColourName = NonNullable<Appearance['colour']>;

/** The style for a colour in the current theme. */
export const colourOf = (name: string): string => `var(--bot-${name})`;
